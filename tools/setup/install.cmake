# What `cmake --install` puts where, and what CPack packs: the executable, completions and manual pages that it prints itself,
# the Python package, documentation, example campaigns, licence. Included last.
include(GNUInstallDirs)
install(TARGETS glassworks RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})

# Pages are printed when they are installed, so that a build of the executable alone can be installed too.
configure_file(${CMAKE_CURRENT_LIST_DIR}/print_pages.cmake.in ${PROJECT_BINARY_DIR}/print_pages.cmake.in @ONLY)
file(GENERATE OUTPUT ${PROJECT_BINARY_DIR}/print_pages_$<CONFIG>.cmake INPUT ${PROJECT_BINARY_DIR}/print_pages.cmake.in)
install(CODE "include(\"${PROJECT_BINARY_DIR}/print_pages_\${CMAKE_INSTALL_CONFIG_NAME}.cmake\")")

set(doc ${CMAKE_INSTALL_DOCDIR})
install(FILES README.md CHANGELOG.md LICENSE CITATION.cff SECURITY.md DESTINATION ${doc})
install(FILES LICENSE DESTINATION ${doc} RENAME copyright)  # where Debian looks for it
install(DIRECTORY docs/ DESTINATION ${doc}/docs)
install(DIRECTORY configs/ DESTINATION ${doc}/configs)

if(GLASSWORKS_PORTABLE)
  install(CODE "execute_process(COMMAND ${PROJECT_SOURCE_DIR}/tools/release/third_party.sh
    OUTPUT_FILE \"${PROJECT_BINARY_DIR}/THIRD_PARTY\" COMMAND_ERROR_IS_FATAL ANY)")
  install(FILES ${PROJECT_BINARY_DIR}/THIRD_PARTY DESTINATION ${doc})
endif()

# The source of the Python package, from which pip installs it anywhere; Debian's Python finds it below /usr without pip.
set(python_source ${CMAKE_INSTALL_DATADIR}/glassworks/python)
install(DIRECTORY tools/python/ DESTINATION ${python_source}
        PATTERN __pycache__ EXCLUDE PATTERN "*.egg-info" EXCLUDE PATTERN build EXCLUDE PATTERN .* EXCLUDE)
install(CODE "
  if(CMAKE_INSTALL_PREFIX MATCHES \"/usr$\")  # also where CPack collects the files of a package
    set(folder \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/lib/python3/dist-packages\")
    file(MAKE_DIRECTORY \"\${folder}\")
    file(CREATE_LINK ../../../${python_source}/src/glassworks \"\${folder}/glassworks\" SYMBOLIC)
  endif()")

set(CPACK_PACKAGE_VENDOR "The Glassworks developers")
# Whoever builds a package maintains it; they are named as by Debian's own tools.
set(builder "$ENV{DEBFULLNAME}")
set(address "$ENV{DEBEMAIL}")
if(NOT builder)
  set(builder "The Glassworks developers")
endif()
if(NOT address)
  cmake_host_system_information(RESULT host QUERY HOSTNAME)
  set(address "glassworks@${host}")
endif()
set(CPACK_PACKAGE_CONTACT "${builder} <${address}>")
set(CPACK_RESOURCE_FILE_LICENSE ${PROJECT_SOURCE_DIR}/LICENSE)
set(CPACK_STRIP_FILES ON)
if(GLASSWORKS_PORTABLE)
  set(CPACK_GENERATOR TGZ)
else()
  set(CPACK_GENERATOR DEB)
endif()
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
# Two packages, of which one can be installed. The CUDA runtime is linked statically: of the machine it needs the driver only.
set(CPACK_DEBIAN_PACKAGE_CONFLICTS glassworks-cuda)
if(CMAKE_CUDA_COMPILER)
  set(CPACK_DEBIAN_PACKAGE_NAME glassworks-cuda)
  set(CPACK_DEBIAN_PACKAGE_CONFLICTS glassworks)
  set(CPACK_DEBIAN_PACKAGE_PROVIDES "glassworks (= ${PROJECT_VERSION})")
endif()
set(CPACK_DEBIAN_PACKAGE_REPLACES ${CPACK_DEBIAN_PACKAGE_CONFLICTS})
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS gnuplot-nox)
set(CPACK_DEBIAN_PACKAGE_SUGGESTS "python3-numpy, python3-pandas, python3-h5py, python3-xxhash, python3-matplotlib")
set(CPACK_DEBIAN_PACKAGE_DESCRIPTION
    "Monte Carlo campaigns on spin glasses
Runs many disorder realizations of frustrated and disordered lattice models,
each with parallel tempering until it has converged, on processors and GPUs,
and averages them with error bars.")
include(CPack)
