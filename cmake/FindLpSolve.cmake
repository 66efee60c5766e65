# lp_solve and what its static library needs. Sets the target LpSolve::LpSolve.
find_path(LpSolve_INCLUDE_DIR lpsolve/lp_lib.h)
find_library(LpSolve_LIBRARY NAMES lpsolve55_pic lpsolve55)
find_library(LpSolve_COLAMD_LIBRARY colamd)
include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(LpSolve
  REQUIRED_VARS LpSolve_LIBRARY LpSolve_COLAMD_LIBRARY LpSolve_INCLUDE_DIR
  REASON_FAILURE_MESSAGE "on Debian: apt-get install liblpsolve55-dev")
if(LpSolve_FOUND AND NOT TARGET LpSolve::LpSolve)
  add_library(LpSolve::LpSolve UNKNOWN IMPORTED)
  set_target_properties(LpSolve::LpSolve PROPERTIES
    IMPORTED_LOCATION "${LpSolve_LIBRARY}"
    INTERFACE_INCLUDE_DIRECTORIES "${LpSolve_INCLUDE_DIR}"
    INTERFACE_LINK_LIBRARIES "${LpSolve_COLAMD_LIBRARY};${CMAKE_DL_LIBS}")
endif()
mark_as_advanced(LpSolve_INCLUDE_DIR LpSolve_LIBRARY LpSolve_COLAMD_LIBRARY)
