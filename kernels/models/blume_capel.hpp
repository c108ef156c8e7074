#pragma once

#include "kernels/models/discrete.hpp"

namespace glassworks::exact {

/// h + J s of a neighbour in state 0, 1 or 2: J s = -J, J or 0; J s alone where nothing has been added before.
template <class F>
GLASSWORKS_HD F blume_capel_bond(F h, F J, Bits<F> state, bool first) {
  const F signed_J = flip_sign(J, shift_left<31>(state ^ Bits<F>(1U)));
  const F term = select_zero(shift_right<1>(state), signed_J, F(0.0F));
  return first ? term : add(h, term);
}

/// Heat bath of s = -1, 0, 1 with weight exp(beta (h s - Delta s^2)). States in the order along h, 0, against h: the
/// first whose running sum of weights, the largest of them 1, exceeds u times the total. Error: that of exp_negative,
/// below 1e-7 of the largest weight.
///
/// h        local field [J]
/// returns  state 0, 1 or 2: s = -1, 1 or 0
template <class F>
GLASSWORKS_HD Bits<F> blume_capel_heat_bath(F h, F crystal_field, F beta, Bits<F> word) {
  const F zero(0.0F), a = abs(h), gain = sub(a, crystal_field), largest = max(gain, zero);
  const F along = exp_negative(mul(beta, sub(gain, largest)));
  const F none = exp_negative(mul(beta, sub(zero, largest)));
  const F against = exp_negative(mul(beta, sub(sub(negative(a), crystal_field), largest)));
  const F not_against = add(along, none), target = mul(uniform<F>(word), add(not_against, against));
  const F state_along = select_less(h, zero, zero, F(1.0F)), state_against = sub(F(1.0F), state_along);
  return round_to_bits(
      select_less(target, along, state_along, select_less(target, not_against, F(2.0F), state_against)));
}

}  // namespace glassworks::exact

namespace glassworks { inline namespace models {

/// s = -1, 0, 1, kept as the states 0, 2, 1, so that an absent site is one of s = 0 that stays. The model as a type;
/// see model_type.hpp. Source: Blume, Phys. Rev. 141, 517 (1966); Capel, Physica 32, 966 (1966).
struct BlumeCapel : Discrete {
  static constexpr bool has_fields = true, may_lack_sites = true, has_site_energy = true;
  static constexpr OrderParameter order_parameter = OrderParameter::number;
  static constexpr Site ordered = 1;
  template <class F>
  using NeighboursOf = exact::Vector<1, F>;  ///< the local field
  using Neighbours = NeighboursOf<float>;

  GLASSWORKS_HD static int states(const SpinModel&) { return 3; }
  GLASSWORKS_HD static std::int32_t value(Site s) { return s == absent ? 0 : 2 * s - 1; }
  GLASSWORKS_HD static float product(const SpinModel&, Site a, Site b) {
    return static_cast<float>(value(a) * value(b));
  }
  GLASSWORKS_HD static float in_field(const SpinModel&, const exact::Vector<1>& H, Site s) {
    return s == absent ? 0.0F : s != 0 ? H.c[0] : -H.c[0];
  }
  /// Delta s^2.
  GLASSWORKS_HD static double site_energy(const SpinModel& model, Site s) {
    return s == absent ? 0.0 : model.crystal_field;
  }
  GLASSWORKS_HD static std::int32_t plane_term(Site s, int) { return value(s); }
  GLASSWORKS_HD static void add_to_plane(Site s, std::int64_t* columns) { columns[0] += value(s); }
  GLASSWORKS_HD static void start(Neighbours& h, const exact::Vector<1>& H) { h = H; }
  template <class F>
  GLASSWORKS_HD static void add_bond(const SpinModel&, exact::Vector<1, F>& h, F J, exact::Bits<F> s, bool first) {
    h.c[0] = exact::blume_capel_bond<F>(h.c[0], J, s, first);
  }
  GLASSWORKS_HD static float gain(const SpinModel& model, const Neighbours& h, Site s) { return in_field(model, h, s); }
  template <class F>
  GLASSWORKS_HD static exact::Bits<F> heat_bath(const exact::Vector<1, F>& h, const SweepConstants& c,
                                                exact::Bits<F> w0) {
    return exact::blume_capel_heat_bath<F>(h.c[0], F(static_cast<float>(c.model.crystal_field)), F(c.temperature.beta),
                                           w0);
  }
  GLASSWORKS_HD static Site local_update(Site, const Neighbours& h, const SweepConstants& c, std::uint32_t w0,
                                         std::uint32_t) {
    return static_cast<Site>(heat_bath<float>(h, c, w0));
  }
};

}}  // namespace glassworks::models
