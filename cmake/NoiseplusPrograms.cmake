# The paper's tables as data, and what computes them again.
file(GLOB_RECURSE experiment_sources CONFIGURE_DEPENDS
     "${CMAKE_CURRENT_SOURCE_DIR}/experiments/*.cpp")
noiseplus_as_texts(experiment_sources)
noiseplus_count_for_fuzzers(${experiment_sources})
foreach(table table1 table2 table3 table4)
  set(file "${CMAKE_CURRENT_SOURCE_DIR}/experiments/paper/${table}.csv")
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${file}")
  file(READ "${file}" paper_${table})
endforeach()
configure_file(experiments/paper/paper_files.cpp.in experiments/paper_files.cpp @ONLY)
add_library(noiseplus-experiments STATIC ${experiment_sources}
            "${CMAKE_CURRENT_BINARY_DIR}/experiments/paper_files.cpp")
target_include_directories(noiseplus-experiments PUBLIC "${CMAKE_CURRENT_SOURCE_DIR}"
                           PRIVATE "${CMAKE_CURRENT_SOURCE_DIR}/src")
target_link_libraries(noiseplus-experiments PUBLIC noiseplus
                      PRIVATE nlohmann_json::nlohmann_json fmt::fmt)
noiseplus_target_options(noiseplus-experiments)
noiseplus_compile_as_glue(noiseplus-experiments)

file(GLOB cli_sources CONFIGURE_DEPENDS "${CMAKE_CURRENT_SOURCE_DIR}/cli/*.cpp")
list(REMOVE_ITEM cli_sources "${CMAKE_CURRENT_SOURCE_DIR}/cli/main.cpp")
noiseplus_as_texts(cli_sources)
add_library(noiseplus-commands STATIC ${cli_sources})
target_include_directories(noiseplus-commands PRIVATE "${CMAKE_CURRENT_SOURCE_DIR}/src")
target_link_libraries(noiseplus-commands PUBLIC noiseplus noiseplus-experiments CLI11::CLI11 fmt::fmt PRIVATE ZLIB::ZLIB)
noiseplus_target_options(noiseplus-commands)
noiseplus_compile_as_glue(noiseplus-commands)
if(NOISEPLUS_SANITIZE)
  noiseplus_compile_quickly(noiseplus-commands)
  noiseplus_compile_quickly(noiseplus-experiments)
  set(report_sources ${library_sources})
  list(FILTER report_sources INCLUDE REGEX "src[/_]report[/_]")
  set_property(SOURCE ${report_sources} APPEND PROPERTY COMPILE_OPTIONS -O0)
endif()
add_executable(noiseplus-cli cli/main.cpp)
set_target_properties(noiseplus-cli PROPERTIES OUTPUT_NAME noiseplus)
target_link_libraries(noiseplus-cli PRIVATE noiseplus-commands)
noiseplus_target_options(noiseplus-cli)
noiseplus_compile_as_glue(noiseplus-cli)
if(NOISEPLUS_SANITIZE)
  noiseplus_compile_quickly(noiseplus-cli)
endif()

# The program writes its own manual and completions, so that they are those of its flags.
set(noiseplus_pages "${CMAKE_CURRENT_BINARY_DIR}/share")
if(NOT CMAKE_CROSSCOMPILING)
  set(bash_page "${noiseplus_pages}/bash-completion/completions/noiseplus")
  set(zsh_page "${noiseplus_pages}/zsh/site-functions/_noiseplus")
  set(fish_page "${noiseplus_pages}/fish/vendor_completions.d/noiseplus.fish")
  set(man_page "${noiseplus_pages}/man/man1/noiseplus.1")
  foreach(page ${bash_page} ${zsh_page} ${fish_page} ${man_page})
    get_filename_component(folder "${page}" DIRECTORY)
    file(MAKE_DIRECTORY "${folder}")
  endforeach()
  add_custom_command(TARGET noiseplus-cli POST_BUILD
    COMMAND noiseplus-cli completion bash > "${bash_page}"
    COMMAND noiseplus-cli completion zsh > "${zsh_page}"
    COMMAND noiseplus-cli completion fish > "${fish_page}"
    COMMAND noiseplus-cli man > "${man_page}" VERBATIM)
endif()
