#pragma once

#include <string>
#include <utility>
#include <vector>

#include "kernels/core/open_ends.hpp"
#include "tests/cuda/cuda_support.hpp"
#include "tests/kernels/cluster/cluster_support.hpp"

/// What the tests of rounds of ising, potts, on and phi4 on the device share.
namespace glassworks::test {

/// Realizations with disorder, states and records of their own.
class ClusterBatchOfTasks {
 public:
  ClusterBatchOfTasks(const Chain& chain, std::vector<Disorder> disorder)
      : chain_(chain), disorder_(std::move(disorder)), records_(disorder_.size()) {
    for (std::size_t i = 0; i < disorder_.size(); ++i) states_.push_back(initial_state(chain, number(i)));
  }

  /// One round of the realizations from `first` on.
  RoundOutcome run(Backend& backend, std::size_t first = 0, bool stop = false) {
    std::vector<RoundTask> tasks;
    for (std::size_t i = first; i < states_.size(); ++i) {
      tasks.push_back({number(i), &disorder_[i], &states_[i], &records_[i]});
    }
    RoundControl control;
    control.stop = stop;
    const RoundOutcome outcome = backend.run_round(chain_, tasks, control);
    if (!stop) {
      EXPECT_EQ(static_cast<double>(control.updates), chain_.updates_per_round() * static_cast<double>(tasks.size()));
    }
    return outcome;
  }

  /// Fails with the first thing that differs.
  void expect_same(const ClusterBatchOfTasks& expected, const std::string& what) const {
    const BinLayout layout(chain_);
    for (std::size_t i = 0; i < states_.size(); ++i) {
      const RoundRecord &found = records_[i], &wanted = expected.records_[i];
      ASSERT_EQ(states_[i].states, expected.states_[i].states) << what << ", realization " << i;
      ASSERT_TRUE(same_bytes(states_[i].spins, expected.states_[i].spins)) << what << ", realization " << i;
      ASSERT_TRUE(same_bytes(states_[i], expected.states_[i])) << what << ", realization " << i << ": walk";
      for (std::size_t k = 0; k < wanted.mean.size(); ++k) {
        ASSERT_EQ(found.mean[k], wanted.mean[k])
            << what << ", realization " << i << ", slot " << k / static_cast<std::size_t>(layout.size()) << ", "
            << layout.name(static_cast<int>(k) % layout.size());
      }
      ASSERT_TRUE(same_bytes(found, wanted)) << what << ", realization " << i << ": record";
    }
  }

  [[nodiscard]] bool same_states(const ClusterBatchOfTasks& other) const { return states_ == other.states_; }

 private:
  static std::uint32_t number(std::size_t i) { return static_cast<std::uint32_t>(5 + 3 * i); }

  Chain chain_;
  std::vector<Disorder> disorder_;
  std::vector<ChainState> states_;
  std::vector<RoundRecord> records_;
};

enum class Couplings { pure, bimodal, gaussian };
enum class Fields { none, gaussian, uniform, sphere, homogeneous };

/// [site][component], of each kind that campaigns draw; homogeneous: the same at every site.
inline std::vector<float> fields_of(const Chain& chain, Fields kind, std::uint32_t seed) {
  if (kind == Fields::none) return {};
  const int n = components_of(chain.model);
  std::vector<float> fields;
  Source source(1000 + seed);
  for (std::int64_t site = 0; site < chain.lattice.sites(); ++site) {
    double normal[max_components], uniform[max_components], square = 0.0;
    for (int k = 0; k < n; ++k) {
      normal[k] = source.normal();
      uniform[k] = source.uniform();
      square += normal[k] * normal[k];
    }
    for (int k = 0; k < n; ++k) {
      fields.push_back(static_cast<float>(kind == Fields::gaussian  ? 0.6 * normal[k]
                                          : kind == Fields::uniform ? 2.0 * uniform[k] - 1.0
                                          : kind == Fields::sphere  ? 0.5 * normal[k] / std::sqrt(square)
                                                                    : 0.3 - 0.2 * k));
    }
  }
  return fields;
}

/// Couplings that the updates of the chain allow, 0 where no bond leads across an open end, and fields.
inline Disorder disorder_of(const Chain& chain, Couplings kind, std::uint32_t seed, Fields fields = Fields::none) {
  const Lattice& lattice = chain.lattice;
  Lattice periodic = lattice;
  periodic.open = 0;
  Disorder disorder = kind == Couplings::pure      ? pure(periodic, 0.7F)
                      : kind == Couplings::bimodal ? bimodal(periodic, seed, 0.7F)
                                                   : gaussian_disorder(periodic, seed);
  for (std::int64_t site = 0; site < lattice.sites(); ++site) {
    for (int bond = 0; bond < lattice.owned(); ++bond) {
      float& J = disorder.couplings[static_cast<std::size_t>(site * lattice.owned() + bond)];
      if (chain.model.kind == ModelKind::potts && chain.protocol.kind != ProtocolKind::local) J = std::fabs(J);
    }
  }
  cut_open_ends(lattice, disorder.couplings);
  disorder.fields = fields_of(chain, fields, seed);
  disorder.energy_scale = choose_energy_scale(lattice, disorder.couplings, disorder.fields);
  return disorder;
}

inline std::string name_of(const Lattice& lattice) {
  std::string name = std::string(bonds_of(lattice.kind).name) + ", d " + std::to_string(lattice.dim) + ", L " +
                     std::to_string(lattice.L);
  return lattice.open == 0 ? name : name + ", open " + std::to_string(lattice.open);
}

class ClusterRound : public OnDevice {
 protected:
  /// Two rounds of realizations, of which the last one has made a round already.
  static void expect_same_bits(const Chain& chain, const std::vector<Disorder>& disorder, const std::string& what,
                               Oracle oracle = Oracle::cpu) {
    // They keep their memory.
    static const auto cpu = fast_backend(), reference = oracle_backend(Oracle::reference), cuda = cuda_backend();
    static const auto resident =
        cuda_backend(0, {.kernel = "resident"});  // where the ladder kernel is the first choice
    const bool again = chain.has_vector_sweeps_only() && chain.lattice.dim == 3;
    Backend& plain = oracle == Oracle::cpu ? *cpu : *reference;
    ClusterBatchOfTasks expected(chain, disorder);
    expected.run(plain, disorder.size() - 1);
    ClusterBatchOfTasks found = expected, found_again = expected;
    for (int round = 0; round < 2; ++round) {
      expected.run(plain);
      ASSERT_EQ(found.run(*cuda), RoundOutcome::finished);
      found.expect_same(expected, what + ", round " + std::to_string(round));
      if (HasFatalFailure()) return;
      if (!again) continue;
      ASSERT_EQ(found_again.run(*resident), RoundOutcome::finished);
      found_again.expect_same(expected, what + ", resident kernel, round " + std::to_string(round));
      if (HasFatalFailure()) return;
    }
  }
  /// Three realizations.
  static void expect_same_bits(const Chain& chain, Couplings kind, const std::string& what,
                               Fields fields = Fields::none, Oracle oracle = Oracle::cpu) {
    std::vector<Disorder> disorder;
    for (std::uint32_t i = 0; i < 3; ++i) disorder.push_back(disorder_of(chain, kind, 4 + i, fields));
    expect_same_bits(chain, disorder, what, oracle);
  }
};

/// With names for tests.
inline const std::vector<std::pair<std::string, SpinModel>>& models() {
  static const std::vector<std::pair<std::string, SpinModel>> all{{"ising", ising()},
                                                                  {"potts_3", potts(3)},
                                                                  {"potts_20", potts(20)},
                                                                  {"on_2", on(2)},
                                                                  {"on_3", on(3)},
                                                                  {"on_4", on(4)},
                                                                  {"phi4_0", phi4(0)},
                                                                  {"phi4_1p5", phi4(1.5)},
                                                                  {"phi4_inf", phi4(INFINITY)},
                                                                  {"blume_capel", blume_capel(0.4)},
                                                                  {"clock_6", clock_model(6)}};
  return all;
}

}  // namespace glassworks::test
