#include "engine/config/model_rules.hpp"

#include <algorithm>
#include <stdexcept>

#include "kernels/models/model_facts.hpp"

namespace glassworks { inline namespace engine {

const ModelRules& rules_of(const SpinModel& model) {
  static constexpr ModelRules heisenberg{.name = "Heisenberg model",
                                         .cluster_updates = false,
                                         .fields = true,
                                         .tiles = true,
                                         .other_lattices = false,
                                         .least_copies = 2,
                                         .overrelaxation = 10,
                                         .largest_L = {0, 4096, 1024, 128, 32}};
  static constexpr ModelRules ising{.name = "Ising model", .fields = true};
  static constexpr ModelRules potts{.name = "Potts model", .has_q = true, .fields = true, .ferromagnet = true};
  static constexpr ModelRules on{.name = "O(n) model", .has_n = true, .fields = true, .tiles = true};
  static constexpr ModelRules phi4{
      .name = "O(4) phi^4 model", .has_lambda = true, .couplings = false, .ferromagnet = true};
  static constexpr ModelRules blume_capel{.name = "Blume-Capel model",
                                          .words = "spin-1|spin1|blume|bc|blumecapel|blume_capel",
                                          .instead = "Use blume-capel.",
                                          .cluster_updates = false,
                                          .fields = true};
  static constexpr ModelRules clock{.name = "clock model",
                                    .words = "z-q|zq|z-n|zn|z4|z6|planar-potts|vector-potts|discrete-xy|clock-model",
                                    .instead = "Use clock with model.q states.",
                                    .has_q = true,
                                    .cluster_updates = false,
                                    .fields = true};
  switch (model.kind) {
    case ModelKind::heisenberg:
      return heisenberg;
    case ModelKind::ising:
      return ising;
    case ModelKind::potts:
      return potts;
    case ModelKind::on:
      return on;
    case ModelKind::phi4:
      return phi4;
    case ModelKind::blume_capel:
      return blume_capel;
    case ModelKind::clock:
      return clock;
  }
  throw std::logic_error("rules_of: no such model");
}

int most_states() {
  int most = 0;
  for (int kind = 0; kind < model_kinds; ++kind) {
    most = std::max(most, facts_of({.kind = static_cast<ModelKind>(kind)}).most_states);
  }
  return most;
}

}}  // namespace glassworks::engine
