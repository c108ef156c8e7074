#pragma once

#include <cstdint>

#include "kernels/models/cluster_sums.hpp"
#include "kernels/models/model_type.hpp"

/// heisenberg, on, and phi4 at lambda = infinity: unit vectors of n components. Each local update leaves the
/// conditional distribution of its spin, given the neighbours, invariant; see README.md for where its words come from.
namespace glassworks::exact {

/// ising as a vector of one component, s = +-1: ising_heat_bath.
template <class F>
GLASSWORKS_HD Vector<1, F> local_update(const Vector<1, F>& s, const Vector<1, F>& h, const HeatBathTemperature<F>& t,
                                        std::uint64_t sweep, Bits<F> word0, Bits<F> word1) {
  (void)s;
  (void)sweep;
  (void)word1;
  const F e = exp_negative(mul(t.minus_two_beta, abs(h.c[0])));
  const F u = uniform<F>(word0);
  const F along = select_less(h.c[0], F(0.0F), F(-1.0F), F(1.0F));
  return {{select_less(fma(u, e, u), F(1.0F), along, flip_sign(along, Bits<F>(0x80000000U)))}};
}

/// on, n = 2: one trial of the rejection sampler for exp(x cos), x = beta |h| (wrapped Cauchy envelope, accepted in 66
/// to 100 %). A rejected trial keeps the spin; whether it is rejected does not depend on the old spin, so the update is
/// reversible. Source: Best & Fisher, Appl. Stat. 28, 152 (1979).
template <class F>
GLASSWORKS_HD Vector<2, F> local_update(const Vector<2, F>& s, const Vector<2, F>& h, const HeatBathTemperature<F>& t,
                                        std::uint64_t sweep, Bits<F> word0, Bits<F> word1) {
  (void)sweep;
  const F a = max(abs(h.c[0]), F(1.0e-15F));  // h = 0 counts as a tiny field along x
  const F norm = sqrt(fma(h.c[1], h.c[1], mul(a, a)));
  const F scale = reciprocal(norm);
  const F e0 = mul(copy_sign(a, h.c[0]), scale), e1 = mul(h.c[1], scale);
  const F twice_x = flip_sign(mul(t.minus_two_beta, norm), Bits<F>(0x80000000U));
  const F tau = add(F(1.0F), sqrt(fma(twice_x, twice_x, F(1.0F))));
  const SinCos<F> angle = uniform_sincos<F>(word0);
  const F ratio = mul(fma(tau, angle.cos, twice_x), reciprocal(fma(twice_x, angle.cos, tau)));
  const F cosine = max(min(ratio, F(1.0F)), F(-1.0F));
  const F c = mul(F(0.5F), fnma(twice_x, cosine, tau));
  const F u = uniform<F>(word1), bound = mul(mul(c, F(2.71828183F)), exp_negative(flip_sign(c, Bits<F>(0x80000000U))));
  const F sine = copy_sign(sqrt(mul(sub(F(1.0F), cosine), add(F(1.0F), cosine))), angle.sin);
  const F x = fnma(sine, e1, mul(cosine, e0)), y = fma(sine, e0, mul(cosine, e1));
  return {{select_less(u, bound, x, s.c[0]), select_less(u, bound, y, s.c[1])}};
}

/// on, n = 3: the heat bath of heisenberg.
template <class F>
GLASSWORKS_HD Vector<3, F> local_update(const Vector<3, F>& s, const Vector<3, F>& h, const HeatBathTemperature<F>& t,
                                        std::uint64_t sweep, Bits<F> word0, Bits<F> word1) {
  (void)s;
  (void)sweep;
  return heat_bath<F>(h, t, word0, word1);
}

/// on, n = 4, and phi4 at lambda = infinity: heat bath of three components on their sphere of radius rho, exact and
/// without rejections, because the conditional weight is that of a heisenberg spin at beta rho. Component sweep mod 4
/// stays.
template <class F>
GLASSWORKS_HD Vector<4, F> local_update(const Vector<4, F>& s, const Vector<4, F>& h, const HeatBathTemperature<F>& t,
                                        std::uint64_t sweep, Bits<F> word0, Bits<F> word1) {
  const unsigned fixed = static_cast<unsigned>(sweep) & 3U;
  const auto without = [fixed](const Vector<4, F>& a) {
    return Vector<3, F>{{fixed == 0 ? a.c[1] : a.c[0], fixed <= 1 ? a.c[2] : a.c[1], fixed <= 2 ? a.c[3] : a.c[2]}};
  };
  const Vector<3, F> part = without(s), field = without(h);
  const F rho = sqrt(max(dot(part, part), F(1.0e-30F)));
  const HeatBathTemperature<F> scaled{mul(t.minus_two_beta, rho), mul(t.minus_inverse_beta, reciprocal(rho))};
  const Vector<3, F> v = heat_bath<F>(field, scaled, word0, word1);
  const F a = mul(rho, v.c[0]), b = mul(rho, v.c[1]), c = mul(rho, v.c[2]);
  return {{fixed == 0 ? s.c[0] : a, fixed == 1 ? s.c[1] : (fixed == 0 ? a : b),
           fixed == 2 ? s.c[2] : (fixed <= 1 ? b : c), fixed == 3 ? s.c[3] : c}};
}

/// on, n > 4: as for n = 4, of the components sweep, sweep + 1 and sweep + 2, all mod n; the others stay.
template <class F, int n>
requires(n > 4) GLASSWORKS_HD Vector<n, F> local_update(const Vector<n, F>& s, const Vector<n, F>& h,
                                                        const HeatBathTemperature<F>& t, std::uint64_t sweep,
                                                        Bits<F> word0, Bits<F> word1) {
  const int first = static_cast<int>(sweep % n);
  const auto three = [first](const Vector<n, F>& a) {
    return Vector<3, F>{{a.c[first], a.c[(first + 1) % n], a.c[(first + 2) % n]}};
  };
  const Vector<3, F> part = three(s);
  const F rho = sqrt(max(dot(part, part), F(1.0e-30F)));
  const HeatBathTemperature<F> scaled{mul(t.minus_two_beta, rho), mul(t.minus_inverse_beta, reciprocal(rho))};
  const Vector<3, F> v = heat_bath<F>(three(h), scaled, word0, word1);
  Vector<n, F> moved = s;
  for (int k = 0; k < 3; ++k) moved.c[(first + k) % n] = mul(rho, v.c[k]);
  return moved;
}

}  // namespace glassworks::exact

namespace glassworks { inline namespace models {

/// The model as a type; see model_type.hpp for what each function is.
template <int n>
struct UnitVectors : ModelDefaults<exact::Vector<n>> {
  static constexpr int components = n;
  static constexpr bool discrete = false, has_fields = true, may_lack_sites = true;
  static constexpr ClusterMove cluster_move = ClusterMove::reflection;
  static constexpr OrderParameter order_parameter = OrderParameter::vector;
  static constexpr float minus_factor = -2.0F;
  using Site = exact::Vector<n>;
  using Neighbours = exact::Vector<n>;  ///< the local field

  GLASSWORKS_HD static float product(const SpinModel&, const Site& a, const Site& b) { return exact::dot(a, b); }
  GLASSWORKS_HD static float in_field(const SpinModel&, const exact::Vector<n>& H, const Site& s) {
    return exact::dot(H, s);
  }
  GLASSWORKS_HD static void start(Neighbours& h, const exact::Vector<n>& H) { h = H; }
  GLASSWORKS_HD static void add_bond(const SpinModel&, Neighbours& h, float J, const Site& s, bool first) {
    h = first ? exact::first_bond(J, s) : exact::add_bond(h, J, s);
  }
  GLASSWORKS_HD static float gain(const SpinModel&, const Neighbours& h, const Site& s) { return exact::dot(h, s); }
  GLASSWORKS_HD static Site local_update(const Site& s, const Neighbours& h, const SweepConstants& c, std::uint32_t w0,
                                         std::uint32_t w1) {
    return exact::local_update<float>(s, h, c.temperature, c.sweep, w0, w1);
  }
  GLASSWORKS_HD static Site moved(const Site& s, const exact::Vector<n>& r, float projection) {
    return exact::reflect(s, r, projection);
  }
};

}}  // namespace glassworks::models
