#pragma once

#include "kernels/cpu/rows/activation_kernels.hpp"
#include "kernels/cpu/rows/grow_kernels.hpp"
#include "kernels/cpu/rows/local_kernels.hpp"
#include "kernels/cpu/rows/move_kernels.hpp"
#include "kernels/cpu/rows/sum_kernels.hpp"

namespace glassworks { inline namespace cpu {

/// The kernel table of one instruction set.
template <class Wide>
constexpr ClusterKernelTable cluster_kernels_of{
    ActivationKernels<Wide>::activate, GrowKernels<Wide>::grow,        GrowKernels<Wide>::move,
    RunKernels<Wide>::find_runs,       RunKernels<Wide>::number_runs,  MoveKernels<Wide>::fates_by_coin,
    MoveKernels<Wide>::fates_by_state, RunKernels<Wide>::unite,        RunKernels<Wide>::unite_rest,
    RunKernels<Wide>::compress,        RunKernels<Wide>::settle,       RunKernels<Wide>::number_clusters,
    RunKernels<Wide>::decompose,       RunKernels<Wide>::run_of,       MoveKernels<Wide>::coins,
    MoveKernels<Wide>::new_states,     MoveKernels<Wide>::flip,        MoveKernels<Wide>::reflect,
    MoveKernels<Wide>::recolour,       SumKernels<Wide>::project,      SumKernels<Wide>::renormalize,
    LocalKernels<Wide>::local_sweep,   LocalKernels<Wide>::over_relax, SumKernels<Wide>::energy,
    SumKernels<Wide>::site_sums};

}}  // namespace glassworks::cpu
