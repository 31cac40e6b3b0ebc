# Host warnings; errors where WARPSPY_WERROR is on (CI).
add_library(warpspy_flags INTERFACE)
target_include_directories(warpspy_flags INTERFACE ${PROJECT_SOURCE_DIR})
target_compile_options(warpspy_flags INTERFACE
  $<$<COMPILE_LANGUAGE:CXX>:-Wall -Wextra -Wnon-virtual-dtor -Woverloaded-virtual>
  # Sources that are compiled together may have a name that is another's further out.
  $<$<AND:$<COMPILE_LANGUAGE:CXX>,$<NOT:$<BOOL:${CMAKE_UNITY_BUILD}>>>:-Wshadow>
  # GCC 12 sees overlaps and copies without an end in "literal" + std::string that are not there (GCC bug 105651).
  "$<$<AND:$<COMPILE_LANGUAGE:CXX>,$<CXX_COMPILER_ID:GNU>,$<VERSION_LESS:$<CXX_COMPILER_VERSION>,13>>:-Wno-restrict;-Wno-stringop-overflow;-Wno-array-bounds>"
  # GCC 12's library itself uses what it calls deprecated, in std::stable_sort.
  $<$<AND:$<COMPILE_LANGUAGE:CXX>,$<CXX_COMPILER_ID:Clang>>:-Wno-deprecated-declarations>
  # Arrays of a kernel stand in a base of its code; its braces may be left out.
  $<$<AND:$<COMPILE_LANGUAGE:CXX>,$<CXX_COMPILER_ID:Clang>>:-Wno-missing-braces>
  # GCC 13 and later take the row of a table that is found by a temporary name for a part of that name.
  $<$<AND:$<COMPILE_LANGUAGE:CXX>,$<CXX_COMPILER_ID:GNU>,$<VERSION_GREATER_EQUAL:$<CXX_COMPILER_VERSION>,13>>:-Wno-dangling-reference>
  $<$<AND:$<BOOL:${WARPSPY_WERROR}>,$<COMPILE_LANGUAGE:CXX>>:-Werror>)
# One name for both compilers' ways to tell.
target_compile_definitions(warpspy_flags INTERFACE $<$<COMPILE_LANGUAGE:CXX>:WARPSPY_SANITIZED=$<BOOL:${WARPSPY_SANITIZE}>>)
if(WARPSPY_SANITIZE)
  # Without the checks of every pointer's use: what they find crashes or is found by the address sanitizer too, and they
  # double the compiler's work and the code. GCC takes what the sanitizers put in for uses of uninitialised variables.
  set(sanitize -fsanitize=address,undefined -fno-sanitize=null,object-size,vptr,alignment,pointer-overflow
               -fno-sanitize-recover=undefined -fno-omit-frame-pointer
               # As with GCC: copies of every frame made tests take several times as long.
               $<$<CXX_COMPILER_ID:Clang>:-fsanitize-address-use-after-return=never> $<$<CXX_COMPILER_ID:GNU>:-Wno-maybe-uninitialized>)
  target_compile_options(warpspy_flags INTERFACE $<$<COMPILE_LANGUAGE:CXX>:${sanitize}>)
  target_link_options(warpspy_flags INTERFACE ${sanitize})
  # Small functions alone are inlined: a fifth less to compile, and tests of formats take 3 % longer.
  target_compile_options(warpspy_flags INTERFACE
    "$<$<COMPILE_LANG_AND_ID:CXX,Clang>:SHELL:-mllvm -inline-threshold=30>")
endif()
