#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <complex>
#include <numbers>

#include "kernels/rounds/bond_view.hpp"
#include "kernels/rounds/triangle_sums.hpp"
#include "tests/bin_places.hpp"
#include "tests/kernels/graph_cases.hpp"

/// Chiralities of triangles against sums in double over triples of sites, which share no code with the backends.
namespace glassworks { namespace {

using std::numbers::pi;

/// A lattice or a graph with couplings.
struct Place {
  std::string name;
  Lattice lattice;
  Disorder disorder;
};

Place lattice_place(const Lattice& lattice, float J = 0.0F) {
  Disorder disorder = J == 0.0F ? test::gaussian_disorder(lattice, 9) : test::pure(lattice, J);
  for (std::int64_t i = 0; i < lattice.sites(); ++i) {
    for (int bond = 0; bond < lattice.owned(); ++bond) {
      const bool there = lattice.has_bond(lattice.coordinates(i), bond, +1);
      if (!there) disorder.couplings[static_cast<std::size_t>(i * lattice.owned() + bond)] = 0.0F;
    }
  }
  return {"kind " + std::to_string(static_cast<int>(lattice.kind)), lattice, disorder};
}
Place kagome_place(int L) {
  const test::GraphCase graph = test::graph_case("kagome", test::kagome(L));
  return {"kagome", graph.lattice, test::graph_disorder(graph, test::on(2), test::GraphCouplings::gaussian, 4)};
}

/// J of all pairs, 0 without a bond [i * N + j].
std::vector<float> coupling_matrix(const Place& p) {
  const auto N = static_cast<std::size_t>(p.lattice.sites());
  std::vector<float> J(N * N, 0.0F);
  const BondView bonds(p.lattice, p.disorder.graph.get());
  for (std::size_t i = 0; i < N; ++i) {
    bonds.for_owned(static_cast<std::int64_t>(i), [&](std::int64_t j, std::int64_t place) {
      J[i * N + static_cast<std::size_t>(j)] = J[static_cast<std::size_t>(j) * N + i] =
          p.disorder.couplings[static_cast<std::size_t>(place)];
    });
  }
  return J;
}

using Spin = std::array<double, 3>;
Spin cross_of(const Spin& s, const Spin& t) {
  return {s[1] * t[2] - s[2] * t[1], s[2] * t[0] - s[0] * t[2], s[0] * t[1] - s[1] * t[0]};
}
double dot_of(const Spin& s, const Spin& t) { return s[0] * t[0] + s[1] * t[1] + s[2] * t[2]; }

/// The spins of the replica of a copy in slot 0.
std::vector<Spin> spins_of(const Chain& chain, const ChainState& state, int copy) {
  const auto N = static_cast<std::size_t>(chain.lattice.sites());
  const auto n = static_cast<std::size_t>(components_of(chain.model));
  std::vector<Spin> spins(N, Spin{});
  for (int k = 0; k < chain.slots(); ++k) {
    const auto r = static_cast<std::size_t>(copy * chain.slots() + k);
    if (state.slot[r] != 0) continue;
    for (std::size_t i = 0; i < N; ++i) {
      for (std::size_t c = 0; c < n; ++c) spins[i][c] = static_cast<double>(state.spins[(n * r + c) * N + i]);
    }
  }
  return spins;
}

struct Chirality {
  double square = 0.0;  ///< mean of kappa^2
  double zero = 0.0, fourth = 0.0, kmin = 0.0;
  int triangles = 0;
};
Chirality chirality_of(const Place& p, int n, const std::vector<Spin>& one, const std::vector<Spin>& other) {
  const std::size_t N = one.size();
  const std::vector<float> J = coupling_matrix(p);
  const BondView view(p.lattice, p.disorder.graph.get());
  std::array<std::complex<double>, 3> at_k{};
  double total = 0.0;
  Chirality result;
  for (std::size_t a = 0; a < N; ++a) {
    for (std::size_t b = a + 1; b < N; ++b) {
      for (std::size_t c = b + 1; c < N && J[a * N + b] != 0.0F; ++c) {
        if (J[b * N + c] == 0.0F || J[c * N + a] == 0.0F) continue;
        const std::array<std::size_t, 3> site{a, b, c};
        const auto vector_of = [&](const std::vector<Spin>& s) {
          Spin sum{};
          for (std::size_t e = 0; e < 3; ++e) {
            const std::size_t i = site[e], j = site[(e + 1) % 3];
            const Spin x = cross_of(s[i], s[j]);
            for (std::size_t k = 0; k < 3; ++k) sum[k] -= (J[i * N + j] > 0.0F ? 1.0 : -1.0) * x[k];
          }
          for (double& x : sum) x *= 2.0 / (3.0 * std::numbers::sqrt3);
          return sum;
        };
        const auto scalar_of = [&](const std::vector<Spin>& s) {
          return n == 2 ? vector_of(s)[2] : dot_of(s[a], cross_of(s[b], s[c]));
        };
        ++result.triangles;
        result.square += dot_of(vector_of(one), vector_of(one));
        const double product = scalar_of(one) * scalar_of(other);
        total += product;
        for (int axis = 0; axis < p.lattice.dim; ++axis) {
          std::array<int, 3> x{};
          for (std::size_t e = 0; e < 3; ++e) {
            view.for_planes(static_cast<std::int64_t>(site[e]), [&](int of, int at, int) {
              if (of == axis) x[e] = at;
            });
          }
          // No corner is more than one plane ahead of the first one.
          const int L = p.lattice.length(axis);
          const auto is_first = [&](int from) {
            return std::ranges::all_of(x, [&](int to) { return (to - from + L) % L <= 1; });
          };
          const auto first = std::ranges::find_if(x, is_first);
          EXPECT_NE(first, x.end());
          at_k[static_cast<std::size_t>(axis)] += product * std::polar(1.0, 2.0 * pi * *first / L);
        }
      }
    }
  }
  const double sites = static_cast<double>(N), q = total / sites;
  result.square /= result.triangles;
  result.zero = q * q;
  result.fourth = q * q * q * q;
  for (int axis = 0; axis < p.lattice.dim; ++axis) {
    result.kmin += std::norm(at_k[static_cast<std::size_t>(axis)] / sites) / p.lattice.dim;
  }
  return result;
}

TEST(TriangleChirality, IsThatOfItsDefinition) {
  Place diluted = lattice_place({2, 4, 0, LatticeKind::triangular});
  for (std::size_t b = 0; b < diluted.disorder.couplings.size(); b += 5) diluted.disorder.couplings[b] = 0.0F;
  const Place places[] = {lattice_place({2, 6, 0, LatticeKind::triangular}),
                          lattice_place({2, 6, 0b10, LatticeKind::triangular}),
                          lattice_place({3, 4, 0, LatticeKind::fcc}),
                          lattice_place({3, 4, 0b101, LatticeKind::fcc}),
                          kagome_place(4),
                          diluted};
  for (const Place& p : places) {
    for (const int n : {2, 3}) {
      for (const int copies : {2, 4}) {
        Chain chain = test::cluster_chain(test::on(n), p.lattice, copies, test::geometric_betas(3, 0.3, 1.0),
                                          test::protocol_of(ProtocolKind::local, 0, 3), 1);
        chain.local = triangle_chirality;
        for (const BackendKind kind : {BackendKind::reference, BackendKind::cpu}) {
          ChainState state = initial_state(chain, 0);
          const RoundRecord record = test::run_one_round(*make_backend({kind}), chain, p.disorder, 0, state);
          Chirality mean;
          const double pairs = copies * (copies - 1) / 2.0;
          for (int a = 0; a < copies; ++a) {
            const std::vector<Spin> one = spins_of(chain, state, a);
            mean.square += chirality_of(p, n, one, one).square / copies;
            for (int b = a + 1; b < copies; ++b) {
              const Chirality pair = chirality_of(p, n, one, spins_of(chain, state, b));
              mean.zero += pair.zero / pairs;
              mean.fourth += pair.fourth / pairs;
              mean.kmin += pair.kmin / pairs;
            }
          }
          const BinLayout layout(chain);
          const auto expect = [&](BinQuantity which, double exact) {
            EXPECT_NEAR(record.mean[static_cast<std::size_t>(layout[which])], exact, 1e-4 * exact + 1e-12)
                << layout.name(layout[which]) << ", " << p.name << ", n = " << n << ", copies " << copies;
          };
          EXPECT_GT(mean.zero, 0.0);
          expect(BinQuantity::triangle_chirality_2, mean.square);
          expect(BinQuantity::chiral_zero, mean.zero);
          expect(BinQuantity::chiral_4, mean.fourth);
          expect(BinQuantity::chiral_kmin_perpendicular, mean.kmin);
        }
        if (n == 3 && copies == 2) break;
      }
    }
  }
}

/// Two triangles for each site of the triangular lattice, eight of fcc, two for three sites of kagome; less at open
/// ends.
TEST(TriangleChirality, CountsTheTrianglesOfLattices) {
  const auto count = [](const Place& p) {
    Chain chain =
        test::cluster_chain(test::on(2), p.lattice, 1, {1.0F}, test::protocol_of(ProtocolKind::local, 0, 1), 1);
    return TriangleTable(chain, p.disorder).size();
  };
  EXPECT_EQ(count(lattice_place({2, 6, 0, LatticeKind::triangular})), 72);
  EXPECT_EQ(count(lattice_place({2, 6, 0b01, LatticeKind::triangular})), 60);
  EXPECT_EQ(count(lattice_place({3, 6, 0, LatticeKind::fcc})), 8 * 216);
  EXPECT_EQ(count(kagome_place(5)), 50);
  EXPECT_EQ(count(lattice_place({3, 4})), 0);
  EXPECT_EQ(TriangleTable::expected({2, 6, 0, LatticeKind::triangular}), 72.0);
  EXPECT_EQ(TriangleTable::expected({3, 6, 0, LatticeKind::fcc}), 8.0 * 216);
  EXPECT_EQ(TriangleTable::count(test::kagome(5)), 50);
  EXPECT_EQ(TriangleTable::count(test::complete_graph(24)), 24 * 23 * 22 / 6);
}

/// The three sublattices at 0, 120 and 240 degrees: kappa, counterclockwise, is 1 of triangles that point up and -1 of
/// those that point down, or the other way around in the mirror image. Their overlaps are 2 and -2, with two triangles
/// for each site.
TEST(TriangleChirality, IsStaggeredInTheGroundStateOfTheTriangularAntiferromagnet) {
  const Lattice lattice{2, 6, 0, LatticeKind::triangular};
  const Place p = lattice_place(lattice, -1.0F);
  const Chain chain =
      test::cluster_chain(test::on(2), lattice, 2, {1.0F}, test::protocol_of(ProtocolKind::local, 0, 1), 1);
  const TriangleTable triangles(chain, p.disorder);
  const auto spins = [&](double sense) {
    return [&, sense](std::int64_t i) {
      const Lattice::Coordinates c = lattice.coordinates(i);
      const double angle = sense * 2.0 * pi * ((c[0] + 2 * c[1]) % 3) / 3.0;
      return exact::Vector<2>{{static_cast<float>(std::cos(angle)), static_cast<float>(std::sin(angle))}};
    };
  };
  for (const double sense : {1.0, -1.0}) {
    int up = 0;
    for (std::int64_t t = 0; t < triangles.size(); ++t) {
      const auto of = spins_of_triangle<2>(triangles[t], spins(sense));
      // Corners relative to the first one, in units of the lattice vectors (1, 0) and (1/2, sqrt(3)/2).
      const auto step = [&](int corner, std::size_t axis) {
        const auto place = [&](int k) { return lattice.coordinates(triangles[t].site[k])[axis]; };
        const int d = (place(corner) - place(0) + 9) % 6 - 3;
        return d;
      };
      const int area = step(1, 0) * step(2, 1) - step(1, 1) * step(2, 0);  // 1: a, b, c go counterclockwise
      ASSERT_EQ(std::abs(area), 1);
      // Up: one corner, and those at +x and +y from it.
      std::array<int, 3> x{}, y{};
      for (int k = 0; k < 3; ++k) {
        x[static_cast<std::size_t>(k)] = step(k, 0);
        y[static_cast<std::size_t>(k)] = step(k, 1);
      }
      const bool is_up = [&] {
        for (std::size_t k = 0; k < 3; ++k) {
          bool right = false, above = false;
          for (std::size_t j = 0; j < 3; ++j) {
            right = right || (x[j] - x[k] == 1 && y[j] == y[k]);
            above = above || (y[j] - y[k] == 1 && x[j] == x[k]);
          }
          if (right && above) return true;
        }
        return false;
      }();
      up += is_up ? 1 : 0;
      EXPECT_NEAR(area * triangle_chirality_of(of), static_cast<float>(sense) * (is_up ? 1.0F : -1.0F), 1e-6F);
      EXPECT_NEAR(triangle_square(of), 1.0F, 1e-6F);
    }
    EXPECT_EQ(up, 36);
    OverlapSums sums;
    sums.chirality.assign(static_cast<std::size_t>(lattice.planes()), 0);
    add_triangle_products<2>(triangles, spins(1.0), spins(sense), 0x1p24F, sums);
    double q = 0.0;
    for (int x = 0; x < 6; ++x) q += static_cast<double>(sums.chirality[static_cast<std::size_t>(x)]) * 0x1p-24 / 36.0;
    EXPECT_NEAR(q, 2.0 * sense, 1e-5);
  }
}

TEST(TriangleChirality, DoesNotSeeGaugeTransformations) {
  test::Source source(3);
  const auto spin = [&] {
    const double angle = 2.0 * pi * source.uniform();
    return exact::Vector<2>{{static_cast<float>(std::cos(angle)), static_cast<float>(std::sin(angle))}};
  };
  for (int turn = 0; turn < 20; ++turn) {
    const TriangleSpins<2> before{{spin(), spin(), spin()},
                                  {1.0F, turn % 2 == 0 ? -2.0F : 0.5F, turn % 3 == 0 ? -0.1F : 1.5F}};
    TriangleSpins<2> after = before;
    after.s[1] = {{-before.s[1].c[0], -before.s[1].c[1]}};
    after.J[0] = -before.J[0];
    after.J[1] = -before.J[1];
    EXPECT_EQ(triangle_chirality_of(after), triangle_chirality_of(before)) << "to the bit";
    EXPECT_LE(triangle_square(before), 1.0F + 1e-6F);
  }
}

TEST(TriangleChirality, HasColumnsOfPairsWhereThereAreTwoCopies) {
  const auto has = [](int dim, int copies, BinQuantity q) {
    return BinLayout(test::on(3), dim, copies, triangle_chirality).has(q);
  };
  EXPECT_TRUE(has(2, 2, BinQuantity::chiral_kmin_perpendicular));
  EXPECT_FALSE(has(2, 2, BinQuantity::chiral_kmin_parallel));
  EXPECT_FALSE(has(1, 2, BinQuantity::chiral_kmin_perpendicular)) << "no positions";
  EXPECT_TRUE(has(1, 2, BinQuantity::chiral_zero));
  EXPECT_FALSE(has(2, 1, BinQuantity::chiral_zero));
  EXPECT_TRUE(has(2, 1, BinQuantity::triangle_chirality_2));
  EXPECT_EQ(BinLayout(test::on(3), 2, 2, 1U | triangle_chirality).names().back(), "triangle_chirality_2");
}

/// Bits of all instruction sets, in lanes of replicas on graphs.
TEST(TriangleChirality, HasTheBitsOfThePlainDefinition) {
  const Place places[] = {kagome_place(4), lattice_place({3, 4, 0, LatticeKind::fcc})};
  for (const Place& p : places) {
    for (const int n : {2, 3}) {
      Chain chain = test::cluster_chain(test::on(n), p.lattice, 2, test::geometric_betas(5, 0.5, 2.0),
                                        test::protocol_of(ProtocolKind::local, 0, 1), 2);
      chain.local = triangle_chirality | axis_modes | 1U;
      chain.samples = 1;
      const auto rounds = [&](BackendKind kind, InstructionSet isa, int threads) {
        return test::two_rounds(*make_backend({kind, isa, threads}), chain, p.disorder, initial_state(chain, 5));
      };
      const test::TwoRounds expected = rounds(BackendKind::reference, InstructionSet::automatic, 1);
      for (const InstructionSet isa : available_instruction_sets()) {
        for (const int threads : {1, 3}) {
          EXPECT_TRUE(rounds(BackendKind::cpu, isa, threads) == expected) << to_string(isa) << ", " << p.name;
        }
      }
    }
  }
}

}}  // namespace glassworks
