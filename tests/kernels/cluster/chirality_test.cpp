#include <array>
#include <complex>
#include <functional>
#include <numbers>

#include "kernels/core/lattice_site.hpp"
#include "kernels/models/plaquettes.hpp"
#include "tests/bin_places.hpp"
#include "tests/kernels/cluster/cluster_support.hpp"

/// Chiralities of XY spins and their overlaps, against sums in double over angles that share no code with the backends.
namespace glassworks { namespace {

using std::numbers::pi;

/// Angles and couplings of one replica. kappa of a plaquette by its definition: sgn(J_ij) sin(theta_i - theta_j) over
/// the four bonds, around, over 2 sqrt 2.
struct Angles {
  Lattice lattice;
  std::vector<double> theta;    ///< [site]
  const std::vector<float>* J;  ///< [site][bond]

  [[nodiscard]] double bond(std::int64_t owner, int axis, std::int64_t from, std::int64_t to) const {
    const float j = (*J)[static_cast<std::size_t>(owner * lattice.owned() + axis)];
    const double sign = j > 0.0F ? 1.0 : (j < 0.0F ? -1.0 : 0.0);
    return sign * std::sin(theta[static_cast<std::size_t>(from)] - theta[static_cast<std::size_t>(to)]);
  }
  /// 0 where there is no plaquette.
  [[nodiscard]] double kappa(std::int64_t i, int a, int b) const {
    const Lattice::Coordinates c = lattice.coordinates(i);
    for (const int axis : {a, b}) {
      if (lattice.is_open(axis) && c[static_cast<std::size_t>(axis)] == lattice.L - 1) return 0.0;
    }
    const std::int64_t right = lattice.neighbour(i, a, +1), up = lattice.neighbour(i, b, +1);
    const std::int64_t corner = lattice.neighbour(right, b, +1);
    return (bond(i, a, i, right) + bond(right, b, right, corner) + bond(up, a, corner, up) + bond(i, b, up, i)) /
           (2.0 * std::numbers::sqrt2);
  }
};

/// The replica of a copy in slot 0.
Angles angles_of(const Chain& chain, const ChainState& state, const Disorder& disorder, int copy) {
  Angles angles{chain.lattice, {}, &disorder.couplings};
  const auto N = static_cast<std::size_t>(chain.lattice.sites());
  for (int k = 0; k < chain.slots(); ++k) {
    const auto r = static_cast<std::size_t>(copy * chain.slots() + k);
    if (state.slot[r] != 0) continue;
    for (std::size_t i = 0; i < N; ++i) {
      const float x = state.spins[2 * r * N + i], y = state.spins[(2 * r + 1) * N + i];
      angles.theta.push_back(std::atan2(static_cast<double>(y), static_cast<double>(x)));
    }
  }
  return angles;
}

/// |q_c^mu(k)|^2 of the plaquettes of the axes a and b; k = 2 pi/L along an axis, or 0 (-1).
double chiral_square(const Angles& one, const Angles& other, int a, int b, int along) {
  std::complex<double> q;
  for (std::int64_t i = 0; i < one.lattice.sites(); ++i) {
    const double x = along < 0 ? 0.0 : one.lattice.coordinates(i)[static_cast<std::size_t>(along)];
    q += one.kappa(i, a, b) * other.kappa(i, a, b) * std::polar(1.0, 2.0 * pi * x / one.lattice.L);
  }
  return std::norm(q / static_cast<double>(one.lattice.sites()));
}

struct Chiral {
  double fourth = 0.0, zero = 0.0, parallel = 0.0, perpendicular = 0.0;
};
/// Means over orientations and the axes of k_min.
Chiral chiral_of(const Angles& one, const Angles& other) {
  const int d = one.lattice.dim;
  const double orientations = d * (d - 1) / 2.0;
  Chiral mean;
  for (int a = 0; a < d; ++a) {
    for (int b = a + 1; b < d; ++b) {
      const double square = chiral_square(one, other, a, b, -1);
      mean.zero += square / orientations;
      mean.fourth += square * square / orientations;
      for (int axis = 0; axis < d; ++axis) {
        const double at_k = chiral_square(one, other, a, b, axis);
        if (axis == a || axis == b) {
          mean.perpendicular += at_k / (2.0 * orientations);
        } else {
          mean.parallel += at_k / ((d - 2) * orientations);
        }
      }
    }
  }
  return mean;
}

TEST(ChiralOverlap, IsThatOfItsDefinition) {
  for (const Lattice lattice : {Lattice{2, 2}, Lattice{2, 6}, Lattice{2, 8, 0b11}, Lattice{3, 4}, Lattice{3, 4, 0b010},
                                Lattice{3, 6, 0b111}, Lattice{4, 4, 0b1000}}) {
    for (const int copies : {2, 4}) {
      Chain chain = test::cluster_chain(test::on(2), lattice, copies, test::geometric_betas(3, 0.3, 1.0),
                                        test::protocol_of(ProtocolKind::local, 0, 3), 1);
      chain.local = chiral_overlap;
      Disorder disorder = test::gaussian_disorder(lattice, 9);
      for (std::size_t b = 0; b < disorder.couplings.size(); b += 5) disorder.couplings[b] = 0.0F;
      for (const auto& backend : {make_backend({BackendKind::reference}), test::fast_backend()}) {
        ChainState state = initial_state(chain, 0);
        const RoundRecord record = test::run_one_round(*backend, chain, disorder, 0, state);
        Chiral mean;
        const double pairs = copies * (copies - 1) / 2.0;
        for (int a = 0; a < copies; ++a) {
          for (int b = a + 1; b < copies; ++b) {
            const Chiral pair = chiral_of(angles_of(chain, state, disorder, a), angles_of(chain, state, disorder, b));
            mean.zero += pair.zero / pairs;
            mean.fourth += pair.fourth / pairs;
            mean.parallel += pair.parallel / pairs;
            mean.perpendicular += pair.perpendicular / pairs;
          }
        }
        using Q = BinQuantity;
        const BinLayout layout(chain);
        const auto expect = [&](Q which, const char* name, double exact) {
          const int at = layout[which];
          EXPECT_EQ(layout.name(at), name);
          EXPECT_NEAR(record.mean[static_cast<std::size_t>(at)], exact, 5e-5 * exact)
              << name << ", d = " << lattice.dim << ", L = " << lattice.L << ", copies " << copies;
        };
        EXPECT_GT(mean.zero, 0.0);
        expect(Q::chiral_4, "chiral_4", mean.fourth);
        expect(Q::chiral_zero, "chiral_zero", mean.zero);
        expect(Q::chiral_kmin_perpendicular, "chiral_kmin_perpendicular", mean.perpendicular);
        EXPECT_EQ(layout.has(Q::chiral_kmin_parallel), lattice.dim > 2);
        if (lattice.dim > 2) expect(Q::chiral_kmin_parallel, "chiral_kmin_parallel", mean.parallel);
      }
    }
  }
}

template <class Spins>
float sine_at(const Spins& spins, const HypercubicSite& i, const PlaquettePlane& plane) {
  return plaquette_sine(spins, {i.site, i.forward(plane.a), i.forward(plane.b)}, plane);
}

/// One replica as plaquette_sine sees it.
struct Replica {
  Lattice lattice;
  const float* spins;  ///< [component][site]
  const std::vector<float>* J;

  [[nodiscard]] exact::Vector<2> at(std::uint32_t site) const { return {spins[site], spins[lattice.sites() + site]}; }
  [[nodiscard]] float coupling(std::uint32_t site, int bond) const {
    return (*J)[site * static_cast<std::size_t>(lattice.owned()) + static_cast<std::size_t>(bond)];
  }
};

/// The formula of a single plaquette, which GPUs use, gives the bits of the sums of processors.
TEST(ChiralOverlap, HasTheBitsOfItsPlaquettes) {
  for (const Lattice lattice : {Lattice{2, 8}, Lattice{2, 12, 0b10}}) {
    Chain chain = test::cluster_chain(test::on(2), lattice, 2, {2.0F}, test::protocol_of(ProtocolKind::local, 0, 3), 1);
    chain.local = chiral_overlap;
    const Disorder disorder = test::gaussian_disorder(lattice, 3);
    ChainState state = initial_state(chain, 0);
    const RoundRecord record = test::run_one_round(*test::fast_backend(), chain, disorder, 0, state);
    const auto N = static_cast<std::uint32_t>(lattice.sites());
    const Replica a{lattice, state.spins.data(), &disorder.couplings};
    const Replica b{lattice, state.spins.data() + 2 * static_cast<std::size_t>(N), &disorder.couplings};
    std::int64_t sum = 0;
    for (std::uint32_t site = 0; site < N; ++site) {
      const HypercubicSite i(lattice, site);
      if (!i.has_bond(lattice, 0) || !i.has_bond(lattice, 1)) continue;
      sum += to_fixed(chirality_product(sine_at(a, i, {0, 1}), sine_at(b, i, {0, 1})), 0x1p24F);
    }
    const double q = static_cast<double>(sum) * (0x1p-24 / N);
    const BinLayout layout(chain);
    EXPECT_EQ(record.mean[static_cast<std::size_t>(layout[BinQuantity::chiral_zero])], q * q);
  }
}

TEST(ChiralOverlap, IsMeasuredOfTwoCopiesOnPlaquettesAlone) {
  const auto names = [](int dim, int copies, LocalSelection selection) {
    const BinLayout layout(test::on(2), dim, copies, selection);
    std::vector<std::string> list;
    for (int i = 0; i < layout.size(); ++i) list.push_back(layout.name(i));
    return list;
  };
  const auto plain = names(3, 2, 0b01), with = names(3, 2, 0b01 | chiral_overlap);
  ASSERT_EQ(with.size(), plain.size() + 4);
  EXPECT_EQ(with.back(), "bond_nematic") << "local observables come last";
  EXPECT_EQ(with[plain.size() - 1], "chiral_4");
  EXPECT_EQ(names(2, 2, chiral_overlap).back(), "chiral_kmin_perpendicular");
  EXPECT_EQ(names(3, 1, chiral_overlap), names(3, 1, 0));
  EXPECT_EQ(names(1, 2, chiral_overlap), names(1, 2, 0));
}

/// XY spins and couplings that a test sets.
struct Plane {
  Lattice lattice{3, 4};
  std::vector<exact::Vector<2>> spins;
  std::vector<float> J;

  explicit Plane(std::uint32_t seed) {
    test::Source source(seed);
    for (std::int64_t i = 0; i < lattice.sites(); ++i) {
      const double angle = 2.0 * pi * source.uniform();
      spins.push_back({static_cast<float>(std::cos(angle)), static_cast<float>(std::sin(angle))});
      for (int axis = 0; axis < 3; ++axis) J.push_back(static_cast<float>(source.normal()));
    }
  }
  [[nodiscard]] exact::Vector<2> at(std::uint32_t site) const { return spins[site]; }
  [[nodiscard]] float coupling(std::uint32_t site, int bond) const {
    return J[3 * site + static_cast<std::uint32_t>(bond)];
  }
  /// plaquette_sine of all plaquettes.
  [[nodiscard]] std::vector<float> sines() const {
    std::vector<float> list;
    for (std::uint32_t i = 0; i < spins.size(); ++i) {
      for (int mu = 0; mu < 3; ++mu) {
        list.push_back(sine_at(*this, HypercubicSite(lattice, i), plaquette_plane(mu, 3)));
      }
    }
    return list;
  }
};

TEST(PlaquetteChirality, DoesNotSeeGaugeTransformationsAndRotationsAndChangesItsSignWithReflections) {
  const Plane plane(3);
  const std::vector<float> before = plane.sines();
  Plane gauge = plane, rotated = plane, reflected = plane;
  test::Source source(4);
  for (std::uint32_t i = 0; i < plane.spins.size(); ++i) {
    const float x = plane.spins[i].c[0], y = plane.spins[i].c[1];
    rotated.spins[i] = {0.28F * x - 0.96F * y, 0.96F * x + 0.28F * y};
    reflected.spins[i] = {x, -y};
    if (source.below(2) == 0) continue;
    gauge.spins[i] = {-x, -y};
    const HypercubicSite site(plane.lattice, i);
    for (std::uint32_t axis = 0; axis < 3; ++axis) {
      gauge.J[3 * i + axis] *= -1.0F;
      gauge.J[3 * site.backward(static_cast<int>(axis)) + axis] *= -1.0F;
    }
  }
  EXPECT_EQ(gauge.sines(), before) << "to the bit";
  const std::vector<float> turned = rotated.sines(), mirrored = reflected.sines();
  for (std::size_t p = 0; p < before.size(); ++p) {
    EXPECT_NEAR(turned[p], before[p], 1e-6F);
    EXPECT_EQ(mirrored[p], -before[p]);
  }
}

/// Energy of a plaquette of spins at multiples of pi/4, all of them, with one bond or none of negative sign: |kappa| is
/// 1 in the ground states of the frustrated one, 0 in those of the other.
TEST(PlaquetteChirality, IsOneInTheGroundStatesOfAFrustratedPlaquette) {
  for (int negative = 0; negative < 5; ++negative) {
    Plane plane(5);
    const HypercubicSite i(plane.lattice, 0);
    const std::uint32_t right = i.forward(0), up = i.forward(1),
                        corner = HypercubicSite(plane.lattice, right).forward(1);
    const std::array<std::uint32_t, 4> sites{0, right, corner, up};
    const std::array<std::uint32_t, 4> bonds{0, 3 * right + 1, 3 * up, 1};  // 0 - right - corner - up - 0
    for (int b = 0; b < 4; ++b) plane.J[bonds[static_cast<std::size_t>(b)]] = b == negative ? -1.0F : 1.0F;
    double lowest = 0.0;
    int states = 0;
    for (int code = 0; code < 8 * 8 * 8 * 8; ++code) {
      std::array<int, 4> eighth{};
      for (int k = 0, rest = code; k < 4; ++k, rest /= 8) eighth[static_cast<std::size_t>(k)] = rest % 8;
      double E = 0.0;
      for (std::size_t b = 0; b < 4; ++b) {
        E -= static_cast<double>(plane.J[bonds[b]]) * std::cos(pi / 4 * (eighth[b] - eighth[(b + 1) % 4]));
        const double angle = pi / 4 * eighth[b];
        plane.spins[sites[b]] = {static_cast<float>(std::cos(angle)), static_cast<float>(std::sin(angle))};
      }
      if (E > lowest + 1e-9) continue;
      if (E < lowest - 1e-9) states = 0;
      lowest = E;
      ++states;
      const float kappa = sine_at(plane, i, {0, 1}) / (2.0F * std::numbers::sqrt2_v<float>);
      if (negative < 4 && E < -2.8) {
        EXPECT_NEAR(std::fabs(kappa), 1.0F, 1e-6F);
      } else if (negative == 4 && E < -3.9) {
        EXPECT_NEAR(kappa, 0.0F, 1e-6F);
      }
    }
    EXPECT_NEAR(lowest, negative < 4 ? -2.0 * std::numbers::sqrt2 : -4.0, 1e-9);
    EXPECT_EQ(states, negative < 4 ? 16 : 8) << "rotations, and two chiralities";
  }
}

TEST(PlaquettePlanes, ArePairsOfAxes) {
  for (const int dim : {2, 3, 4}) {
    int mu = 0;
    for (int a = 0; a < dim; ++a) {
      for (int b = a + 1; b < dim; ++b, ++mu) {
        EXPECT_EQ(plaquette_plane(mu, dim).a, a);
        EXPECT_EQ(plaquette_plane(mu, dim).b, b);
      }
    }
    EXPECT_EQ(plaquette_planes(dim), mu);
  }
}

}}  // namespace glassworks
