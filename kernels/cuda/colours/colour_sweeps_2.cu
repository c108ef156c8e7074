#include "kernels/cuda/colours/colour_sweeps.cuh"

namespace glassworks { inline namespace cuda {

template void launch_colour_pass<2>(ColourPass, const ClusterBatch&, const ColourLaunch&, const UpdateNumber&,
                                    cudaStream_t);

}}  // namespace glassworks::cuda
