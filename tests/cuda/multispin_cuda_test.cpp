#include <ostream>

#include "tests/cuda/cuda_support.hpp"
#include "tests/kernels/cluster/multispin_support.hpp"

/// Multi-spin coding on a device has the bits of the processor, which has those of the plain code.
namespace glassworks { namespace {

using test::Ensemble;

struct MultispinCase {
  Lattice lattice;
  int copies = 2, slots = 5;
  ExchangeSchedule exchange = ExchangeSchedule::even_odd;
  double absent = 0.0;
  std::vector<std::uint32_t> numbers;
  int sweeps = 2, samples = 0, isoenergetic = 0;
  float field = 0.0F;
};

std::string name_of(const MultispinCase& c) {
  return "d" + std::to_string(c.lattice.dim) + "_L" + std::to_string(c.lattice.L) +
         (c.lattice.open != 0 ? "_open" + std::to_string(c.lattice.open) : "") + "_copies" + std::to_string(c.copies) +
         "_slots" + std::to_string(c.slots) + "_" +
         (c.exchange == ExchangeSchedule::even_odd     ? "even_odd"
          : c.exchange == ExchangeSchedule::sequential ? "sequential"
                                                       : "none") +
         (c.absent > 0.0 ? "_diluted" : "") + "_" + std::to_string(c.numbers.size()) + "_realizations" +
         (c.samples > 0 ? "_samples" : "") + (c.isoenergetic > 0 ? "_moves" : "") + (c.field != 0.0F ? "_field" : "");
}

std::ostream& operator<<(std::ostream& out, const MultispinCase& c) { return out << name_of(c); }

std::vector<std::uint32_t> first(std::uint32_t count) {
  std::vector<std::uint32_t> numbers(count);
  for (std::uint32_t n = 0; n < count; ++n) numbers[n] = n;
  return numbers;
}

std::vector<MultispinCase> cases() {
  // Neighbours in a word, in a group, in other groups, and alone in theirs.
  const std::vector<std::uint32_t> scattered{0, 1, 31, 32, 97, 127, 128, 200, 383, 384, 511, 700, 4000000000U};
  constexpr auto even_odd = ExchangeSchedule::even_odd, sequential = ExchangeSchedule::sequential,
                 none = ExchangeSchedule::none;
  std::vector<MultispinCase> all;
  for (const int L : {2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 24, 32}) {
    const int slots = L <= 16 ? 5 : 3;
    all.push_back({{3, L}, 2, slots, even_odd, 0.0, scattered});
    all.push_back({{3, L}, 1, slots, even_odd, 0.2, {0, 5, 40, 127}});
  }
  for (const int L : {4, 8, 12}) all.push_back({{3, L}, 2, 6, even_odd, 0.0, first(256)});
  for (const int L : {4, 6, 10, 16, 32, 64, 96, 160}) all.push_back({{2, L}, 2, 4, sequential, 0.0, scattered});
  for (const int L : {4, 6, 8, 10}) all.push_back({{4, L}, 2, 3, even_odd, 0.0, scattered});
  all.push_back({{4, 6}, 1, 3, sequential, 0.3, scattered});
  all.push_back({{2, 12}, 4, 3, even_odd, 0.3, scattered});
  all.push_back({{3, 4}, 4, 33, sequential, 0.0, scattered});
  all.push_back({{3, 4}, 1, 70, even_odd, 0.0, {3}});
  all.push_back({{3, 4}, 1, 1, even_odd, 0.0, first(130)});
  all.push_back({{3, 6}, 2, 4, none, 0.0, scattered});
  all.push_back({{3, 8}, 4, 4, even_odd, 0.0, scattered, 3, 2});
  // Isoenergetic moves.
  for (const int L : {2, 4, 6, 10, 12, 16, 24, 32}) all.push_back({{3, L}, 2, 4, even_odd, 0.0, scattered, 2, 0, 1});
  all.push_back({{3, 8}, 4, 4, sequential, 0.0, scattered, 2, 0, 2});
  all.push_back({{3, 6}, 4, 3, even_odd, 0.3, scattered, 1, 0, 1});
  for (const int L : {4, 10, 32}) all.push_back({{2, L}, 2, 4, even_odd, 0.2, scattered, 2, 0, 1});
  all.push_back({{4, 6}, 2, 3, even_odd, 0.1, first(160), 1, 0, 1});
  all.push_back({{3, 44}, 2, 2, even_odd, 0.0, {0, 1, 200}, 1, 0, 1});  // clusters in the memory of the device
  all.push_back({{3, 44}, 1, 2, even_odd, 0.0, {0, 1, 200}});           // spins in the memory of the device
  all.push_back({{3, 42}, 1, 2, sequential, 0.1, {0, 1, 200}});
  all.push_back({{2, 300}, 1, 2, even_odd, 0.0, {0, 1, 200}});
  all.push_back({{4, 16}, 1, 2, even_odd, 0.0, {7, 8}});
  // In a constant field.
  for (const int L : {2, 4, 8, 12, 14, 24}) all.push_back({{3, L}, 2, 4, even_odd, 0.0, scattered, 2, 0, 0, 0.4F});
  all.push_back({{3, 8}, 2, 4, sequential, 0.0, scattered, 2, 0, 1, 0.4F});
  all.push_back({{3, 6}, 4, 3, sequential, 0.3, scattered, 1, 2, 1, -0.7F});
  all.push_back({{3, 40}, 1, 2, even_odd, 0.0, {0, 1, 200}, 1, 0, 0, 0.2F});
  for (const int L : {4, 16}) all.push_back({{2, L}, 1, 4, even_odd, 0.2, first(160), 2, 0, 0, 1.5F});
  all.push_back({{4, 6}, 2, 3, even_odd, 0.1, scattered, 1, 0, 0, 9.5F});
  for (const int L : {4, 6}) all.push_back({{4, L}, 2, 3, even_odd, 0.0, scattered, 1, 0, 0, 0.6F});
  // With open ends, along some axes and along all of them.
  for (const int L : {2, 4, 6, 8, 10, 12, 14, 24}) all.push_back({{3, L, 7}, 2, 4, even_odd, 0.0, scattered});
  for (const unsigned open : {1U, 2U, 4U, 6U}) all.push_back({{3, 8, open}, 2, 5, even_odd, 0.0, scattered});
  for (const int L : {4, 6, 16, 64}) all.push_back({{2, L, 3}, 2, 4, sequential, 0.0, scattered});
  all.push_back({{2, 12, 2}, 2, 4, even_odd, 0.0, first(160), 2, 2});
  for (const unsigned open : {15U, 9U}) all.push_back({{4, 6, open}, 2, 3, even_odd, 0.0, scattered});
  all.push_back({{4, 4, 6}, 2, 3, even_odd, 0.0, scattered, 1, 0, 1});
  for (const double absent : {0.0, 0.2}) all.push_back({{3, 6, 5}, 4, 3, even_odd, absent, scattered, 1, 0, 1});
  for (const int L : {4, 8, 10}) all.push_back({{3, L, 7}, 2, 4, even_odd, 0.0, scattered, 2, 0, 0, -0.4F});
  all.push_back({{2, 10, 1}, 2, 4, sequential, 0.0, scattered, 1, 0, 1, 0.3F});
  all.push_back({{4, 4, 15}, 2, 3, even_odd, 0.0, scattered, 1, 0, 0, 0.5F});
  all.push_back({{3, 8, 3}, 2, 4, even_odd, 0.2, scattered, 2, 0, 0, 0.4F});
  for (const float field : {0.0F, 0.2F}) all.push_back({{3, 44, 5}, 1, 2, even_odd, 0.0, {0, 1, 200}, 1, 0, 0, field});
  return all;
}

class CudaMultispin : public test::OnDeviceWith<std::tuple<MultispinRule, MultispinCase>> {};

TEST_P(CudaMultispin, EqualToTheProcessor) {
  const auto& [rule, c] = GetParam();
  Protocol protocol = test::multispin_protocol(rule, c.sweeps);
  protocol.sweeps_per_exchange = 2;
  protocol.exchanges_per_measurement = 2;
  protocol.exchange = c.exchange;
  protocol.isoenergetic = c.isoenergetic;
  if (c.isoenergetic > 1) protocol.isoenergetic_T_max = 1.1;
  std::vector<float> beta;
  for (int slot = 0; slot < c.slots; ++slot)
    beta.push_back(1.3F - 1.1F * static_cast<float>(slot) / static_cast<float>(c.slots));
  Chain chain = test::cluster_chain(test::ising(), c.lattice, c.copies, beta, protocol, 3);
  chain.samples = c.samples;
  Ensemble here(chain, c.numbers, [&](std::uint32_t n) { return test::diluted(c.lattice, n, c.absent, c.field); });
  const auto processor = test::oracle_backend(test::Oracle::cpu), device = test::cuda_backend();
  if (here.number.size() > 1) here.round(*processor, chain, {0});  // one is ahead of the others
  test::expect_equal_rounds(chain, here, *processor, *device);
}

INSTANTIATE_TEST_SUITE_P(Rules, CudaMultispin,
                         ::testing::Combine(::testing::Values(MultispinRule::metropolis, MultispinRule::heat_bath),
                                            ::testing::ValuesIn(cases())),
                         [](const auto& test) {
                           const MultispinRule rule = std::get<0>(test.param);
                           return (rule == MultispinRule::metropolis ? "Metropolis_" : "HeatBath_") +
                                  name_of(std::get<1>(test.param));
                         });

class CudaMultispinAlone : public test::OnDevice {};

TEST_F(CudaMultispinAlone, RefusesWhatItsKernelsDoNotKnow) {
  const auto device = test::cuda_backend();
  const Chain chain = test::cluster_chain(test::ising(), {1, 8}, 2, {0.9F, 0.5F},
                                          test::multispin_protocol(MultispinRule::metropolis), 1);
  const Disorder disorder = test::bimodal(chain.lattice, 1);
  ChainState state = initial_state(chain, 0);
  EXPECT_THROW(static_cast<void>(test::run_one_round(*device, chain, disorder, 0, state)), std::runtime_error);
}

}}  // namespace glassworks
