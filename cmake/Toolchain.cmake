# Flags that every target shares: warnings, exact floating point, sanitizers, ccache.

add_library(ingle_flags INTERFACE)
target_compile_options(ingle_flags INTERFACE
  -Wall -Wextra -Wconversion -Wno-sign-conversion -Wshadow=local
  # Products and sums round one by one; kernels write FMA where they mean it.
  -ffp-contract=off
  $<$<BOOL:${INGLE_WERROR}>:-Werror>
  $<$<BOOL:${INGLE_COVERAGE}>:--coverage>)
target_link_options(ingle_flags INTERFACE $<$<BOOL:${INGLE_COVERAGE}>:--coverage>)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
  # g++ 12 sees overlapping or endless copies where a literal meets a std::string (GCC bug 105651); in precompiled
  # headers it forgets that the code it blames is the system's.
  target_compile_options(ingle_flags INTERFACE -Wno-restrict -Wno-stringop-overflow)
endif()
if(CMAKE_CXX_COMPILER_ID MATCHES "Clang")
  target_compile_options(ingle_flags INTERFACE -Wno-shadow -Wno-unknown-warning-option)
endif()

if(INGLE_SANITIZE)
  target_compile_options(ingle_flags INTERFACE
    -fsanitize=${INGLE_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer
    -Wno-maybe-uninitialized)
  target_link_options(ingle_flags INTERFACE -fsanitize=${INGLE_SANITIZE})
endif()

# The code of the tests themselves is made quickly: nobody waits for it to run, everybody waits for it to compile.
# Checks of undefined behaviour make it three times slower to compile; they stay in what is tested.
define_property(TARGET PROPERTY INGLE_TEST_CODE INHERITED)
set(test_flags -O1)
if(INGLE_SANITIZE)
  set(test_flags -O0 -fno-sanitize=undefined)
endif()
target_compile_options(ingle_flags INTERFACE
  "$<$<BOOL:$<TARGET_PROPERTY:INGLE_TEST_CODE>>:${test_flags}>")

if(INGLE_FUZZERS)
  target_compile_options(ingle_flags INTERFACE -fsanitize=fuzzer-no-link)
endif()

# Headers that most files of a target include are parsed once. ccache takes part if it is told that a precompiled
# header stands for what it was made of; a changed header changes the precompiled one, so nothing stale is found.
find_program(INGLE_CCACHE ccache)
if(INGLE_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  set(CMAKE_CXX_COMPILER_LAUNCHER
    ${CMAKE_COMMAND} -E env CCACHE_SLOPPINESS=pch_defines,time_macros ${INGLE_CCACHE})
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    target_compile_options(ingle_flags INTERFACE -fpch-preprocess)
  elseif(CMAKE_CXX_COMPILER_ID MATCHES "Clang")
    target_compile_options(ingle_flags INTERFACE "SHELL:-Xclang -fno-pch-timestamp")
  endif()
endif()

# ingle_precompile(TARGET HEADER...): every HEADER in angle brackets, found by the include path; a full path would tie
# the objects to this folder. Only headers that nearly all files of the target include, or that seldom change.
function(ingle_precompile target)
  target_precompile_headers(${target} PRIVATE
    <algorithm> <array> <charconv> <cmath> <filesystem> <functional> <map> <memory> <mutex> <optional> <span>
    <sstream> <string> <unordered_map> <variant> <vector> <base/status.h> ${ARGN})
endfunction()
