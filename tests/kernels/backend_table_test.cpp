#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "tests/kernels/backend_cells.hpp"
#include "tests/refusals.hpp"

namespace glassworks { namespace {

using testing::HasSubstr;
using testing::StartsWith;

constexpr std::array backends{BackendKind::reference, BackendKind::cpu, BackendKind::cuda};

Chain chain_with(const std::function<void(Chain&)>& change) {
  Chain chain = test::short_chain(test::ising(), {3, 4});
  change(chain);
  return chain;
}

TEST(BackendTable, EveryCellIsTrue) {
  const auto reference = make_backend({BackendKind::reference, InstructionSet::automatic, 1}),
             cpu = test::fast_backend();
  std::size_t taken = 0, refused = 0;
  for (const BackendCell& cell : backend_cells()) {
    for (Backend* backend : {reference.get(), cpu.get()}) {
      test::expect_true(*backend, *reference, cell);
      (backend->refusal(cell.chain).empty() ? taken : refused) += 1;
    }
    EXPECT_EQ(reference->refusal(cell.chain), refusal_of(BackendKind::reference, cell.chain)) << test::name_of(cell);
    EXPECT_EQ(cpu->refusal(cell.chain), refusal_of(BackendKind::cpu, cell.chain)) << test::name_of(cell);
  }
  EXPECT_GT(taken, 200U);
  EXPECT_GT(refused, 20U) << "of heisenberg";
}

/// What a processor says of its kernels is the kind that the table names.
TEST(BackendTable, KernelsForPeople) {
  const auto cpu = test::fast_backend();
  for (const BackendCell& cell : backend_cells()) {
    const KernelFamily* const family = family_of(BackendKind::cpu, cell.chain);
    if (family == nullptr) continue;
    const std::string said = cpu->kernel_description(cell.chain);
    EXPECT_EQ(said.starts_with("plain"), family->kind == KernelKind::plain) << test::name_of(cell) << ": " << said;
    EXPECT_EQ(said.starts_with("multi-spin"), family->kind == KernelKind::bits) << test::name_of(cell) << ": " << said;
  }
  const Chain modes = chain_with([](Chain& c) {
    c.local = axis_modes;
    c.protocol.multispin = MultispinRule::metropolis;
  });
  EXPECT_EQ(cpu->kernel_description(modes),
            "plain (one site at a time: vector kernels do not support multi-spin coding (metropolis) with modes "
            "along each axis)");
}

/// A value that is new and has no name yet is refused by every backend.
TEST(BackendTable, WhatNobodyDeclaresIsRefusedByAll) {
  const std::vector<std::function<void(Chain&)>> changes{
      [](Chain& c) { c.local = LocalSelection{1} << 30; },
      [](Chain& c) { c.model.kind = static_cast<ModelKind>(77); },
      [](Chain& c) { c.lattice.kind = static_cast<LatticeKind>(77); },
      [](Chain& c) { c.protocol.kind = static_cast<ProtocolKind>(77); },
      [](Chain& c) { c.protocol.multispin = static_cast<MultispinRule>(77); },
      [](Chain& c) { c.protocol.exchange = static_cast<ExchangeSchedule>(77); },
      [](Chain& c) { c.key.generator = static_cast<Generator>(77); }};
  for (std::size_t i = 0; i < changes.size(); ++i) {
    const Chain chain = chain_with(changes[i]);
    EXPECT_TRUE(needs_of(chain).has(Need::unknown)) << i;
    for (const BackendKind backend : backends) EXPECT_NE(refusal_of(backend, chain), "") << i;
    EXPECT_NE(refusal_of(BackendKind::automatic, chain), "") << i;
  }
  for (const BackendKind backend : backends) {
    EXPECT_THAT(refusal_of(backend, ChainNeeds{Need::ising, Need::unknown}),
                HasSubstr("a part of the chain that has no name"));
  }
}

/// Every other need is one of some kernel.
TEST(BackendTable, EveryNeedIsKnownSomewhere) {
  for (int i = 0; i < static_cast<int>(Need::unknown); ++i) {
    const ChainNeeds need{static_cast<Need>(i)};
    EXPECT_TRUE(std::ranges::any_of(backends, [&](BackendKind b) { return refusal_of(b, need).empty(); }))
        << need_name(static_cast<Need>(i));
  }
}

/// Whatever a refusal suggests takes the chain.
TEST(BackendTable, SuggestionsCanBeFollowed) {
  const auto expect_followed = [](const Chain& chain, const std::string& what) {
    for (const BackendKind backend : backends) {
      const std::string sentence = refusal_of(backend, chain);
      if (sentence.empty()) continue;
      if (sentence.ends_with("auto or cpu.")) {
        EXPECT_EQ(refusal_of(BackendKind::cpu, chain), "") << what;
        EXPECT_EQ(refusal_of(BackendKind::automatic, chain), "") << what;
      } else if (sentence.ends_with("= reference.")) {
        EXPECT_EQ(refusal_of(BackendKind::reference, chain), "") << what;
      } else {
        EXPECT_THAT(sentence, HasSubstr("no other backend")) << what;
        for (const BackendKind other : backends) EXPECT_NE(refusal_of(other, chain), "") << what;
      }
    }
  };
  for (const BackendCell& cell : backend_cells()) expect_followed(cell.chain, test::name_of(cell));
  expect_followed(chain_with([](Chain& c) { c.key.generator = Generator::threefry4x32; }), "threefry");
}

TEST(BackendTable, Refusals) {
  const auto refused = [](BackendKind backend, const std::function<void(Chain&)>& change) {
    return outcome_of([&] { check_batch(backend, chain_with(change), {}); });
  };
  const auto cuda = [&](const std::function<void(Chain&)>& change) { return refused(BackendKind::cuda, change); };
  const auto wolff = [](Chain& c) {
    c.protocol.kind = ProtocolKind::wolff;
    c.protocol.cluster_sweeps = 1;
  };
  EXPECT_THAT(cuda([&](Chain& c) {
                wolff(c);
                c.model = test::on(5);
              }),
              Fails());
  for (const auto& elsewhere :
       std::vector<std::function<void(Chain&)>>{[](Chain& c) { c.lattice.kind = LatticeKind::bcc; },
                                                [](Chain& c) {
                                                  c.lattice.lengths = {4, 4, 6, 0};
                                                }}) {
    EXPECT_NO_THROW(check_batch(BackendKind::cuda, chain_with([&](Chain& c) {
                                  wolff(c);
                                  elsewhere(c);
                                }),
                                {}));
  }
  const std::vector<std::function<void(Chain&)>> beside_multispin{
      [](Chain& c) { c.lattice.dim = 1; }, [](Chain& c) { c.local = axis_modes; }, [](Chain& c) { c.lattice.L = 256; }};
  for (const auto& change : beside_multispin) {
    EXPECT_THAT(cuda([&](Chain& c) {
                  c.protocol.multispin = MultispinRule::heat_bath;
                  change(c);
                }),
                Fails());
  }
  EXPECT_NO_THROW(check_batch(BackendKind::cuda, chain_with([](Chain& c) {
                                c.protocol.multispin = MultispinRule::heat_bath;
                                c.lattice.open = 5;
                              }),
                              {}));
  EXPECT_THAT(refused(BackendKind::cpu, [](Chain& c) { c.key.generator = Generator::threefry4x32; }), Fails());
  EXPECT_THAT(cuda([](Chain& c) {
                c.protocol.multispin = MultispinRule::metropolis;
                c.protocol.lanes = MultispinLanes::copies;
                c.protocol.exchange = ExchangeSchedule::none;
              }),
              Fails());
  EXPECT_THAT(refused(BackendKind::reference, [](Chain& c) { c.local = LocalSelection{1} << 30; }), Fails());
}

}}  // namespace glassworks
