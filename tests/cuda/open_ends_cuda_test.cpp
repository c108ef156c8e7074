#include "kernels/cuda/ladder.hpp"
#include "kernels/cuda/resident.hpp"
#include "tests/cuda/cuda_case.hpp"

/// Lattices with open ends: updates by every kernel, and measurements that leave out the bonds that are not there.
namespace glassworks { namespace {

using test::Case;
using test::NameOfCase;
using test::Oracle;
using test::Start;

class CudaOpenEnds : public test::OnDeviceWith<Case> {};
TEST_P(CudaOpenEnds, EqualToTheOracle) { test::expect_same_bits(GetParam(), Start::staggered); }

const Protocol few_sweeps{2, 1, 1, 2, ExchangeSchedule::even_odd, 0};

Case with_open_ends(Case c, unsigned open) {
  c.open = open;
  return c;
}

/// The preferred kernels, each axis alone and all of them.
std::vector<Case> sizes() {
  std::vector<Case> cases;
  for (const int L : {4, 6, 8, 10, 12, 14, 16, 20, 24, 32, 48}) {
    const int slots = L <= 16 ? 5 : 3, tasks = L > 16 ? 1 : 3;
    for (const unsigned open : {0b001U, 0b010U, 0b100U, 0b111U}) {
      if (L > 16 && (open == 0b001U || open == 0b010U)) continue;
      cases.push_back(with_open_ends({3, L, 2, slots, 0.0, few_sweeps, 2, tasks}, open));
    }
    cases.push_back(with_open_ends({3, L, 4, slots, 0.5, few_sweeps, 1, tasks}, 0b110U));
  }
  return cases;
}
INSTANTIATE_TEST_SUITE_P(Sizes, CudaOpenEnds, ::testing::ValuesIn(sizes()), NameOfCase());

/// Every compiled ladder and resident kernel, the tile kernels, and the plain one, also without a heat bath.
std::vector<Case> kernels() {
  std::vector<Case> cases;
  const auto add = [&cases](int L, const std::string& kernel, const Protocol& protocol) {
    for (const double field : {0.0, 0.4}) {
      Case c{3, L, 2, L <= 16 ? 4 : 2, field, protocol, 1, 2};
      c.kernel = kernel;
      cases.push_back(with_open_ends(c, 0b101U));
    }
  };
  for (const LadderVariant& v : ladder_variants()) {
    if (v.chain == HeisenbergChain::value) add(v.L, v.name(), few_sweeps);
  }
  for (const ResidentVariant& v : resident_variants()) {
    if (v.chain == HeisenbergChain::value) add(v.L, v.name(), few_sweeps);
  }
  for (const int tile : {4, 6, 8, 10, 12, 16}) {
    add(2 * tile, "tile T=" + std::to_string(tile), {2, 1, 2, 2, ExchangeSchedule::even_odd, tile});
  }
  for (const int L : {4, 8, 24}) {
    add(L, "plain", few_sweeps);
    add(L, "plain", {3, 0, 1, 2, ExchangeSchedule::sequential, 0});
  }
  return cases;
}
INSTANTIATE_TEST_SUITE_P(Kernels, CudaOpenEnds, ::testing::ValuesIn(kernels()), NameOfCase());

/// Against the plain definition itself.
std::vector<Case> against_reference() {
  std::vector<Case> cases;
  for (int dim = 1; dim <= 4; ++dim) {
    for (const int L : {4, 6}) {
      for (unsigned open = 1; open < 1U << static_cast<unsigned>(dim); ++open) {
        const bool four = open % 2 == 0;
        Case c{dim, L, four ? 4 : 2, 3, four ? 0.5 : 0.0, few_sweeps, 2, 2};
        c.oracle = Oracle::reference;
        cases.push_back(with_open_ends(c, open));
      }
    }
  }
  return cases;
}
INSTANTIATE_TEST_SUITE_P(Reference, CudaOpenEnds, ::testing::ValuesIn(against_reference()), NameOfCase());

/// Measurements in many tiles, of which the last reach beyond the lattice, and with planes in device memory.
std::vector<Case> large() {
  std::vector<Case> cases;
  for (const auto& [dim, L] : {std::pair{1, 1026}, {1, 2048}, {2, 66}, {2, 130}, {2, 512}, {3, 34}, {4, 10}}) {
    for (const unsigned open : {(1U << static_cast<unsigned>(dim)) - 1, 1U << static_cast<unsigned>(dim - 1)}) {
      cases.push_back(with_open_ends({dim, L, 2, 2, 0.0, few_sweeps, 1, 1}, open));
      if (dim == 1) break;
    }
  }
  return cases;
}
INSTANTIATE_TEST_SUITE_P(Large, CudaOpenEnds, ::testing::ValuesIn(large()), NameOfCase());

}}  // namespace glassworks
