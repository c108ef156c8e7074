#include <gtest/gtest.h>

#include "tests/scheduler/scratch_campaign.hpp"

namespace glassworks::testing { namespace {

/// What is done and what is left of a course are all its sweeps after every commit, though its rounds are of 1 to 90
/// sweeps and the campaign has two sizes.
TEST(CourseProgress, WhatIsLeftAreTheSweepsThatAreNotDone) {
  const ScratchDirectory scratch;
  Config config = settled(parse_config(
      "model.type = ising\nmodel.dim = 2\nmodel.L = 4, 6\nmodel.couplings = bimodal\ndisorder.realizations = 2\n"
      "ladder.temperatures = 0.7, 1.1\ncourse.sweeps = 100\ncourse.times = 1, 2, 10, 100\nbackend.kind = cpu\n"
      "backend.threads = 1\nbackend.batch = 1\n"));
  config.campaign.directory = scratch.path() / "run";
  config.checkpoint.checkpoint_seconds = 0;
  const double all = 2 * 100 * 2 * 2 * (16 + 36);  // realizations x sweeps x slots x copies x sites
  int commits = 0;
  RunObserver observer;
  observer.progress = [&](const CampaignProgress& progress) {
    if (progress.updates <= 0.0) return;
    ++commits;
    EXPECT_NEAR(progress.updates + progress.remaining_seconds * progress.updates / progress.seconds, all, 1e-6 * all);
  };
  std::vector<WorkerBackend> backends;
  backends.push_back({make_backend(config.backend.options), 0, true});
  EXPECT_EQ(run_campaign(config, std::move(backends), std::move(observer)), RunOutcome::complete);
  EXPECT_GE(commits, 8);
}

}}  // namespace glassworks::testing
