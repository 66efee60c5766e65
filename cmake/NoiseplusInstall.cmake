# find_package(noiseplus) for other projects: the component `library`, and `program` where it is built (docs/api/cpp.rst).
install(TARGETS noiseplus EXPORT noiseplus-targets
  ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
if(NOISEPLUS_PROGRAMS)
  set_target_properties(noiseplus-cli PROPERTIES EXPORT_NAME program)
  install(TARGETS noiseplus-cli EXPORT noiseplus-program-targets RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
  install(EXPORT noiseplus-program-targets NAMESPACE noiseplus::
    DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/noiseplus)
  if(NOT CMAKE_CROSSCOMPILING)
    install(DIRECTORY "${noiseplus_pages}/" DESTINATION ${CMAKE_INSTALL_DATAROOTDIR})
  endif()
endif()
install(DIRECTORY include/noiseplus DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(FILES LICENSE THIRD_PARTY_NOTICES.txt DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(EXPORT noiseplus-targets NAMESPACE noiseplus::
  DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/noiseplus)
configure_package_config_file(cmake/noiseplus-config.cmake.in noiseplus-config.cmake
  INSTALL_DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/noiseplus)
write_basic_package_version_file(noiseplus-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES "${CMAKE_CURRENT_BINARY_DIR}/noiseplus-config.cmake"
              "${CMAKE_CURRENT_BINARY_DIR}/noiseplus-config-version.cmake"
  DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/noiseplus)
