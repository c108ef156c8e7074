#include "kernels/rounds/copy_pairs.hpp"

#include <complex>
#include <numbers>

#include "kernels/rounds/cluster_replica.hpp"
#include "tests/bin_places.hpp"
#include "tests/kernels/cluster/cluster_support.hpp"

namespace glassworks { namespace {

/// What a pair of copies measures, in double precision from their states: the definitions of BinQuantity, with
/// none of the code of the backends.
struct PairValues {
  double q = 0.0, square = 0.0, kmin = 0.0, link = 0.0;
};

class DirectPair {
 public:
  DirectPair(const Chain& chain, const ChainState& state, int a, int b)
      : chain_(chain), state_(state), a_(replica_in(a)), b_(replica_in(b)) {}

  [[nodiscard]] PairValues values() const {
    const Lattice& lattice = chain_.lattice;
    const auto N = static_cast<double>(lattice.sites());
    const int n = components();
    PairValues v;
    for (int mu = 0; mu < n; ++mu) {
      for (int nu = 0; nu < n; ++nu) {
        double sum = 0.0;
        for (std::int64_t i = 0; i < lattice.sites(); ++i) sum += product(i, mu, nu) / N;
        if (mu == nu) v.q += sum;
        v.square += sum * sum;
        for (int axis = 0; axis < lattice.dim; ++axis) {
          std::complex<double> mode;
          for (std::int64_t i = 0; i < lattice.sites(); ++i) {
            const double x = lattice.coordinates(i)[static_cast<std::size_t>(axis)];
            mode += product(i, mu, nu) / N * std::polar(1.0, 2.0 * std::numbers::pi * x / lattice.L);
          }
          v.kmin += std::norm(mode) / lattice.dim;
        }
      }
    }
    for (std::int64_t i = 0; i < lattice.sites(); ++i) {
      for (int axis = 0; axis < lattice.dim; ++axis) {
        const std::int64_t j = lattice.neighbour(i, axis, +1);
        v.link += along(a_, i, j) * along(b_, i, j) / static_cast<double>(lattice.bonds());
      }
    }
    if (chain_.model.kind == ModelKind::potts) {
      const double states = chain_.model.states;
      v.q = (states * v.q - 1.0) / (states - 1.0);
      v.square = v.q * v.q;
      v.kmin *= states * states / (states - 1.0) / (states - 1.0);
    }
    return v;
  }

 private:
  /// Slot 0 of a copy.
  [[nodiscard]] std::size_t replica_in(int copy) const {
    for (int k = 0; k < chain_.slots(); ++k) {
      const auto r = static_cast<std::size_t>(copy * chain_.slots() + k);
      if (state_.slot[r] == 0) return r;
    }
    ADD_FAILURE() << "no replica in slot 0";
    return 0;
  }
  [[nodiscard]] int components() const {
    if (chain_.model.is_discrete()) return 1;
    return chain_.model.kind == ModelKind::phi4 ? 4 : chain_.model.components;
  }
  [[nodiscard]] double spin(std::size_t r, std::int64_t i, int mu) const {
    const auto N = static_cast<std::size_t>(chain_.lattice.sites()), n = static_cast<std::size_t>(components());
    return static_cast<double>(state_.spins[(r * n + static_cast<std::size_t>(mu)) * N + static_cast<std::size_t>(i)]);
  }
  [[nodiscard]] int state(std::size_t r, std::int64_t i) const {
    return state_.states[r * static_cast<std::size_t>(chain_.lattice.sites()) + static_cast<std::size_t>(i)];
  }
  [[nodiscard]] double equal(int x, int y) const {
    return chain_.model.kind == ModelKind::ising ? (2 * x - 1) * (2 * y - 1) : x == y ? 1.0 : 0.0;
  }
  [[nodiscard]] double product(std::int64_t i, int mu, int nu) const {
    return chain_.model.is_discrete() ? equal(state(a_, i), state(b_, i)) : spin(a_, i, mu) * spin(b_, i, nu);
  }
  [[nodiscard]] double along(std::size_t r, std::int64_t i, std::int64_t j) const {
    if (chain_.model.is_discrete()) return equal(state(r, i), state(r, j));
    double sum = 0.0;
    for (int mu = 0; mu < components(); ++mu) sum += spin(r, i, mu) * spin(r, j, mu);
    return sum;
  }

  const Chain& chain_;
  const ChainState& state_;
  std::size_t a_, b_;
};

TEST(CopyPairs, MeasureWhatTheirDefinitionsSay) {
  const std::vector<SpinModel> models{test::ising(), test::potts(3), test::potts(7),  test::on(2),
                                      test::on(3),   test::on(4),    test::phi4(1.5), test::phi4(INFINITY)};
  for (const SpinModel& model : models) {
    for (const auto& [dim, L] : {std::pair{1, 10}, std::pair{2, 6}, std::pair{3, 4}}) {
      for (const int copies : {2, 4}) {
        const Lattice lattice{dim, L};
        const Chain chain = test::cluster_chain(model, lattice, copies, test::geometric_betas(3, 0.5, 2.0),
                                                test::protocol_of(ProtocolKind::local, 0, 3), 1);
        const Disorder disorder = test::pure(lattice, 0.4F);
        for (const auto& backend : {make_backend({BackendKind::reference}), test::fast_backend()}) {
          ChainState state = initial_state(chain, 0);
          const RoundRecord record = test::run_one_round(*backend, chain, disorder, 0, state);
          PairValues mean;
          double fourth = 0.0;
          const double pairs = copies * (copies - 1) / 2.0;
          for (int a = 0; a < copies; ++a) {
            for (int b = a + 1; b < copies; ++b) {
              const PairValues v = DirectPair(chain, state, a, b).values();
              mean.q += v.q / pairs;
              mean.square += v.square / pairs;
              mean.kmin += v.kmin / pairs;
              mean.link += v.link / pairs;
              fourth += v.square * v.square / pairs;
            }
          }
          const BinLayout layout(chain);
          const auto expect = [&](BinQuantity which, double exact) {
            const double found = record.mean[static_cast<std::size_t>(layout[which])];
            EXPECT_NEAR(found, exact, 2e-5 * (1.0 + std::fabs(exact)))
                << layout.name(layout[which]) << ", model " << static_cast<int>(model.kind) << ", d = " << dim
                << ", copies " << copies;
          };
          expect(BinQuantity::overlap, mean.q);
          expect(BinQuantity::overlap_2, mean.square);
          expect(BinQuantity::overlap_4, fourth);
          expect(BinQuantity::overlap_kmin, mean.kmin);
          expect(BinQuantity::link_overlap, mean.link);
        }
      }
    }
  }
}

/// The cluster of a site, by spreading the smallest number of a site over bonds until nothing changes.
std::vector<std::int64_t> smallest_of_cluster(const Lattice& lattice, const Disorder& disorder,
                                              const std::vector<bool>& differs) {
  std::vector<std::int64_t> label;
  for (std::int64_t i = 0; i < lattice.sites(); ++i) label.push_back(i);
  for (bool changed = true; changed;) {
    changed = false;
    for (std::int64_t i = 0; i < lattice.sites(); ++i) {
      for (int axis = 0; axis < lattice.dim; ++axis) {
        const auto k = static_cast<std::size_t>(i), j = static_cast<std::size_t>(lattice.neighbour(i, axis, +1));
        if (!differs[k] || !differs[j]) continue;
        if (disorder.couplings[static_cast<std::size_t>(i * lattice.dim + axis)] == 0.0F) continue;
        if (label[k] == label[j]) continue;
        label[k] = label[j] = std::min(label[k], label[j]);
        changed = true;
      }
    }
  }
  return label;
}

TEST(CopyPairs, IsoenergeticMovesSwapTheWholeClusterOfTheSiteThatTheWordSelects) {
  test::Source source(11);
  int several = 0;
  for (const auto& [dim, L] : {std::pair{1, 12}, std::pair{2, 8}, std::pair{3, 4}}) {
    const Lattice lattice{dim, L};
    const auto N = static_cast<std::size_t>(lattice.sites());
    const Chain chain =
        test::cluster_chain(test::ising(), lattice, 2, {1.0F}, test::protocol_of(ProtocolKind::local, 0, 1), 1);
    Disorder disorder = test::bimodal(lattice, 5);
    for (float& J : disorder.couplings) {
      if (source.below(4) == 0) J = 0.0F;
    }
    const ClusterSystem system(chain, disorder, 0);
    for (int move = 0; move < 50; ++move) {
      std::vector<std::uint8_t> a(N), b(N);
      std::vector<bool> differs(N);
      std::vector<std::size_t> differing;
      for (std::size_t i = 0; i < N; ++i) {
        a[i] = static_cast<std::uint8_t>(source.below(2));
        b[i] = static_cast<std::uint8_t>(source.below(2));
        differs[i] = a[i] != b[i];
        if (differs[i]) differing.push_back(i);
      }
      if (differing.empty()) continue;
      const std::uint32_t word = source.word();
      const std::size_t seed = differing[(static_cast<std::uint64_t>(word) * differing.size()) >> 32];
      const std::vector<std::int64_t> label = smallest_of_cluster(lattice, disorder, differs);
      auto expected_a = a, expected_b = b;
      std::int64_t size = 0;
      for (std::size_t i = 0; i < N; ++i) {
        if (!differs[i] || label[i] != label[seed]) continue;
        std::swap(expected_a[i], expected_b[i]);
        ++size;
      }
      several += size > 1 && size < static_cast<std::int64_t>(differing.size()) ? 1 : 0;
      EXPECT_EQ(isoenergetic_move(system, word, a.data(), b.data()), size);
      EXPECT_EQ(a, expected_a);
      EXPECT_EQ(b, expected_b);
    }
  }
  EXPECT_GT(several, 50);
}

}}  // namespace glassworks
