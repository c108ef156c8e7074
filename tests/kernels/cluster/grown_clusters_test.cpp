#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <vector>

#include "kernels/cpu/rows/cluster_labels.hpp"
#include "tests/kernels/cluster/cluster_support.hpp"

/// Clusters that grow from single sites are those of the labelled lattice, and differences of energies are those of the
/// sums over all bonds.
namespace glassworks { namespace {

struct GrownCase {
  const char* name;
  SpinModel model;
  double T;
  bool bimodal = false;
};
void PrintTo(const GrownCase& one, std::ostream* out) { *out << one.name; }
const GrownCase grown_cases[] = {{"Ising", test::ising(), 3.0},      {"IsingGlass", test::ising(), 1.0, true},
                                 {"Potts", test::potts(3), 1.2},     {"PottsHot", test::potts(10), 3.0},
                                 {"Xy", test::on(2), 1.5},           {"Vectors3", test::on(3), 0.7},
                                 {"Phi4", test::phi4(INFINITY), 0.9}};

/// GrownSpins of a replica as the kernels have them, with the bonds of one update.
class GrownSpins {
 public:
  GrownSpins(const GrownCase& one, const Lattice& lattice, InstructionSet isa)
      : disorder_(one.bimodal ? test::bimodal(lattice, 5) : test::gaussian_disorder(lattice, 4)) {
    if (!one.bimodal) {
      for (float& J : disorder_.couplings) J = std::fabs(J);
    }
    chain_ = test::cluster_chain(one.model, lattice, 1, {static_cast<float>(1.0 / one.T)},
                                 test::protocol_of(ProtocolKind::wolff, 1), 1);
    system_ = std::make_unique<ClusterSystem>(chain_, disorder_, 0);
    shared_ = std::make_unique<FastClusterSystem>(*system_);
    kernels_ = &cluster_kernels(isa);
    labels_ = std::make_unique<ClusterLabels>(*shared_, *kernels_, 1);
    const ChainState state = ordered_by_updates();
    const auto stride = static_cast<std::size_t>(shared_->stride());
    const std::int64_t sites = lattice.sites();
    const bool discrete = one.model.is_discrete();
    const int n = components_of(one.model);
    states_ = AlignedBuffer<std::uint8_t>(discrete ? stride : 0);
    spins_ = AlignedBuffer<float>(discrete ? 0 : stride * static_cast<std::size_t>(n));
    projection_ = AlignedBuffer<float>(stride);
    if (discrete) std::copy_n(state.states.begin(), sites, states_.data());
    for (int k = 0; k < n && !discrete; ++k) {
      std::copy_n(state.spins.begin() + k * sites, sites, spins_.data() + k * shared_->stride());
    }
    reached_.resize(static_cast<std::size_t>(sites));
    label();
  }

  [[nodiscard]] GrowJob job() {
    return {random_,
            arrays(),
            direction_,
            system_->uniform,
            system_->uniform ? system_->threshold[0] : 0U,
            exact::mul(system_->minus_factor, chain_.beta[0]),
            reached_.data()};
  }
  [[nodiscard]] std::vector<std::uint64_t> labelled_like(std::int64_t seed) const {
    std::vector<std::uint64_t> sites;
    for (std::int64_t i = 0; i < chain_.lattice.sites(); ++i) {
      if (labels_->root_run(i) == labels_->root_run(seed)) sites.push_back(static_cast<std::uint64_t>(i));
    }
    return sites;
  }
  [[nodiscard]] std::int64_t gain() { return kernels_->energy(geometry(), arrays(), multiplier(), 0, geometry().rows); }
  [[nodiscard]] float multiplier() const { return disorder_.energy_scale.multiplier(); }
  [[nodiscard]] const ClusterGeometry& geometry() const { return shared_->geometry(); }
  [[nodiscard]] const ClusterKernelTable& kernels() const { return *kernels_; }
  [[nodiscard]] const Chain& chain() const { return chain_; }
  void clear_marks() { std::fill(reached_.begin(), reached_.end(), std::uint8_t{0}); }

 private:
  /// GrownSpins after some updates, so that clusters are those of the temperature.
  [[nodiscard]] ChainState ordered_by_updates() const {
    Chain chain = chain_;
    chain.protocol = test::protocol_of(ProtocolKind::swendsen_wang, 10);
    ChainState state = initial_state(chain, 0);
    static_cast<void>(test::run_one_round(*test::fast_backend(), chain, disorder_, 0, state));
    return state;
  }
  [[nodiscard]] SpinArrays arrays() {
    return {chain_.model, states_.data(),      spins_.data(),     shared_->couplings(),
            nullptr,      shared_->negative(), shared_->stride(), system_->uniform};
  }
  void label() {
    const ClusterGeometry& g = geometry();
    const bool discrete = chain_.model.is_discrete();
    if (!discrete) kernels_->project(arrays(), direction_, projection_.data(), 0, chain_.lattice.sites());
    const ActivationJob job{random_,
                            discrete ? states_.data() : nullptr,
                            discrete ? nullptr : projection_.data(),
                            shared_->couplings(),
                            discrete ? shared_->negative() : nullptr,
                            shared_->stride(),
                            system_->uniform,
                            system_->uniform ? system_->threshold[0] : 0U,
                            exact::mul(system_->minus_factor, chain_.beta[0]),
                            labels_->active()};
    kernels_->activate(g, job, 0, g.rows);
    labels_->find_runs({});
    labels_->unite({}, false);
    labels_->compress();
  }

  Disorder disorder_;
  Chain chain_;
  std::unique_ptr<ClusterSystem> system_;
  std::unique_ptr<FastClusterSystem> shared_;
  const ClusterKernelTable* kernels_ = nullptr;
  std::unique_ptr<ClusterLabels> labels_;
  AlignedBuffer<std::uint8_t> states_;
  AlignedBuffer<float> spins_, projection_;
  std::vector<std::uint8_t> reached_;
  const RandomSource random_{{17, 4}, 1, 2, 3};
  const float direction_[4] = {0.6F, 0.8F, 0.0F, 0.0F};
};

class GrownClustersOf : public ::testing::TestWithParam<GrownCase> {};

TEST_P(GrownClustersOf, AreThoseOfTheLabelledLattice) {
  for (const Lattice lattice : {Lattice{1, 70}, Lattice{2, 2}, Lattice{2, 36}, Lattice{3, 8}, Lattice{4, 4}}) {
    for (const InstructionSet isa : available_instruction_sets()) {
      GrownSpins spins(GetParam(), lattice, isa);
      const GrowJob job = spins.job();
      const std::int64_t all = lattice.sites();
      std::vector<std::uint64_t> grown(static_cast<std::size_t>(all + GrowJob::spare));
      for (std::int64_t seed = 0; seed < all; seed += 1 + all / 50) {
        const std::vector<std::uint64_t> expected = spins.labelled_like(seed);
        const ClusterOfSite cluster = spins.kernels().grow(spins.geometry(), job, seed, all, grown.data());
        spins.clear_marks();
        ASSERT_TRUE(cluster.complete);
        ASSERT_EQ(static_cast<std::size_t>(cluster.size), expected.size());
        std::sort(grown.begin(), grown.begin() + cluster.size);
        EXPECT_TRUE(std::equal(expected.begin(), expected.end(), grown.begin()));
        EXPECT_EQ(static_cast<std::uint64_t>(cluster.first), expected.front());
        if (cluster.size < 40) continue;
        EXPECT_FALSE(spins.kernels().grow(spins.geometry(), job, seed, cluster.size / 2, grown.data()).complete);
        spins.clear_marks();
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Models, GrownClustersOf, ::testing::ValuesIn(grown_cases),
                         [](const auto& test) { return test.param.name; });

TEST(GrownClusters, ChangeTheEnergyByWhatTheirBondsSay) {
  for (const GrownCase& one : grown_cases) {
    if (!one.model.is_discrete()) continue;  // energies of vectors are summed
    for (const Lattice lattice : {Lattice{1, 70}, Lattice{2, 2}, Lattice{2, 36}, Lattice{3, 8}, Lattice{4, 4}}) {
      for (const InstructionSet isa : available_instruction_sets()) {
        GrownSpins spins(one, lattice, isa);
        const GrowJob job = spins.job();
        const std::int64_t all = lattice.sites();
        std::vector<std::uint64_t> grown(static_cast<std::size_t>(all + GrowJob::spare));
        for (std::int64_t seed = 0; seed < all; seed += 1 + all / 10) {
          const std::int64_t before = spins.gain();
          const ClusterOfSite cluster = spins.kernels().grow(spins.geometry(), job, seed, all, grown.data());
          const ClusterChange change =
              spins.kernels().move(spins.geometry(), job, grown.data(), cluster.size, 1, spins.multiplier());
          spins.clear_marks();
          EXPECT_EQ(change.gain, spins.gain() - before) << one.name;
        }
      }
    }
  }
}

}}  // namespace glassworks
