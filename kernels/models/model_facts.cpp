#include "kernels/models/model_facts.hpp"

#include "kernels/models/for_model.hpp"

namespace glassworks { inline namespace models {

ModelFacts facts_of(const SpinModel& model) {
  return for_any_model(model, [&](auto m) {
    using M = decltype(m);
    ModelFacts facts{M::has_fields, M::reflects, false, M::minus_factor, 0, 1.0};
    if constexpr (M::discrete) {
      facts.isoenergetic = M::reflects;
      facts.states = M::states(model);
      facts.bond_range = 1.0 - (1.0 + M::unequal * (facts.states - 1.0)) / facts.states;
    }
    return facts;
  });
}

std::string problem_of(const SpinModel& model) {
  switch (model.kind) {
    case ModelKind::potts:
      if (model.states >= 2 && model.states <= 20) break;
      return "The Potts model cannot have q = " + std::to_string(model.states) + " (q is 2 to 20). Choose another q.";
    case ModelKind::on:
      if (model.components >= 2 && model.components <= most_components) break;
      return "The O(n) model cannot have n = " + std::to_string(model.components) + " (n is 2 to " +
             std::to_string(most_components) + "). Use model.type = ising for n = 1.";
    case ModelKind::phi4:
      if (model.lambda >= 0.0) break;
      return "phi^4 cannot have this lambda (the weight must be bounded, so lambda >= 0). Use inf for unit vectors.";
    case ModelKind::heisenberg:
    case ModelKind::ising:
      break;
  }
  return {};
}

}}  // namespace glassworks::models
