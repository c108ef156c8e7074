# The sizes for which kernels are compiled, each in a file of its own that is made from kernel_size.cu.in. Where several rows
# fit a lattice, the first one is preferred. `glassworks bench --backend cuda --L ...` shows what a row brings.

# ResidentShape<L, blocks of a cluster, depth, registers, chain, duties>: a whole lattice in shared memory. The chain is that
# of heisenberg where none is named (kernels/models/vector_chain.hpp). Duties in a warp of their own: kernels/DECISIONS.md.
set(resident_shapes
    "4, 1, 2, 128" "6, 1, 2, 128" "8, 1, 2, 128" "12, 1, 2, 128, HeisenbergChain, DutiesInWarp" "16, 1, 2, 128"
    "20, 1, 4, 128" "24, 2, 4, 128" "32, 8, 2, 128" "10, 1, 2, 128" "14, 1, 2, 168, HeisenbergChain, DutiesInWarp"
    "18, 3, 2, 128" "28, 7, 4, 128" "36, 9, 4, 168" "40, 8, 5, 128" "48, 16, 3, 96"
    "8, 1, 2, 96, IsingChain" "12, 1, 2, 80, IsingChain, DutiesInWarp" "16, 1, 2, 96, IsingChain, DutiesInWarp" "20, 1, 4, 128, IsingChain"
    "24, 2, 4, 128, IsingChain" "10, 1, 2, 96, IsingChain, DutiesInWarp" "14, 1, 2, 80, IsingChain, DutiesInWarp"
    "8, 1, 2, 96, XyChain, DutiesInWarp" "12, 1, 2, 96, XyChain, DutiesInWarp" "16, 1, 2, 128, XyChain"
    "20, 1, 4, 128, XyChain" "24, 2, 4, 128, XyChain" "10, 1, 2, 128, XyChain" "14, 1, 2, 128, XyChain"
    "8, 1, 2, 128, O3Chain" "12, 1, 2, 128, O3Chain, DutiesInWarp" "16, 1, 2, 128, O3Chain" "20, 1, 4, 128, O3Chain"
    "24, 2, 4, 128, O3Chain"
    "8, 1, 2, 128, O4Chain, DutiesInWarp" "12, 1, 2, 128, O4Chain, DutiesInWarp" "16, 1, 2, 168, O4Chain")
if("90a-real" IN_LIST CMAKE_CUDA_ARCHITECTURES)  # these move registers
  list(PREPEND resident_shapes "16, 1, 2, 112, HeisenbergChain, DutiesInWarp" "20, 1, 4, 112, HeisenbergChain, DutiesInWarp"
       "16, 1, 2, 112, XyChain, DutiesInWarp" "16, 1, 2, 112, O3Chain, DutiesInWarp" "16, 1, 2, 112, O4Chain, DutiesInWarp"
       "20, 1, 4, 112, IsingChain, DutiesInWarp")
endif()
# ResidentShape as above: the whole ladder of a small lattice in one block.
set(ladder_shapes "4, 1, 2, 128" "6, 1, 2, 128" "8, 1, 2, 128"
    "4, 1, 2, 96, IsingChain" "6, 1, 2, 96, IsingChain" "8, 1, 2, 96, IsingChain"
    "4, 1, 2, 128, XyChain" "6, 1, 2, 128, XyChain" "8, 1, 2, 128, XyChain"
    "4, 1, 2, 168, O4Chain" "6, 1, 2, 168, O4Chain" "8, 1, 2, 168, O4Chain")
# TileShape<T, registers, chain>: tiles of edge T.
set(tile_shapes "8" "4" "6" "10" "12" "16" "8, 128, XyChain" "4, 128, XyChain" "8, 128, O3Chain" "4, 128, O3Chain"
    "8, 168, O4Chain" "4, 168, O4Chain")

# Where nothing can run them, one size of each kind and chain shows that the kernels compile.
option(GLASSWORKS_CUDA_ALL_SIZES "Compile CUDA kernels for all sizes of lattices, not for one of each kind" ON)
# Optimized where something can run it: with all sizes, and with few for whoever tries a kernel on a GPU.
if(NOT DEFINED GLASSWORKS_CUDA_OPTIMIZE)
  set(GLASSWORKS_CUDA_OPTIMIZE ${GLASSWORKS_CUDA_ALL_SIZES})
endif()
function(keep_one_size_of_each_chain shapes)
  set(kept "")
  set(chains "")
  foreach(row IN LISTS ${shapes})
    string(REGEX MATCH "[A-Za-z0-9]+Chain" chain "${row}")
    if(NOT "of ${chain}" IN_LIST chains)
      list(APPEND chains "of ${chain}")
      list(APPEND kept "${row}")
    endif()
  endforeach()
  set(${shapes} ${kept} PARENT_SCOPE)
endfunction()
if(NOT GLASSWORKS_CUDA_ALL_SIZES)
  foreach(kind resident ladder tile)
    keep_one_size_of_each_chain(${kind}_shapes)
  endforeach()
endif()

# make_kernel_sizes(KIND VARIANT SHAPE): files for all rows of KIND_shapes, and one with the list of them, appended to
# cuda_sources. Few are compiled with the files of this folder (below).
function(make_kernel_sizes kind variant shape)
  set(directory ${CMAKE_CURRENT_BINARY_DIR}/cuda_sizes)
  set(declarations "")
  set(calls "")
  set(files ${directory}/${kind}_list.cu)
  foreach(arguments IN LISTS ${kind}_shapes)
    string(REPLACE ", " "_" name "${kind}_${arguments}")
    configure_file(cuda/kernel_size.cu.in ${directory}/${name}.cu @ONLY)
    list(APPEND files ${directory}/${name}.cu)
    string(APPEND declarations "${variant} ${name}();\n")
    string(APPEND calls "${name}(), ")
  endforeach()
  configure_file(cuda/kernel_size_list.cu.in ${directory}/${kind}_list.cu @ONLY)
  if(NOT GLASSWORKS_CUDA_ALL_SIZES)
    list(TRANSFORM files REPLACE ".+" "#include \"\\0\"\n" OUTPUT_VARIABLE includes)
    list(JOIN includes "" includes)
    set(includes_of_cuda "${includes_of_cuda}${includes}" PARENT_SCOPE)
    return()
  endif()
  list(APPEND cuda_sources ${files})
  set(cuda_sources ${cuda_sources} PARENT_SCOPE)
endfunction()

make_kernel_sizes(resident ResidentVariant ResidentShape)
make_kernel_sizes(ladder LadderVariant ResidentShape)
make_kernel_sizes(tile TileVariant TileShape)

# The other files, those of a folder and of some beside it together, as to read the headers takes as long as to compile most of them:
# names in one are unique.
if(NOT GLASSWORKS_CUDA_ALL_SIZES)
  set(folders "")
  foreach(source IN LISTS cuda_sources)
    if(source MATCHES "^${CMAKE_CURRENT_SOURCE_DIR}/(.+)/[^/]+\\.cu$")
      string(MAKE_C_IDENTIFIER "${CMAKE_MATCH_1}" folder)
      string(REGEX REPLACE "^(cuda_cluster_strips|cuda_multispin)$" "cuda_cluster" folder "${folder}")
      string(REPLACE "cuda_multispin_graph" "cuda_multispin_copies" folder "${folder}")
      string(REGEX REPLACE "^cuda_(colours|series)$" "cuda_graph" folder "${folder}")
      list(APPEND folders ${folder})
      string(APPEND includes_of_${folder} "#include \"${source}\"\n")
      list(REMOVE_ITEM cuda_sources ${source})
    endif()
  endforeach()
  list(REMOVE_DUPLICATES folders)
  foreach(folder IN LISTS folders)
    file(CONFIGURE OUTPUT ${CMAKE_CURRENT_BINARY_DIR}/cuda_sizes/${folder}.cu CONTENT "${includes_of_${folder}}" @ONLY)
    list(APPEND cuda_sources ${CMAKE_CURRENT_BINARY_DIR}/cuda_sizes/${folder}.cu)
  endforeach()
endif()
