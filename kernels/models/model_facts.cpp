#include "kernels/models/model_facts.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>

#include "kernels/models/for_model.hpp"

namespace glassworks { inline namespace models {
namespace {

int most_states_of(const SpinModel& model) {
  if (!model.is_discrete()) return 0;
  return for_any_model(model, [](auto m) {
    if constexpr (requires { decltype(m)::most_states; }) return decltype(m)::most_states;
    return 0;
  });
}

}  // namespace

ModelFacts facts_of(const SpinModel& model) {
  return for_any_model(model, [&](auto m) {
    using M = decltype(m);
    ModelFacts facts{M::has_fields,
                     M::may_lack_sites,
                     M::cluster_move,
                     M::isoenergetic,
                     has_two_valued_bonds<M>,
                     0.0F,
                     0,
                     0,
                     -1,
                     0.0,
                     0.0};
    if (model.kind == ModelKind::heisenberg) facts.cluster_move = ClusterMove::none;  // on with n = 3 has clusters
    if constexpr (ClusterModel<M>) facts.minus_factor = M::minus_factor;
    facts.most_states = most_states_of(model);
    if constexpr (M::discrete) {
      if (model.diluted) facts.absent = M::absent;
      const int q = facts.states = M::states(model);
      double energy = 0.0, lowest = 0.0;
      for (int i = 0; i < q; ++i) {
        const auto s = static_cast<std::uint8_t>(i);
        const double of_site = M::site_energy(model, s);
        energy += of_site;
        facts.site_bound = std::max(facts.site_bound, std::abs(of_site));
        lowest = i == 0 ? of_site : std::min(lowest, of_site);
      }
      facts.site_range = energy / q - lowest;
    }
    return facts;
  });
}

double bond_range(const SpinModel& model) {
  return for_any_model(model, [&](auto m) {
    using M = decltype(m);
    if constexpr (M::discrete) {
      const int q = M::states(model);
      double sum = 0.0, largest = 0.0;
      for (int i = 0; i < q; ++i) {
        for (int k = 0; k < q; ++k) {
          const auto x =
              static_cast<double>(M::product(model, static_cast<std::uint8_t>(i), static_cast<std::uint8_t>(k)));
          largest = std::max(largest, x);
          sum += x;
        }
      }
      return largest - sum / (q * q);
    }
    return 1.0;
  });
}

int spin_value(const SpinModel& model, std::uint8_t state) {
  return for_any_model(model, [&](auto m) {
    if constexpr (decltype(m)::discrete) return static_cast<int>(decltype(m)::value(state));
    return 0;
  });
}

std::vector<SpinState> spin_states(const SpinModel& model) {
  return for_any_model(model, [&](auto m) {
    using M = decltype(m);
    std::vector<SpinState> states;
    if constexpr (M::discrete) {
      for (int i = 0; i < M::states(model); ++i) {
        const auto s = static_cast<std::uint8_t>(i);
        SpinState state{{}, {}, M::site_energy(model, s)};
        if constexpr (measures_vectors<M>) {
          const exact::Vector<M::components> spin = M::spin(model, s);
          state.spin.assign(std::begin(spin.c), std::end(spin.c));
        } else {
          state.spin = {static_cast<double>(M::value(s))};
        }
        for (int k = 0; M::has_fields && k < M::components; ++k) {
          if constexpr (M::has_fields) {
            exact::Vector<M::components> unit{};
            unit.c[k] = 1.0F;
            state.in_field.push_back(static_cast<double>(M::in_field(model, unit, s)));
          }
        }
        states.push_back(std::move(state));
      }
    }
    return states;
  });
}

std::string problem_of(const SpinModel& model) {
  const int most = most_states_of(model);
  if (most > 0 && (model.states < 2 || model.states > most)) {
    return "This model cannot have q = " + std::to_string(model.states) + " (q is 2 to " + std::to_string(most) +
           "). Choose another q.";
  }
  if (model.kind == ModelKind::on && (model.components < 2 || model.components > max_components)) {
    return "The O(n) model cannot have n = " + std::to_string(model.components) + " (n is 2 to " +
           std::to_string(max_components) + "). Use model.type = ising for n = 1.";
  }
  if (model.kind == ModelKind::phi4 && !(model.lambda >= 0.0)) {
    return "phi^4 cannot have this lambda (the weight must be bounded, so lambda >= 0). Use inf for unit vectors.";
  }
  return {};
}

}}  // namespace glassworks::models
