#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>

#include "kernels/core/random.hpp"
#include "kernels/models/activation.hpp"
#include "kernels/models/model_facts.hpp"
#include "kernels/models/multispin.hpp"
#include "kernels/rounds/cluster_checks.hpp"
#include "kernels/rounds/cluster_replica.hpp"
#include "kernels/rounds/local_names.hpp"
#include "kernels/rounds/modulus_scale.hpp"

namespace glassworks { inline namespace rounds {
namespace {

bool one_modulus(const std::vector<float>& couplings) {
  const float first = std::fabs(couplings.front());
  constexpr std::size_t at_once = 4096;  // no early exit inside, so that the loop vectorizes
  for (std::size_t begin = 0; begin < couplings.size(); begin += at_once) {
    unsigned others = 0;
    for (std::size_t i = begin; i < std::min(couplings.size(), begin + at_once); ++i) {
      others += std::fabs(couplings[i]) != first ? 1U : 0U;
    }
    if (others != 0) return false;
  }
  return true;
}

void require(bool holds, const std::string& message) {
  if (!holds) throw std::runtime_error(message);
}

/// Whether no bond joins sites of equal parity.
bool has_two_colours(const Lattice& lattice) {
  bool holds = lattice.is_cube() ? lattice.L >= 2 && lattice.L % 2 == 0 : lattice.L >= 2;
  for (int axis = 0; axis < lattice.dim && !lattice.is_cube(); ++axis) {
    holds = holds && lattice.length(axis) >= 1 && (lattice.is_open(axis) || lattice.length(axis) % 2 == 0);
  }
  return holds;
}

/// 2^31 sites have no labels.
bool has_labels(const Lattice& lattice) {
  double sites = 1.0;
  for (int axis = 0; axis < lattice.dim; ++axis) sites *= lattice.length(axis);
  return sites < 0x1p31;
}

std::string problem_of_graph(const Lattice& lattice) {
  if (lattice.graph_sites >= 1 && lattice.graph_sites < SiteGraph::max_sites && lattice.lengths[0] >= 1) return {};
  return "The graph cannot be used (it has 1 to 2^31 - 1 sites). Choose another graph.";
}

std::string problem_of(const Lattice& lattice) {
  if (lattice.is_graph()) return problem_of_graph(lattice);
  if (lattice.dim < 1 || lattice.dim > Lattice::max_dim || !has_two_colours(lattice)) {
    return "The lattice cannot be used (d is 1 to 4 and the lengths of periodic axes are even, for the order of local "
           "sweeps). Choose another L.";
  }
  if (!has_labels(lattice)) {
    return "The lattice cannot be used (labels have room for 2^31 sites). Choose a smaller L.";
  }
  const LatticeBonds bonds = bonds_of(lattice.kind);
  if (!lattice.is_hypercubic() && lattice.dim != bonds.dim) {
    return std::string("The ") + bonds.name + " lattice cannot be used (its dimension is " + std::to_string(bonds.dim) +
           "). Set the dimension to it.";
  }
  return {};
}

/// Why absent sites or random axes cannot be used with a chain; empty if they can.
std::string problem_of_sites(const Chain& chain) {
  const SpinModel& model = chain.model;
  const bool local = chain.protocol.kind == ProtocolKind::local;
  if (model.diluted && (!facts_of(model).may_lack_sites || !local || chain.protocol.multispin != MultispinRule::off)) {
    return "Absent sites cannot be used with this chain (potts and phi4 have none, and cluster updates and "
           "multi-spin coding do not leave them out). Use protocol.kind = local without multi-spin coding.";
  }
  if (model.anisotropic && (!facts_of(model).has_fields || model.is_discrete() || !local)) {
    return "The anisotropy cannot be used with this chain (only local updates of unit vectors support it). "
           "Use protocol.kind = local.";
  }
  return {};
}

/// Observables that the lattice does not have.
std::string problem_of_observables(const Chain& chain) {
  if (!chain.lattice.is_graph() || are_on_graphs(chain.local)) return {};
  return "The chirality of plaquettes cannot be measured on a graph (plaquettes are those of lattices). Leave it out.";
}

/// Updates of single spins other than heat baths.
std::string problem_of_site_update(const Chain& chain) {
  const Protocol& p = chain.protocol;
  if (p.local == SiteRule::heat_bath) return {};
  const UpdateTraits& traits = traits_of(p.local);
  const std::string update = "Updates by the rule " + std::string(traits.name);
  if (p.multispin != MultispinRule::off) {
    return update + " cannot be multi-spin coded (that has rules of its own). Set multispin to off.";
  }
  if (has_free_modulus(chain.model)) {
    return update + " cannot be used with phi4 at finite lambda (its |phi| has an update of its own). Use heat-bath.";
  }
  if (!traits.has_reserve) return {};
  if (chain.model.kind == ModelKind::heisenberg) {
    return update + " cannot be used with heisenberg (its slots exchange their spins). Use on with three components.";
  }
  if (p.exchange != ExchangeSchedule::none || chain.cluster_sweeps() > 0 || p.isoenergetic > 0) {
    return update +
           " cannot be used with exchanges, cluster updates and isoenergetic moves (they change the energy "
           "that each replica and its reserves conserve). Leave them out, with exchange = none.";
  }
  if (p.tile != 0) {
    return update + " cannot be used with tiles (sites of several tiles share reserves). Set tile to 0.";
  }
  return {};
}

std::string problem_of_few_cluster(const Chain& chain) {
  const Protocol& p = chain.protocol;
  if (p.seed_tile <= 0 || chain.lattice.L % p.seed_tile != 0) {
    return "The few-cluster update cannot use tiles of edge " + std::to_string(p.seed_tile) +
           " (L = " + std::to_string(chain.lattice.L) + " is not a multiple of it). Use a divisor of L.";
  }
  if (!(p.p_flip > 0.0 && p.p_flip < 1.0)) {
    return "The few-cluster update cannot use this p_flip (it is not ergodic with p_flip = 1 and stands still with 0). "
           "Use a number between 0 and 1.";
  }
  return {};
}

/// Multi-spin coding whose lanes are copies; any other chain has none of these.
std::string problem_of_copy_lanes(const Chain& chain) {
  const Protocol& p = chain.protocol;
  if (p.lanes == MultispinLanes::realizations) return {};
  if (p.multispin == MultispinRule::off) {
    return "Copies cannot be lanes of this chain (lanes belong to multi-spin coding). Set multispin to metropolis or "
           "heat-bath.";
  }
  if (p.exchange != ExchangeSchedule::none || p.isoenergetic > 0) {
    return "Copies cannot be lanes of a chain with exchanges or isoenergetic moves (each word stays at its "
           "temperature). Leave them out, with exchange = none.";
  }
  if (chain.copies < 1 || chain.copies > max_copy_lanes) {
    return "Lanes cannot hold " + std::to_string(chain.copies) + " copies (a word has " +
           std::to_string(max_copy_lanes) + "). Use 1 to " + std::to_string(max_copy_lanes) + " copies.";
  }
  if (chain.replicas() > static_cast<int>(max_replicas_per_realization)) {
    return "Lanes cannot hold " + std::to_string(chain.replicas()) +
           " replicas of a realization (random numbers have "
           "room for " +
           std::to_string(max_replicas_per_realization) + "). Use fewer copies or temperatures.";
  }
  if (chain.lattice.open != 0) {
    return "Copies cannot be lanes with open ends (bonds are absent there, and random numbers count bonds J and -J "
           "alone). Use lanes = realizations, or periodic boundaries.";
  }
  if (chain.lattice.sites() >= std::int64_t{1} << 27) {
    return "Copies cannot be lanes of this lattice (random numbers have room for 2^27 sites). Choose a smaller L.";
  }
  return {};
}

/// Terms that couple more than two spins.
std::string problem_of_terms(const Chain& chain) {
  if (!chain.lattice.has_terms()) return {};
  if (chain.model.kind != ModelKind::ising) {
    return "Terms of more than two spins cannot be used with this model (they are products of Ising spins). Use "
           "model.type = ising.";
  }
  const Protocol& p = chain.protocol;
  if (chain.cluster_sweeps() > 0 || p.isoenergetic > 0) {
    return "Terms of more than two spins cannot be used with cluster updates and isoenergetic moves (clusters grow "
           "along bonds, which such terms are not). Set protocol.kind to local and isoenergetic to 0.";
  }
  if (p.multispin != MultispinRule::off) {
    return "Terms of more than two spins cannot be multi-spin coded (words count unsatisfied bonds). Set multispin to "
           "off.";
  }
  return {};
}

std::string problem_of_updates(const Chain& chain) {
  const Protocol& p = chain.protocol;
  const Lattice& lattice = chain.lattice;
  if (lattice.is_graph() && (p.tile != 0 || p.kind == ProtocolKind::few_cluster || chain.has_copy_lanes())) {
    return "A graph cannot be used with this chain (tiles, the few-cluster update and copies as lanes require a "
           "hypercubic lattice). Set tile to 0, lanes to realizations, and protocol.kind to local, swendsen-wang or "
           "wolff.";
  }
  if (!lattice.is_cube() && !lattice.is_graph() &&
      !(lattice.is_hypercubic() && p.tile == 0 && p.kind != ProtocolKind::few_cluster &&
        p.multispin == MultispinRule::off)) {
    return "A prism cannot be used with this chain (tiles, the few-cluster update, multi-spin coding and other "
           "lattices than the hypercubic one require a cube). Give all axes one even length.";
  }
  if (chain.cluster_sweeps() > 0 && facts_of(chain.model).cluster_move == ClusterMove::none) {
    return "Cluster updates cannot be used with this model (its spins have local updates only). Use protocol.kind = "
           "local.";
  }
  // Campaigns of earlier versions have heisenberg spins that over-relaxation alone moves.
  if (chain.cluster_sweeps() == 0 && p.heatbath == 0 && chain.model.kind != ModelKind::heisenberg) {
    return "The protocol moves nothing by itself (no cluster update and no local sweep; over-relaxation keeps the "
           "energy). Set cluster_sweeps or heatbath.";
  }
  if (has_free_modulus(chain.model) && p.heatbath == 0) {
    return "phi^4 at finite lambda needs local sweeps (a reflection leaves |phi| as it is). Set heatbath to 1 or more.";
  }
  const bool has_tiles = (chain.model.kind == ModelKind::on || chain.model.kind == ModelKind::heisenberg) &&
                         chain.has_vector_sweeps_only();
  if (p.tile != 0 && !(has_tiles && lattice.is_hypercubic())) {
    return "Tiles cannot be used with this chain (they order sweeps of single vectors, heisenberg and on, on the "
           "hypercubic lattice). Set tile to 0.";
  }
  if (p.tile_repeats != 1 && (p.tile_repeats < 1 || p.tile == 0 || p.tile == lattice.L)) {
    return "The sweeps of a tile cannot be repeated here (the whole lattice is one tile, or the number is not 1 or "
           "more). Set tile_repeats to 1 and sweeps_per_exchange to the number.";
  }
  if (p.kind == ProtocolKind::few_cluster && p.cluster_sweeps > 0) {
    if (std::string problem = problem_of_few_cluster(chain); !problem.empty()) return problem;
  }
  if (p.multispin != MultispinRule::off && !(chain.model.kind == ModelKind::ising && p.kind == ProtocolKind::local &&
                                             (lattice.is_hypercubic() || lattice.is_graph()))) {
    return "Multi-spin coding cannot be used with this chain (it makes local updates of Ising spins on the hypercubic "
           "lattice or a graph). Set multispin to off.";
  }
  if (p.isoenergetic > 0 && !(facts_of(chain.model).isoenergetic && (chain.copies == 2 || chain.copies == 4))) {
    return "Isoenergetic moves cannot be used (they swap clusters between two or four copies of an Ising model). Set "
           "isoenergetic to 0.";
  }
  if (!(p.isoenergetic_T_max >= 0.0) || (!chain.beta.empty() && chain.isoenergetic_slots() == 0)) {
    return "No copies can make isoenergetic moves (their highest temperature is below the lowest of the ladder). Raise "
           "isoenergetic_T_max, or set it to 0 for moves at all temperatures.";
  }
  return {};
}

}  // namespace

std::string problem_of(const Chain& chain) {
  const Protocol& p = chain.protocol;
  if (std::string problem = problem_of(chain.model); !problem.empty()) return problem;
  if (std::string problem = problem_of(chain.lattice); !problem.empty()) return problem;
  if (p.cluster_sweeps < 0 || p.overrelaxation < 0 || p.heatbath < 0 || p.isoenergetic < 0) {
    return "The protocol cannot be used (a number of sweeps is negative). Use numbers from 0.";
  }
  if (std::string problem = problem_of_sites(chain); !problem.empty()) return problem;
  if (std::string problem = problem_of_site_update(chain); !problem.empty()) return problem;
  if (std::string problem = problem_of_observables(chain); !problem.empty()) return problem;
  if (std::string problem = problem_of_copy_lanes(chain); !problem.empty()) return problem;
  if (std::string problem = problem_of_terms(chain); !problem.empty()) return problem;
  return problem_of_updates(chain);
}

void check_cluster_couplings(const Chain& chain, const Disorder& disorder) {
  if (chain.protocol.multispin != MultispinRule::off) {
    require(single_field(disorder.fields).has_value(),
            "Multi-spin coding cannot be used with fields that differ from site to site (it counts bonds). Use a "
            "constant field or none, or set multispin to off.");
    require(single_modulus(disorder.couplings).has_value(),
            "Multi-spin coding cannot be used with these couplings (it counts bonds, so all are J, -J or 0). Set "
            "multispin to off.");
  }
  if (chain.has_copy_lanes()) {
    const std::vector<float>& J = disorder.couplings;
    require(!disorder.has_fields(),
            "Copies cannot be lanes in a field (their random numbers count bonds alone). Use "
            "lanes = realizations, or set the field to 0.");
    require(std::find(J.begin(), J.end(), 0.0F) == J.end(),
            "Copies cannot be lanes where bonds are absent (their random numbers count bonds J and -J alone). Use "
            "lanes = realizations, or leave the dilution out.");
  }
  if (disorder.has_fields()) {
    require(facts_of(chain.model).has_fields,
            "Site fields cannot be used with this model (phi4 has none). Set the field to 0.");
    require(
        chain.cluster_sweeps() == 0,
        "Cluster updates cannot be used with site fields (clusters move as if there were none). Use protocol.kind = "
        "local.");
  }
  require(
      disorder.absent.empty() ||
          (chain.model.diluted && chain.cluster_sweeps() == 0 && chain.protocol.multispin == MultispinRule::off),
      "Absent sites cannot be used with this chain (cluster updates and multi-spin coding do not support them). Use "
      "protocol.kind = local without multi-spin coding.");
  require(disorder.absent.empty() || disorder.has_fields(),
          "Absent sites cannot be used without fields (local fields begin with them, so that a sum of zeros has one "
          "sign). Give fields of 0.");
  require(disorder.axes.empty() || (chain.model.anisotropic && !chain.model.is_discrete() &&
                                    !has_free_modulus(chain.model) && chain.cluster_sweeps() == 0),
          "The anisotropy cannot be used with this chain (only local updates of unit vectors support it). "
          "Use protocol.kind = local.");
  if (facts_of(chain.model).cluster_move != ClusterMove::new_state || chain.cluster_sweeps() == 0) return;
  for (const float J : disorder.couplings) {
    require(J >= 0.0F,
            "Cluster updates of the Potts model cannot be used with couplings below 0 (states that must differ do not "
            "form clusters that move independently). Use protocol.kind = local.");
  }
}

SumScales scales_of(const Chain& chain) { return sum_scales(chain.model, chain.lattice, modulus_exponent(chain)); }

exact::Phi4Weight phi4_weight_of(const Chain& chain) {
  return {has_free_modulus(chain.model) ? chain.model.lambda : 0.0,
          largest_square_in_units * std::ldexp(1.0, 2 * modulus_exponent(chain))};
}

ClusterSystem::ClusterSystem(const Chain& c, const Disorder& d, std::uint32_t r, std::int64_t* numbers)
    : chain(c),
      disorder(d),
      bonds(c.lattice, d.graph.get()),
      realization(r),
      beside(numbers),
      uniform(facts_of(c.model).two_valued_bonds && one_modulus(d.couplings)),
      flip_threshold(probability_threshold(c.protocol.p_flip)),
      minus_factor(facts_of(c.model).minus_factor),
      step(c),
      scales(scales_of(c)),
      phi4(phi4_weight_of(c)) {
  if (!uniform) return;
  for (const float beta : c.beta) threshold.push_back(bond_threshold(-minus_factor, beta, d.couplings.front()));
}

}}  // namespace glassworks::rounds
