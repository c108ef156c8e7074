#include "engine/memory.hpp"

#include <gtest/gtest.h>

#include "engine/checkpoint.hpp"

namespace glassworks {
namespace {

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

}  // namespace
}  // namespace glassworks
