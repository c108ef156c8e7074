#include "kernels/cuda/graph/graph_plan.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <string_view>

#include "kernels/cuda/cuda_devices.hpp"
#include "kernels/models/spin_model.hpp"

namespace glassworks { inline namespace cuda {
namespace {

constexpr int most_log_group = 5;                    // a warp
constexpr unsigned most_threads = 1024;              // of a multiprocessor too: 64 registers for each
constexpr std::size_t beside = std::size_t{1} << 9;  // shared memory that a block takes beside its spins

std::size_t group_bytes(const Chain& chain, int log_group) {
  const std::size_t of_site = chain.model.is_discrete() ? 1 : 4 * static_cast<std::size_t>(components_of(chain.model));
  const std::size_t bytes = of_site * static_cast<std::size_t>(chain.lattice.sites()) << log_group;
  return (bytes + 15) / 16 * 16;
}

int log_replicas(const Chain& chain) {
  return std::min(most_log_group, static_cast<int>(std::bit_width(static_cast<unsigned>(chain.replicas()) - 1U)));
}

/// Whether groups in shared memory are faster: where a sweep by launches of a colour has many of them or little work
/// for each, and where over-relaxation, which takes little time beside its loads, makes most of the sweeps.
bool prefers_shared_memory(const Chain& chain, const DeviceBatch& batch) {
  constexpr double most_colours = 32.0, fewest_sites = 1 << 14;  // of a launch
  const double colours = batch.graph_colours;
  const double sites = static_cast<double>(batch.tasks) * chain.replicas() * static_cast<double>(chain.lattice.sites());
  return colours > most_colours || sites / colours < fewest_sites || chain.overrelaxation() > chain.protocol.heatbath;
}

std::string name_of(int log_group) { return "graph R=" + std::to_string(1 << log_group); }

}  // namespace

std::string GraphPlan::description() const {
  switch (spins) {
    case Spins::device:
      return "graph memory (replicas side by side in the memory of the device)";
    case Spins::shared:
      return name_of(log_group) + " (" + std::to_string(1 << log_group) + " replicas side by side in shared memory)";
    case Spins::of_batch:
      break;
  }
  return "graph (replicas side by side: up to " + std::to_string(1 << log_group) + " in shared memory or up to " +
         std::to_string(1 << replicas) + " in the memory of the device)";
}

bool graph_sweeps_fit(const Chain& chain) {
  const Protocol& p = chain.protocol;
  return chain.lattice.is_graph() && chain.cluster_sweeps() == 0 && p.isoenergetic == 0 && p.heatbath > 0 &&
         p.local == SiteRule::heat_bath && p.multispin == MultispinRule::off && !chain.model.diluted &&
         !chain.model.anisotropic && !has_free_modulus(chain.model) &&
         components_of(chain.model) <= max_kernel_components && chain.lattice.sites() < std::int64_t{1} << 25;
}

bool plan_graph_sweeps(const Chain& chain, const CudaChoices& choices, GraphPlan& plan) {
  if (!graph_sweeps_fit(chain)) return false;
  const std::string& wanted = choices.kernel;
  const int replicas = log_replicas(chain);
  const CudaDevice& device = current_cuda_device();
  for (int log_group = replicas; log_group >= 0; --log_group) {
    if (group_bytes(chain, log_group) + beside > static_cast<std::size_t>(device.shared_memory_per_block_bytes))
      continue;
    if (std::string_view("graph").starts_with(wanted)) {
      plan = {GraphPlan::Spins::of_batch, log_group, replicas, false};
      return true;
    }
    if (name_of(log_group) != wanted) continue;
    plan = {GraphPlan::Spins::shared, log_group, replicas, true};
    return true;
  }
  plan = {GraphPlan::Spins::device, 0, replicas, false};
  return plan.description().starts_with(wanted);
}

GraphShape choose_graph_shape(const GraphPlan& plan, const Chain& chain, const DeviceBatch& batch) {
  const auto sites = static_cast<double>(chain.lattice.sites()), colours = static_cast<double>(batch.graph_colours);
  const auto shape = [&](int log_group, bool resident) {
    const auto replicas = static_cast<unsigned>(chain.replicas()), size = 1U << log_group;
    return GraphShape{resident, static_cast<unsigned>(log_group), (replicas + size - 1) / size, 256,
                      group_bytes(chain, log_group)};
  };
  const auto use = [&](const GraphShape& s) {
    return chain.replicas() / std::ldexp(s.groups, static_cast<int>(s.log_group));
  };
  const CudaDevice& device = current_cuda_device();
  GraphShape best{};
  double best_score = 0.0;
  if (plan.spins == GraphPlan::Spins::device ||
      (plan.spins == GraphPlan::Spins::of_batch && !prefers_shared_memory(chain, batch))) {
    for (int log_group = plan.replicas; log_group >= 0; --log_group) {
      const GraphShape s = shape(log_group, false);
      const double score = use(s) * (8.0 + log_group);  // small groups load more of the graph
      if (score > best_score) best = s;
      best_score = std::max(best_score, score);
    }
    return best;
  }
  for (int log_group = plan.log_group; log_group >= (plan.prescribed ? plan.log_group : 0); --log_group) {
    GraphShape s = shape(log_group, true);
    const double of_colour = std::ldexp(sites, log_group) / colours;
    const auto by_memory =
        static_cast<unsigned>(static_cast<std::size_t>(device.shared_memory_bytes) / (s.group_bytes + beside + 1024));
    const unsigned fair = std::max(128U, most_threads / std::max(by_memory, 1U));
    s.threads =
        std::clamp(std::min(fair, static_cast<unsigned>(std::min(of_colour, 1e6))) / 32 * 32, 32U, most_threads);
    const unsigned blocks = std::clamp(std::min(by_memory, most_threads / s.threads), 1U, 32U);
    const double busy =
        std::min(static_cast<double>(batch.tasks) * s.groups, static_cast<double>(blocks) * device.multiprocessors);
    const double score = busy * std::min<double>(s.threads, of_colour) * use(s);
    if (score <= 1.01 * best_score) continue;
    best = s;
    best_score = score;
  }
  return best;
}

}}  // namespace glassworks::cuda
