# The paper's tables as data, and what computes them again.
file(GLOB_RECURSE experiment_sources CONFIGURE_DEPENDS
     "${CMAKE_CURRENT_SOURCE_DIR}/experiments/*.cpp")
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

file(GLOB cli_sources CONFIGURE_DEPENDS "${CMAKE_CURRENT_SOURCE_DIR}/cli/*.cpp")
list(REMOVE_ITEM cli_sources "${CMAKE_CURRENT_SOURCE_DIR}/cli/main.cpp")
add_library(noiseplus-commands STATIC ${cli_sources})
target_link_libraries(noiseplus-commands PUBLIC noiseplus noiseplus-experiments CLI11::CLI11 fmt::fmt)
noiseplus_target_options(noiseplus-commands)
if(NOISEPLUS_SANITIZE)
  noiseplus_compile_quickly(noiseplus-commands)
  noiseplus_compile_quickly(noiseplus-experiments)
  file(GLOB report_sources CONFIGURE_DEPENDS "${CMAKE_CURRENT_SOURCE_DIR}/src/report/*.cpp")
  set_source_files_properties(${report_sources} PROPERTIES COMPILE_OPTIONS -O0)
endif()
add_executable(noiseplus-cli cli/main.cpp)
set_target_properties(noiseplus-cli PROPERTIES OUTPUT_NAME noiseplus)
target_link_libraries(noiseplus-cli PRIVATE noiseplus-commands)
noiseplus_target_options(noiseplus-cli)
