#include "kernels/cpu/round_need.hpp"

#include <algorithm>

#include "kernels/core/addresses.hpp"
#include "kernels/cpu/lanes/lanes.hpp"
#include "kernels/cpu/multispin/copy_words.hpp"
#include "kernels/cpu/neighbours/graph_table.hpp"
#include "kernels/cpu/pairs/copy_moves.hpp"
#include "kernels/cpu/pairs/spin_bits.hpp"
#include "kernels/cpu/rows/grown_clusters.hpp"
#include "kernels/models/model_facts.hpp"
#include "kernels/rounds/cluster_replicas.hpp"
#include "kernels/rounds/local_sums.hpp"

namespace glassworks { inline namespace cpu {
namespace {

/// Bytes of a site of the labels of a replica and of the sums over its clusters (ClusterLabels).
double label_bytes(const Chain& chain) {
  const int dim = chain.lattice.dim, L = chain.lattice.L;
  const double words = static_cast<double>((L + 63) / 64) / L;  // of a row, for each of its sites
  constexpr double room = 1.25;                                 // of the runs
  const double runs = room * (sizeof(std::uint32_t) + 1);
  double bytes = words * (8.0 * dim + 8.0 + 4.0) + runs + 0.25;
  if (chain.protocol.kind == ProtocolKind::swendsen_wang) {  // crossings, windings, numbers, sizes and terms
    bytes += 16.0 + 1.0 + 4.0 + 4.0 + 8.0 * (1 + 2 * dim);
  }
  if (!chain.model.is_discrete()) bytes += sizeof(float);                          // projections
  if (facts_of(chain.model).cluster_move == ClusterMove::new_state) bytes += 1.0;  // new states
  return bytes;
}

/// Lists of neighbours, spins in bundles and in the lanes of slots, and what cluster updates need (GraphClusters).
MemoryNeed graph_need(const Chain& chain, int bundled, int threads) {
  const auto sites = static_cast<double>(chain.lattice.sites());
  const auto bonds = static_cast<double>(chain.lattice.bonds());
  const double lane = sizeof(float) * (chain.model.is_discrete() ? 1 : components_of(chain.model));
  const int groups = (chain.slots() + bundle_lanes - 1) / bundle_lanes;
  double lists = 2.0 * sizeof(GraphLink) * bonds + (2.0 * sizeof(std::int64_t) + 8.0) * sites;
  if (chain.lattice.has_terms()) {  // each of a site has the list of its other ones: at most 15
    const double ends = 2.0 * bonds + static_cast<double>(chain.lattice.graph_more_ends);
    lists += sizeof(std::int64_t) * sites + (sizeof(ManyBodyTerm) + sizeof(std::int32_t) * (ends / bonds)) * ends;
  }
  double replica = lane * sites;
  if (chain.cluster_sweeps() > 0) {
    replica += (2.0 * sizeof(float) + 4.0) * sites + 0.5 * bonds;  // fates, projections, coins, labels, active bonds
  }
  const double gathered = lane * bundle_lanes * chain.copies * std::min(threads, groups) * sites;
  return {.each = lists + replica * bundled + gathered};
}

}  // namespace

MemoryNeed lane_need(const Chain& chain, double disorder, int threads) {
  const auto sites = static_cast<double>(chain.lattice.sites());
  const int replicas = chain.replicas(), bundled = (replicas + bundle_lanes - 1) / bundle_lanes * bundle_lanes;
  const double lane = sizeof(float) * components_of(chain.model);
  if (chain.lattice.is_graph()) return graph_need(chain, bundled, threads);
  if (!has_cluster_replicas(chain)) {
    const double gathered = lane * bundle_lanes * chain.copies * sites;
    return {.each = lane * bundled * sites + gathered, .shared = (threads - 1) * gathered};
  }
  const bool ising = chain.model.is_discrete();
  const bool rows = !ising && chain.lattice.is_cube() && !chain.model.diluted;
  const double copies = chain.protocol.isoenergetic > 0 ? CopyMoves::site_bytes(chain, threads) : 0.0;
  const bool shows = !ising || !local_terms(chain.local, chain.lattice).empty();
  const double shown = (shows ? site_bytes(chain.model) * replicas : 0.0) + (ising ? SpinBits::site_bytes(chain) : 0.0);
  return {.each =
              (lane * bundled + shown + copies) * sites + (rows ? disorder + sites * chain.lattice.dim / 8.0 : 0.0)};
}

MemoryNeed row_need(const Chain& chain, double disorder) {
  const auto sites = static_cast<double>(chain.lattice.sites());
  double replica = site_bytes(chain.model);
  if (chain.cluster_sweeps() > 0) {
    const ProtocolKind kind = chain.protocol.kind;
    replica += label_bytes(chain);
    if (kind != ProtocolKind::swendsen_wang) replica += GrownClusters::site_bytes();
  }
  const double bits = chain.model.kind == ModelKind::ising && chain.copies > 1 ? SpinBits::site_bytes(chain) : 0.0;
  const bool counts = chain.model.kind == ModelKind::ising && chain.protocol.heatbath > 0;  // see CountedBonds
  const double signs = (counts ? 1.0 + 1.0 / 8.0 : 1.0 / 8.0) * chain.lattice.dim;
  return {.each = replica * chain.replicas() * sites + disorder + sites * (signs + bits)};
}

MemoryNeed multispin_need(const Chain& chain) {
  const auto sites = static_cast<double>(chain.lattice.sites());
  const int dim = chain.lattice.dim;
  const auto bonds = static_cast<double>(chain.lattice.bond_places());
  const double group = multispin_group / 8.0 * (chain.replicas() * sites + 2.0 * bonds);  // spins, signs, absent bonds
  const double ends = chain.lattice.open != 0 ? multispin_group / 8.0 * bonds : 0.0;
  // Lists, and what they are made from.
  const double lists = chain.lattice.is_graph() ? 8.0 * bonds + dim * sites : 4.0 * dim * sites;
  const double table = sizeof(std::int32_t) * (lists + 4.0 * sites);
  return {.each = (group + ends) / multispin_group, .shared = table + group + ends};
}

MemoryNeed copy_need(const Chain& chain, int threads) {
  const auto sites = static_cast<double>(chain.lattice.sites());
  const int words = copy_table_for(InstructionSet::portable, chain.copies).words;
  const double spins = 2.0 * sizeof(std::uint32_t) * words * chain.slots() * sites;
  const double rows = (2.0 * (chain.lattice.dim - 1) * sizeof(std::int32_t) + 1.0) * sites / chain.lattice.L;
  constexpr double first_cache = 1 << 18;  // scratch of a thread
  return {.each = spins + sites, .shared = 2.0 * rows + threads * first_cache};
}

}}  // namespace glassworks::cpu
