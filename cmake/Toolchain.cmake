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
  # g++ 12 sees an overlapping copy in every "literal" + std::string (GCC bug 105651).
  target_compile_options(ingle_flags INTERFACE -Wno-restrict)
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

find_program(INGLE_CCACHE ccache)
if(INGLE_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  set(CMAKE_CXX_COMPILER_LAUNCHER ${INGLE_CCACHE})
endif()

# ingle_precompile(TARGET HEADER...): where no ccache remembers objects, the headers that most files include are
# parsed once, which makes a first build a third shorter. ccache and precompiled headers do not go together.
function(ingle_precompile target)
  if(NOT INGLE_CCACHE)
    target_precompile_headers(${target} PRIVATE
      <algorithm> <array> <filesystem> <functional> <map> <memory> <optional> <span> <sstream>
      <string> <variant> <vector> ${ARGN})
  endif()
endfunction()
