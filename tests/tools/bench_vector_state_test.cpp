#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "engine/config/config.hpp"
#include "kernels/make_backend.hpp"
#include "tools/bench/fma.hpp"
#include "tools/bench/task_batch.hpp"
#include "tools/bench/vector_state.hpp"

namespace glassworks { namespace {

#if defined(__x86_64__)
TEST(VectorState, SeesAndClearsUpperHalves) {
  if (__builtin_cpu_supports("avx") == 0) GTEST_SKIP() << "this processor has no AVX";
  clear_vector_registers();
  EXPECT_FALSE(vector_registers_in_use());
  asm volatile("vcmptrueps %%ymm3, %%ymm3, %%ymm3" : : : "xmm3");
  EXPECT_TRUE(vector_registers_in_use());
  clear_vector_registers();
  EXPECT_FALSE(vector_registers_in_use());
}
#endif

Chain chain_of(const SpinModel& model, int replicas) {
  Chain chain;
  chain.model = model;
  chain.lattice = {3, 4};
  chain.copies = 1;
  chain.beta.assign(static_cast<std::size_t>(replicas), 1.0F);
  chain.protocol.exchanges_per_measurement = 1;
  if (model.kind != ModelKind::heisenberg) chain.protocol.exchange = ExchangeSchedule::none;
  chain.key = size_key(1, 3, 4);
  return chain;
}

/// All kinds of code that there is for each instruction set.
std::vector<std::pair<std::string, Chain>> chains() {
  const SpinModel ising{ModelKind::ising, 2, 1};
  std::vector<std::pair<std::string, Chain>> all{{"heisenberg", chain_of({}, 16)},
                                                 {"on", chain_of({ModelKind::on, 2, 2}, 16)},
                                                 {"potts", chain_of({ModelKind::potts, 3, 1}, 1)},
                                                 {"ising", chain_of(ising, 16)},
                                                 {"multispin", chain_of(ising, 4)},
                                                 {"clusters", chain_of({ModelKind::on, 2, 3}, 1)}};
  for (auto& [name, chain] : all) {
    if (name == "multispin") chain.protocol.multispin = MultispinRule::metropolis;
    if (name != "clusters") continue;
    chain.protocol.kind = ProtocolKind::swendsen_wang;
    chain.protocol.cluster_sweeps = 1;
  }
  return all;
}

TEST(VectorState, RoundsLeaveNoUpperHalfInUse) {
  for (const InstructionSet isa : available_instruction_sets()) {
    for (const auto& [name, chain] : chains()) {
      TaskBatch batch(1);
      Config config;
      config.model.spins = chain.model;
      config.model.couplings = CouplingKind::ferromagnet;
      batch.begin(0, chain, make_disorder(config, chain.lattice, 0));
      const auto backend = make_backend({BackendKind::cpu, isa, 1});
      RoundControl control;
      clear_vector_registers();
      backend->run_round(chain, batch.tasks(), control);
      EXPECT_FALSE(vector_registers_in_use()) << name << ", " << to_string(isa);
    }
  }
}

TEST(VectorState, TheLoopForThePeakLeavesNoUpperHalfInUse) {
  for (const InstructionSet isa : available_instruction_sets()) {
    const FmaLoop loop = fma_loop(isa);
    if (!loop.run) continue;
    clear_vector_registers();
    loop.run();
    EXPECT_FALSE(vector_registers_in_use()) << to_string(isa);
  }
}

}}  // namespace glassworks
