#include "engine/config/model_rules.hpp"

namespace glassworks { inline namespace engine {

const ModelRules& rules_of(const SpinModel& model) {
  static constexpr std::array rows = {
      ModelRules{.kind = ModelKind::heisenberg,
                 .name = "Heisenberg model",
                 .cluster_updates = false,
                 .fields = true,
                 .tiles = true,
                 .largest_L = {0, 4096, 1024, 128, 32}},
      ModelRules{.kind = ModelKind::ising, .name = "Ising model", .fields = true},
      ModelRules{.kind = ModelKind::potts, .name = "Potts model", .has_q = true, .ferromagnet = true},
      ModelRules{.kind = ModelKind::on, .name = "O(n) model", .has_n = true, .fields = true, .tiles = true},
      ModelRules{.kind = ModelKind::phi4,
                 .name = "O(4) phi^4 model",
                 .has_lambda = true,
                 .couplings = false,
                 .ferromagnet = true},
  };
  static_assert([] {
    for (std::size_t i = 0; i < rows.size(); ++i) {
      if (rows[i].kind != static_cast<ModelKind>(i)) return false;
    }
    return true;
  }());
  return rows[static_cast<std::size_t>(model.kind)];
}

}}  // namespace glassworks::engine
