#pragma once

#include <array>
#include <string>
#include <string_view>

#include "kernels/rounds/chain.hpp"

namespace glassworks { inline namespace engine {

constexpr auto enum_names(ProtocolKind) {
  return std::to_array<std::string_view>({"local", "swendsen-wang", "wolff", "few-cluster"});
}
constexpr auto enum_names(MultispinRule) { return std::to_array<std::string_view>({"off", "metropolis", "heat-bath"}); }
constexpr auto enum_names(MultispinLanes) { return std::to_array<std::string_view>({"realizations", "copies"}); }
constexpr auto enum_names(ExchangeSchedule) {
  return std::to_array<std::string_view>({"sequential", "even-odd", "none"});
}

/// Rows of the keys protocol.*; see KeyRows.
template <class Rows>
void protocol_keys(const Rows& rows) {
  // The short form of protocol.moves: a campaign has the one or the other.
  const auto has_numbers = [](const auto& config) { return config.protocol.moves.empty(); };
  const auto may_have_clusters = [](const auto& config) {
    return config.rules().cluster_updates && config.protocol.moves.empty();
  };
  const auto has_cluster_updates = [](const auto& config) {
    return config.rules().cluster_updates && config.protocol.kind != ProtocolKind::local;
  };
  const auto is_ising = [](const auto& config) {
    return config.model.spins.kind == ModelKind::ising && config.protocol.moves.empty();
  };
  const auto is_few_cluster = [](const auto& config) { return config.protocol.kind == ProtocolKind::few_cluster; };

  rows.choice("protocol.kind", &Protocol::kind,
              "local sweeps alone, or cluster updates of this kind before them; heisenberg has local ones")
      .only_of(may_have_clusters);
  rows.number("protocol.cluster_sweeps", {1, 1e6, has_cluster_updates}, &Protocol::cluster_sweeps,
              "cluster updates before the local sweeps")
      .with_default("1; 0 if kind is local")
      .only_of(may_have_clusters);
  rows.number("protocol.overrelaxation", {0, 1e6}, &Protocol::overrelaxation,
              "over-relaxation sweeps n_M of vectors: heisenberg, on, phi4")
      .with_default("10; 0 of other models")
      .only_of(has_numbers);
  rows.number("protocol.heatbath", {0, 1e6}, &Protocol::heatbath, "heat-bath (local) sweeps n_B that follow them")
      .with_default("1; 0 with cluster updates, but 1 of phi4 with finite lambda")
      .only_of(has_numbers);
  rows.choice("protocol.multispin", &Protocol::multispin,
              "local sweeps of ising by multi-spin coding with this rule, where couplings are J, -J or 0")
      .only_of(is_ising);
  rows.choice(
          "protocol.lanes", &Protocol::lanes,
          "of multi-spin coding: realizations, which share random numbers, or up to 512 copies of each realization, "
          "with random numbers of their own and without exchanges")
      .only_of([](const auto& config) { return config.protocol.lanes != MultispinLanes::realizations; });
  rows.choice("protocol.local", &Protocol::local,
              "rule of the local sweeps n_B; of phi4 with finite lambda heat-bath alone")
      .only_of([](const auto& config) {
        return config.protocol.local != SiteRule::heat_bath && config.protocol.moves.empty();
      });
  rows.number("protocol.adaptation", {0, 1e6}, &Protocol::adaptation,
              "measurements from the start, after each of which the widths of proposals for vectors are adapted to an "
              "acceptance of 1/2; then they stay")
      .with_default("50, or round.measurements if that is less; 0 without such proposals and in courses")
      .only_of([](const auto& config) {
        return traits_of(config.protocol.local).has_width && !config.model.spins.is_discrete();
      });
  rows.number("protocol.isoenergetic", {0, 1e6}, &Protocol::isoenergetic,
              "cluster moves between copies of ising that follow them (Houdayer)")
      .only_of(may_have_clusters);
  rows.number("protocol.isoenergetic_T_max", {0, 1e6}, &Protocol::isoenergetic_T_max,
              "highest temperature at which copies make these moves; 0: at all of the ladder")
      .only_of([](const auto& config) { return config.protocol.isoenergetic_T_max != 0.0; });
  std::string moves;
  for (const std::string_view name : enum_names(MoveRule{})) {
    moves.append(moves.empty() ? "list of NAME COUNT, 1 to 1000000 each: " : " | ").append(name);
  }
  rows.value("protocol.moves", moves, &Protocol::moves, "all moves of a step one by one, instead of the keys above")
      .with_default("as those keys say")
      .only_of([](const auto& config) { return !config.protocol.moves.empty(); });
  rows.value("protocol.p_flip", "between 0 and 1", &Protocol::p_flip, "probability of few-cluster that a cluster moves")
      .only_of(is_few_cluster);
  rows.value("protocol.seed_tile", "2 or more, dividing L", &Protocol::seed_tile,
             "edge of the tiles of few-cluster, each of which has a seed")
      .with_default("required by few-cluster")
      .only_of(is_few_cluster);
  rows.number("protocol.sweeps_per_exchange", {1, 1e6}, &Protocol::sweeps_per_exchange,
              "n_T: times all these before an exchange");
  rows.number("protocol.exchanges_per_measurement", {1, 1e6}, &Protocol::exchanges_per_measurement,
              "n_A: steps between measurements");
  rows.choice("protocol.exchange", &Protocol::exchange,
              "order in which neighbouring temperatures are exchanged; none: slots are independent, not of heisenberg");
  rows.value("protocol.tile", "0, or even with 2 tile dividing L", &Protocol::tile,
             "edge of the tiles of the double checkerboard (heisenberg, on); 0: the whole lattice is one tile");
  rows.number("protocol.tile_repeats", {1, 100}, &Protocol::tile_repeats,
              "times that a tile makes all its sweeps before the next tile, while what is around it stands still")
      .only_of([](const auto& config) { return config.protocol.tile_repeats != 1; });
}

}}  // namespace glassworks::engine
