# The sizes for which kernels are compiled, each in a file of its own that is made from kernel_size.cu.in. Where several rows
# fit a lattice, the first one is preferred. `glassworks bench --backend cuda --L ...` shows what a row brings.

# ResidentShape<L, blocks of a cluster, depth, registers>: a whole lattice in shared memory.
set(resident_shapes
    "4, 1, 2, 128" "6, 1, 2, 128" "8, 1, 2, 128" "12, 1, 4, 168" "16, 1, 2, 128" "20, 1, 4, 128" "24, 2, 4, 128"
    "32, 8, 2, 128" "10, 1, 2, 128" "14, 1, 2, 128")
# ResidentShape as above: the whole ladder of a small lattice in one block.
set(ladder_shapes "4, 1, 2, 128" "6, 1, 2, 128" "8, 1, 2, 128")
# TileShape<T>: tiles of edge T.
set(tile_shapes "8" "4" "6" "10" "12" "16")

# make_kernel_sizes(KIND VARIANT SHAPE): files for all rows of KIND_shapes, and one with the list of them, appended to
# cuda_sources.
function(make_kernel_sizes kind variant shape)
  set(directory ${CMAKE_CURRENT_BINARY_DIR}/cuda_sizes)
  set(declarations "")
  set(calls "")
  foreach(arguments IN LISTS ${kind}_shapes)
    string(REPLACE ", " "_" name "${kind}_${arguments}")
    configure_file(cuda/kernel_size.cu.in ${directory}/${name}.cu @ONLY)
    list(APPEND cuda_sources ${directory}/${name}.cu)
    string(APPEND declarations "${variant} ${name}();\n")
    string(APPEND calls "${name}(), ")
  endforeach()
  configure_file(cuda/kernel_size_list.cu.in ${directory}/${kind}_list.cu @ONLY)
  list(APPEND cuda_sources ${directory}/${kind}_list.cu)
  set(cuda_sources ${cuda_sources} PARENT_SCOPE)
endfunction()

make_kernel_sizes(resident ResidentVariant ResidentShape)
make_kernel_sizes(ladder LadderVariant ResidentShape)
make_kernel_sizes(tile TileVariant TileShape)
