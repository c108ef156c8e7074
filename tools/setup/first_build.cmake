# GLASSWORKS_FIRST_BUILD: what shortens the compilation of the kernels. Included behind them.
# No processor with AVX2 uses the portable code unless it is told to.
if(EXISTS /proc/cpuinfo)
  file(STRINGS /proc/cpuinfo has_avx2 REGEX "^flags.* avx2 " LIMIT_COUNT 1)
  if(has_avx2)
    set_property(SOURCE ${PROJECT_SOURCE_DIR}/kernels/cpu/lanes/isa_portable.cpp TARGET_DIRECTORY glassworks_kernels
                 APPEND PROPERTY COMPILE_OPTIONS -O1)
  endif()
endif()
