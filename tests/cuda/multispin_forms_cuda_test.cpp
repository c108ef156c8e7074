#include <ostream>

#include "tests/cuda/cuda_support.hpp"
#include "tests/kernels/cluster/multispin_support.hpp"

/// All kernels of multi-spin coding have the same bits, whatever a block holds and for how many steps.
namespace glassworks { namespace {

struct FormCase {
  Lattice lattice;
  int copies, slots;
  std::string kernel;  ///< DeviceMultispinRounds
  float field = 0.0F;
};

std::ostream& operator<<(std::ostream& out, const FormCase& c) {
  return out << "d" << c.lattice.dim << " L" << c.lattice.L << " open " << c.lattice.open << " field " << c.field
             << " copies " << c.copies << " slots " << c.slots << " " << c.kernel;
}

class CudaMultispinForms : public test::OnDeviceWith<FormCase> {};

TEST_P(CudaMultispinForms, EqualToTheProcessor) {
  const FormCase& c = GetParam();
  Protocol protocol = test::multispin_protocol(MultispinRule::metropolis, 2);
  protocol.exchange = ExchangeSchedule::even_odd;
  protocol.exchanges_per_measurement = 3;
  std::vector<float> beta;
  for (int slot = 0; slot < c.slots; ++slot) {
    beta.push_back(1.3F - 1.1F * static_cast<float>(slot) / static_cast<float>(c.slots));
  }
  const Chain chain = test::cluster_chain(test::ising(), c.lattice, c.copies, beta, protocol, 2);
  // Words with one realization, with none and with several; a number that has steps behind it.
  const std::vector<std::uint32_t> numbers{0, 1, 31, 70, 127, 128, 300, 511};
  test::Ensemble here(chain, numbers, [&](std::uint32_t n) { return test::diluted(c.lattice, n, 0.0, c.field); });
  const auto processor = test::oracle_backend(test::Oracle::cpu);
  const auto device = test::cuda_backend(0, {.kernel = c.kernel});
  here.round(*processor, chain, {0, 1});
  // An odd number of steps in a round: each parity begins a launch.
  test::expect_equal_rounds(chain, here, *processor, *device);
}

std::vector<FormCase> form_cases() {
  std::vector<FormCase> all;
  for (const int slots : {6, 7}) {
    for (const char* const kernel :
         {"words 4 ladders 0", "words 2 ladders 1", "words 4 ladders 1", "words 4 ladders 2"}) {
      all.push_back({{3, 8}, 2, slots, kernel});
    }
  }
  for (const int L : {4, 6}) {
    for (const char* const kernel :
         {"words 1 ladders 1", "words 2 ladders 1", "words 2 ladders 2", "words 1 ladders 0"}) {
      all.push_back({{3, L}, 2, 5, kernel});
    }
  }
  for (const char* const kernel : {"words 2 ladders 1", "words 4 ladders 2"}) {
    for (const int L : {10, 12}) all.push_back({{3, L}, 1, 5, kernel});
    for (const int L : {16, 32}) all.push_back({{2, L}, 1, 4, kernel});
    for (const int L : {4, 6}) all.push_back({{4, L}, 1, 3, kernel});
  }
  for (const char* const kernel : {"words 4 ladders 0", "words 2 ladders 0", "words 1 ladders 0", "words 2 ladders 1",
                                   "words 4 ladders 1", "words 4 ladders 2"}) {
    all.push_back({{3, 8}, 2, 7, kernel, 0.3F});
    all.push_back({{3, 8, 7}, 2, 7, kernel});
    all.push_back({{3, 6, 3}, 2, 6, kernel, -0.6F});
  }
  all.push_back({{3, 12}, 1, 5, "words 4 ladders 2", 0.5F});
  all.push_back({{2, 16, 1}, 1, 4, "words 2 ladders 1", 0.5F});
  all.push_back({{4, 4, 8}, 1, 3, "words 4 ladders 2"});
  all.push_back({{3, 8}, 1, 2, "words 4 ladders 2"});
  all.push_back({{3, 8}, 1, 1, "words 2 ladders 1"});
  all.push_back({{3, 4}, 4, 17, "words 1 ladders 1"});
  return all;
}

INSTANTIATE_TEST_SUITE_P(Kernels, CudaMultispinForms, ::testing::ValuesIn(form_cases()));

}}  // namespace glassworks
