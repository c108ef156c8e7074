#pragma once

#include "kernels/cuda/cuda_plan.hpp"
#include "kernels/rounds/chain.hpp"

/// How many realizations a batch should have; fitting, bytes: those that memory has room for, and that memory.
namespace glassworks { inline namespace cuda {

/// Of the ladder and the resident kernel: every place on the device has several work items, few places are idle in the
/// last turn, and measurements are far enough apart.
[[nodiscard]] int whole_step_batch(const Chain& chain, const CudaPlan& plan, int fitting);
/// See Backend::batch_width.
[[nodiscard]] int whole_step_width(const Chain& chain, const CudaPlan& plan);
/// Share of the multiprocessors, 0 ... 1, that whole steps of so many tasks keep busy.
[[nodiscard]] double whole_step_share(const Chain& chain, const CudaPlan& plan, int tasks);
/// Of kernels with a thread for each site.
[[nodiscard]] int site_batch(const Chain& chain, int fitting);
/// Every place on the device has 16 tiles of a colour or more, and few places are idle at the end.
[[nodiscard]] int tile_batch(const Chain& chain, const TilePlan& plan, int fitting);
/// Of the models of cluster updates: every multiprocessor is busy.
[[nodiscard]] int cluster_batch(const Chain& chain, double bytes);
/// Whole groups of realizations that keep half of the multiprocessors busy, but of large lattices 1024 if these have no
/// more than 3e8 spins: two batches share the device, and while the host ends the round of one, it works on the other.
[[nodiscard]] int multispin_batch(const Chain& chain, double bytes);
/// Their words keep every multiprocessor busy.
[[nodiscard]] int copy_batch(const Chain& chain, double bytes);

}}  // namespace glassworks::cuda
