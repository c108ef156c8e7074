#include "kernels/rounds/measurement.hpp"

#include <gtest/gtest.h>

#include <array>
#include <complex>
#include <map>

#include "tests/bin_places.hpp"
#include "tests/kernels/support.hpp"

/// The observables of a round against their formulas, summed site by site in double with exp(i k.R).
namespace glassworks { namespace {

using Complex = std::complex<double>;
using Layout = test::Tensors;
using Wave = std::array<int, 4>;  ///< n, k = (2 pi / L) n
using test::Vector3d;

/// n of every mode in the order of the layout: 0; e_a; 2 e_a; e_a + e_b; e_a + e_b + e_c, axes ascending.
std::vector<Wave> wave_vectors(int dim) {
  std::vector<Wave> list{{0, 0, 0, 0}};
  for (const int multiple : {1, 2}) {
    for (std::size_t a = 0; a < static_cast<std::size_t>(dim); ++a) {
      Wave n{};
      n[a] = multiple;
      list.push_back(n);
    }
  }
  const auto several = [&](int count) {
    for (unsigned mask = 0; mask < (1U << dim); ++mask) {
      Wave n{};
      int set = 0;
      for (std::size_t a = 0; a < 4; ++a) set += n[a] = static_cast<int>((mask >> a) & 1U);
      if (set == count) list.push_back(n);
    }
  };
  several(2);
  several(3);
  return list;
}

/// One slot: the spins of each copy, and every quantity from its definition.
class Direct {
 public:
  Direct(const Chain& chain, const Disorder& disorder, std::vector<std::vector<Vector3d>> spins)
      : lattice_(chain.lattice),
        disorder_(disorder),
        spins_(std::move(spins)),
        N_(static_cast<double>(lattice_.sites())) {}

  [[nodiscard]] int copies() const { return static_cast<int>(spins_.size()); }
  [[nodiscard]] const Vector3d& s(int copy, std::int64_t i) const {
    return spins_[static_cast<std::size_t>(copy)][static_cast<std::size_t>(i)];
  }
  [[nodiscard]] Complex phase(const Wave& n, std::int64_t i) const {
    const Lattice::Coordinates R = lattice_.coordinates(i);
    double angle = 0.0;
    for (std::size_t a = 0; a < 4; ++a) angle += 2.0 * std::numbers::pi / lattice_.L * n[a] * R[a];
    return std::polar(1.0, angle);
  }

  /// Mean of f(copy) over copies, or f(a, b) over pairs of copies.
  template <class F>
  [[nodiscard]] double over_copies(F f) const {
    double sum = 0.0;
    for (int a = 0; a < copies(); ++a) sum += f(a);
    return sum / copies();
  }
  template <class F>
  [[nodiscard]] double over_pairs(F f) const {
    double sum = 0.0, count = 0.0;
    for (int a = 0; a < copies(); ++a) {
      for (int b = a + 1; b < copies(); ++b, ++count) sum += f(a, b);
    }
    return sum / count;
  }
  template <class F>
  [[nodiscard]] double over_bonds(F f) const {
    double sum = 0.0;
    for (std::int64_t i = 0; i < lattice_.sites(); ++i) {
      for (int axis = 0; axis < lattice_.dim; ++axis) sum += f(i, lattice_.neighbour(i, axis, 1), axis);
    }
    return sum;
  }

  [[nodiscard]] double bond_energy(int a) const {
    return -over_bonds([&](std::int64_t i, std::int64_t j, int axis) {
      return static_cast<double>(disorder_.couplings[static_cast<std::size_t>(i * lattice_.dim + axis)]) *
             test::dot(s(a, i), s(a, j));
    }) / N_;
  }
  [[nodiscard]] double field_energy(int a) const {
    double sum = 0.0;
    for (std::int64_t i = 0; i < lattice_.sites(); ++i) sum -= test::dot(test::field_at(disorder_, i), s(a, i));
    return sum / N_;
  }
  [[nodiscard]] double energy(int a) const { return bond_energy(a) + field_energy(a); }
  [[nodiscard]] Vector3d magnetization(int a) const {
    Vector3d m;
    for (std::int64_t i = 0; i < lattice_.sites(); ++i) m = m + (1.0 / N_) * s(a, i);
    return m;
  }

  /// sum_{mu nu} |q^{mu nu}(k)|^2.
  [[nodiscard]] double overlap_square(int a, int b, const Wave& n) const {
    Complex q[3][3] = {};
    for (std::int64_t i = 0; i < lattice_.sites(); ++i) {
      const double u[3] = {s(a, i).x, s(a, i).y, s(a, i).z}, v[3] = {s(b, i).x, s(b, i).y, s(b, i).z};
      for (int mu = 0; mu < 3; ++mu) {
        for (int nu = 0; nu < 3; ++nu) q[mu][nu] += u[mu] * v[nu] * phase(n, i) / N_;
      }
    }
    double sum = 0.0;
    for (const auto& row : q) {
      for (const Complex& x : row) sum += std::norm(x);
    }
    return sum;
  }
  [[nodiscard]] double scalar_overlap(int a, int b) const {
    double q = 0.0;
    for (std::int64_t i = 0; i < lattice_.sites(); ++i) q += test::dot(s(a, i), s(b, i)) / N_;
    return q;
  }

  /// kappa_i^a = s_{i+a} . (s_i x s_{i-a}).
  [[nodiscard]] double kappa(int copy, int axis, std::int64_t i) const {
    return test::dot(s(copy, lattice_.neighbour(i, axis, 1)),
                     test::cross(s(copy, i), s(copy, lattice_.neighbour(i, axis, -1))));
  }
  /// |q_c^a(k)|^2.
  [[nodiscard]] double chiral_square(int a, int b, int axis, const Wave& n) const {
    Complex q;
    for (std::int64_t i = 0; i < lattice_.sites(); ++i) q += kappa(a, axis, i) * kappa(b, axis, i) * phase(n, i) / N_;
    return std::norm(q);
  }
  /// Mean of f(axis, k) over the given wave vectors and the axes that are (or are not) among those of k.
  template <class F>
  [[nodiscard]] double over_axes(const std::vector<Wave>& waves, int parallel, F f) const {
    double sum = 0.0, count = 0.0;
    for (const Wave& n : waves) {
      for (int axis = 0; axis < lattice_.dim; ++axis) {
        if (parallel >= 0 && (n[static_cast<std::size_t>(axis)] != 0) != (parallel == 1)) continue;
        sum += f(axis, n);
        ++count;
      }
    }
    return count > 0.0 ? sum / count : 0.0;
  }
  [[nodiscard]] double chiral(int a, int b, const std::vector<Wave>& waves, int parallel) const {
    return over_axes(waves, parallel, [&](int axis, const Wave& n) { return chiral_square(a, b, axis, n); });
  }

  /// Terms of the susceptibility in a field per N, as written: double sums over sites, averaged over all 24 orders of
  /// the four copies. Term 1: (1,1,2,2), 2: (1,1,2,3), 3: (1,2,3,4).
  [[nodiscard]] double chi(int term, const Wave& n) const {
    return chi_of(term, n, [&](int a, int b, std::int64_t i) { return test::dot(s(a, i), s(b, i)); });
  }
  /// The same with kappa^a in the place of s.
  [[nodiscard]] double chiral_chi(int term, int axis, const Wave& n) const {
    return chi_of(term, n, [&](int a, int b, std::int64_t i) { return kappa(a, axis, i) * kappa(b, axis, i); });
  }

 private:
  /// at(A, C, i): what the copies A and C have together at a site
  template <class F>
  [[nodiscard]] double chi_of(int term, const Wave& n, F at) const {
    const std::int64_t N = lattice_.sites();
    std::vector<double> product[4][4];
    for (int a = 0; a < 4; ++a) {
      for (int b = 0; b < 4; ++b) {
        for (std::int64_t i = 0; i < N; ++i) product[a][b].push_back(at(a, b, i));
      }
    }
    std::vector<double> phase_ij;
    for (std::int64_t i = 0; i < N; ++i) {
      for (std::int64_t j = 0; j < N; ++j) {
        phase_ij.push_back((phase_table(n, i) * std::conj(phase_table(n, j))).real());
      }
    }
    std::array<int, 4> p{0, 1, 2, 3};
    double sum = 0.0;
    int orders = 0;
    do {
      // (s_i^mu)^(A) (s_j^mu)^(B) (s_i^nu)^(C) (s_j^nu)^(D) summed over mu, nu factorizes into two scalar products, of
      // the copies at site i and at site j.
      const std::array<std::array<int, 4>, 3> choice = {
          {{p[0], p[0], p[1], p[1]}, {p[0], p[0], p[1], p[2]}, {p[0], p[1], p[2], p[3]}}};
      const auto [A, B, C, D] = choice[static_cast<std::size_t>(term - 1)];
      for (std::int64_t i = 0; i < lattice_.sites(); ++i) {
        for (std::int64_t j = 0; j < lattice_.sites(); ++j) {
          sum += phase_ij[static_cast<std::size_t>(i * N + j)] * product[A][C][static_cast<std::size_t>(i)] *
                 product[B][D][static_cast<std::size_t>(j)];
        }
      }
      ++orders;
    } while (std::next_permutation(p.begin(), p.end()));
    return sum / orders / (N_ * N_);
  }

  [[nodiscard]] Complex phase_table(const Wave& n, std::int64_t i) const {
    std::vector<Complex>& table = phases_[n];
    if (table.empty()) {
      for (std::int64_t site = 0; site < lattice_.sites(); ++site) table.push_back(phase(n, site));
    }
    return table[static_cast<std::size_t>(i)];
  }

  Lattice lattice_;
  const Disorder& disorder_;
  std::vector<std::vector<Vector3d>> spins_;
  double N_;
  mutable std::map<Wave, std::vector<Complex>> phases_;
};

/// Spins with some order at several wave vectors, so that no observable is close to 0.
void order_spins(const Chain& chain, ChainState& state, test::Source& source) {
  for (int r = 0; r < chain.replicas(); ++r) {
    const Vector3d common{0.5, -0.3, 0.4}, x = test::random_direction(source), y = test::random_direction(source);
    for (std::int64_t i = 0; i < chain.lattice.sites(); ++i) {
      const Lattice::Coordinates R = chain.lattice.coordinates(i);
      const double k = 2.0 * std::numbers::pi / chain.lattice.L, angle = k * (R[0] + 2 * R[1] - R[2] + R[3]) + 0.3 * r;
      const Vector3d v =
          0.7 * test::random_direction(source) + common + 1.2 * std::cos(angle) * x + 1.2 * std::sin(angle) * y;
      test::set_spin(chain, state, r, i, (1.0 / test::length(v)) * v);
    }
  }
}

class Observables : public ::testing::TestWithParam<std::tuple<int, int, double>> {};

/// Terms are rounded to 2^-22 or finer and evaluated in float: means over sites agree to a few 1e-7.
TEST_P(Observables, AgreeWithTheirFormulas) {
  const auto [dim, copies, field] = GetParam();
  for (const int L : {4, 6}) {
    if (dim == 4 && L == 6) continue;
    const Lattice lattice{dim, L};
    // No sweeps: one step of exchanges, then one measurement of the state as it is.
    Chain chain = test::make_chain(lattice, copies, test::geometric_betas(3, 0.5, 1.5),
                                   {0, 0, 1, 1, ExchangeSchedule::sequential, 0}, 1);
    if (field > 0.0) chain.local = chiral_response | chiral_axes;
    const Disorder disorder = test::gaussian_disorder(lattice, static_cast<std::uint32_t>(131 + dim), field);
    test::Source source(137);
    ChainState state = initial_state(chain, 0);
    order_spins(chain, state, source);
    const auto backend = make_backend({BackendKind::reference, InstructionSet::automatic, 1});
    const RoundRecord record = test::run_one_round(*backend, chain, disorder, 0, state);
    const BinLayout layout(chain);
    ASSERT_EQ(layout.has(BinQuantity::chiral_chi_2), field > 0.0 && copies == 4);
    ASSERT_EQ(layout.has(BinQuantity::chiral_zero_along), field > 0.0);
    ASSERT_EQ(record.mean.size(), static_cast<std::size_t>(3 * layout.size()));
    const std::vector<Wave> waves = wave_vectors(dim);
    ASSERT_EQ(waves.size(), static_cast<std::size_t>(Modes(layout.dim()).size()));

    for (int slot = 0; slot < chain.slots(); ++slot) {
      std::vector<std::vector<Vector3d>> spins;
      for (int r = 0; r < chain.replicas(); ++r) {
        if (state.slot[static_cast<std::size_t>(r)] != slot) continue;
        spins.emplace_back();
        for (std::int64_t i = 0; i < lattice.sites(); ++i) spins.back().push_back(test::spin_at(chain, state, r, i));
      }
      ASSERT_EQ(spins.size(), static_cast<std::size_t>(copies));
      const Direct direct(chain, disorder, std::move(spins));
      std::vector<bool> checked(static_cast<std::size_t>(layout.size()), false);
      const auto expect = [&](int observable, double expected) {
        checked[static_cast<std::size_t>(observable)] = true;
        EXPECT_NEAR(record.mean[static_cast<std::size_t>(slot * layout.size() + observable)], expected, 1e-6)
            << layout.name(observable) << ", L " << L << ", slot " << slot;
      };
      const double bonds = static_cast<double>(lattice.bonds());
      const auto square = [](double x) { return x * x; };

      expect(Layout::energy, direct.over_copies([&](int a) { return direct.energy(a); }));
      expect(Layout::energy_squared, direct.over_copies([&](int a) { return square(direct.energy(a)); }));
      expect(Layout::bond_energy, direct.over_copies([&](int a) { return direct.bond_energy(a); }));
      expect(Layout::field_energy, direct.over_copies([&](int a) { return direct.field_energy(a); }));
      expect(Layout::q_s, direct.over_copies([&](int a) {
        return direct.over_bonds([&](std::int64_t i, std::int64_t j, int) {
          return square(test::dot(direct.s(a, i), direct.s(a, j)));
        }) / bonds;
      }));
      expect(Layout::link_overlap, direct.over_pairs([&](int a, int b) {
        return direct.over_bonds([&](std::int64_t i, std::int64_t j, int) {
          return test::dot(direct.s(a, i), direct.s(a, j)) * test::dot(direct.s(b, i), direct.s(b, j));
        }) / bonds;
      }));
      expect(Layout::overlap, direct.over_pairs([&](int a, int b) { return direct.scalar_overlap(a, b); }));
      expect(Layout::overlap_2, direct.over_pairs([&](int a, int b) { return direct.overlap_square(a, b, {}); }));
      expect(Layout::overlap_4,
             direct.over_pairs([&](int a, int b) { return square(direct.overlap_square(a, b, {})); }));
      expect(Layout::magnetization_x, direct.over_copies([&](int a) { return direct.magnetization(a).x; }));
      expect(Layout::magnetization_y, direct.over_copies([&](int a) { return direct.magnetization(a).y; }));
      expect(Layout::magnetization_z, direct.over_copies([&](int a) { return direct.magnetization(a).z; }));
      const auto m_2 = [&](int a) { return test::dot(direct.magnetization(a), direct.magnetization(a)); };
      expect(Layout::magnetization_2, direct.over_copies(m_2));
      expect(Layout::magnetization_4, direct.over_copies([&](int a) { return square(m_2(a)); }));
      for (int copy = 0; copy < copies; ++copy)
        expect(layout.at(BinQuantity::energy_of_copy, copy), direct.energy(copy));

      expect(Layout::chiral_4, direct.over_pairs([&](int a, int b) {
        double sum = 0.0;
        for (int axis = 0; axis < dim; ++axis) sum += square(direct.chiral_square(a, b, axis, {}));
        return sum / dim;
      }));
      std::map<int, std::vector<Wave>> groups;  // by number of axes, or 10 for 2 k_min
      for (const Wave& n : waves) {
        int axes = 0, largest = 0;
        for (const int x : n) {
          axes += x != 0 ? 1 : 0;
          largest = std::max(largest, x);
        }
        groups[largest == 2 ? 10 : axes].push_back(n);
      }
      // The means of the bins: their wave vectors, and whether the axis is among those of k.
      constexpr std::pair<int, int> means[] = {{0, -1}, {1, 1}, {1, 0}, {10, 1}, {10, 0}, {2, 1}, {2, 0}, {3, -1}};
      static_assert(std::size(means) == chiral_means);
      const auto chiral = [&](int group, int parallel) {
        return direct.over_pairs([&](int a, int b) { return direct.chiral(a, b, groups[group], parallel); });
      };
      expect(Layout::chiral_zero, chiral(0, -1));
      expect(Layout::chiral_kmin_parallel, chiral(1, 1));
      expect(Layout::chiral_kmin_perpendicular, chiral(1, 0));
      expect(Layout::chiral_2kmin_parallel, chiral(10, 1));
      expect(Layout::chiral_2kmin_perpendicular, chiral(10, 0));
      expect(Layout::chiral_110_parallel, chiral(2, 1));
      expect(Layout::chiral_110_perpendicular, chiral(2, 0));
      expect(Layout::chiral_111, chiral(3, -1));
      for (int n = 0; n < chiral_means && layout.has(BinQuantity::chiral_chi_2); ++n) {
        const auto [group, parallel] = means[n];
        for (const auto& [quantity, term] : {std::pair{BinQuantity::chiral_chi_2, 2}, {BinQuantity::chiral_chi_3, 3}}) {
          if (lattice.sites() > 64) {
            checked[static_cast<std::size_t>(layout.at(quantity, n))] = true;
            continue;
          }
          expect(layout.at(quantity, n), direct.over_axes(groups[group], parallel, [&](int axis, const Wave& k) {
            return direct.chiral_chi(term, axis, k);
          }));
        }
      }
      for (int axis = 0; axis < dim && layout.has(BinQuantity::chiral_zero_along); ++axis) {
        const auto along = [&](int group, int parallel) {
          return direct.over_pairs([&](int a, int b) {
            double sum = 0.0, count = 0.0;
            for (const Wave& n : groups[group]) {
              if (parallel >= 0 && (n[static_cast<std::size_t>(axis)] != 0) != (parallel == 1)) continue;
              sum += direct.chiral_square(a, b, axis, n);
              ++count;
            }
            return sum / count;
          });
        };
        expect(layout.at(BinQuantity::chiral_zero_along, axis), along(0, -1));
        expect(layout.at(BinQuantity::chiral_kmin_parallel_along, axis), along(1, 1));
        if (dim > 1) expect(layout.at(BinQuantity::chiral_kmin_perpendicular_along, axis), along(1, 0));
      }

      for (std::size_t mode = 0; mode < waves.size(); ++mode) {
        const int m = static_cast<int>(mode);
        expect(layout.at(BinQuantity::overlap_k, m),
               direct.over_pairs([&](int a, int b) { return direct.overlap_square(a, b, waves[mode]); }));
        for (int term = 1; copies == 4 && term <= 3; ++term) {
          if (lattice.sites() > 64 && mode > 1) {
            checked[static_cast<std::size_t>(layout.at(chi_term(term), m))] = true;  // double sums: small lattices only
            continue;
          }
          expect(layout.at(chi_term(term), m), direct.chi(term, waves[mode]));
        }
      }
      for (std::size_t o = 0; o < checked.size(); ++o) EXPECT_TRUE(checked[o]) << layout.name(static_cast<int>(o));
    }
  }
}

INSTANTIATE_TEST_SUITE_P(TwoCopies, Observables,
                         ::testing::Combine(::testing::Range(1, 5), ::testing::Values(2), ::testing::Values(0.0, 0.6)));
INSTANTIATE_TEST_SUITE_P(FourCopies, Observables,
                         ::testing::Combine(::testing::Values(1, 2), ::testing::Values(4),
                                            ::testing::Values(0.0, 0.6)));
INSTANTIATE_TEST_SUITE_P(LongFourCopies, Observables,
                         ::testing::Combine(::testing::Values(3, 4), ::testing::Values(4),
                                            ::testing::Values(0.0, 0.6)));

}}  // namespace glassworks
