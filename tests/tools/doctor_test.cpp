#include "tools/glassworks/doctor.hpp"

#include <gtest/gtest.h>

#include "engine/loading/memory.hpp"
#include "tools/glassworks/doctor_machine.hpp"

namespace glassworks { namespace {

TEST(ValueIn, FindsWholeKeysOnly) {
  const std::string text =
      "processor\t: 0\nmodel\t\t: 17\nmodel name\t: Some CPU @ 3: fast\nempty\t:\nMemTotal:  123 kB\n";
  EXPECT_EQ(value_in(text, "model name"), "Some CPU @ 3: fast");
  EXPECT_EQ(value_in(text, "model"), "17");
  EXPECT_EQ(value_in(text, "MemTotal"), "123 kB");
  EXPECT_EQ(value_in(text, "empty"), "");
  EXPECT_EQ(value_in(text, "mode"), "");
  EXPECT_EQ(value_in("", "model"), "");
}

TEST(RealizationBytes, CountsBundlesCheckpointMeasurementAndDisorder) {
  // 64 replicas fill four bundles: 12 B in the bundles, 12 B in the state, 2 x 16 gathered; 3 couplings of 4 B.
  EXPECT_EQ(realization_bytes(Lattice{3, 8}, 32, 2), 512 * (12 * (64 + 64 + 32) + 12));
  // 12 replicas take a bundle of 16.
  EXPECT_EQ(realization_bytes(Lattice{3, 4}, 6, 2), 64 * (12 * (16 + 12 + 32) + 12));
}

TEST(SampleBytes, CountsQuantitiesOfEverySlotAndSample) {
  EXPECT_EQ(sample_bytes(BinLayout(SpinModel{}, 3, 2), 30, 5), 4 * 30 * 5 * 17);
  EXPECT_EQ(sample_bytes(BinLayout(SpinModel{}, 3, 4), 30, 2), 4 * 30 * 2 * 31);
  EXPECT_EQ(sample_bytes(BinLayout(SpinModel{}, 1, 2), 30, 1), 4 * 30 * 15);
  EXPECT_EQ(sample_bytes(BinLayout(SpinModel{}, 3, 2), 30, 0), 0);
}

}}  // namespace glassworks
