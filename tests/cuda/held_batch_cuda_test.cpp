#include <thread>

#include "engine/checkpoint/checkpoint.hpp"
#include "engine/checkpoint/held_states.hpp"
#include "tests/cuda/cluster_round_case.hpp"
#include "tests/cuda/cuda_case.hpp"

/// Batches that stay on the device from round to round.
namespace glassworks { namespace {

using namespace test;

class CudaHeldBatch : public OnDevice {
 protected:
  static constexpr int tasks = 3;

  /// Several rounds on the device and on the host: records, digests and states are the same, also after a round that
  /// was abandoned in its middle.
  static void expect_same_rounds(const Chain& chain, const std::vector<Disorder>& disorder, Backend& cuda,
                                 Backend& host) {
    const auto held_by = [&](Backend& backend) {
      std::vector<HeldTask> held;
      for (std::size_t i = 0; i < disorder.size(); ++i) {
        const auto number = static_cast<std::uint32_t>(7 + 2 * i);
        held.push_back({number, &disorder[i], initial_state(chain, number)});
      }
      return backend.hold(chain, std::move(held));
    };
    const auto found = held_by(cuda), expected = held_by(host);
    for (int round = 0; round < 3; ++round) {
      std::vector<RoundRecord> here(disorder.size()), there(disorder.size());
      RoundControl control;
      // A round that came to its end before it was stopped is one for the host too.
      for (int finished = 0; round == 1 && !is_abandoned(*found, disorder.size()); ++finished) {
        ASSERT_LT(finished, 100) << "rounds are too short to be stopped";
        ASSERT_EQ(expected->run_round(here, control), RoundOutcome::finished);
      }
      ASSERT_EQ(found->run_round(there, control), RoundOutcome::finished);
      ASSERT_EQ(expected->run_round(here, control), RoundOutcome::finished);
      const std::vector<std::string> digests = state_digests(*found, disorder.size());
      EXPECT_EQ(digests, state_digests(*expected, disorder.size())) << "round " << round;
      for (std::size_t i = 0; i < disorder.size(); ++i) {
        ASSERT_TRUE(same_bytes(there[i], here[i])) << "round " << round << ", realization " << i;
        ASSERT_EQ(found->state(i), expected->state(i)) << "round " << round << ", realization " << i;
      }
    }
  }

 private:
  /// Stops a round as soon as its first measurement is done; false: it came to its end before.
  static bool is_abandoned(HeldBatch& held, std::size_t count) {
    RoundControl control;
    std::thread stopper([&] {
      while (control.updates == 0 && !control.stop) std::this_thread::yield();
      control.stop = true;
    });
    std::vector<RoundRecord> records(count);
    const RoundOutcome outcome = held.run_round(records, control);
    control.stop = true;
    stopper.join();
    if (outcome == RoundOutcome::finished) return false;
    for (const RoundRecord& record : records) EXPECT_TRUE(record.mean.empty());
    return true;
  }
};

TEST_F(CudaHeldBatch, Heisenberg) {
  const Protocol sweeps{4, 1, 1, 4, ExchangeSchedule::even_odd, 0};
  const auto host = oracle_backend(Oracle::cpu);
  for (const auto& [L, tile] : {std::pair{4, 0}, {8, 0}, {10, 0}, {12, 0}, {16, 0}, {24, 0}, {32, 0}, {32, 8}}) {
    SCOPED_TRACE(fmt::format("L = {}, tile {}", L, tile));
    Case c{3, L, 2, L <= 12 ? 5 : 3, 0.0, sweeps, L <= 16 ? 60 : 30, tasks};
    c.protocol.tile = tile;
    const Chain chain = c.chain();
    std::vector<Disorder> disorder;
    for (std::uint32_t i = 0; i < 3; ++i) disorder.push_back(gaussian_disorder(chain.lattice, 31 + i));
    const auto cuda = c.backend();
    expect_same_rounds(chain, disorder, *cuda, *host);
    if (HasFatalFailure()) return;
  }
}

TEST_F(CudaHeldBatch, OtherModels) {
  const auto cuda = cuda_backend(), host = oracle_backend(Oracle::cpu);
  for (const auto& [name, model] : test::models()) {
    for (const ProtocolKind kind : {ProtocolKind::local, ProtocolKind::swendsen_wang}) {
      if (!has_updates(model, kind)) continue;
      for (const int dim : {2, 3}) {
        SCOPED_TRACE(fmt::format("{}, {}, d = {}", name, kind == ProtocolKind::local ? "local" : "clusters", dim));
        const Protocol protocol = protocol_of(kind, kind == ProtocolKind::local ? 0 : 2, 1);
        const double T = model.kind == ModelKind::phi4 && model.lambda < 1 ? 8.0 : 0.8;
        const Chain chain = cluster_chain(model, {dim, 8}, 2, geometric_betas(3, T, 2 * T), protocol, 60);
        std::vector<Disorder> disorder;
        for (int i = 0; i < tasks; ++i)
          disorder.push_back(disorder_of(chain, Couplings::pure, static_cast<std::uint32_t>(3 + i)));
        expect_same_rounds(chain, disorder, *cuda, *host);
        if (HasFatalFailure()) return;
      }
    }
  }
}

/// Lengths around those at which XXH3 changes its course: of stripes, blocks, and the shortest that the device takes.
TEST_F(CudaHeldBatch, DigestsOfEveryLength) {
  const auto cuda = cuda_backend();
  for (int L = 2; L <= 40; L += 2) {
    for (const int slots : {2, 3, 5}) {
      const Chain chain = cluster_chain(L % 4 == 0 ? on(2) : ising(), {2, L}, 2, geometric_betas(slots, 0.8, 1.6),
                                        protocol_of(ProtocolKind::local, 0, 1), 2);
      const Disorder disorder = disorder_of(chain, Couplings::pure, 1);
      std::vector<HeldTask> held;
      std::vector<std::string> expected;
      for (std::uint32_t i = 0; i < 2; ++i) {
        held.push_back({i, &disorder, initial_state(chain, i)});
        expected.push_back(state_digest(held.back().state));
      }
      const auto batch = cuda->hold(chain, std::move(held));
      EXPECT_EQ(state_digests(*batch, 2), expected) << "L = " << L << ", " << slots << " slots";
    }
  }
}

}}  // namespace glassworks
