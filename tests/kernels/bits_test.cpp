#include <gtest/gtest.h>

#include "tests/kernels/support.hpp"

/// The reference backend defines every bit; the CPU backend must give the same ones for every instruction set, number
/// of threads and batch.
namespace glassworks { namespace {

struct Realizations {
  std::vector<Disorder> disorder;
  std::vector<ChainState> state;
  std::vector<RoundRecord> record;

  Realizations(const Chain& chain, int count, double field) : record(static_cast<std::size_t>(count)) {
    for (int i = 0; i < count; ++i) {
      disorder.push_back(test::gaussian_disorder(chain.lattice, static_cast<std::uint32_t>(109 + i), field));
      state.push_back(initial_state(chain, static_cast<std::uint32_t>(5 + 3 * i)));
    }
  }
  void run(Backend& backend, const Chain& chain, int rounds) {
    std::vector<RoundTask> tasks;
    for (std::size_t i = 0; i < state.size(); ++i) {
      tasks.push_back({static_cast<std::uint32_t>(5 + 3 * i), &disorder[i], &state[i], &record[i]});
    }
    for (int round = 0; round < rounds; ++round) {
      RoundControl control;
      ASSERT_EQ(backend.run_round(chain, tasks, control), RoundOutcome::finished);
      ASSERT_EQ(static_cast<double>(control.updates), chain.updates_per_round() * static_cast<double>(tasks.size()));
    }
  }
};

/// Compares two rounds of `chain` over all instruction sets, with 1 to 3 threads and batches of 3 and 1.
void expect_same_bits(const Chain& chain, double field, const std::string& what) {
  Realizations expected(chain, 3, field);
  expected.run(*make_backend({BackendKind::reference, InstructionSet::automatic, 1}), chain, 2);
  struct Division {
    int threads, batch;
  };
  for (const InstructionSet isa : available_instruction_sets()) {
    for (const auto& [threads, batch] : {Division{1, 3}, Division{2, 1}, Division{3, 3}}) {
      const auto backend = make_backend({BackendKind::cpu, isa, threads});
      Realizations found(chain, batch, field);
      found.run(*backend, chain, 2);
      for (std::size_t i = 0; i < found.state.size(); ++i) {
        EXPECT_TRUE(test::same_bytes(found.state[i], expected.state[i]))
            << "state: " << what << ", " << backend->description() << ", batch " << batch;
        EXPECT_TRUE(test::same_bytes(found.record[i], expected.record[i]))
            << "record: " << what << ", " << backend->description() << ", batch " << batch;
      }
    }
  }
}

/// Sanitizers take ten times as long, and larger lattices and more copies run no other code.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool sanitized = true;
#else
constexpr bool sanitized = false;
#endif

class Bits : public ::testing::TestWithParam<int> {};

TEST_P(Bits, EqualInEveryBackend) {
  const int dim = GetParam();
  for (const int L : {4, 6, 8}) {
    for (const int copies : {2, 4}) {
      for (const double field : {0.0, 0.5}) {
        for (const int tile : {0, 2, 4}) {
          for (const int heatbath : {1, 2, 0}) {
            if (sanitized && dim > 1 && L > 4) continue;
            if (sanitized && dim > 1 && (copies == 4 || field == 0.0 || heatbath != 1 || tile > (dim == 4 ? 0 : 2)))
              continue;
            const bool large = dim == 4 && L > 4;  // one case of each size
            if ((tile != 0 && L % (2 * tile) != 0) || (heatbath != 1 && L != 4)) continue;
            if (large && (copies == 4 || field == 0.0 || tile != (L == 8 ? 4 : 0))) continue;
            if ((dim == 3 && L == 8 && copies == 4) || (dim == 4 && heatbath != 1 && copies == 4)) continue;
            Protocol protocol{2, heatbath, heatbath == 2 ? 2 : 1, 2, ExchangeSchedule::even_odd, tile};
            if (copies == 4) protocol.exchange = ExchangeSchedule::sequential;
            if (tile != 0 && field == 0.0) protocol.tile_repeats = 2;
            Chain chain =
                test::make_chain({dim, L}, copies, test::geometric_betas(large ? 2 : 5, 0.3, 1.1), protocol, 2);
            chain.samples = tile == 2 ? 2 : 1;
            expect_same_bits(chain, field,
                             "L " + std::to_string(L) + ", copies " + std::to_string(copies) + ", field " +
                                 std::to_string(field) + ", tile " + std::to_string(tile) + ", heat baths " +
                                 std::to_string(heatbath));
          }
        }
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Dimensions, Bits, ::testing::Range(1, 5));

/// More slots than lanes: several bundles and measurement groups, the last ones partly filled.
TEST(BitsOfLongLadders, ManyBundlesAndGroups) {
  for (const int heatbath : {0, 1}) {
    Chain chain = test::make_chain({2, 4}, 2, test::geometric_betas(37, 0.2, 2.0),
                                   {1, heatbath, 1, 3, ExchangeSchedule::even_odd, 0}, 6);
    chain.samples = 4;
    expect_same_bits(chain, 0.0, "37 slots");
  }
  expect_same_bits(test::make_chain({1, 4}, 4, {1.0F}, {1, 1, 1, 1, ExchangeSchedule::even_odd, 0}, 2), 0.2, "1 slot");
}

}}  // namespace glassworks
