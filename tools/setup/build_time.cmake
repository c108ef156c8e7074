# What only shortens compilation, and changes nothing of the program: ccache, precompiled headers, files that are compiled together,
# less optimization of layers in a first build.

# Precompiled headers need two of ccache's checks to be off.
find_program(CCACHE_PROGRAM ccache)
set(ccache_launcher ${CMAKE_COMMAND} -E env CCACHE_SLOPPINESS=pch_defines,time_macros ${CCACHE_PROGRAM})
if(CCACHE_PROGRAM AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  set(CMAKE_CXX_COMPILER_LAUNCHER ${ccache_launcher})
endif()
if(CCACHE_PROGRAM AND NOT CMAKE_CUDA_COMPILER_LAUNCHER)
  set(CMAKE_CUDA_COMPILER_LAUNCHER ${CCACHE_PROGRAM})
endif()

# Debian has this linker beside the other one, which takes twice as long.
if(GLASSWORKS_FIRST_BUILD AND NOT GLASSWORKS_SANITIZE AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  find_program(GLASSWORKS_GOLD ld.gold)
  if(GLASSWORKS_GOLD)
    add_link_options(-fuse-ld=gold)
  endif()
endif()

# Owns the precompiled headers of all layers above kernels/. The preset `debug` does without: there every file must include
# what it needs.
file(CONFIGURE OUTPUT layer_headers.cpp CONTENT "")
add_library(layer_headers OBJECT EXCLUDE_FROM_ALL ${CMAKE_CURRENT_BINARY_DIR}/layer_headers.cpp)
target_link_libraries(layer_headers PRIVATE fmt::fmt)
target_precompile_headers(layer_headers PRIVATE ${PROJECT_SOURCE_DIR}/base/precompiled.hpp)
# Of the layers above the kernels; their headers need the same.
set(layer_optimization "")
if(GLASSWORKS_SANITIZE AND GLASSWORKS_OBJECTS_OF)
  set(layer_optimization -O0)  # what computes is not among them
elseif(GLASSWORKS_FIRST_BUILD AND GLASSWORKS_TESTS)
  set(layer_optimization -O1)
elseif(GLASSWORKS_FIRST_BUILD)
  set(layer_optimization -O0)  # before the first result only the simulation takes long
endif()
target_compile_options(layer_headers PRIVATE ${layer_optimization})

# glassworks_precompile(TARGET ARGUMENTS...): target_precompile_headers. GCC 12 forgets which of these headers are those of
# the system, and gives false alarms for std::string (GCC bug 105651).
function(glassworks_precompile target)
  target_precompile_headers(${target} ${ARGN})
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
    target_compile_options(${target} PRIVATE -Wno-array-bounds -Wno-stringop-overflow -Wno-stringop-overread)
  endif()
endfunction()

# glassworks_joined_folder(VARIABLE): the folder with which that of the variable is compiled: a file takes four seconds, whatever is in
# it. JOINED of tools/dev/check_names.py has the same rows.
function(glassworks_joined_folder variable)
  set(folder "${${variable}}")
  foreach(row
      "engine/.*:engine" "scheduler/(campaign|convergence|devices|histories|ladder|recovery|work):scheduler"
      "analysis/(basics|diagnostics|reweighting):analysis/averages" "analysis/observables:analysis/campaign"
      "analysis/histories:analysis/statistics" "analysis/field:analysis/series" "analysis/linear:analysis/scaling"
      "kernels/(models|clusters|ground):kernels/core" "kernels/cpu/(lanes|neighbours|rows):kernels/cpu"
      "kernels/cuda/multispin/graph:kernels/cuda/graph" "kernels/cuda/(cluster|colours|multispin|series).*:kernels/cuda"
      "tools/glassworks/instances:tools/glassworks/percolation")
    string(REPLACE ":" ";" row "${row}")
    list(GET row 0 from)
    list(GET row 1 to)
    if(folder MATCHES "^${from}$")
      set(${variable} ${to} PARENT_SCOPE)
      return()
    endif()
  endforeach()
endfunction()

# Several files are compiled together, which takes half the time: of tests, of CUDA code that nothing here can run, and
# of layers in a first build and under a sanitizer. Ordinary builds join nothing: names of one file shadow those of others.
# A function of one file could also be preferred to that of another one; tools/dev/check_names.py finds their names.
# JOIN: FOLDERS for all files of a folder, or how many files.
function(glassworks_join_sources target join)
  if(NOT GLASSWORKS_JOIN_SOURCES)
    return()
  endif()
  if(join STREQUAL "FOLDERS")
    get_target_property(sources ${target} SOURCES)
    foreach(source IN LISTS sources)
      cmake_path(GET source PARENT_PATH folder)
      cmake_path(RELATIVE_PATH folder BASE_DIRECTORY ${PROJECT_SOURCE_DIR})
      glassworks_joined_folder(folder)
      string(MAKE_C_IDENTIFIER "${folder}" group)
      set_source_files_properties(${source} PROPERTIES UNITY_GROUP ${group})
    endforeach()
    set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
  else()
    set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE ${join})
  endif()
  # Functions of their own sections: what is not called is left out, such as that which starts threads (check.threads).
  target_compile_options(${target} PRIVATE $<$<COMPILE_LANGUAGE:CXX>:-ffunction-sections>
                         $<$<COMPILE_LANGUAGE:CXX>:-Wno-shadow>
                         $<$<AND:$<COMPILE_LANGUAGE:CXX>,$<CXX_COMPILER_ID:GNU>>:-Wshadow=local>)
  if(NOT target MATCHES "^glassworks_(kernels|cuda)$")
    # GCC starts to collect garbage at 500 MB only, which saves a seventh of the time; the kernels compile more slowly with it.
    target_compile_options(${target} PRIVATE
      "$<$<AND:$<COMPILE_LANGUAGE:CXX>,$<CXX_COMPILER_ID:GNU>>:--param=ggc-min-heapsize=500000;--param=ggc-min-expand=300>")
  endif()
endfunction()

# glassworks_shorten_cuda(TARGET): CUDA code that nothing here can run is compiled without optimization.
function(glassworks_shorten_cuda target)
  # Not -O0, at which std::string of C++20 is compiled here too: tests without GPUs would be linked with this code for its sake.
  target_compile_options(${target} PRIVATE $<$<COMPILE_LANGUAGE:CXX>:-O1>)
  target_compile_options(${target} PRIVATE $<$<COMPILE_LANGUAGE:CUDA>:-Xcompiler=-O0>)  # what launches the kernels
  if(CMAKE_CUDA_COMPILER_VERSION VERSION_GREATER_EQUAL 13.0)  # others do not know the option
    target_compile_options(${target} PRIVATE $<$<COMPILE_LANGUAGE:CUDA>:--Ofast-compile=max>)
  endif()
endfunction()

# glassworks_shorten_build(TARGET): shortens the compilation of a layer in a first build or with sanitizers. Kernels stay
# optimized.
function(glassworks_shorten_build target)
  if(GLASSWORKS_FIRST_BUILD OR GLASSWORKS_SANITIZE)
    glassworks_join_sources(${target} FOLDERS)
  endif()
  if(NOT target STREQUAL "glassworks_kernels")
    target_compile_options(${target} PRIVATE ${layer_optimization})
  elseif(GLASSWORKS_FIRST_BUILD)
    set(level -O2)
    if(NOT GLASSWORKS_TESTS)
      set(level -O1)  # but for the sweeps: glassworks_shorten_kernels
    endif()
    target_compile_options(${target} PRIVATE $<$<AND:$<CONFIG:Release>,$<COMPILE_LANGUAGE:CXX>>:${level}>)
  endif()
endfunction()

# glassworks_shorten_kernels(): of the kernels in a first build only the code of the best instruction set of this processor is
# optimized; others are used when they are asked for, and the plain code is never used for speed. Where nothing tests the others, they
# are not optimized at all, and what is not vector code is optimized less. With GLASSWORKS_FOREIGN_CODE=OFF that for AVX-512 is not
# optimized where this processor cannot run it, or is left out where nothing tests it, and no processor takes it.
function(glassworks_shorten_kernels)
  set(kept "portable")
  set(fused "")
  set(foreign FALSE)
  if(EXISTS /proc/cpuinfo)
    file(STRINGS /proc/cpuinfo flags REGEX "^flags" LIMIT_COUNT 1)
    if(flags MATCHES " avx512f " AND flags MATCHES " avx512dq " AND flags MATCHES " avx512bw " AND flags MATCHES " avx512vl ")
      set(kept "avx512")
    elseif(NOT GLASSWORKS_FOREIGN_CODE)
      set(foreign TRUE)
    endif()
    if(kept STREQUAL "portable" AND flags MATCHES " avx2 ")
      set(kept "avx2")
    endif()
    if(GLASSWORKS_TESTS AND flags MATCHES " fma ")
      set(fused -mfma)  # the plain code spends a tenth of its time in calls of fmaf
    endif()
  endif()
  get_target_property(kernel_sources glassworks_kernels SOURCES)
  if(foreign)
    set_property(SOURCE ${PROJECT_SOURCE_DIR}/kernels/cpu/instruction_set.cpp TARGET_DIRECTORY glassworks_kernels
                 APPEND PROPERTY COMPILE_DEFINITIONS GLASSWORKS_SLOW_AVX512)
    if(NOT GLASSWORKS_TESTS)
      list(FILTER kernel_sources EXCLUDE REGEX "/cpu/.*isa_avx512\\.cpp$")
      list(APPEND kernel_sources ${PROJECT_SOURCE_DIR}/kernels/cpu/no_avx512.cpp)
      set_property(TARGET glassworks_kernels PROPERTY SOURCES ${kernel_sources})
    endif()
  endif()
  set(others -O1)
  set(sweeps "")
  if(NOT GLASSWORKS_TESTS)
    set(others -O0)
    set(sweeps $<$<CONFIG:Release>:-O2>)
  endif()
  foreach(source IN LISTS kernel_sources)
    if(foreign AND source MATCHES "isa_avx512\\.cpp$")
      set_property(SOURCE ${source} TARGET_DIRECTORY glassworks_kernels APPEND PROPERTY COMPILE_OPTIONS -O0)
    elseif(source MATCHES "/reference/")
      set_property(SOURCE ${source} TARGET_DIRECTORY glassworks_kernels APPEND PROPERTY COMPILE_OPTIONS ${others} ${fused})
    elseif(source MATCHES "isa_${kept}\\.cpp$")
      set_property(SOURCE ${source} TARGET_DIRECTORY glassworks_kernels APPEND PROPERTY COMPILE_OPTIONS ${sweeps})
    elseif(source MATCHES "isa_[a-z0-9]+\\.cpp$")
      set_property(SOURCE ${source} TARGET_DIRECTORY glassworks_kernels APPEND PROPERTY COMPILE_OPTIONS ${others})
      if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND source MATCHES "isa_avx")
        # Ends code for AVX with vzeroupper, without which all other code becomes slow.
        set_property(SOURCE ${source} TARGET_DIRECTORY glassworks_kernels APPEND PROPERTY COMPILE_OPTIONS -fexpensive-optimizations)
      endif()
    endif()
  endforeach()
endfunction()
