#include <gmock/gmock.h>

#include "kernels/cuda/ladder.hpp"
#include "kernels/cuda/resident.hpp"
#include "tests/cuda/cuda_case.hpp"

/// The bits do not depend on the batch, on the kernel that runs it, or on where the rounds before were run.
namespace glassworks { namespace {

using test::Batch;
using test::Case;
using test::NameOfCase;
using test::Oracle;
using test::Start;

const Protocol few_sweeps{2, 1, 1, 2, ExchangeSchedule::even_odd, 0};

std::vector<Case> batch_cases(int tasks, int measurements) {
  std::vector<Case> cases;
  for (const int L : {4, 6, 8, 10, 12, 14, 16, 20, 24, 32}) {
    cases.push_back({3, L, 2, L <= 12 ? 6 : 3, 0.0, few_sweeps, measurements, tasks});
    if (L > 8) continue;  // short ladders prefer another kernel there
    cases.push_back(cases.back());
    cases.back().kernel = fmt::format("resident L={}", L);
  }
  return cases;
}

class CudaBackends : public test::OnDevice {};
class CudaBatch : public test::OnDeviceWith<Case> {};
INSTANTIATE_TEST_SUITE_P(Sizes, CudaBatch, ::testing::ValuesIn(batch_cases(5, 2)), NameOfCase());

TEST_P(CudaBatch, RealizationsWithDifferentStepCounts) { test::expect_same_bits(GetParam(), Start::staggered); }

TEST_P(CudaBatch, HandedOverEveryRound) {
  const Chain chain = GetParam().chain();
  const auto cpu = test::oracle_backend(Oracle::cpu), cuda = GetParam().backend();
  Batch expected(chain, GetParam().tasks, 0.0);
  Batch cuda_first = expected, cpu_first = expected;
  for (int round = 0; round < 4; ++round) {
    expected.run(*cpu, chain);
    cuda_first.run(round % 2 == 0 ? *cuda : *cpu, chain);
    cpu_first.run(round % 2 == 1 ? *cuda : *cpu, chain);
    if (HasFatalFailure()) return;
    cuda_first.expect_same(expected, fmt::format("CUDA first, round {}", round));
    cpu_first.expect_same(expected, fmt::format("CPU first, round {}", round));
  }
}

/// One realization after the other, all at once, and in uneven parts, with one backend that keeps its memory.
TEST_P(CudaBatch, EveryDivisionIntoBatches) {
  const Chain chain = GetParam().chain();
  const auto cuda = GetParam().backend();
  Batch together(chain, 5, 0.0);
  Batch alone = together, parts = together;
  together.run(*cuda, chain);
  for (int i = 0; i < 5; ++i) alone.run(*cuda, chain, i, 1);
  parts.run(*cuda, chain, 3, 2);
  parts.run(*cuda, chain, 0, 3);
  if (HasFatalFailure()) return;
  alone.expect_same(together, "one by one");
  parts.expect_same(together, "2 and 3");
}

/// Several work items for every place on the device, and a few more, which leave a last turn that is nearly empty.
TEST_P(CudaBatch, MoreWorkThanPlaces) {
  Case c = GetParam();
  c.measurements = 1;
  c.tasks = 2 * c.backend()->batch_width(c.chain()) + 1;
  test::expect_same_bits(c, Start::together, 1);
}

/// Fewer over-relaxation sweeps than the duties of the resident kernel: items follow each other with few meetings.
TEST_P(CudaBatch, MoreWorkThanPlacesAndFewSweeps) {
  for (const int overrelaxation : {0, 1, 9}) {
    Case c = GetParam();
    c.measurements = 1;
    c.protocol.overrelaxation = overrelaxation;
    c.tasks = c.backend()->batch_width(c.chain()) + 1;
    test::expect_same_bits(c, Start::together, 1);
  }
}

TEST_P(CudaBatch, LessWorkThanPlaces) {
  Case c = GetParam();
  c.slots = 1;
  c.tasks = 1;
  test::expect_same_bits(c);
}

/// Different sizes, fields and ladders one after the other in one backend: what is left in its memory does not matter.
TEST_F(CudaBackends, OneBackendForDifferentChains) {
  const auto cpu = test::oracle_backend(Oracle::cpu), cuda = test::cuda_backend();
  for (int turn = 0; turn < 2; ++turn) {
    for (const int L : {16, 4, 32, 8, 24, 6}) {
      for (const double field : {0.5, 0.0}) {
        const Case c{3, L, turn == 0 ? 2 : 4, 3 + L % 5, field, few_sweeps, 2, 1 + L % 3};
        Chain chain = c.chain();
        chain.samples = L / 2 % 3;
        Batch expected(chain, c.tasks, field);
        Batch found = expected;
        expected.run(*cpu, chain);
        found.run(*cuda, chain);
        if (HasFatalFailure()) return;
        found.expect_same(expected, c.name());
        if (HasFatalFailure()) return;
      }
    }
  }
}

/// Several devices of one machine.
TEST_F(CudaBackends, EveryDevice) {
  const Case c;
  const Chain chain = c.chain();
  Batch expected(chain, c.tasks, 0.0);
  const Batch start = expected;
  expected.run(*test::oracle_backend(Oracle::cpu), chain);
  for (int device = 0; device < static_cast<int>(cuda_devices().size()); ++device) {
    Batch found = start;
    found.run(*test::cuda_backend(device), chain);
    if (HasFatalFailure()) return;
    found.expect_same(expected, fmt::format("device {}", device));
  }
}

/// Devices that are counted twice, as two that are there.
TEST_F(CudaBackends, EveryDeviceTwice) {
  CudaChoices twice;
  for (int time = 0; time < 2; ++time) {
    twice.devices.insert(twice.devices.end(), cuda_devices().begin(), cuda_devices().end());
  }
  const Case c;
  const Chain chain = c.chain();
  Batch expected(chain, c.tasks, 0.0);
  const Batch start = expected;
  expected.run(*test::oracle_backend(Oracle::cpu), chain);
  for (int device = 0; device < static_cast<int>(twice.devices.size()); ++device) {
    const auto cuda = test::cuda_backend(device, twice);
    EXPECT_THAT(cuda->description(), testing::StartsWith(fmt::format("cuda (device {}, ", device)));
    Batch found = start;
    found.run(*cuda, chain);
    if (HasFatalFailure()) return;
    found.expect_same(expected, cuda->description());
  }
  EXPECT_THROW((void)test::cuda_backend(static_cast<int>(twice.devices.size()), twice), std::runtime_error);
}

/// What a test prescribes is what runs.
/// A build with few sizes has no ladder and resident kernels of this one: then the plain kernel takes their place.
TEST_F(CudaBackends, ChosenKernelsAndGroups) {
  const Chain chain = Case{}.chain();
  const auto fits = [&](const auto& v) { return v.L == chain.lattice.L && v.chain == HeisenbergChain::value; };
  const bool ladder = std::ranges::any_of(ladder_variants(), fits);
  const bool resident = std::ranges::any_of(resident_variants(), fits);
  const std::pair<std::string, bool> kernels[] = {{"plain", true}, {"resident", resident}, {"ladder", ladder}};
  for (const auto& [kernel, compiled] : kernels) {
    EXPECT_THAT(test::cuda_backend(0, {.kernel = kernel})->kernel_description(chain),
                testing::StartsWith(compiled ? kernel : "plain"));
  }
  EXPECT_THAT(test::cuda_backend(0, {.kernel = "nothing"})->kernel_description(chain), testing::StartsWith("plain"));
  for (const LadderVariant& v : ladder_variants()) {
    if (!fits(v)) continue;
    const auto cuda = test::cuda_backend(0, {.kernel = v.name(), .ladder_groups = 1});
    EXPECT_THAT(cuda->kernel_description(chain), testing::StartsWith(fmt::format("{}, {} threads", v.name(), v.group)));
  }
}

class CudaVariant : public test::OnDeviceWith<Case> {};
TEST_P(CudaVariant, EqualToTheOracle) { test::expect_same_bits(GetParam()); }
TEST_P(CudaVariant, RealizationsWithDifferentStepCounts) { test::expect_same_bits(GetParam(), Start::staggered); }

/// Every ladder and resident kernel of heisenberg that can be told from the one before, and the plain kernel for the
/// same sizes.
std::vector<Case> variant_cases() {
  std::vector<Case> cases;
  const auto add = [&cases](int L, const std::string& kernel, int copies, double field, const Protocol& protocol) {
    Case c{3, L, copies, L <= 16 ? 6 : 3, field, protocol, 2, 3};
    c.kernel = kernel;
    if (std::none_of(cases.begin(), cases.end(), [&c](const Case& o) { return o.name() == c.name(); })) {
      cases.push_back(c);
    }
  };
  const auto add_all = [&add](int L, const std::string& kernel) {
    for (const int copies : {2, 4}) {
      for (const double field : {0.0, 0.5}) add(L, kernel, copies, field, few_sweeps);
    }
    add(L, kernel, 2, 0.0, {10, 1, 1, 3, ExchangeSchedule::sequential, 0});
    add(L, kernel, 2, 0.0, {0, 2, 2, 2, ExchangeSchedule::even_odd, 0});
  };
  for (const LadderVariant& v : ladder_variants()) {
    if (v.chain == HeisenbergChain::value) add_all(v.L, v.name());
  }
  for (const ResidentVariant& v : resident_variants()) {
    if (!(v.chain == HeisenbergChain::value)) continue;
    add_all(v.L, v.name());
    add_all(v.L, "plain");
  }
  return cases;
}
INSTANTIATE_TEST_SUITE_P(Compiled, CudaVariant, ::testing::ValuesIn(variant_cases()), NameOfCase());

/// A name chooses one kernel: otherwise some would never be tested.
TEST_F(CudaBackends, NoKernelNameIsTheBeginningOfAnother) {
  std::vector<std::string> names;
  for (const LadderVariant& v : ladder_variants()) names.push_back(v.name());
  for (const ResidentVariant& v : resident_variants()) names.push_back(v.name());
  for (const std::string& a : names) {
    for (const std::string& b : names) {
      const bool confused = &a != &b && b.rfind(a, 0) == 0;
      EXPECT_FALSE(confused) << a << " and " << b;
    }
  }
}

}}  // namespace glassworks
