#include <gtest/gtest.h>
#include <malloc.h>

#include <algorithm>
#include <fstream>
#include <string>

#include "engine/loading/memory.hpp"
#include "scheduler/devices/batch_size.hpp"
#include "tests/refusals.hpp"
#include "tests/scheduler/child_process.hpp"
#include "tests/scheduler/fake_devices.hpp"
#include "tests/scheduler/scratch_campaign.hpp"

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool has_sanitizer = true;  // which takes memory of its own
#else
constexpr bool has_sanitizer = false;
#endif

namespace glassworks::testing { namespace {

/// Bytes behind a key of /proc/self/status.
double memory_of_process(const std::string& key) {
  std::ifstream in("/proc/self/status");
  for (std::string word; in >> word;) {
    double kib = 0.0;
    if (word == key && in >> kib) return 1024.0 * kib;
  }
  return 0.0;
}

struct Size {
  const char* name;
  SpinModel model;
  Lattice lattice;
  int copies, slots;
  Protocol protocol;
};

constexpr Protocol clusters(ProtocolKind kind) {
  Protocol p{.overrelaxation = 0, .heatbath = 0, .exchanges_per_measurement = 1, .exchange = ExchangeSchedule::none};
  p.kind = kind;
  p.cluster_sweeps = 1;
  return p;
}
constexpr Protocol sweeps() { return {.overrelaxation = 1, .exchanges_per_measurement = 1}; }
constexpr Protocol bits() {
  Protocol p = sweeps();
  p.multispin = MultispinRule::metropolis;
  return p;
}

/// What a round takes at its peak, as the process sees it, beside batch_need.
bool is_within_need(const Size& size, BackendKind kind) {
  Config config;
  config.model.spins = size.model;
  config.model.couplings = size.model.kind == ModelKind::potts ? CouplingKind::ferromagnet : CouplingKind::bimodal;
  const Chain chain{size.model,
                    size.lattice,
                    size.copies,
                    std::vector<float>(static_cast<std::size_t>(size.slots), 0.2F),
                    size.protocol,
                    1,
                    size_key(1, size.lattice.dim, size.lattice.L),
                    0};
  const auto backend = make_backend({.kind = kind, .threads = 1});
  const double need = batch_need(config, chain, *backend).of(1.0);
  ::mallopt(M_MMAP_THRESHOLD, 1 << 16);  // what is given back is gone
  ::malloc_trim(0);
  const double before = memory_of_process("VmRSS:");
  const Disorder disorder = make_disorder(config, chain.lattice, 0);
  ChainState state = initial_state(chain, 0);
  RoundRecord record;
  RoundControl control;
  const RoundTask task{0, &disorder, &state, &record};
  if (backend->run_round(chain, {&task, 1}, control) != RoundOutcome::finished) return false;
  const double used = memory_of_process("VmHWM:") - before;
  constexpr double program = 6e6;  // code that is loaded, small tables, stacks
  const bool within = used <= 1.05 * need + program && used >= 0.5 * need - program;
  if (!within) fprintf(stderr, "%s: %.1f MB used, %.1f MB needed\n", size.name, used / 1e6, need / 1e6);
  return within;
}

/// Every kind of kernels of the processor: what a batch is said to need is what it takes, within a factor of two, and
/// never less.
TEST(BatchNeed, IsWhatARoundTakes) {
  if (has_sanitizer) GTEST_SKIP() << "a sanitizer takes memory of its own";
  const SpinModel ising{.kind = ModelKind::ising, .components = 1}, xy{.kind = ModelKind::on, .components = 2};
  const SpinModel potts{.kind = ModelKind::potts, .states = 3, .components = 1};
  const std::vector<Size> sizes{
      {"clusters of ising", ising, {2, 512}, 1, 1, clusters(ProtocolKind::swendsen_wang)},
      {"one cluster of ising", ising, {2, 1024}, 1, 2, clusters(ProtocolKind::wolff)},
      {"clusters of potts", potts, {3, 64}, 1, 1, clusters(ProtocolKind::swendsen_wang)},
      {"clusters of xy", xy, {2, 512}, 1, 1, clusters(ProtocolKind::swendsen_wang)},
      {"clusters of phi4", {.kind = ModelKind::phi4, .components = 4}, {4, 20}, 1, 1, clusters(ProtocolKind::wolff)},
      {"rows of ising", ising, {3, 128}, 1, 2, sweeps()},
      {"lanes of ising", ising, {3, 32}, 2, 16, sweeps()},
      {"lanes of xy", xy, {3, 32}, 2, 8, sweeps()},
      {"lanes of heisenberg", {}, {3, 32}, 2, 16, sweeps()},
      {"lanes of a prism", xy, {.dim = 3, .L = 8192, .lengths = {4, 4, 8192}}, 1, 16, sweeps()},
      {"bits of ising", ising, {3, 64}, 2, 8, bits()},
  };
  for (const Size& size : sizes) {
    ChildProcess child([&] { return is_within_need(size, BackendKind::cpu); });
    EXPECT_TRUE(child.wait()) << size.name;
  }
  const Size plain{"plain clusters", ising, {2, 256}, 1, 2, clusters(ProtocolKind::swendsen_wang)};
  ChildProcess child([&] { return is_within_need(plain, BackendKind::reference); });
  EXPECT_TRUE(child.wait()) << plain.name;
}

class BatchesFit : public SmallCampaign {};

TEST_F(BatchesFit, OfEveryWorkerTogether) {
  Config run = config("none");
  const std::vector<WorkerBackend> two = list_of(fake_worker(0), fake_worker(1));
  const Chain chain = make_chain(run, 0);
  const double each = batch_need(run, chain, *two.front().backend).of(1.0);
  EXPECT_DOUBLE_EQ(least_bytes(run, chain, two), 2.0 * each);
  run.model.L = {run.model.L.front()};
  EXPECT_NO_THROW(require_batches_fit(run, two, 2.1 * each));
  EXPECT_THAT([&] { require_batches_fit(run, two, 1.9 * each); }, Refuses(InputFault::too_large, "model.L"));
  EXPECT_THAT([&] { require_realization_fits(run, chain, *two.front().backend, 0.9 * each); },
              Refuses(InputFault::too_large, "model.L"));
  run.backend.batch = 3;
  EXPECT_THAT([&] { require_batches_fit(run, two, 5.9 * each); }, Refuses(InputFault::too_large, "model.L"));
  EXPECT_FALSE(std::filesystem::exists(run.campaign.directory));
}

}}  // namespace glassworks::testing
