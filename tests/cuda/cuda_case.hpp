#pragma once

#include <fmt/format.h>

#include <string>

#include "tests/cuda/cuda_support.hpp"

namespace glassworks::test {

/// One comparison of CUDA with an oracle: two rounds from the same states, after every round every bit.
struct Case {
  int dim = 3, L = 8, copies = 2, slots = 4;
  double field = 0.0;
  Protocol protocol{2, 1, 1, 2, ExchangeSchedule::even_odd, 0};
  int measurements = 2;
  int tasks = 3;
  Oracle oracle = Oracle::cpu;
  std::string kernel{};   ///< to be forced; empty: the preferred one
  int ladder_groups = 0;  ///< CudaChoices::ladder_groups
  unsigned open = 0;      ///< Lattice::open

  /// Every other measurement is sampled; in a field chiralities are measured in every way.
  [[nodiscard]] Chain chain() const {
    Chain chain = make_chain({dim, L, open}, copies, geometric_betas(slots, 0.15, 0.9), protocol, measurements);
    chain.samples = (measurements + 1) / 2;
    if (field > 0.0) chain.local = chiral_response | chiral_axes;
    return chain;
  }
  /// The backend with the kernels that are forced.
  [[nodiscard]] std::unique_ptr<Backend> backend() const {
    return cuda_backend(0, {.kernel = kernel, .ladder_groups = ladder_groups});
  }
  [[nodiscard]] std::string name() const {
    const Protocol& p = protocol;
    return fmt::format("d{}_L{}_copies{}_slots{}{}{}_or{}_hb{}_nT{}_nA{}_{}_tile{}{}_measurements{}_tasks{}{}{}", dim,
                       L, copies, slots, field > 0.0 ? "_field" : "", open == 0 ? "" : fmt::format("_open{}", open),
                       p.overrelaxation, p.heatbath, p.sweeps_per_exchange, p.exchanges_per_measurement,
                       p.exchange == ExchangeSchedule::even_odd ? "evenodd" : "sequential", p.tile,
                       p.tile_repeats == 1 ? "" : fmt::format("x{}", p.tile_repeats), measurements, tasks,
                       kernel.empty() ? "" : "_" + test_name(kernel),
                       ladder_groups == 0 ? "" : fmt::format("_groups{}", ladder_groups));
  }
};

inline void PrintTo(const Case& c, std::ostream* out) { *out << c.name(); }

/// Name of a parametrized test from its Case.
struct NameOfCase {
  std::string operator()(const ::testing::TestParamInfo<Case>& info) const { return info.param.name(); }
};

/// Realization i starts i % 3 rounds ahead, so that step counts differ inside the batch.
enum class Start { together, staggered };

inline void expect_same_bits(const Case& c, Start start = Start::together, int rounds = 2) {
  const Chain chain = c.chain();
  const auto oracle = oracle_backend(c.oracle), cuda = c.backend();
  if (!c.kernel.empty() && cuda->kernel_description(chain).rfind(c.kernel, 0) != 0) {
    GTEST_SKIP() << "this device runs " << cuda->kernel_description(chain) << " instead";
  }
  Batch expected(chain, c.tasks, c.field);
  if (start == Start::staggered) {
    for (int i = 0; i < c.tasks; ++i) {
      for (int ahead = 0; ahead < i % 3; ++ahead) expected.run(*oracle, chain, i, 1);
    }
  }
  Batch found = expected;
  for (int round = 0; round < rounds; ++round) {
    expected.run(*oracle, chain);
    found.run(*cuda, chain);
    if (::testing::Test::HasFatalFailure()) return;
    found.expect_same(expected, fmt::format("round {}, {}", round, cuda->kernel_description(chain)));
    if (::testing::Test::HasFatalFailure()) return;
  }
}

}  // namespace glassworks::test
