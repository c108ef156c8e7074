#if defined(__x86_64__)

#include "kernels/cpu/lanes/kernel_table.hpp"
#include "kernels/cpu/multispin/copy_table.hpp"
#include "kernels/cpu/multispin/multispin_table.hpp"
#include "kernels/cpu/neighbours/graph_table.hpp"
#include "kernels/cpu/pairs/pair_table.hpp"
#include "kernels/cpu/rows/cluster_kernels.hpp"

/// Compiled only into builds without AVX-512 code, which no processor takes then (instruction_set.cpp): what has the
/// same bits stands in its place.
namespace glassworks { inline namespace cpu {

const KernelTable& avx512_kernels() { return avx2_kernels(); }
const MultispinTable* avx512_multispin() { return avx2_multispin(); }
const CopyTable* avx512_copies() { return avx2_copies(); }
const GraphTable* avx512_graph_kernels(const SpinModel& model) { return avx2_graph_kernels(model); }
const PairTable& avx512_pairs() { return avx2_pairs(); }
const ClusterKernelTable& avx512_cluster_kernels() { return avx2_cluster_kernels(); }

}}  // namespace glassworks::cpu

#endif
