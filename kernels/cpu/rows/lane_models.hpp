#pragma once

#include <bit>

#include "kernels/cpu/lanes/twice.hpp"
#include "kernels/cpu/rows/cluster_kernels.hpp"

namespace glassworks { inline namespace cpu {

/// potts where bonds are counted, as a model of its own: without fields.
struct CountedPotts : Potts {
  static constexpr bool has_fields = false;
};

}}  // namespace glassworks::cpu

namespace glassworks::exact {

/// A model (for_model.hpp) for lanes F of sites: the formulas of the model type with the same operations in the same
/// order, so that each lane has the bits of the plain definition.
///
/// - Number; Site; Neighbours: what a lane of a LaneBuffer holds; a site; what an update knows of the neighbours.
/// - needs_old_spin; words: whether an update looks at the old spin; random words of a site.
/// - is_long_chain: whether an update is a long chain of dependent operations, so that two side by side (Twice) take
///   less time than one after the other.
/// - add_bond(h, J, s, first, bond): adds the neighbour s; `first` where h is still empty.
/// - update(s, h, words): the new spin, or of a model with a free modulus its proposal.
///
/// The template itself is that of discrete models whose formulas are templates over F: NeighboursOf, add_bond and
/// heat_bath, which takes one word.
template <class M, class F>
struct LaneModel {
  using U = Bits<F>;
  using Number = std::uint32_t;
  using Site = Vector<1, U>;
  using Neighbours = typename M::template NeighboursOf<F>;
  static constexpr bool needs_old_spin = false, is_long_chain = false;
  static constexpr int words = 1;

  explicit LaneModel(const SweepConstants& c) : constants(c) {}

  GLASSWORKS_HD void add_bond(Neighbours& h, F J, const Site& s, bool first, int) const {
    M::template add_bond<F>(constants.model, h, J, s.c[0], first);
  }
  GLASSWORKS_HD Site update(const Site&, const Neighbours& h, const U* w) const {
    return {{M::template heat_bath<F>(h, constants, w[0])}};
  }

  SweepConstants constants;
};

/// Unit vectors.
template <int n, class F>
struct LaneModel<UnitVectors<n>, F> {
  using Number = float;
  using Site = Vector<n, F>;
  using Neighbours = Vector<n, F>;
  static constexpr bool needs_old_spin = n == 2 || n == 4, is_long_chain = true;
  static constexpr int words = 2;

  explicit LaneModel(const SweepConstants& c)
      : temperature{F(c.temperature.minus_two_beta), F(c.temperature.minus_inverse_beta)}, sweep(c.sweep) {}

  GLASSWORKS_HD static void add_bond(Neighbours& h, F J, const Site& s, bool first, int) {
    h = first ? first_bond(J, s) : exact::add_bond(h, J, s);
  }
  GLASSWORKS_HD Site update(const Site& s, const Neighbours& h, const Bits<F>* w) const {
    return local_update<F>(s, h, temperature, sweep, w[0], w[1]);
  }

  HeatBathTemperature<F> temperature;
  std::uint64_t sweep;
};

/// Number 0 or 1, spin -1 or 1.
template <class F>
struct LaneModel<Ising, F> {
  using U = Bits<F>;
  using Number = std::uint32_t;
  using Site = Vector<1, U>;
  using Neighbours = Vector<1, F>;
  static constexpr bool needs_old_spin = false, is_long_chain = true;
  static constexpr int words = 2;

  explicit LaneModel(const SweepConstants& c)
      : temperature{F(c.temperature.minus_two_beta), F(c.temperature.minus_inverse_beta)} {}

  GLASSWORKS_HD static void add_bond(Neighbours& h, F J, const Site& s, bool first, int) {
    const F term = flip_sign(J, shift_left<31>(s.c[0] ^ U(1U)));
    h.c[0] = first ? term : add(h.c[0], term);
  }
  GLASSWORKS_HD Site update(const Site&, const Neighbours& h, const U* w) const {
    const auto s = local_update<F>(Neighbours{}, h, temperature, 0, w[0], w[1]);
    return {{shift_right<31>(as_uint(s.c[0])) ^ U(1U)}};
  }

  HeatBathTemperature<F> temperature;
};

/// See potts_heat_bath. Here the fields of all states are kept and each exponential is taken once.
template <class F>
struct LaneModel<Potts, F> {
  using U = Bits<F>;
  using Number = std::uint32_t;
  using Site = Vector<1, U>;
  struct Neighbours {
    int count = 0;
    F c[1] = {F(0.0F)};  ///< the field, of state 0
    U sigma[2 * Lattice::max_dim];
    F J[2 * Lattice::max_dim];
  };
  static constexpr bool needs_old_spin = false, is_long_chain = false;
  static constexpr int words = 1;

  explicit LaneModel(const SweepConstants& c) : q(c.model.states), beta(c.temperature.beta) {}

  GLASSWORKS_HD static void add_bond(Neighbours& h, F J, const Site& s, bool, int bond) {
    h.sigma[bond] = s.c[0];
    h.J[bond] = J;
    h.count = bond + 1;
  }
  GLASSWORKS_HD Site update(const Site&, const Neighbours& bonds, const U* w) const {
    F weight[Potts::most_states];
    F largest(0.0F);
    for (int k = 0; k < q; ++k) {
      F h = k == 0 ? bonds.c[0] : F(0.0F);
      for (int j = 0; j < bonds.count; ++j) {
        h = select_zero(bonds.sigma[j] ^ U(static_cast<std::uint32_t>(k)), add(h, bonds.J[j]), h);
      }
      weight[k] = h;
      largest = k == 0 ? h : max(largest, h);
    }
    F total(0.0F);
    for (int k = 0; k < q; ++k) {
      weight[k] = exp_negative(mul(beta, sub(weight[k], largest)));
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

  int q;
  F beta;
};

/// The same where bonds are counted (CountedWeights): four bits of a word are the neighbours in one state.
template <class F>
struct LaneModel<cpu::CountedPotts, F> {
  using U = Bits<F>;
  using Number = std::uint32_t;
  using Site = Vector<1, U>;
  static constexpr int states_of_word = 8, most_words = (Potts::most_states + states_of_word - 1) / states_of_word;
  struct Neighbours {
    U word[most_words];
  };
  static constexpr bool needs_old_spin = false, is_long_chain = false;
  static constexpr int words = 1;

  explicit LaneModel(const cpu::LocalSweepJob& job) : q(job.model.states), weight(job.counted->weight) {}

  GLASSWORKS_HD void add_bond(Neighbours& h, F, const Site& s, bool first, int) const {
    U place = shift_left<2>(s.c[0]);  // that of another word is negative or beyond the last bit, and leaves nothing
    for (int i = 0; i * states_of_word < q; ++i) {
      const U one = shift_left_by(U(1U), place);
      h.word[i] = first ? one : h.word[i] + one;
      place = place - U(32U);
    }
  }
  GLASSWORKS_HD Site update(const Site&, const Neighbours& h, const U* w) const {
    U number[Potts::most_states], most(0U);
    for (int k = 0; k < q; ++k) {
      number[k] = low_bits<4>(shift_right_by(h.word[k / states_of_word], 4 * (k % states_of_word)));
      most = max(most, number[k]);
    }
    F running[Potts::most_states], total(0.0F);
    for (int k = 0; k < q; ++k) running[k] = total = add(total, as_float(pick(weight, most - number[k])));
    const F target = mul(uniform<F>(w[0]), total);
    F before(0.0F);
    for (int k = 0; k + 1 < q; ++k) before = add(before, select_less(target, running[k], F(0.0F), F(1.0F)));
    return {{round_to_bits(before)}};
  }

  int q;
  const float* weight;
};

template <class F>
GLASSWORKS_HD Phi4Proposal<F> first(const Phi4Proposal<Twice<F>>& both) {
  return {first(both.phi), both.accepted.a};
}
template <class F>
GLASSWORKS_HD Phi4Proposal<F> second(const Phi4Proposal<Twice<F>>& both) {
  return {second(both.phi), both.accepted.b};
}

/// phi4 at finite lambda.
template <class F>
struct LaneModel<Phi4, F> : LaneModel<UnitVectors<4>, F> {
  using Base = LaneModel<UnitVectors<4>, F>;
  using typename Base::Neighbours;
  using typename Base::Site;
  static constexpr bool needs_old_spin = true, is_long_chain = true;
  static constexpr int words = 4;

  explicit LaneModel(const SweepConstants& c) : Base(c), beta(c.temperature.beta), weight(c.phi4) {}

  GLASSWORKS_HD Phi4Proposal<F> update(const Site& s, const Neighbours& h, const Bits<F>* w) const {
    return phi4_propose<F>(s, h, this->temperature, beta, weight, this->sweep, w);
  }
  /// count: lanes that hold a site
  GLASSWORKS_HD void tally(const Phi4Proposal<F>& move, int count, Phi4Tally& sum) const {
    const auto signs_of = [count](F minus_where) {
      const std::uint32_t bits = Lanes<F>::signs(as_uint(minus_where));
      return count < Lanes<F>::width ? bits & ((1U << count) - 1U) : bits;
    };
    sum.accepted += std::popcount(signs_of(sub(F(0.5F), move.accepted)));
    if (signs_of(select_less(F(weight.limit), dot(move.phi, move.phi), F(-1.0F), F(0.0F))) != 0) sum.too_large = true;
  }

  F beta;
  Phi4Weight weight;
};

}  // namespace glassworks::exact
