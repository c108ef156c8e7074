#include "kernels/rounds/chain_needs.hpp"

namespace glassworks { inline namespace rounds {
namespace {

constexpr int few_replicas = 4;
constexpr std::int64_t large_plane = 1 << 16, many_sites = 1 << 27;

// Each function below decomposes a structure with a structured binding, so that a new member does not compile until its
// needs are decided; the switches do the same for new enumerators. An unnamed value becomes Need::unknown, which no
// kernel supports.

/// Kernels for some models alone know these by name; the templates over model types run all discrete spins and unit
/// vectors.
Need need_of(const SpinModel& model) {
  if (model.kind == ModelKind::heisenberg) return Need::heisenberg;
  if (model.kind == ModelKind::ising) return Need::ising;
  if (model.is_discrete()) return Need::discrete_spins;
  if (has_free_modulus(model)) return Need::phi4;
  return is_unit_vector(model) ? Need::vectors : Need::unknown;
}

ChainNeeds needs_of_model(const SpinModel& model) {
  // states, components, lambda and crystal_field are numbers of their models.
  const auto& [kind, states, components, lambda, diluted, anisotropic, crystal_field] = model;
  ChainNeeds needs{need_of(model)};
  if (components_of(model) > max_kernel_components) needs = needs | ChainNeeds{Need::many_components};
  if (diluted) needs = needs | ChainNeeds{Need::absent_sites};
  if (anisotropic) needs = needs | ChainNeeds{Need::anisotropy};
  return needs;
}

Need need_of(LatticeKind kind) {
  switch (kind) {
    case LatticeKind::hypercubic:
      return Need::hypercubic;
    case LatticeKind::triangular:
      return Need::triangular;
    case LatticeKind::fcc:
      return Need::fcc;
    case LatticeKind::bcc:
      return Need::bcc;
    case LatticeKind::graph:
      return Need::graph;
  }
  return Need::unknown;
}

Need need_of_dimension(int dim) {
  switch (dim) {
    case 1:
      return Need::one_dimension;
    case 2:
      return Need::two_dimensions;
    case 3:
      return Need::three_dimensions;
    case 4:
      return Need::four_dimensions;
    default:
      return Need::unknown;
  }
}

/// Whether the rows of a prism form pairs along y, each of an even length from 4.
bool has_even_rows(const Lattice& lattice) {
  return lattice.dim > 1 && lattice.length(0) >= 4 && lattice.length(0) % 2 == 0 && lattice.length(1) % 2 == 0;
}

ChainNeeds needs_of_lattice(const Lattice& lattice) {
  // The tag of a graph chooses random numbers.
  const auto& [dim, L, open, kind, lengths, graph_sites, graph_bonds, graph_tag, graph_more_ends] = lattice;
  if (lattice.has_terms()) return {need_of(kind), Need::terms};
  if (lattice.is_graph()) return {need_of(kind)};
  ChainNeeds needs{need_of_dimension(dim), need_of(kind)};
  if (!lattice.is_cube()) needs = needs | ChainNeeds{Need::prism};
  if (!lattice.is_cube() && !has_even_rows(lattice)) needs = needs | ChainNeeds{Need::odd_rows};
  if (open != 0) needs = needs | ChainNeeds{Need::open_ends};
  if (lattice.rows() >= large_plane) needs = needs | ChainNeeds{Need::large_planes};
  if (lattice.sites() >= many_sites) needs = needs | ChainNeeds{Need::many_sites};
  return needs;
}

ChainNeeds needs_of_updates(ProtocolKind kind) {
  switch (kind) {
    case ProtocolKind::local:
      return {Need::no_clusters};
    case ProtocolKind::swendsen_wang:
      return {Need::swendsen_wang};
    case ProtocolKind::wolff:
      return {Need::wolff};
    case ProtocolKind::few_cluster:
      return {Need::few_cluster};
  }
  return {Need::unknown};
}

ChainNeeds needs_of_lanes(MultispinLanes lanes) {
  switch (lanes) {
    case MultispinLanes::realizations:
      return {};
    case MultispinLanes::copies:
      return {Need::copy_lanes};
  }
  return {Need::unknown};
}

ChainNeeds needs_of_rule(MultispinRule rule) {
  switch (rule) {
    case MultispinRule::off:
      return {Need::own_words};
    case MultispinRule::metropolis:
      return {Need::multispin_metropolis};
    case MultispinRule::heat_bath:
      return {Need::multispin_heat_bath};
  }
  return {Need::unknown};
}

Need need_of(ExchangeSchedule schedule) {
  switch (schedule) {
    case ExchangeSchedule::sequential:
      return Need::sequential_exchange;
    case ExchangeSchedule::even_odd:
      return Need::even_odd_exchange;
    case ExchangeSchedule::none:
      return Need::no_exchange;
  }
  return Need::unknown;
}

/// over: over-relaxation sweeps that the model has
ChainNeeds needs_of_protocol(const Protocol& protocol, int over) {
  // sweeps_per_exchange, exchanges_per_measurement and cluster_sweeps are numbers of repetitions; seed_tile and p_flip
  // are those of few_cluster; overrelaxation is none for discrete spins; adaptation is that of site updates; whatever
  // has tiles repeats their sweeps; moves between copies are the same at any temperature.
  const auto& [overrelaxation, heatbath, sweeps_per_exchange, exchanges_per_measurement, exchange, tile, tile_repeats,
               kind, cluster_sweeps, isoenergetic, isoenergetic_T_max, multispin, lanes, local, adaptation, seed_tile,
               p_flip, moves] = protocol;
  ChainNeeds needs =
      needs_of_updates(kind) | needs_of_rule(multispin) | needs_of_lanes(lanes) | ChainNeeds{need_of(exchange)};
  if (heatbath > 0) needs = needs | ChainNeeds{Need::local_sweeps};
  if (local != SiteRule::heat_bath) needs = needs | ChainNeeds{Need::site_update};
  if (traits_of(local).has_reserve) needs = needs | ChainNeeds{Need::reserves};
  if (over > 0) needs = needs | ChainNeeds{Need::over_relaxation};
  if (tile != 0) needs = needs | ChainNeeds{Need::tiles};
  if (isoenergetic > 0) needs = needs | ChainNeeds{Need::isoenergetic};
  if (!moves.empty() && !matches_sweeps(moves)) needs = needs | ChainNeeds{Need::listed_moves};
  return needs;
}

ChainNeeds needs_of_observables(LocalSelection selection) {
  constexpr LocalSelection of_sites = chiral_overlap - 1;
  constexpr LocalSelection named =
      of_sites | chiral_overlap | axis_modes | field_response | triangle_chirality | chiral_response | chiral_axes;
  ChainNeeds needs;
  if ((selection & of_sites) != 0) needs = needs | ChainNeeds{Need::local_observables};
  if ((selection & chiral_overlap) != 0) needs = needs | ChainNeeds{Need::chirality};
  if ((selection & triangle_chirality) != 0) needs = needs | ChainNeeds{Need::triangles};
  if ((selection & axis_modes) != 0) needs = needs | ChainNeeds{Need::modes_of_axes};
  if ((selection & field_response) != 0) needs = needs | ChainNeeds{Need::field_terms};
  if ((selection & chiral_response) != 0) needs = needs | ChainNeeds{Need::chiral_terms};
  if ((selection & chiral_axes) != 0) needs = needs | ChainNeeds{Need::chirality_of_axes};
  if ((selection & ~named) != 0) needs = needs | ChainNeeds{Need::unknown};
  return needs;
}

ChainNeeds needs_of_key(const PhiloxKey& key) {
  const auto& [k0, k1, generator] = key;
  switch (generator) {
    case Generator::philox4x32:
      return {};
    case Generator::threefry4x32:
      return {Need::threefry};
  }
  return {Need::unknown};
}

}  // namespace

ChainNeeds needs_of(const Chain& chain) {
  // copies, beta, measurements and samples are numbers, whatever a course makes of them, and a course is
  // followed by whoever holds a batch; start and cooling_key are those of states before a round.
  const auto& [model, lattice, copies, beta, protocol, measurements, key, samples, local, start, cooling_key, course] =
      chain;
  ChainNeeds needs = needs_of_model(model) | needs_of_lattice(lattice) |
                     needs_of_protocol(protocol, chain.overrelaxation()) | needs_of_observables(local) |
                     needs_of_key(key);
  if (chain.has_copy_lanes() && measurements > 0 && course == nullptr) needs = needs | ChainNeeds{Need::copy_bins};
  if (protocol.tile == 0 && chain.replicas() < few_replicas) needs = needs | ChainNeeds{Need::few_replicas};
  return needs;
}

ChainNeeds needs_of(const Disorder& disorder) {
  // couplings and energy_scale are of every realization; anisotropy is the strength that belongs to axes; a graph is
  // that of the lattice.
  const auto& [couplings, fields, absent, axes, anisotropy, energy_scale, graph] = disorder;
  ChainNeeds needs;
  if (!fields.empty()) needs = needs | ChainNeeds{Need::fields};
  if (!absent.empty()) needs = needs | ChainNeeds{Need::absent_sites};
  if (!axes.empty()) needs = needs | ChainNeeds{Need::anisotropy};
  return needs;
}

const char* need_name(Need need) {
  switch (need) {
    case Need::local_sweeps:
      return "local sweeps";
    case Need::over_relaxation:
      return "over-relaxation";
    case Need::tiles:
      return "sweeps by tiles";
    case Need::no_clusters:
      return "steps without cluster updates";
    case Need::swendsen_wang:
      return "Swendsen-Wang updates";
    case Need::wolff:
      return "Wolff updates";
    case Need::few_cluster:
      return "few-cluster updates";
    case Need::isoenergetic:
      return "isoenergetic cluster moves";
    case Need::own_words:
      return "random words for every realization";
    case Need::multispin_metropolis:
      return "multi-spin coding (metropolis)";
    case Need::multispin_heat_bath:
      return "multi-spin coding (heat-bath)";
    case Need::copy_bins:
      return "measurements of copies as lanes";
    case Need::copy_lanes:
      return "copies as lanes of multi-spin coding";
    case Need::site_update:
      return "local updates other than heat baths";
    case Need::reserves:
      return "updates that exchange energy with reserves";
    case Need::listed_moves:
      return "moves in an order of their own";
    case Need::heisenberg:
      return "the model heisenberg";
    case Need::ising:
      return "the model ising";
    case Need::vectors:
      return "unit vectors of the model on";
    case Need::phi4:
      return "the model phi4 at finite lambda";
    case Need::discrete_spins:
      return "discrete spins other than ising";
    case Need::many_components:
      return "vectors of more than four components";
    case Need::absent_sites:
      return "absent sites";
    case Need::anisotropy:
      return "a random anisotropy";
    case Need::fields:
      return "site fields";
    case Need::sequential_exchange:
      return "sequential exchanges";
    case Need::even_odd_exchange:
      return "even-odd exchanges";
    case Need::no_exchange:
      return "slots without exchanges";
    case Need::one_dimension:
      return "one dimension";
    case Need::two_dimensions:
      return "two dimensions";
    case Need::three_dimensions:
      return "three dimensions";
    case Need::four_dimensions:
      return "four dimensions";
    case Need::hypercubic:
      return "the hypercubic lattice";
    case Need::triangular:
      return "the triangular lattice";
    case Need::fcc:
      return "the fcc lattice";
    case Need::bcc:
      return "the bcc lattice";
    case Need::graph:
      return "graphs";
    case Need::terms:
      return "terms of more than two spins";
    case Need::prism:
      return "shapes other than cubes";
    case Need::odd_rows:
      return "shapes without even lengths along x (from 4) and y";
    case Need::open_ends:
      return "open ends";
    case Need::large_planes:
      return "planes of 65536 sites or more";
    case Need::many_sites:
      return "2^27 sites or more";
    case Need::local_observables:
      return "observables of single replicas";
    case Need::chirality:
      return "the overlap of chiralities";
    case Need::triangles:
      return "the chirality of triangles";
    case Need::modes_of_axes:
      return "modes along each axis";
    case Need::field_terms:
      return "the susceptibility in a field";
    case Need::chiral_terms:
      return "the chiral susceptibility in a field";
    case Need::chirality_of_axes:
      return "the chirality along each axis";
    case Need::few_replicas:
      return "fewer than four replicas";
    case Need::threefry:
      return "the generator threefry4x32";
    case Need::unknown:
      break;
  }
  return "a part of the chain that has no name";
}

}}  // namespace glassworks::rounds
