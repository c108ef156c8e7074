#include "engine/loading/memory.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <limits>
#include <string>

#include "engine/checkpoint/checkpoint.hpp"
#include "tests/engine/config_fixture.hpp"
#include "tests/refusals.hpp"

namespace glassworks { namespace {

TEST(CheckpointBytes, AreThoseOfACheckpointOfEveryModel) {
  const std::vector<SpinModel> models{{},
                                      {.kind = ModelKind::ising, .components = 1},
                                      {.kind = ModelKind::potts, .states = 3, .components = 1},
                                      {.kind = ModelKind::potts, .states = 20, .components = 1},
                                      {.kind = ModelKind::on, .components = 2},
                                      {.kind = ModelKind::on, .components = 4},
                                      {.kind = ModelKind::phi4, .components = 4}};
  for (const SpinModel& model : models) {
    const Chain chain{model, {3, 16}, 2, {1.0F, 0.5F}, {}, 1, size_key(1, 3, 16), 0};
    const auto bytes = static_cast<double>(encode_checkpoint(initial_state(chain, 0)).size());
    EXPECT_NEAR(checkpoint_bytes(chain) / bytes, 1.0, 0.1)
        << static_cast<int>(model.kind) << ", q = " << model.states << ", n = " << model.components;
  }
}

class MemoryLimit : public ConfigTest {
 protected:
  void say(const std::string& file, const std::string& text) const {
    std::filesystem::create_directories((folder_ / file).parent_path());
    write(file, text + "\n");
  }
  [[nodiscard]] double limit(const std::string& groups) const { return memory_limit(groups, folder_); }
};

TEST_F(MemoryLimit, IsThatOfTheGroupOrOfOneAboveIt) {
  say("memory.max", "max");
  say("jobs/memory.max", "3000");
  say("jobs/7/memory.max", "5000");
  say("jobs/8/memory.max", "2000");
  EXPECT_EQ(limit("0::/jobs/7\n"), 3000.0);
  EXPECT_EQ(limit("0::/jobs/8\n"), 2000.0);
  EXPECT_EQ(limit("0::/\n"), std::numeric_limits<double>::infinity());
}

TEST_F(MemoryLimit, OfTheFirstVersionIsThatOfTheMemoryHierarchy) {
  say("memory/slurm/job_1/memory.limit_in_bytes", "4096");
  say("memory/memory.limit_in_bytes", "9223372036854771712");
  say("cpu/slurm/job_1/memory.limit_in_bytes", "1");
  EXPECT_EQ(limit("5:cpu:/slurm/job_1\n4:cpuset,memory:/slurm/job_1\n0::/\n"), 4096.0);
  EXPECT_EQ(limit("4:memory:/not/there\n"), 9223372036854771712.0) << "a container sees its group as the root";
}

TEST_F(MemoryLimit, IsNoneWhereTheFilesSayNothing) {
  say("memory.max", "what");
  for (const char* groups : {"0::/\n", "", "nonsense\n", "0::"}) {
    EXPECT_EQ(limit(groups), std::numeric_limits<double>::infinity()) << groups;
  }
}

TEST(RequireMemory, RefusesWhatDoesNotFit) {
  EXPECT_NO_THROW(require_memory(8e9, 8e9, "model.L", "L = 64", "Lower it."));
  EXPECT_THAT(
      [] { require_memory(22e9, 16e9, "model.L", "L = 16384 (1 realization of 1 replicas)", "Lower model.L."); },
      Refuses(InputFault::too_large, "model.L"));
}

}}  // namespace glassworks
