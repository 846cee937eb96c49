# The directory is the registry: a folder's file names become a generated list, and nothing else names them.
#
#   ingle_registry(FOLDER <dir> TYPE <C++ type> NAMESPACE <ns> LIST <function> OUT <file.cpp> HEADER <h>)
#     For every <dir>/NAME.cpp: expects `extern const TYPE NAME;` in NAMESPACE::entries and writes a .cpp
#     that defines `std::span<const TYPE* const> NAMESPACE::LIST()`. A file that forgets its symbol is a
#     link error that names it.
#
#   ingle_type_list(FOLDER <dir> NAMESPACE <ns> CASE <upper|pascal> TEMPLATE <name> ALIAS <name> OUT <file.h>)
#     For every <dir>/NAME.h: includes it and lists the type NAMESPACE::CASED(NAME) in
#     `using ALIAS = TEMPLATE<...>`.
#
# Folders are watched (CONFIGURE_DEPENDS), so adding a file needs no edit anywhere.

function(_ingle_stems folder extension out)
  file(GLOB files CONFIGURE_DEPENDS ${folder}/*.${extension})
  set(stems "")
  foreach(file IN LISTS files)
    get_filename_component(stem ${file} NAME_WE)
    list(APPEND stems ${stem})
  endforeach()
  list(SORT stems)
  set(${out} "${stems}" PARENT_SCOPE)
endfunction()

# Writes only when the content changed, so that nothing is rebuilt for nothing.
function(_ingle_write file content)
  if(EXISTS ${file})
    file(READ ${file} old)
    if(old STREQUAL content)
      return()
    endif()
  endif()
  file(WRITE ${file} "${content}")
endfunction()

function(ingle_registry)
  cmake_parse_arguments(R "" "FOLDER;TYPE;NAMESPACE;LIST;OUT;HEADER" "" ${ARGN})
  _ingle_stems(${R_FOLDER} cpp stems)
  set(declarations "")
  set(addresses "")
  foreach(stem IN LISTS stems)
    string(APPEND declarations "extern const ${R_TYPE} ${stem};\n")
    string(APPEND addresses "        &entries::${stem},\n")
  endforeach()
  set(body "    return {};\n")
  if(stems)
    set(body "    static const ${R_TYPE}* const all[] = {\n${addresses}    };\n    return all;\n")
  endif()
  _ingle_write(${R_OUT}
"// Generated from the file names of a folder by cmake/Registry.cmake.
#include <span>

#include \"${R_HEADER}\"

namespace ${R_NAMESPACE} {

namespace entries {
${declarations}}  // namespace entries

std::span<const ${R_TYPE}* const> ${R_LIST}() {
${body}}

}  // namespace ${R_NAMESPACE}
")
endfunction()

# rms_norm -> RmsNorm, q4_k -> Q4_K
function(_ingle_cased stem case out)
  if(case STREQUAL upper)
    string(TOUPPER ${stem} cased)
  else()
    set(cased "")
    string(REPLACE "_" ";" words ${stem})
    foreach(word IN LISTS words)
      string(SUBSTRING ${word} 0 1 first)
      string(SUBSTRING ${word} 1 -1 rest)
      string(TOUPPER ${first} first)
      string(APPEND cased ${first}${rest})
    endforeach()
  endif()
  set(${out} ${cased} PARENT_SCOPE)
endfunction()

function(ingle_type_list)
  cmake_parse_arguments(T "" "FOLDER;PREFIX;NAMESPACE;CASE;TEMPLATE;TEMPLATE_HEADER;ALIAS;OUT" "" ${ARGN})
  _ingle_stems(${T_FOLDER} h stems)
  set(includes "")
  set(types "")
  foreach(stem IN LISTS stems)
    _ingle_cased(${stem} ${T_CASE} type)
    string(APPEND includes "#include \"${T_PREFIX}/${stem}.h\"\n")
    list(APPEND types ${type})
  endforeach()
  list(JOIN types ", " types)
  _ingle_write(${T_OUT}
"// Generated from the file names of a folder by cmake/Registry.cmake.
#pragma once

#include ${T_TEMPLATE_HEADER}
${includes}
namespace ${T_NAMESPACE} {

using ${T_ALIAS} = ${T_TEMPLATE}<${types}>;

}  // namespace ${T_NAMESPACE}
")
endfunction()
