#include "kernels/cuda/cuda_plan.hpp"

#include <algorithm>

#include "kernels/rounds/kernel_families.hpp"
#include "kernels/rounds/moves.hpp"

namespace glassworks { inline namespace cuda {
namespace {

/// Whether kernels for whole lattices of size L can run a chain.
bool fits(int L, const Chain& chain) {
  const Protocol& p = chain.protocol;
  return chain.lattice.dim == 3 && chain.lattice.L == L && (p.tile == 0 || p.tile == L) && p.heatbath > 0;
}

/// Whether a kernel may be used; `wanted` is empty or the beginning of a name, with or without its chain.
bool allowed(const std::string& name, const std::string& wanted, const VectorChain& chain) {
  return name.compare(0, wanted.size(), wanted) == 0 ||
         name.compare(kernel_prefix(chain).size(), wanted.size(), wanted) == 0;
}

CudaPlan plan_of(const Chain& chain, bool with_fields, const CudaChoices& choices) {
  const std::string& wanted = choices.kernel;
  const VectorChain kind = vector_chain(chain.model);
  CudaPlan others;
  if (plan_graph_sweeps(chain, choices, others.graph)) {
    others.kind = CudaPlan::Kind::graph;
    return others;
  }
  if (!with_fields && colour_kernels_fit(chain) && allowed(ColourPlan::name(kind), wanted, kind)) {
    others = {CudaPlan::Kind::colours, {}, {}, {}, plan_colours(kind, chain.lattice)};
  }
  if (!uses_kernel_kind(BackendKind::cuda, KernelKind::steps, chain)) return others;
  for (const LadderVariant& v : ladder_variants()) {
    if (!(v.chain == kind) || !fits(v.L, chain) || !allowed(v.name(), wanted, kind)) continue;
    const LadderPlan plan = plan_ladder(v, chain.slots(), with_fields, choices.ladder_groups);
    if (plan.most_blocks > 0) return {CudaPlan::Kind::ladder, plan, {}, {}, {}};
  }
  for (const ResidentVariant& v : resident_variants()) {
    if (!(v.chain == kind) || !fits(v.L, chain) || !allowed(v.name(), wanted, kind)) continue;
    const ResidentPlan plan = plan_resident(v, with_fields);
    if (plan.clusters > 0) return {CudaPlan::Kind::resident, {}, plan, {}, {}};
  }
  if (tile_kernel_fits(chain)) {
    const TilePlan plan = plan_tile(chain, with_fields);
    if (plan.blocks > 0 && allowed(plan.variant->name(), wanted, kind)) return {CudaPlan::Kind::tile, {}, {}, plan, {}};
  }
  return others;
}

}  // namespace

CouplingOrder CudaPlan::coupling_order() const {
  if (kind == Kind::ladder) return {ladder.variant->L, ladder.variant->depth, 1};
  return {resident.variant->L, resident.variant->depth, resident.variant->blocks};
}

SpinLayout CudaPlan::spin_layout() const {
  if (kind == Kind::ladder) return ladder.variant->layout;
  return kind == Kind::resident ? resident.variant->layout : SpinLayout::planar;
}

std::string CudaPlan::description() const {
  if (kind == Kind::ladder) return ladder.description();
  if (kind == Kind::plain) return "plain (one thread per site, spins in device memory)";
  if (kind == Kind::tile) return tile.description();
  if (kind == Kind::colours) return colours.description();
  if (kind == Kind::graph) return graph.description();
  return resident.variant->name() + ", " + std::to_string(resident.variant->threads) + " threads, " +
         std::to_string(resident.blocks_per_multiprocessor) + " blocks per multiprocessor, " +
         std::to_string(resident.item_capacity()) + " replicas at once";
}

void launch_whole_steps(const CudaPlan& plan, const DeviceBatch& batch, std::uint64_t first_step, int steps,
                        cudaStream_t stream, double share) {
  if (plan.kind == CudaPlan::Kind::ladder) return launch_ladder(plan.ladder, batch, first_step, steps, stream);
  ResidentPlan part = plan.resident;
  part.clusters = std::max(1, static_cast<int>(share * part.clusters));
  launch_resident(part, batch, first_step, steps, stream);
}

std::optional<Chain> sweeps_between_moves(const Chain& chain) {
  if (chain.protocol.isoenergetic == 0 || chain.model.kind != ModelKind::ising) return {};
  constexpr double most_steps = 4294967296.0;  // those of a round have numbers of 32 bits
  const double repetitions = static_cast<double>(chain.stretches()) * chain.protocol.exchanges_per_measurement *
                             chain.protocol.sweeps_per_exchange;
  if (repetitions >= most_steps) return {};
  const MoveList moves = moves_of(chain);
  const auto is_sweeps = [](const Move& move) { return move.rule == MoveRule::heat_bath; };
  const auto is_move = [](const Move& move) { return move.rule == MoveRule::isoenergetic; };
  if (std::ranges::count_if(moves, is_sweeps) != 1) return {};
  if (!std::ranges::all_of(moves, [&](const Move& move) { return is_sweeps(move) || is_move(move); })) return {};
  Chain sweeps = chain;
  sweeps.protocol.moves = {};
  sweeps.protocol.isoenergetic = 0;
  sweeps.protocol.isoenergetic_T_max = 0.0;
  sweeps.protocol.sweeps_per_exchange = 1;
  sweeps.protocol.exchange = ExchangeSchedule::none;
  return sweeps;
}

CudaPlan choose_cuda_plan(const Chain& chain, bool with_fields, const CudaChoices& choices) {
  if (const std::optional<Chain> sweeps = sweeps_between_moves(chain)) {
    CudaPlan plan = plan_of(*sweeps, with_fields, choices);
    plan.sweeps_alone = plan.arranges();
    if (plan.sweeps_alone) return plan;
  }
  return plan_of(chain, with_fields, choices);
}

}}  // namespace glassworks::cuda
