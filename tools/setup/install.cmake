# What `cmake --install` puts where, and what CPack packs: the executable, completions and manual pages that it prints itself,
# documentation, example campaigns, licence. Included last.
include(GNUInstallDirs)
install(TARGETS glassworks RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})

# Pages are printed when they are installed, so that a build of the executable alone can be installed too.
configure_file(${CMAKE_CURRENT_LIST_DIR}/print_pages.cmake.in ${PROJECT_BINARY_DIR}/print_pages.cmake.in @ONLY)
file(GENERATE OUTPUT ${PROJECT_BINARY_DIR}/print_pages_$<CONFIG>.cmake INPUT ${PROJECT_BINARY_DIR}/print_pages.cmake.in)
install(CODE "include(\"${PROJECT_BINARY_DIR}/print_pages_\${CMAKE_INSTALL_CONFIG_NAME}.cmake\")")

set(doc ${CMAKE_INSTALL_DOCDIR})
install(FILES README.md CHANGELOG.md LICENSE DESTINATION ${doc})
install(FILES LICENSE DESTINATION ${doc} RENAME copyright)  # where Debian looks for it
install(DIRECTORY docs/ DESTINATION ${doc}/docs)
install(DIRECTORY configs/ DESTINATION ${doc}/configs)

set(CPACK_PACKAGE_VENDOR "The Glassworks developers")
set(CPACK_PACKAGE_CONTACT "The Glassworks developers <glassworks@localhost>")
set(CPACK_RESOURCE_FILE_LICENSE ${PROJECT_SOURCE_DIR}/LICENSE)
set(CPACK_STRIP_FILES ON)
if(GLASSWORKS_PORTABLE)
  set(CPACK_GENERATOR TGZ)
else()
  set(CPACK_GENERATOR DEB)
endif()
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS gnuplot-nox)
set(CPACK_DEBIAN_PACKAGE_DESCRIPTION
    "Runs many disorder realizations of frustrated and disordered lattice models,
each with parallel tempering until it has converged, on processors and GPUs,
and averages them with error bars.")
include(CPack)
