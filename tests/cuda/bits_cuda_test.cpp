#include "kernels/cuda/ladder.hpp"
#include "tests/cuda/cuda_case.hpp"

/// The CUDA backend gives the bits of the others, for every size, protocol and batch, with the kernels that it prefers.
namespace glassworks { namespace {

using test::Case;
using test::NameOfCase;
using test::Oracle;
using test::Start;

class CudaBits : public test::OnDeviceWith<Case> {};
TEST_P(CudaBits, EqualToTheOracle) { test::expect_same_bits(GetParam()); }

/// Few slots for large L, so that the oracle is done in a second.
int slots_for(int L) { return L <= 16 ? 7 : L <= 32 ? 5 : 3; }

std::vector<Case> sizes() {
  std::vector<Case> cases;
  for (const int L : {4, 6, 8, 10, 12, 14, 16, 20, 24, 32, 40, 48, 64}) {
    for (const int copies : {2, 4}) {
      for (const double field : {0.0, 0.5}) {
        for (const auto exchange : {ExchangeSchedule::even_odd, ExchangeSchedule::sequential}) {
          if (L > 32 && (copies == 4) != (exchange == ExchangeSchedule::sequential)) continue;
          Case c{3, L, copies, slots_for(L), field, {2, 1, 1, 2, exchange, 0}, L > 32 ? 1 : 2, L > 32 ? 2 : 3};
          cases.push_back(c);
        }
      }
    }
    cases.push_back({3, L, 2, slots_for(L), 0.0, {10, 1, 1, 3, ExchangeSchedule::even_odd, 0}, 1, 2});
  }
  return cases;
}
INSTANTIATE_TEST_SUITE_P(Sizes, CudaBits, ::testing::ValuesIn(sizes()), NameOfCase());

std::vector<Case> tiles() {
  std::vector<Case> cases;
  for (const int L : {4, 8, 12, 16, 20, 24, 32, 36, 40, 48, 64}) {
    for (const int tile : {2, 4, 6, 8, 10, 12, 16}) {
      if (L % (2 * tile) != 0) continue;
      Case c{3, L, 2, slots_for(L), 0.0, {3, 1, 1, 2, ExchangeSchedule::even_odd, tile}, 1, L > 32 ? 1 : 3};
      cases.push_back(c);
      c.field = 0.4;
      c.copies = L > 32 ? 2 : 4;
      c.protocol.heatbath = 2;
      cases.push_back(c);
    }
    Case whole{3, L, 2, 3, 0.0, {2, 1, 1, 2, ExchangeSchedule::even_odd, L}, 1, 1};  // one tile of the whole lattice
    cases.push_back(whole);
  }
  return cases;
}
INSTANTIATE_TEST_SUITE_P(Tiles, CudaBits, ::testing::ValuesIn(tiles()), NameOfCase());

/// The kernel of a block per tile: every size, n_T and n_M, replicas that fill its last blocks partly, and runs of many
/// replicas. The plain kernel runs such chains too.
std::vector<Case> tile_kernels() {
  std::vector<Case> cases;
  for (const int tile : {4, 6, 8, 10, 12, 16}) {
    for (const double field : {0.0, 0.3}) {
      const int L = 2 * tile;
      for (const int overrelaxation : {0, 4}) {
        Case c{3, L, 2, 5, field, {overrelaxation, 1, 3, 2, ExchangeSchedule::even_odd, tile}, 2, 2};
        c.kernel = "tile T=" + std::to_string(tile);
        cases.push_back(c);
        if (overrelaxation == 0 && field == 0.0) continue;
        c.protocol = {2, field > 0.0 ? 2 : 1, 2, 2, ExchangeSchedule::even_odd, tile, overrelaxation == 0 ? 2 : 5};
        cases.push_back(c);
      }
      Case many{3, L, 4, tile <= 8 ? 33 : 9, field, {1, 2, 1, 2, ExchangeSchedule::sequential, tile}, 1, 3};
      many.kernel = "tile";
      cases.push_back(many);
    }
    Case plain{3, 2 * tile, 2, 3, 0.0, {2, 1, 1, 2, ExchangeSchedule::even_odd, tile}, 1, 2};
    plain.kernel = "plain";
    plain.protocol.tile_repeats = tile == 4 ? 1 : 3;
    cases.push_back(plain);
  }
  cases.push_back({3, 16, 2, 150, 0.0, {1, 1, 1, 2, ExchangeSchedule::even_odd, 8}, 1, 2});
  cases.push_back({3, 8, 2, 301, 0.0, {1, 1, 1, 2, ExchangeSchedule::even_odd, 4}, 1, 2});
  return cases;
}
INSTANTIATE_TEST_SUITE_P(TileKernels, CudaBits, ::testing::ValuesIn(tile_kernels()), NameOfCase());

/// n_B = 0 (double precision, renormalization), several sweeps of a kind, n_T > 1.
std::vector<Case> protocols() {
  std::vector<Case> cases;
  for (const int L : {4, 6, 8, 12, 16, 20, 24, 32}) {
    for (const int heatbath : {0, 1, 2}) {
      for (const int overrelaxation : {0, 1, 5}) {
        if (heatbath == 0 && overrelaxation == 0) continue;
        cases.push_back(
            {3, L, 2, slots_for(L), 0.0, {overrelaxation, heatbath, 2, 3, ExchangeSchedule::even_odd, 0}, 2, 2});
      }
    }
    cases.push_back({3, L, 4, 3, 0.3, {3, 0, 1, 2, ExchangeSchedule::sequential, 0}, 2, 2});
  }
  return cases;
}
INSTANTIATE_TEST_SUITE_P(Protocols, CudaBits, ::testing::ValuesIn(protocols()), NameOfCase());

/// Against the plain definition itself.
std::vector<Case> against_reference() {
  std::vector<Case> cases;
  for (const int dim : {1, 2, 4}) {
    for (const int L : {4, 6, 8}) {
      for (const int heatbath : {0, 1, 2}) {
        for (const double field : {0.0, 0.5}) {
          for (const int tile : {0, 2, 4}) {
            if ((tile != 0 && L % (2 * tile) != 0) || (dim == 4 && L == 8 && (heatbath != 1 || tile == 2))) continue;
            const int copies = field > 0.0 ? 4 : 2;
            const auto exchange = heatbath == 2 ? ExchangeSchedule::sequential : ExchangeSchedule::even_odd;
            Case c{dim, L, copies, 3, field, {2, heatbath, heatbath == 2 ? 2 : 1, 2, exchange, tile}, 2, 2};
            c.oracle = Oracle::reference;
            cases.push_back(c);
          }
        }
      }
    }
  }
  for (const int L : {4, 6}) {
    Case c{3, L, 2, 5, 0.0, {2, 1, 1, 2, ExchangeSchedule::even_odd, 0}, 2, 2};
    c.oracle = Oracle::reference;
    cases.push_back(c);
  }
  return cases;
}
INSTANTIATE_TEST_SUITE_P(Reference, CudaBits, ::testing::ValuesIn(against_reference()), NameOfCase());

/// Edges of the ladder: one slot, two, more than a block has threads, the largest number; and 2048 replicas of one
/// realization.
std::vector<Case> ladders() {
  std::vector<Case> cases;
  for (const int slots : {1, 2, 3, 33, 300, 1024}) {
    for (const auto exchange : {ExchangeSchedule::even_odd, ExchangeSchedule::sequential}) {
      cases.push_back({3, 4, 2, slots, 0.0, {1, 1, 1, 3, exchange, 0}, 2, 2});
      cases.push_back({3, 4, 4, slots, 0.2, {1, 1, 1, 2, exchange, 0}, 2, 1});
      cases.push_back({2, 4, 2, slots, 0.0, {1, 1, 1, 2, exchange, 0}, 2, 1});
    }
  }
  // About the longest ladders that live in one block, where many bundles wait for few groups of threads.
  for (const auto& [L, longest] : {std::pair{4, 96}, {6, 80}, {8, 33}}) {
    for (const auto exchange : {ExchangeSchedule::even_odd, ExchangeSchedule::sequential}) {
      for (const int slots : {longest / 3 + 1, longest - 1, longest, longest + 1}) {
        cases.push_back({3, L, 2, slots, 0.0, {1, 1, 1, 7, exchange, 0}, 2, 2});
      }
      cases.push_back({3, L, 4, longest, 0.2, {1, 2, 2, 3, exchange, 0}, 2, 2});
    }
  }
  cases.push_back({3, 8, 2, 300, 0.0, {1, 1, 1, 2, ExchangeSchedule::even_odd, 0}, 1, 1});
  cases.push_back({3, 12, 2, 54, 0.0, {10, 1, 1, 10, ExchangeSchedule::even_odd, 0}, 1, 1});
  cases.push_back({3, 16, 4, 84, 0.0, {2, 1, 1, 2, ExchangeSchedule::even_odd, 0}, 1, 1});
  return cases;
}
INSTANTIATE_TEST_SUITE_P(Ladders, CudaBits, ::testing::ValuesIn(ladders()), NameOfCase());

/// One group of threads in a block of the ladder kernel takes all bundles: what racecheck can follow
/// (tools/gpu_check.sh).
std::vector<Case> one_group() {
  const Protocol few_sweeps{2, 1, 1, 2, ExchangeSchedule::even_odd, 0};
  std::vector<Case> cases;
  const auto add = [&cases](Case c, const std::string& kernel) {
    c.kernel = kernel;
    c.ladder_groups = 1;
    cases.push_back(c);
  };
  for (const int L : {4, 8}) {
    add({3, L, 2, 7, 0.0, few_sweeps, 2, 3}, "ladder");
    Case whole{3, L, 2, 3, 0.0, few_sweeps, 1, 1};  // one tile of the whole lattice
    whole.protocol.tile = L;
    add(whole, "ladder");
    for (const LadderVariant& v : ladder_variants()) {
      if (v.L == L && v.chain == HeisenbergChain::value) add({3, L, 2, 6, 0.0, few_sweeps, 2, 3}, v.name());
    }
  }
  Case plain_definition{3, 4, 2, 5, 0.0, few_sweeps, 2, 2};
  plain_definition.oracle = Oracle::reference;
  add(plain_definition, "ladder");
  return cases;
}
INSTANTIATE_TEST_SUITE_P(OneGroup, CudaBits, ::testing::ValuesIn(one_group()), NameOfCase());

/// Many measurements in a round, one exchange between them and many.
std::vector<Case> measurements() {
  std::vector<Case> cases;
  for (const int L : {4, 8, 16, 24}) {
    cases.push_back({3, L, 2, 4, 0.0, {1, 1, 1, 1, ExchangeSchedule::even_odd, 0}, 17, 2});
    cases.push_back({3, L, 4, 3, 0.3, {2, 1, 1, 25, ExchangeSchedule::sequential, 0}, 2, 2});
  }
  return cases;
}
INSTANTIATE_TEST_SUITE_P(Measurements, CudaBits, ::testing::ValuesIn(measurements()), NameOfCase());

}}  // namespace glassworks
