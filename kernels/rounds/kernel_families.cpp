#include "kernels/rounds/kernel_families.hpp"

#include <algorithm>
#include <stdexcept>

#include "kernels/rounds/bin_layout.hpp"
#include "kernels/rounds/cluster_checks.hpp"

namespace glassworks { inline namespace rounds {
namespace {

// Groups of needs that several families share.
constexpr ChainNeeds single_sites{Need::local_sweeps, Need::over_relaxation, Need::own_words, Need::listed_moves};
constexpr ChainNeeds sweeps = single_sites | ChainNeeds{Need::no_clusters};
constexpr ChainNeeds clusters{Need::swendsen_wang, Need::wolff, Need::few_cluster, Need::isoenergetic};
constexpr ChainNeeds exchanges{Need::sequential_exchange, Need::even_odd_exchange, Need::no_exchange};
constexpr ChainNeeds cubes{Need::one_dimension, Need::two_dimensions, Need::three_dimensions, Need::four_dimensions,
                           Need::hypercubic,    Need::open_ends,      Need::large_planes,     Need::many_sites};
constexpr ChainNeeds shapes = cubes | ChainNeeds{Need::prism, Need::odd_rows};
constexpr ChainNeeds lattices = shapes | ChainNeeds{Need::triangular, Need::fcc, Need::bcc};
/// Of plain code, and of everything on graphs.
constexpr ChainNeeds triangles{Need::triangles};
constexpr ChainNeeds observables{Need::local_observables, Need::chirality, Need::modes_of_axes, Need::field_terms};
constexpr ChainNeeds sites{Need::absent_sites, Need::fields};
constexpr ChainNeeds few{Need::few_replicas};
constexpr ChainNeeds any_update{Need::site_update, Need::reserves};

// heisenberg, whose bins have a form of their own, and the models of cluster updates.
constexpr ChainNeeds heisenberg =
    ChainNeeds{Need::heisenberg, Need::tiles, Need::chiral_terms, Need::chirality_of_axes} | sites | sweeps |
    exchanges | cubes | few;
constexpr ChainNeeds models = ChainNeeds{Need::ising, Need::discrete_spins, Need::vectors, Need::phi4};
constexpr ChainNeeds unit_vectors = ChainNeeds{Need::ising, Need::vectors, Need::tiles} | sites | sweeps | exchanges;
/// Of vectors over replicas; moves between copies are of ising alone.
constexpr ChainNeeds lanes_of_ising =
    unit_vectors.without({Need::vectors, Need::over_relaxation, Need::tiles}) | ChainNeeds{Need::isoenergetic};
constexpr ChainNeeds all_of_heisenberg = heisenberg | any_update | ChainNeeds{Need::anisotropy};
constexpr ChainNeeds all_of_sweeps = models | unit_vectors | lattices | observables | few | any_update |
                                     ChainNeeds{Need::many_components, Need::anisotropy};
constexpr ChainNeeds multispin{
    Need::listed_moves, Need::multispin_metropolis, Need::multispin_heat_bath, Need::ising,
    Need::fields,       Need::local_sweeps,         Need::isoenergetic,        Need::no_clusters};
constexpr ChainNeeds plain_multispin{Need::multispin_metropolis, Need::multispin_heat_bath, Need::copy_lanes,
                                     Need::copy_bins};
constexpr ChainNeeds copy_lanes{
    Need::listed_moves,   Need::multispin_metropolis, Need::multispin_heat_bath, Need::copy_lanes,
    Need::ising,          Need::local_sweeps,         Need::no_clusters,         Need::no_exchange,
    Need::two_dimensions, Need::three_dimensions,     Need::four_dimensions,     Need::hypercubic,
    Need::large_planes,   Need::few_replicas};
constexpr ChainNeeds all_of_models = all_of_sweeps | clusters | plain_multispin;
constexpr ChainNeeds threefry{Need::threefry};
/// On graphs, which have no tiles, and no ends for clusters to wrap around.
constexpr ChainNeeds all_of_graphs = ChainNeeds{Need::graph,
                                                Need::terms,
                                                Need::ising,
                                                Need::discrete_spins,
                                                Need::vectors,
                                                Need::many_components,
                                                Need::anisotropy,
                                                Need::wolff,
                                                Need::swendsen_wang,
                                                Need::no_clusters,
                                                Need::isoenergetic,
                                                Need::field_terms,
                                                Need::modes_of_axes,
                                                Need::local_observables,
                                                Need::multispin_metropolis,
                                                Need::multispin_heat_bath} |
                                     sites | single_sites | exchanges | few | any_update;

/// Without absent sites and anisotropy, and with at most max_kernel_components components.
constexpr ChainNeeds lanes_of_graphs =
    (all_of_graphs | triangles)
        .without({Need::absent_sites, Need::anisotropy, Need::many_components, Need::reserves,
                  Need::multispin_metropolis, Need::multispin_heat_bath});

/// On a graph that realizations share (has_words).
constexpr ChainNeeds words_of_graphs =
    (multispin | exchanges | few | ChainNeeds{Need::graph}).without({Need::isoenergetic});

constexpr const char* plain = "plain";
constexpr const char* one_bit = "bits";
constexpr const char* words_of_copies = "words of copies";

constexpr KernelFamily reference_families[] = {
    {KernelKind::plain, plain, all_of_heisenberg | threefry},
    {KernelKind::plain, plain, all_of_models | triangles | threefry},
    {KernelKind::plain, plain, all_of_graphs | triangles | threefry},
};

constexpr KernelFamily cpu_families[] = {
    {KernelKind::lanes, "lanes", heisenberg},
    {KernelKind::bits, one_bit, (multispin | exchanges | cubes | few).without({Need::many_sites})},
    {KernelKind::copies, words_of_copies, copy_lanes | ChainNeeds{Need::copy_bins}},
    {KernelKind::lanes, "lanes", (unit_vectors | shapes | observables).without({Need::odd_rows})},
    {KernelKind::lanes, "lanes", (lanes_of_ising | shapes | observables).without({Need::odd_rows})},
    {KernelKind::lanes, "lanes", lanes_of_graphs},
    {KernelKind::bits, one_bit, words_of_graphs},
    {KernelKind::rows, "rows",
     models | ChainNeeds{Need::fields} | sweeps | clusters | exchanges | cubes | observables | few},
    {KernelKind::plain, plain, all_of_heisenberg},
    {KernelKind::plain, plain, all_of_models | triangles},
    {KernelKind::plain, plain, all_of_graphs | triangles},
};

constexpr const char* whole_steps = "whole steps";

/// Kernels for whole steps and tiles: d = 3, over-relaxation before local sweeps.
constexpr ChainNeeds not_in_whole_steps{Need::one_dimension, Need::two_dimensions, Need::four_dimensions,
                                        Need::listed_moves};

constexpr ChainNeeds tiled_clusters =
    ChainNeeds{Need::swendsen_wang, Need::hypercubic, Need::large_planes, Need::many_sites} | single_sites | exchanges |
    observables | few;

constexpr ChainNeeds sweeps_of_graphs = (all_of_graphs | triangles).without({Need::swendsen_wang, Need::wolff});

constexpr KernelFamily cuda_families[] = {
    {KernelKind::steps, whole_steps, heisenberg.without(not_in_whole_steps)},
    {KernelKind::bits, one_bit,
     (multispin | exchanges | cubes | few).without({Need::one_dimension, Need::large_planes})},
    {KernelKind::bits, one_bit, words_of_graphs},
    {KernelKind::copies, words_of_copies, copy_lanes},
    {KernelKind::steps, whole_steps, (unit_vectors | cubes | observables | few).without(not_in_whole_steps)},
    {KernelKind::plain, plain, all_of_heisenberg},
    {KernelKind::plain, plain, all_of_sweeps | triangles},
    {KernelKind::cluster_tiles, "cluster tiles",
     tiled_clusters | ChainNeeds{Need::ising, Need::isoenergetic, Need::two_dimensions, Need::three_dimensions}},
    {KernelKind::cluster_tiles, "cluster tiles",
     tiled_clusters |
         ChainNeeds{Need::vectors, Need::phi4, Need::three_dimensions, Need::four_dimensions, Need::open_ends}},
    {KernelKind::clusters, "clusters",
     models | ChainNeeds{Need::fields, Need::absent_sites, Need::anisotropy} | sweeps | clusters | exchanges |
         lattices | triangles | observables | few | any_update},
    {KernelKind::clusters, "graphs", sweeps_of_graphs},
    {KernelKind::clusters, "graphs",
     (sweeps_of_graphs | ChainNeeds{Need::swendsen_wang, Need::wolff}).without({Need::many_components})},
};

const char* backend_name(BackendKind backend) {
  switch (backend) {
    case BackendKind::automatic:
      return "auto";
    case BackendKind::reference:
      return "reference";
    case BackendKind::cpu:
      return "cpu";
    case BackendKind::cuda:
      break;
  }
  return "cuda";
}

std::vector<Need> list_of(ChainNeeds needs) {
  std::vector<Need> list;
  for (int i = 0; i < need_count; ++i) {
    if (needs.has(static_cast<Need>(i))) list.push_back(static_cast<Need>(i));
  }
  return list;
}

/// The preposition before a need in "Wolff updates on the fcc lattice".
const char* preposition_for(Need need) {
  switch (need) {
    case Need::heisenberg:
    case Need::ising:
    case Need::vectors:
    case Need::phi4:
    case Need::discrete_spins:
    case Need::many_components:
      return " of ";
    case Need::one_dimension:
    case Need::two_dimensions:
    case Need::three_dimensions:
    case Need::four_dimensions:
      return " in ";
    case Need::hypercubic:
    case Need::triangular:
    case Need::fcc:
    case Need::bcc:
    case Need::graph:
      return " on ";
    default:
      return " with ";
  }
}

/// The first smallest subset, of up to three needs, that no family supports; all needs if there is none.
std::vector<Need> smallest_unsupported(std::span<const KernelFamily> families, const std::vector<Need>& all) {
  const auto unknown = [&](ChainNeeds needs) { return supporting_family(families, needs) == nullptr; };
  for (const Need a : all) {
    if (unknown({a})) return {a};
  }
  for (const Need a : all) {
    for (const Need b : all) {
      if (a < b && unknown({a, b})) return {a, b};
    }
  }
  for (const Need a : all) {
    for (const Need b : all) {
      for (const Need c : all) {
        if (a < b && b < c && unknown({a, b, c})) return {a, b, c};
      }
    }
  }
  return all;
}

/// A backend that does.
std::string suggestion_for(ChainNeeds needs) {
  const auto takes = [&](BackendKind backend) { return supporting_family(families_of(backend), needs) != nullptr; };
  if (takes(BackendKind::cpu)) return "Use backend.kind = auto or cpu.";
  if (takes(BackendKind::cuda)) return "Use backend.kind = cuda.";
  if (takes(BackendKind::reference)) return "Use backend.kind = reference.";
  return "Change the model, the lattice or the protocol: no other backend runs it.";
}

}  // namespace

std::span<const KernelFamily> families_of(BackendKind backend) {
  switch (backend) {
    case BackendKind::reference:
      return reference_families;
    case BackendKind::cuda:
      return cuda_families;
    case BackendKind::automatic:
    case BackendKind::cpu:
      break;
  }
  return cpu_families;
}

const KernelFamily* supporting_family(std::span<const KernelFamily> families, ChainNeeds needs) {
  const auto found =
      std::ranges::find_if(families, [&](const KernelFamily& family) { return family.supports.includes(needs); });
  return found == families.end() ? nullptr : &*found;
}

const KernelFamily* family_of(BackendKind backend, const Chain& chain) {
  return problem_of(chain).empty() ? supporting_family(families_of(backend), needs_of(chain)) : nullptr;
}

bool uses_kernel_kind(BackendKind backend, KernelKind kind, const Chain& chain) {
  const KernelFamily* const family = family_of(backend, chain);
  return family != nullptr && family->kind == kind;
}

UnsupportedPart unsupported_part(std::span<const KernelFamily> families, ChainNeeds needs) {
  if (supporting_family(families, needs) != nullptr) return {};
  UnsupportedPart part;
  for (const Need need : smallest_unsupported(families, list_of(needs))) {
    part.text += part.needs == 0 ? "" : preposition_for(need);
    part.text += need_name(need);
    ++part.needs;
  }
  return part;
}

std::string refusal_of(BackendKind backend, ChainNeeds needs) {
  if (backend == BackendKind::automatic && refusal_of(BackendKind::cuda, needs).empty()) return {};
  const UnsupportedPart part = unsupported_part(families_of(backend), needs);
  if (part.needs == 0) return {};
  return std::string("backend.kind = ") + backend_name(backend) + " cannot run " + part.text +
         " (none of its kernels supports " +
         (part.needs == 1   ? "that"
          : part.needs == 2 ? "both"
                            : "all of them") +
         "). " + suggestion_for(needs);
}

std::string refusal_of(BackendKind backend, const Chain& chain) {
  const std::string problem = problem_of(chain);
  return problem.empty() ? refusal_of(backend, needs_of(chain)) : problem;
}

void check_batch(BackendKind backend, const Chain& chain, std::span<const RoundTask> batch) {
  if (const std::string sentence = refusal_of(backend, chain); !sentence.empty()) throw std::runtime_error(sentence);
  const ChainNeeds of_chain = needs_of(chain);
  if (chain.measurements > 0 && chain.copies > BinLayout::most_copies) {
    throw std::runtime_error("A round cannot measure " + std::to_string(chain.copies) + " copies (bins have room for " +
                             std::to_string(BinLayout::most_copies) + "). Measure them at times of a course instead.");
  }
  for (const RoundTask& task : batch) {
    check_cluster_couplings(chain, *task.disorder);
    const std::string sentence = refusal_of(backend, of_chain | needs_of(*task.disorder));
    if (!sentence.empty()) throw std::runtime_error(sentence);
  }
}

}}  // namespace glassworks::rounds
