#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "kernels/make_backend.hpp"
#include "tests/refusals.hpp"
#include "tools/bench/config_rows.hpp"

namespace glassworks { namespace {

/// Eight systems of L = 4 with tiles, on one processor.
ConfigBenchOptions small_bench() {
  ConfigBenchOptions options;
  options.file = "small.cfg";
  Config& config = options.config;
  config.model.L = {4, 6};
  config.disorder.realizations = {2, 3};
  config.ladder.kind = LadderKind::list;
  config.ladder.temperatures = {1.0, 2.0};
  config.protocol.tile = 2;
  config.protocol.tile_repeats = 3;
  config.backend.options.kind = BackendKind::cpu;
  config.backend.options.threads = 1;
  options.repeats = 2;
  options.seconds = 1e-4;
  return options;
}

TEST(BenchConfig, TimesTheUpdatesOfAChainAlone) {
  const ConfigResult r = bench_config(small_bench(), 0);
  EXPECT_EQ(r.realizations, 2);
  EXPECT_EQ(r.chain.measurements, 0);
  EXPECT_GT(r.start, 0.0);
  EXPECT_GE(r.steps, 2);
  EXPECT_EQ(r.ns.count, 2);
  EXPECT_EQ(r.updates, 2.0 * (r.steps - 1) * 2 * 4 * 64 * 3 * 11) << "repeats, steps, systems, sites, sweeps";
  EXPECT_THAT(config_table_line(r), testing::HasSubstr("3 x (1 HB + 10 OR), tile 2"));
  const std::string json = config_json(small_bench(), {r});
  for (const char* key : {"device", "ns_per_update", "updates", "start_seconds"}) {  // of published-timings.sh
    EXPECT_EQ(json.find('"' + std::string(key) + "\":"), json.rfind('"' + std::string(key) + "\":")) << key;
    EXPECT_NE(json.find('"' + std::string(key) + "\":"), std::string::npos) << key;
  }
}

/// What no campaign runs: over-relaxation alone conserves the energy.
TEST(BenchConfig, SweepsCanBeReplaced) {
  ConfigBenchOptions options = small_bench();
  options.config.protocol.tile_repeats = 1;
  options.overrelaxation = 1;
  options.heatbath = 0;
  const ConfigResult r = bench_config(options, 0);
  EXPECT_EQ(r.chain.sweeps_per_repetition(), 1);
  EXPECT_THAT(config_table_line(r), testing::HasSubstr(" 1 OR, tile 2"));
}

TEST(BenchConfig, Refusals) {
  ConfigBenchOptions options = small_bench();
  options.config.model.spins.kind = ModelKind::ising;  // which has no tiles
  EXPECT_THAT([&] { return bench_config(options, 0); }, Refuses(InputFault::unsupported, "--config"));
  options = small_bench();
  options.config.course.sweeps.count = 10;
  EXPECT_THAT([&] { return bench_config(options, 0); }, Refuses(InputFault::unsupported, "--config"));
}

}}  // namespace glassworks
