#pragma once

#include "kernels/models/discrete.hpp"

namespace glassworks::exact {

/// (cos, sin) of 2 pi sigma/q: the nearest quarter turn, and sine and cosine of the rest. Quarter turns are exact;
/// absolute error below 1.6e-7.
template <class F>
GLASSWORKS_HD Vector<2, F> clock_spin(Bits<F> sigma, int q) {
  const F inverse(reciprocal(static_cast<float>(q))), four = mul(F(4.0F), signed_to_float(sigma));
  const Bits<F> quarter = round_to_bits(mul(four, inverse)), odd = shift_left<30>(quarter);
  const F rest = mul(fnma(signed_to_float(quarter), F(static_cast<float>(q)), four), inverse);
  const SinCos<F> t = quarter_sincos(rest);
  return {{flip_sign(select_bit30(odd, t.cos, t.sin), shift_left<30>(quarter + Bits<F>(1U))),
           flip_sign(select_bit30(odd, t.sin, t.cos), odd)}};
}

/// Heat bath of q states with weight exp(beta (h.s - max h.s)): the first state whose running sum exceeds u times the
/// total. Error: that of exp_negative, below 1e-7 of the largest weight.
///
/// h        local field [J]
/// returns  sigma = 0 .. q-1
template <class F>
GLASSWORKS_HD Bits<F> clock_heat_bath(const Vector<2, F>& h, int q, F beta, Bits<F> word) {
  const auto along = [&](int k) {
    const Vector<2> s = clock_spin<float>(static_cast<std::uint32_t>(k), q);
    return fma(h.c[0], F(s.c[0]), mul(h.c[1], F(s.c[1])));
  };
  F largest = along(0);
  for (int k = 1; k < q; ++k) largest = max(largest, along(k));
  const auto weight = [&](int k) { return exp_negative(mul(beta, sub(along(k), largest))); };
  F total(0.0F);
  for (int k = 0; k < q; ++k) total = add(total, weight(k));
  const F target = mul(uniform<F>(word), total);
  F running(0.0F), before(0.0F);  // running sums never fall, so those up to the target are those before the state
  for (int k = 0; k + 1 < q; ++k) {
    running = add(running, weight(k));
    before = add(before, select_less(target, running, F(0.0F), F(1.0F)));
  }
  return round_to_bits(before);
}

}  // namespace glassworks::exact

namespace glassworks { inline namespace models {

/// XY spins of q directions, s = (cos, sin) of 2 pi sigma/q. The model as a type; see model_type.hpp. Source: Jose,
/// Kadanoff, Kirkpatrick & Nelson, Phys. Rev. B 16, 1217 (1977).
struct Clock : Discrete {
  static constexpr int components = 2, most_states = 255;
  static constexpr bool has_fields = true, may_lack_sites = true;
  static constexpr OrderParameter order_parameter = OrderParameter::vector;
  static constexpr Site ordered = 0, absent = 255;
  template <class F>
  using NeighboursOf = exact::Vector<2, F>;  ///< the local field
  using Neighbours = NeighboursOf<float>;

  GLASSWORKS_HD static int states(const SpinModel& model) { return model.states; }
  GLASSWORKS_HD static std::int32_t value(Site s) { return s == absent ? -1 : s; }
  GLASSWORKS_HD static exact::Vector<2> spin(const SpinModel& model, Site s) {
    return s == absent ? exact::Vector<2>{} : exact::clock_spin<float>(s, model.states);
  }
  /// The cosine of the difference of the angles.
  GLASSWORKS_HD static float product(const SpinModel& model, Site a, Site b) {
    const int k = a < b ? a - b + model.states : a - b;
    return a == absent || b == absent ? 0.0F
                                      : exact::clock_spin<float>(static_cast<std::uint32_t>(k), model.states).c[0];
  }
  GLASSWORKS_HD static float in_field(const SpinModel& model, const exact::Vector<2>& H, Site s) {
    return exact::dot(H, spin(model, s));
  }
  GLASSWORKS_HD static void start(Neighbours& h, const exact::Vector<2>& H) { h = H; }
  template <class F>
  GLASSWORKS_HD static void add_bond(const SpinModel& model, exact::Vector<2, F>& h, F J, exact::Bits<F> sigma,
                                     bool first) {
    const exact::Vector<2, F> s = exact::clock_spin<F>(sigma, model.states);
    h = first ? exact::first_bond(J, s) : exact::add_bond(h, J, s);
  }
  GLASSWORKS_HD static float gain(const SpinModel& model, const Neighbours& h, Site s) { return in_field(model, h, s); }
  template <class F>
  GLASSWORKS_HD static exact::Bits<F> heat_bath(const exact::Vector<2, F>& h, const SweepConstants& c,
                                                exact::Bits<F> w0) {
    return exact::clock_heat_bath<F>(h, c.model.states, F(c.temperature.beta), w0);
  }
  GLASSWORKS_HD static Site local_update(Site, const Neighbours& h, const SweepConstants& c, std::uint32_t w0,
                                         std::uint32_t) {
    return static_cast<Site>(heat_bath<float>(h, c, w0));
  }
};

}}  // namespace glassworks::models
