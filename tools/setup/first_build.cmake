# GLASSWORKS_FIRST_BUILD: what shortens the compilation of the kernels. Included at the end of kernels/.
# Only the code of the best instruction set of this processor is used unless another one is asked for; the plain code is
# never used for speed.
set(kept "portable")
if(EXISTS /proc/cpuinfo)
  file(STRINGS /proc/cpuinfo flags REGEX "^flags" LIMIT_COUNT 1)
  if(flags MATCHES " avx512f " AND flags MATCHES " avx512dq " AND flags MATCHES " avx512bw " AND flags MATCHES " avx512vl ")
    set(kept "avx512")
  elseif(flags MATCHES " avx2 ")
    set(kept "avx2")
  endif()
endif()
get_target_property(kernel_sources glassworks_kernels SOURCES)
foreach(source IN LISTS kernel_sources)
  if(source MATCHES "/reference/" OR (source MATCHES "isa_[a-z0-9]+\\.cpp$" AND NOT source MATCHES "isa_${kept}\\.cpp$"))
    set_property(SOURCE ${source} TARGET_DIRECTORY glassworks_kernels APPEND PROPERTY COMPILE_OPTIONS -O1)
    if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND source MATCHES "isa_avx")
      # Ends code for AVX with vzeroupper, without which all other code becomes slow.
      set_property(SOURCE ${source} TARGET_DIRECTORY glassworks_kernels APPEND PROPERTY COMPILE_OPTIONS -fexpensive-optimizations)
    endif()
  endif()
endforeach()
