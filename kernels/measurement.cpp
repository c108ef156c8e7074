#include "kernels/measurement.hpp"

namespace glassworks {
namespace {

struct Complex {
  double re = 0.0, im = 0.0;
};

/// sums[c] = sum_j planes[j][c] exp(2 pi i multiple j / L), j ascending; exact integers times the table, in double.
template <int components>
void transform(const std::int64_t* planes, int L, int multiple, const PhaseTable& phase, Complex sums[components]) {
  double re[components] = {}, im[components] = {};
  for (int j = 0; j < L; ++j) {
    const auto angle = static_cast<std::size_t>(multiple * j % L);
    const double cosine = phase.cosine[angle], sine = phase.sine[angle];
    for (int c = 0; c < components; ++c) {
      const auto p = static_cast<double>(planes[j * components + c]);
      re[c] += p * cosine;
      im[c] += p * sine;
    }
  }
  for (int c = 0; c < components; ++c) sums[c] = {re[c], im[c]};
}

}  // namespace

Measurement::Measurement(const Chain& chain, FixedScale energy_scale)
    : lattice_(chain.lattice),
      copies_(chain.copies),
      layout_(chain.lattice.dim, chain.copies),
      phase_(chain.lattice.L),
      energy_unit_(energy_scale.unit()),
      overlap_unit_(overlap_scale(chain.lattice).unit()),
      site_unit_(site_scale(chain.lattice).unit()),
      trace_(static_cast<std::size_t>(2 * pairs() * layout_.modes().size())) {}

int Measurement::pair_index(int a, int b, int copies) {
  if (a > b) return pair_index(b, a, copies);
  return a * copies - a * (a + 1) / 2 + (b - a - 1);
}

PairSums Measurement::empty_pair() const {
  const auto planes = static_cast<std::size_t>(layout_.modes().directions() * lattice_.L);
  PairSums p;
  p.overlap.assign(planes * 9, 0);
  p.chirality.assign(planes * static_cast<std::size_t>(lattice_.dim), 0);
  return p;
}

void Measurement::add(const ReplicaSums* replicas, const PairSums* pair_sums, double* bin) {
  add_replicas(replicas, bin);
  const double weight = 1.0 / pairs();
  for (int p = 0; p < pairs(); ++p) {
    add_pair(pair_sums[p], p, weight, bin);
    add_chirality(pair_sums[p], weight, bin);
  }
  if (copies_ == 4) add_four_copies(bin);
}

void Measurement::add_replicas(const ReplicaSums* replicas, double* bin) const {
  using O = ObservableLayout;
  const double weight = 1.0 / copies_, per_site = 1.0 / static_cast<double>(lattice_.sites());
  const double per_bond = 1.0 / static_cast<double>(lattice_.bonds());
  for (int copy = 0; copy < copies_; ++copy) {
    const ReplicaSums& r = replicas[copy];
    const double e = -static_cast<double>(r.energy) * energy_unit_ * per_site;
    const double field = -static_cast<double>(r.field) * energy_unit_ * per_site;
    bin[O::energy] += weight * e;
    bin[O::energy_squared] += weight * (e * e);
    bin[O::bond_energy] += weight * (-static_cast<double>(r.energy - r.field) * energy_unit_ * per_site);
    bin[O::field_energy] += weight * field;
    bin[O::q_s] += weight * (static_cast<double>(r.q_s) * site_unit_ * per_bond);
    bin[layout_.energy_of_copy(copy)] += e;
    double square = 0.0;
    for (int c = 0; c < 3; ++c) {
      const double m = static_cast<double>(r.magnetization[c]) * overlap_unit_ * per_site;
      bin[O::magnetization_x + c] += weight * m;
      square += m * m;
    }
    bin[O::magnetization_2] += weight * square;
    bin[O::magnetization_4] += weight * (square * square);
  }
}

void Measurement::add_pair(const PairSums& pair, int index, double weight, double* bin) {
  using O = ObservableLayout;
  const Modes& modes = layout_.modes();
  const int L = lattice_.L;
  const double per_site = overlap_unit_ / static_cast<double>(lattice_.sites());
  bin[O::link_overlap] +=
      weight * (static_cast<double>(pair.link) * site_unit_ / static_cast<double>(lattice_.bonds()));

  for (int mode = 0; mode < modes.size(); ++mode) {
    const Modes::Mode m = modes[mode];
    double square = 0.0;
    Complex trace, sums[9];
    transform<9>(pair.overlap.data() + static_cast<std::ptrdiff_t>(m.direction) * L * 9, L, m.multiple, phase_, sums);
    for (int component = 0; component < 9; ++component) {
      const Complex q{sums[component].re * per_site, sums[component].im * per_site};
      square += q.re * q.re + q.im * q.im;
      if (component % 4 == 0) {  // xx, yy, zz
        trace.re += q.re;
        trace.im += q.im;
      }
    }
    bin[layout_.overlap_mode(mode)] += weight * square;
    const auto t = static_cast<std::size_t>(2 * (index * modes.size() + mode));
    trace_[t] = trace.re;
    trace_[t + 1] = trace.im;
    if (mode == 0) {
      bin[O::overlap] += weight * trace.re;
      bin[O::overlap_2] += weight * square;
      bin[O::overlap_4] += weight * (square * square);
    }
  }
}

void Measurement::add_chirality(const PairSums& pair, double weight, double* bin) const {
  using O = ObservableLayout;
  const Modes& modes = layout_.modes();
  const int L = lattice_.L, dim = lattice_.dim;
  const double per_site = overlap_unit_ / static_cast<double>(lattice_.sites());
  double sum[O::fixed_count] = {}, count[O::fixed_count] = {};
  for (int axis = 0; axis < dim; ++axis) {
    for (int mode = 0; mode < modes.size(); ++mode) {
      const Modes::Mode m = modes[mode];
      const std::int64_t* planes =
          pair.chirality.data() + static_cast<std::ptrdiff_t>(axis * modes.directions() + m.direction) * L;
      Complex q;
      transform<1>(planes, L, m.multiple, phase_, &q);
      const double re = q.re * per_site, im = q.im * per_site, square = re * re + im * im;
      const bool parallel = ((modes.axes(m.direction) >> axis) & 1U) != 0U;
      const int weight_of_k = std::popcount(modes.axes(m.direction));
      int place = O::chiral_111;
      if (m.multiple == 0) {
        place = O::chiral_zero;
      } else if (weight_of_k == 1) {
        place = (m.multiple == 1 ? O::chiral_kmin_parallel : O::chiral_2kmin_parallel) + (parallel ? 0 : 1);
      } else if (weight_of_k == 2) {
        place = O::chiral_110_parallel + (parallel ? 0 : 1);
      }
      sum[place] += square;
      count[place] += 1.0;
      if (place == O::chiral_zero) {
        sum[O::chiral_4] += square * square;
        count[O::chiral_4] += 1.0;
      }
    }
  }
  for (int place = O::chiral_4; place < O::fixed_count; ++place) {
    if (count[place] > 0.0) bin[place] += weight * (sum[place] / count[place]);
  }
}

void Measurement::add_four_copies(double* bin) const {
  const int modes = layout_.modes().size();
  for (int mode = 0; mode < modes; ++mode) {
    // A_ab(k) = A_ba(k): the overlap of two copies at a site is a scalar.
    const auto product = [&](int a, int b, int c, int d) {
      const auto first = static_cast<std::size_t>(2 * (pair_index(a, b, 4) * modes + mode));
      const auto second = static_cast<std::size_t>(2 * (pair_index(c, d, 4) * modes + mode));
      return trace_[first] * trace_[second] + trace_[first + 1] * trace_[second + 1];
    };
    double chi_1 = 0.0, chi_2 = 0.0;
    for (int a = 0; a < 4; ++a) {
      for (int b = 0; b < 4; ++b) {
        for (int c = b; c < 4; ++c) {
          if (a == b || a == c) continue;
          if (b == c && a < b) chi_1 += product(a, b, a, b);
          if (b != c) chi_2 += product(a, b, a, c);
        }
      }
    }
    const double chi_3 = product(0, 1, 2, 3) + product(0, 2, 1, 3) + product(0, 3, 1, 2);
    bin[layout_.chi_term(1, mode)] += chi_1 / 6.0;
    bin[layout_.chi_term(2, mode)] += chi_2 / 12.0;
    bin[layout_.chi_term(3, mode)] += chi_3 / 3.0;
  }
}

}  // namespace glassworks
