# Every NAME.jinja in this folder becomes a built-in template called NAME.
file(GLOB builtin_files CONFIGURE_DEPENDS ${INGLE_REGISTRY_FOLDER}/*.jinja)
set(builtin_rows "")
foreach(builtin_file IN LISTS builtin_files)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${builtin_file})
  get_filename_component(builtin_name ${builtin_file} NAME)
  string(REGEX REPLACE "\\.jinja$" "" builtin_name ${builtin_name})
  file(READ ${builtin_file} builtin_text)
  string(APPEND builtin_rows "    {\"${builtin_name}\", R\"jinja(${builtin_text})jinja\"},\n")
endforeach()
_ingle_write(${INGLE_GENERATED}/chat_builtin.cpp
"// Generated from the files of a folder by src/chat/builtin/registry.cmake.
#include \"chat/builtin.h\"

namespace ingle::chat {

std::span<const BuiltinTemplate> builtin_templates() {
    static constexpr BuiltinTemplate all[] = {
${builtin_rows}    };
    return all;
}

}  // namespace ingle::chat
")
list(APPEND INGLE_REGISTRIES ${INGLE_GENERATED}/chat_builtin.cpp)
