#include <gmock/gmock.h>

#include "engine/checkpoint/checkpoint_identity.hpp"
#include "tests/engine/config_fixture.hpp"
#include "tests/refusals.hpp"

/// course.*: histories in time.
namespace glassworks { namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

const std::string ising_course =
    "[ladder]\ntemperatures = 0.7, 1.1\n[disorder]\nrealizations = 3\n[model]\nL = 8\ntype = ising\n[course]\n";

class CourseOfConfig : public RefusedConfigTest {
 protected:
  [[nodiscard]] Course course(const std::string& text, const std::vector<std::string>& overrides = {}) const {
    return *make_chain(load(text, overrides), 0).course;
  }
};

TEST_F(CourseOfConfig, IsAQuenchToTheTemperaturesOfTheSlots) {
  const Config config = load(ising_course + "sweeps = 100\n");
  const Chain chain = make_chain(config, 0);
  ASSERT_NE(chain.course, nullptr);
  ASSERT_EQ(chain.course->segments.size(), 1U);
  EXPECT_EQ(chain.course->segments[0].steps, endless);
  EXPECT_EQ(chain.course->segments[0].temperature[1].first, 1.1);
  EXPECT_EQ(chain.course->measured.listed, logarithmic_times(100, 10, 10));
  EXPECT_EQ(chain.protocol.exchange, ExchangeSchedule::none);
  EXPECT_EQ(chain.samples, 0);
  EXPECT_EQ(config.convergence.max_rounds, static_cast<int>(rounds_of(*chain.course).size()));
}

TEST_F(CourseOfConfig, HasSegmentsWithRampsAndFields) {
  const Course found = course(
      ising_course + "sweeps = 1e3\nsegments = 100 from 2 to 0.5 geometric stair 10, 50 at T field 0 to 1, at 0.9\n",
      {"model.field=constant", "model.field_strength=0.1", "course.times=100, 500, 2000"});
  ASSERT_EQ(found.segments.size(), 3U);
  EXPECT_EQ(found.segments[0].steps, 100U);
  EXPECT_EQ(found.segments[0].stair, 10U);
  EXPECT_EQ(found.segments[0].temperature[0].first, 2.0);
  EXPECT_EQ(found.segments[0].temperature[0].last, 0.5);
  EXPECT_EQ(found.segments[0].temperature[0].shape, RampShape::geometric);
  EXPECT_EQ(found.segments[1].temperature[0].last, 0.7);
  EXPECT_EQ(found.segments[1].field.first, 0.0);
  EXPECT_EQ(found.segments[1].field.last, 1.0);
  EXPECT_EQ(found.segments[2].temperature[1].first, 0.9);
  EXPECT_THAT(found.measured.listed, ElementsAre(100, 150, 500));
}

TEST_F(CourseOfConfig, IsMeasuredAfterEachBeginning) {
  EXPECT_THAT(course(ising_course + "sweeps = 20\ntimes = 1 per octave\nwaiting_times = 0, 5\n").measured.listed,
              ElementsAre(1, 2, 4, 5, 6, 7, 8, 9, 13, 16));
  EXPECT_THAT(course(ising_course + "sweeps = 40\ntimes = 1 per decade\nsegments = 15 at 1, at T\n").measured.listed,
              ElementsAre(1, 10, 15, 16, 25));
  EXPECT_THAT(course(ising_course + "sweeps = 40\ntimes = every 15\n").measured.listed, ElementsAre(15, 30));
}

TEST_F(CourseOfConfig, NeedsNoLadderWhereSegmentsHaveTheirTemperatures) {
  const Config config =
      load("[disorder]\nrealizations = 3\n[model]\nL = 8\n[course]\nsweeps = 10\nsegments = at 0.2\n");
  EXPECT_THAT(config.ladder.temperatures, ElementsAre(0.2));
  EXPECT_EQ(config.protocol.overrelaxation, 0);
}

/// What adapts in the first measurements elsewhere is part of the dynamics here.
TEST_F(CourseOfConfig, KeepsTheWidthOfProposals) {
  const std::string vectors = "[ladder]\ntemperatures = 0.3\n[disorder]\nrealizations = 3\n[model]\nL = 8\n";
  for (const char* rule : {"metropolis", "demon"}) {
    const std::string local = std::string("protocol.local=") + rule;
    const Config config = load(vectors + "type = xy\n[course]\nsweeps = 100\n", {local});
    EXPECT_EQ(config.protocol.adaptation, 0);
    expect_refused(vectors + "type = xy\n[course]\nsweeps = 100\n", {local, "protocol.adaptation=1"},
                   InputFault::conflict, "protocol.adaptation");
  }
}

TEST_F(CourseOfConfig, NeedsNoWaitingTimes) {
  for (const char* value : {"", "none"}) {
    EXPECT_THAT(course(ising_course + "sweeps = 10\nwaiting_times = " + value + "\n").references, testing::IsEmpty());
  }
  expect_refused(ising_course + "sweeps = 10\nwaiting_times = none, 5\n", {}, InputFault::malformed,
                 "course.waiting_times");
}

TEST_F(CourseOfConfig, IsStoredAsItWasWritten) {
  const std::string text = canonical_text(settled(
      load(ising_course +
           "sweeps = 1e4\nsegments = 1e2 from T to 0.5 stair 5, at T\ntimes = 4 per octave\nwaiting_times = 10\n")));
  EXPECT_THAT(text, HasSubstr("\ncourse.sweeps = 10000\n"));
  EXPECT_THAT(text, HasSubstr("\ncourse.segments = 100 from T to 0.5 stair 5, at T\n"));
  EXPECT_THAT(text, HasSubstr("\ncourse.times = 4 per octave\n"));
  EXPECT_THAT(text, Not(HasSubstr("course.longest_round = 0\n")));
  EXPECT_THAT(text, Not(HasSubstr("convergence.")));
  EXPECT_EQ(canonical_text(parse_config(text)), text);
  EXPECT_THAT(canonical_text(load(minimal_config)), Not(HasSubstr("course.")));
}

/// What a state follows from are segments and references; times and the length may change.
TEST_F(CourseOfConfig, GivesStatesTheirOrigin) {
  const auto origin = [&](const std::string& text) {
    const Config config = load(ising_course + text);
    return checkpoint_identity(config, make_chain(config, 0), 1, 1).origin;
  };
  const auto plain = origin("sweeps = 100\n");
  EXPECT_EQ(origin("sweeps = 1000\n"), plain);
  EXPECT_NE(origin("sweeps = 100\nsegments = 10 at 1, at T\n"), plain);
  EXPECT_NE(origin("sweeps = 100\nwaiting_times = 10\n"), plain);
}

TEST_F(CourseOfConfig, MayBeLengthenedAndNothingElse) {
  const Config stored = settled(load(ising_course + "sweeps = 100\n"));
  const auto changes = [&](const std::string& text) {
    return texts(campaign_changes(stored, load(ising_course + text)));
  };
  EXPECT_THAT(changes("sweeps = 100\n"), testing::IsEmpty());
  const std::vector<ConfigChange> longer = campaign_changes(stored, load(ising_course + "sweeps = 1000\n"));
  ASSERT_EQ(longer.size(), 1U);
  EXPECT_TRUE(longer[0].allowed);
  for (const ConfigChange& change :
       campaign_changes(stored, load(ising_course + "sweeps = 90\ntimes = 5 per decade\n"))) {
    EXPECT_FALSE(change.allowed) << change.text();
  }
}

TEST_F(CourseOfConfig, RefusesWhatCannotBe) {
  const auto refused = [&](const std::string& text, const std::vector<std::string>& overrides, InputFault fault,
                           const char* subject) { expect_refused(ising_course + text, overrides, fault, subject); };
  refused("sweeps = -1\n", {}, InputFault::out_of_range, "course.sweeps");
  refused("sweeps = 1.5\n", {}, InputFault::malformed, "course.sweeps");
  refused("segments = at 1\n", {}, InputFault::missing, "course.sweeps");
  refused("sweeps = 100\nsegments = 50 at 1, at T,\n", {}, InputFault::malformed, "course.segments");
  for (const char* key : {"length", "tw", "steps", "temperature", "replicas"}) {
    const std::string name = std::string("course.") + key;
    refused("sweeps = 100\n", {name + "=1"}, InputFault::unknown, name.c_str());
  }
  refused("sweeps = 100\nsegments = 50 at 1\n", {}, InputFault::malformed, "course.segments");
  refused("sweeps = 100\nsegments = at 1, at 2\n", {}, InputFault::malformed, "course.segments");
  refused("sweeps = 100\nsegments = 0 at 1, at 2\n", {}, InputFault::malformed, "course.segments");
  refused("sweeps = 100\nsegments = 10 from 1, at 2\n", {}, InputFault::malformed, "course.segments");
  refused("sweeps = 100\nsegments = 10 at 1 slowly, at 2\n", {}, InputFault::malformed, "course.segments");
  refused("sweeps = 100\nsegments = at -1\n", {}, InputFault::conflict, "course.segments");
  refused("sweeps = 100\nsegments = at T field 0.5\n", {}, InputFault::conflict, "course.segments");
  refused("sweeps = 100\ntimes = 4 per year\n", {}, InputFault::malformed, "course.times");
  refused("sweeps = 100\ntimes = 5, 3\n", {}, InputFault::out_of_range, "course.times");
  refused("sweeps = 100\ntimes = 200\n", {}, InputFault::out_of_range, "course.times");
  refused("sweeps = 1e6\ntimes = every 1\n", {}, InputFault::out_of_range, "course.times");
  refused("sweeps = 100\nwaiting_times = 7, 7\n", {}, InputFault::out_of_range, "course.waiting_times");
  refused("sweeps = 100\nwaiting_times = 100\n", {}, InputFault::out_of_range, "course.waiting_times");
  refused("sweeps = 1e12\nlongest_round = 1\n", {}, InputFault::out_of_range, "course.longest_round");
  refused("sweeps = 100\n", {"protocol.exchange=even-odd"}, InputFault::conflict, "protocol.exchange");
  refused("sweeps = 100\npairs = 7\n", {"replicas.copies=4"}, InputFault::conflict, "course.pairs");
  expect_refused("[disorder]\nrealizations = 3\n[model]\nL = 8\n[course]\nsweeps = 10\n", {}, InputFault::missing,
                 "ladder.temperatures");
  refused("sweeps = 100\n", {"replicas.copies=513"}, InputFault::out_of_range, "replicas.copies");
  refused("sweeps = 100\n", {"campaign.second_start=annealed"}, InputFault::conflict, "campaign.second_start");
  refused("sweeps = 100\n", {"round.measurements=5"}, InputFault::conflict, "round.measurements");
}

}}  // namespace glassworks
