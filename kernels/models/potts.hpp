#pragma once

#include <cstdint>

#include "kernels/core/addresses.hpp"
#include "kernels/models/discrete.hpp"
#include "kernels/models/sweep_constants.hpp"

namespace glassworks::exact {

/// What a site of potts knows of its neighbours: H_k = sum of J over those in state k, added in the order of the bonds;
/// H_0 begins with the field.
struct PottsNeighbours {
  static constexpr int most_states = 20;
  float H[most_states];

  [[nodiscard]] GLASSWORKS_HD float field(int k) const { return H[k]; }
};

/// Heat bath of potts: state k with weight exp(beta (H_k - max H)), the first one whose running sum exceeds u times the
/// total.
GLASSWORKS_HD std::uint8_t potts_heat_bath(const PottsNeighbours& neighbours, int q, float beta, std::uint32_t word) {
  float largest = neighbours.field(0);
  for (int k = 1; k < q; ++k) largest = max(largest, neighbours.field(k));
  float total = 0.0F;
  for (int k = 0; k < q; ++k) total = add(total, exp_negative(mul(beta, sub(neighbours.field(k), largest))));
  const float target = mul(uniform<float>(word), total);
  float running = 0.0F;
  for (int k = 0; k + 1 < q; ++k) {
    running = add(running, exp_negative(mul(beta, sub(neighbours.field(k), largest))));
    if (running > target) return static_cast<std::uint8_t>(k);
  }
  return static_cast<std::uint8_t>(q - 1);
}

}  // namespace glassworks::exact

namespace glassworks { inline namespace models {

/// The model as a type; see model_type.hpp for what each function is.
struct Potts : Discrete {
  static constexpr bool has_fields = true;
  static constexpr ClusterMove cluster_move = ClusterMove::new_state;
  static constexpr OrderParameter order_parameter = OrderParameter::densities;
  static constexpr Site ordered = 0;
  static constexpr int unequal = 0, most_states = exact::PottsNeighbours::most_states;
  static constexpr float minus_factor = -1.0F;
  using Neighbours = exact::PottsNeighbours;

  GLASSWORKS_HD static int states(const SpinModel& model) { return model.states; }
  GLASSWORKS_HD static float product(const SpinModel&, Site a, Site b) { return a == b ? 1.0F : float{unequal}; }
  /// The field is that of state 0.
  GLASSWORKS_HD static float in_field(const SpinModel&, const exact::Vector<1>& H, Site s) {
    return s == 0 ? H.c[0] : 0.0F;
  }
  GLASSWORKS_HD static void start(Neighbours& bonds, const exact::Vector<1>& H) { bonds.H[0] = H.c[0]; }
  GLASSWORKS_HD static std::int32_t value(Site s) { return s; }
  GLASSWORKS_HD static std::int32_t plane_term(Site s, int column) { return s == column ? 1 : 0; }
  GLASSWORKS_HD static void add_to_plane(Site s, std::int64_t* columns) { ++columns[s]; }
  GLASSWORKS_HD static void add_bond(const SpinModel&, Neighbours& bonds, float J, Site s, bool) {
    bonds.H[s] = exact::add(bonds.H[s], J);
  }
  GLASSWORKS_HD static float gain(const SpinModel&, const Neighbours& bonds, Site s) { return bonds.field(s); }
  GLASSWORKS_HD static Site local_update(Site, const Neighbours& bonds, const SweepConstants& c, std::uint32_t w0,
                                         std::uint32_t) {
    return exact::potts_heat_bath(bonds, c.model.states, c.temperature.beta, w0);
  }
  /// Fates are new states.
  static constexpr std::uint8_t stays = 0xFF;
  GLASSWORKS_HD static Site moved(Site s, std::uint8_t fate) { return fate == stays ? s : fate; }
  /// Of a single cluster in state s: one of the other states.
  GLASSWORKS_HD static std::uint8_t fate(Site s, std::uint32_t word, int states) {
    const auto q = static_cast<std::uint32_t>(states);
    return static_cast<std::uint8_t>((s + 1U + uniform_below(word, q - 1)) % q);
  }
};

}}  // namespace glassworks::models
