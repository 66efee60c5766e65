# Warnings, hardening, sanitizers and floating-point rules, the same for every target of the project.
include(CheckCXXCompilerFlag)
include(CheckPIESupported)
check_pie_supported(LANGUAGES CXX)
check_cxx_compiler_flag(-fcf-protection=full NOISEPLUS_HAS_CF_PROTECTION)           # x86
check_cxx_compiler_flag(-mbranch-protection=standard NOISEPLUS_HAS_BRANCH_PROTECTION)  # aarch64
check_cxx_compiler_flag(-fstack-clash-protection NOISEPLUS_HAS_STACK_CLASH_PROTECTION)

# tests/cli/shipped_test.py looks for these in what was built. Sanitizers bring checks of their own
# and replace the functions that _FORTIFY_SOURCE would call.
function(noiseplus_harden target)
  target_compile_options(${target} PRIVATE -fstack-protector-strong
    $<$<BOOL:${NOISEPLUS_HAS_CF_PROTECTION}>:-fcf-protection=full>
    $<$<BOOL:${NOISEPLUS_HAS_BRANCH_PROTECTION}>:-mbranch-protection=standard>
    $<$<BOOL:${NOISEPLUS_HAS_STACK_CLASH_PROTECTION}>:-fstack-clash-protection>)
  # It needs optimization; some compilers define it themselves, with another level.
  target_compile_options(${target} PRIVATE -U_FORTIFY_SOURCE
    $<$<AND:$<NOT:$<CONFIG:Debug>>,$<NOT:$<BOOL:$<TARGET_PROPERTY:${target},NOISEPLUS_UNOPTIMIZED>>>>:-D_FORTIFY_SOURCE=3>)
  set_target_properties(${target} PROPERTIES POSITION_INDEPENDENT_CODE ON)
  get_target_property(type ${target} TYPE)
  if(NOT type STREQUAL "STATIC_LIBRARY")
    target_link_options(${target} PRIVATE -Wl,-z,relro -Wl,-z,now -Wl,-z,noexecstack)
  endif()
endfunction()

function(noiseplus_target_options target)
  if(NOISEPLUS_DEVELOPER)
    target_compile_options(${target} PRIVATE -Wall -Wextra -Wpedantic -Werror)
    if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
      # It misfires on the concatenation of std::string (GCC bug 105651).
      target_compile_options(${target} PRIVATE -Wno-restrict)
    endif()
  endif()
  if(NOISEPLUS_SANITIZE AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    # With sanitizers it sees uninitialized values where there are none (GCC's manual says so).
    target_compile_options(${target} PRIVATE -Wno-maybe-uninitialized)
  endif()
  if(NOISEPLUS_TEXTS AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    # An included file looks like a header to it; the release build has this warning.
    target_compile_options(${target} PRIVATE -Wno-subobject-linkage)
  endif()
  # a*b+c must round the same on every machine: fused only where a kernel asks for it.
  target_compile_options(${target} PRIVATE -ffp-contract=off)
  if(NOISEPLUS_SANITIZE STREQUAL "address")
    target_compile_options(${target} PRIVATE -fsanitize=address,undefined
      -fno-sanitize-recover=all -fno-omit-frame-pointer)
    if(CMAKE_CXX_COMPILER_ID MATCHES "Clang")
      target_compile_options(${target} PRIVATE "-fsanitize-ignorelist=${PROJECT_SOURCE_DIR}/cmake/sanitizer-ignorelist.txt")
    endif()
    target_link_options(${target} PRIVATE -fsanitize=address,undefined)
  elseif(NOISEPLUS_SANITIZE STREQUAL "thread")
    target_compile_options(${target} PRIVATE -fsanitize=thread -fno-omit-frame-pointer)
    target_link_options(${target} PRIVATE -fsanitize=thread)
  elseif(NOT NOISEPLUS_SANITIZE STREQUAL "")
    message(FATAL_ERROR "NOISEPLUS_SANITIZE is address or thread, not ${NOISEPLUS_SANITIZE}")
  endif()
  if(NOISEPLUS_SANITIZE STREQUAL "")
    noiseplus_harden(${target})
  endif()
endfunction()

# What libFuzzer counts, in the code that reads files. Elsewhere it finds nothing and takes a fifth of
# the time of compiling and of every test.
function(noiseplus_count_for_fuzzers)
  if(NOISEPLUS_FUZZ)
    set_property(SOURCE ${ARGN} APPEND PROPERTY COMPILE_OPTIONS -fsanitize=fuzzer-no-link)
  endif()
endfunction()

# For programs that call the library and do little themselves: optimizing them takes longer to
# compile than it saves.
function(noiseplus_compile_quickly target)
  target_compile_options(${target} PRIVATE -O0)
  set_target_properties(${target} PROPERTIES NOISEPLUS_UNOPTIMIZED ON)
endfunction()

# For code that parses, prints and converts, and leaves the computing to the library: beyond -O1,
# compiling it takes longer and nothing runs faster.
function(noiseplus_compile_as_glue target)
  target_compile_options(${target} PRIVATE $<$<CONFIG:Release>:-O1>)
endfunction()

# Replaces a list of files by texts that include them; without Python each file is compiled by itself.
function(noiseplus_as_texts files)
  if(NOT NOISEPLUS_TEXTS OR NOT ${files})
    return()
  endif()
  find_program(NOISEPLUS_TEXTS_PYTHON NAMES python3)
  if(NOT NOISEPLUS_TEXTS_PYTHON)
    return()
  endif()
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/scripts/texts.py")
  execute_process(
    COMMAND ${NOISEPLUS_TEXTS_PYTHON} -B "${PROJECT_SOURCE_DIR}/scripts/texts.py" "${PROJECT_BINARY_DIR}/texts" ${${files}}
    OUTPUT_VARIABLE texts OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
  set(${files} "${texts}" PARENT_SCOPE)
endfunction()
