# GLASSWORKS_PORTABLE: executables that need glibc and nothing else. Included before the libraries are looked for.
set(Boost_USE_STATIC_LIBS ON)
set(CMAKE_FIND_LIBRARY_SUFFIXES .a)
add_compile_definitions(FMT_HEADER_ONLY=1)  # Debian has no static fmt; the shared one is then left out by --as-needed
add_link_options(-static-libstdc++ -static-libgcc -Wl,--as-needed -s)
# The targets of zstd name the shared library; their file is replaced by the static one.
find_package(zstd REQUIRED)
foreach(property IMPORTED_LOCATION IMPORTED_LOCATION_NONE IMPORTED_LOCATION_RELEASE)
  get_target_property(archive zstd::libzstd_static ${property})
  if(archive)
    set_target_properties(zstd::libzstd_shared PROPERTIES ${property} ${archive})
  endif()
endforeach()
