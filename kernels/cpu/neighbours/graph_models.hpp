#pragma once

#include "kernels/cpu/lanes/lanes.hpp"
#include "kernels/models/for_model.hpp"

namespace glassworks::exact {

/// floor(word m / 2^32) for 1 <= m <= 255 (uniform_below): the halves of the word times m are exact in float.
template <class F>
GLASSWORKS_HD Bits<F> uniform_below_small(Bits<F> word, float m) {
  const F high = mul(signed_to_float(shift_right<16>(word)), F(m));
  const F low = mul(signed_to_float(shift_right<16>(shift_left<16>(word))), F(m));
  return shift_right<16>(round_to_bits(high) + shift_right<16>(round_to_bits(low)));
}

/// What a sweep knows of the temperatures of the lanes.
template <class F>
struct LaneTemperatures : HeatBathTemperature<F> {
  F beta;
};

/// A model (for_model.hpp) for lanes F of replicas at one site: the formulas of the model type with the same operations
/// in the same order.
///
/// - Number, stored; Site: what a lane holds, how many of them a site has; a site.
/// - Neighbours, start, add_bond: what an update knows of the neighbours.
/// - update(s, h, t, sweep, w): the heat bath. gain(h, s): minus the energy with these neighbours.
/// - product, in_field, site_energy; add_to_planes(s, add): add(column, term) for the sums over planes.
template <class M, class F>
struct GraphModel;

/// Unit vectors, and ising as vectors of one component, s = +-1.
template <int n, class F>
struct GraphVectors {
  using U = Bits<F>;
  using Number = float;
  static constexpr int stored = n, components = n, pair_columns = n * n, words = n == 1 ? 1 : 2;
  static constexpr bool discrete = n == 1, needs_old_spin = n == 2 || n >= 4, vectors = n > 1;
  using Site = Vector<n, F>;
  using Neighbours = Vector<n, F>;

  explicit GraphVectors(const SpinModel&) {}

  GLASSWORKS_HD void clear(Neighbours& h) const {
    GLASSWORKS_UNROLL
    for (int k = 0; k < n; ++k) h.c[k] = F(0.0F);
  }
  GLASSWORKS_HD void start(Neighbours& h, const Vector<n, F>& H) const { h = H; }
  GLASSWORKS_HD void add_bond(Neighbours& h, F J, const Site& s, bool first) const {
    // One by one: the copy of a whole vector goes through memory.
    GLASSWORKS_UNROLL
    for (int k = 0; k < n; ++k) h.c[k] = first ? mul(J, s.c[k]) : fma(J, s.c[k], h.c[k]);
  }
  GLASSWORKS_HD Site update(const Site& s, const Neighbours& h, const LaneTemperatures<F>& t, std::uint64_t sweep,
                            const U* w) const {
    return local_update<F>(s, h, t, sweep, w[0], w[words - 1]);
  }
  GLASSWORKS_HD F gain(const Neighbours& h, const Site& s) const { return dot(h, s); }
  GLASSWORKS_HD F product(const Site& a, const Site& b) const { return dot(a, b); }
  GLASSWORKS_HD F in_field(const Vector<n, F>& H, const Site& s) const { return dot(H, s); }
  template <class Add>
  GLASSWORKS_HD void add_to_planes(const Site& s, F scale, const Add& add) const {
    GLASSWORKS_UNROLL
    for (int k = 0; k < n; ++k) add(k, round_to_bits(mul(s.c[k], scale)));
  }
  template <class Add>
  GLASSWORKS_HD void add_pair(const Site& s, const Site& t, F scale, const Add& add) const {
    GLASSWORKS_UNROLL
    for (int k = 0; k < n * n; ++k) add(k, round_to_bits(mul(mul(s.c[k / n], t.c[k % n]), scale)));
  }

  /// propose_spin; none: all lanes where |s + w r| is too small.
  GLASSWORKS_HD Site propose(const Site& s, F width, const U* w, F& square, U& word) const {
    if constexpr (n == 1) {
      square = F(1.0F);
      word = w[1];
      return {{flip_sign(s.c[0], U(0x80000000U))}};
    } else {
      const Site moved = exact::add_bond(s, width, direction(w));
      square = dot(moved, moved);
      word = w[3];
      const F inverse = reciprocal(sqrt(square));
      Site t;
      GLASSWORKS_UNROLL
      for (int k = 0; k < n; ++k) t.c[k] = mul(inverse, moved.c[k]);
      return t;
    }
  }
  GLASSWORKS_HD Site choose(F a, F b, const Site& x, const Site& y) const {
    Site s;
    GLASSWORKS_UNROLL
    for (int k = 0; k < n; ++k) s.c[k] = select_less(a, b, x.c[k], y.c[k]);
    return s;
  }

 private:
  /// random_direction.
  GLASSWORKS_HD static Site direction(const U* w) {
    if constexpr (n == 2) {
      const SinCos<F> a = uniform_sincos<F>(w[0]);
      return {{a.cos, a.sin}};
    } else if constexpr (n == 3) {
      return random_spin<F>(w[0], w[1]);
    } else {
      const F x = uniform<F>(w[0]), u = sqrt(x), v = sqrt(sub(F(1.0F), x));
      const SinCos<F> a = uniform_sincos<F>(w[1]), b = uniform_sincos<F>(w[2]);
      return {{mul(u, a.cos), mul(u, a.sin), mul(v, b.cos), mul(v, b.sin)}};
    }
  }
};

template <int n, class F>
struct GraphModel<UnitVectors<n>, F> : GraphVectors<n, F> {
  using GraphVectors<n, F>::GraphVectors;
  static constexpr bool two_valued = false, has_fields = true, has_clusters = true;
};
template <class F>
struct GraphModel<Ising, F> : GraphVectors<1, F> {
  using GraphVectors<1, F>::GraphVectors;
  static constexpr bool two_valued = true, has_fields = true, has_clusters = true;

  /// Whether the spins differ: bit 31.
  GLASSWORKS_HD static Bits<F> differ(const Vector<1, F>& a, const Vector<1, F>& b) {
    return as_uint(a.c[0]) ^ as_uint(b.c[0]);
  }
};

/// What models of q states have in common.
template <class M, class F>
struct GraphStates {
  using U = Bits<F>;
  using Number = std::uint32_t;
  static constexpr int stored = 1, components = M::components, words = 1;
  static constexpr bool discrete = true, needs_old_spin = false, vectors = false;
  using Site = Vector<1, U>;

  explicit GraphStates(const SpinModel& model) : q(M::states(model)) {}

  GLASSWORKS_HD Site propose(const Site& s, F, const U* w, F& square, U& word) const {
    square = F(1.0F);
    word = w[1];
    const U next = s.c[0] + U(1U) + uniform_below_small<F>(w[0], static_cast<float>(q - 1));
    const F t = signed_to_float(next), states(static_cast<float>(q));
    return {{as_uint(select_less(t, states, as_float(next), as_float(next - U(static_cast<std::uint32_t>(q)))))}};
  }
  GLASSWORKS_HD Site choose(F a, F b, const Site& x, const Site& y) const {
    return {{as_uint(select_less(a, b, as_float(x.c[0]), as_float(y.c[0])))}};
  }

  int q;
};

template <class F>
struct GraphModel<Potts, F> : GraphStates<Potts, F> {
  using Base = GraphStates<Potts, F>;
  using Base::q;
  using typename Base::Site;
  using typename Base::U;
  static constexpr bool two_valued = true, has_fields = true, has_clusters = true;
  static constexpr int pair_columns = 1;
  struct Neighbours {
    F H[Potts::most_states];
  };

  using Base::Base;

  GLASSWORKS_HD void clear(Neighbours& h) const {
    for (int k = 0; k < q; ++k) h.H[k] = F(0.0F);
  }
  GLASSWORKS_HD void start(Neighbours& h, const Vector<1, F>& H) const {
    clear(h);
    h.H[0] = H.c[0];
  }
  GLASSWORKS_HD void add_bond(Neighbours& h, F J, const Site& s, bool first) const {
    if (first) clear(h);
    for (int k = 0; k < q; ++k) {
      h.H[k] = select_zero(s.c[0] ^ U(static_cast<std::uint32_t>(k)), add(h.H[k], J), h.H[k]);
    }
  }
  GLASSWORKS_HD Site update(const Site&, const Neighbours& h, const LaneTemperatures<F>& t, std::uint64_t,
                            const U* w) const {
    F weight[Potts::most_states], largest = h.H[0], total(0.0F);
    for (int k = 1; k < q; ++k) largest = max(largest, h.H[k]);
    for (int k = 0; k < q; ++k) {
      weight[k] = exp_negative(mul(t.beta, sub(h.H[k], largest)));
      total = add(total, weight[k]);
    }
    // Running sums never fall, so the first one above the target has as many before it as there are below.
    const F target = mul(uniform<F>(w[0]), total);
    F running(0.0F), before(0.0F);
    for (int k = 0; k + 1 < q; ++k) {
      running = add(running, weight[k]);
      before = add(before, select_less(target, running, F(0.0F), F(1.0F)));
    }
    return {{round_to_bits(before)}};
  }
  GLASSWORKS_HD F gain(const Neighbours& h, const Site& s) const {
    F gain = h.H[0];
    for (int k = 1; k < q; ++k) gain = select_zero(s.c[0] ^ U(static_cast<std::uint32_t>(k)), h.H[k], gain);
    return gain;
  }
  GLASSWORKS_HD F product(const Site& a, const Site& b) const { return select_zero(a.c[0] ^ b.c[0], F(1.0F), F(0.0F)); }
  GLASSWORKS_HD F in_field(const Vector<1, F>& H, const Site& s) const { return select_zero(s.c[0], H.c[0], F(0.0F)); }
  template <class Add>
  GLASSWORKS_HD void add_to_planes(const Site& s, F, const Add& add) const {
    for (int k = 0; k < q; ++k) {
      add(k, round_to_bits(select_zero(s.c[0] ^ U(static_cast<std::uint32_t>(k)), F(1.0F), F(0.0F))));
    }
  }
  template <class Add>
  GLASSWORKS_HD void add_pair(const Site& s, const Site& t, F, const Add& add) const {
    add(0, round_to_bits(product(s, t)));
  }
  GLASSWORKS_HD static U differ(const Site& a, const Site& b) {
    return as_uint(select_zero(a.c[0] ^ b.c[0], F(0.0F), F(-0.0F)));
  }
};

template <class F>
struct GraphModel<BlumeCapel, F> : GraphStates<BlumeCapel, F> {
  using Base = GraphStates<BlumeCapel, F>;
  using typename Base::Site;
  using typename Base::U;
  static constexpr bool two_valued = false, has_fields = true, has_clusters = false;
  static constexpr int pair_columns = 1;
  using Neighbours = Vector<1, F>;

  explicit GraphModel(const SpinModel& model) : Base(model), crystal_field(static_cast<float>(model.crystal_field)) {}

  GLASSWORKS_HD void clear(Neighbours& h) const { h.c[0] = F(0.0F); }
  GLASSWORKS_HD void start(Neighbours& h, const Vector<1, F>& H) const { h = H; }
  GLASSWORKS_HD void add_bond(Neighbours& h, F J, const Site& s, bool first) const {
    h.c[0] = blume_capel_bond<F>(h.c[0], J, s.c[0], first);
  }
  GLASSWORKS_HD Site update(const Site&, const Neighbours& h, const LaneTemperatures<F>& t, std::uint64_t,
                            const U* w) const {
    return {{blume_capel_heat_bath<F>(h.c[0], F(crystal_field), t.beta, w[0])}};
  }
  GLASSWORKS_HD F gain(const Neighbours& h, const Site& s) const { return sub(in_field(h, s), site_energy(s)); }
  GLASSWORKS_HD static F value(const Site& s) {
    return select_zero(shift_right<1>(s.c[0]), flip_sign(F(1.0F), shift_left<31>(s.c[0] ^ U(1U))), F(0.0F));
  }
  GLASSWORKS_HD F product(const Site& a, const Site& b) const { return mul(value(a), value(b)); }
  GLASSWORKS_HD F in_field(const Vector<1, F>& H, const Site& s) const { return mul(H.c[0], value(s)); }
  GLASSWORKS_HD F site_energy(const Site& s) const {
    return select_zero(shift_right<1>(s.c[0]), F(crystal_field), F(0.0F));
  }
  template <class Add>
  GLASSWORKS_HD void add_to_planes(const Site& s, F, const Add& add) const {
    add(0, round_to_bits(value(s)));
  }
  template <class Add>
  GLASSWORKS_HD void add_pair(const Site& s, const Site& t, F, const Add& add) const {
    add(0, round_to_bits(product(s, t)));
  }

  float crystal_field;
};

template <class F>
struct GraphModel<Clock, F> : GraphStates<Clock, F> {
  using Base = GraphStates<Clock, F>;
  using Base::q;
  using typename Base::Site;
  using typename Base::U;
  static constexpr bool two_valued = false, has_fields = true, has_clusters = false;
  static constexpr int pair_columns = 4;
  using Neighbours = Vector<2, F>;

  using Base::Base;

  GLASSWORKS_HD Vector<2, F> spin(const Site& s) const { return clock_spin<F>(s.c[0], q); }
  GLASSWORKS_HD void clear(Neighbours& h) const { h.c[0] = h.c[1] = F(0.0F); }
  GLASSWORKS_HD void start(Neighbours& h, const Vector<2, F>& H) const { h = H; }
  GLASSWORKS_HD void add_bond(Neighbours& h, F J, const Site& s, bool first) const {
    h = first ? first_bond(J, spin(s)) : exact::add_bond(h, J, spin(s));
  }
  GLASSWORKS_HD Site update(const Site&, const Neighbours& h, const LaneTemperatures<F>& t, std::uint64_t,
                            const U* w) const {
    return {{clock_heat_bath<F>(h, q, t.beta, w[0])}};
  }
  GLASSWORKS_HD F gain(const Neighbours& h, const Site& s) const { return in_field(h, s); }
  GLASSWORKS_HD F product(const Site& a, const Site& b) const {
    const F states = as_float(U(static_cast<std::uint32_t>(q)));
    const U turn = as_uint(select_less(signed_to_float(a.c[0]), signed_to_float(b.c[0]), states, F(0.0F)));
    return clock_spin<F>(a.c[0] - b.c[0] + turn, q).c[0];
  }
  GLASSWORKS_HD F in_field(const Vector<2, F>& H, const Site& s) const { return dot(H, spin(s)); }
  template <class Add>
  GLASSWORKS_HD void add_to_planes(const Site& s, F scale, const Add& add) const {
    const Vector<2, F> v = spin(s);
    GLASSWORKS_UNROLL
    for (int k = 0; k < 2; ++k) add(k, round_to_bits(mul(v.c[k], scale)));
  }
  template <class Add>
  GLASSWORKS_HD void add_pair(const Site& s, const Site& t, F scale, const Add& add) const {
    const Vector<2, F> u = spin(s), v = spin(t);
    GLASSWORKS_UNROLL
    for (int k = 0; k < 4; ++k) add(k, round_to_bits(mul(mul(u.c[k / 2], v.c[k % 2]), scale)));
  }
};

}  // namespace glassworks::exact
