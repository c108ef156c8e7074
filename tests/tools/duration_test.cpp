#include "tools/glassworks/duration.hpp"

#include <gmock/gmock.h>

#include "tests/refusals.hpp"

namespace glassworks { namespace {

TEST(ParseDuration, ReadsSecondsUnitsAndTheFormsOfSlurm) {
  const auto seconds = [](const char* text) { return parse_duration("time-limit", text); };
  EXPECT_EQ(seconds("90"), 90.0);
  EXPECT_EQ(seconds("0.5"), 0.5);
  EXPECT_EQ(seconds("90s"), 90.0);
  EXPECT_EQ(seconds("15m"), 900.0);
  EXPECT_EQ(seconds("12h"), 43200.0);
  EXPECT_EQ(seconds("1.5h"), 5400.0);
  EXPECT_EQ(seconds("2d"), 172800.0);
  EXPECT_EQ(seconds("1h30m"), 5400.0);
  EXPECT_EQ(seconds("15:20"), 920.0);
  EXPECT_EQ(seconds("90:00"), 5400.0);
  EXPECT_EQ(seconds("1:30:05"), 5405.0);
  EXPECT_EQ(seconds("100:00:00"), 360000.0);
  EXPECT_EQ(seconds("2-12"), 216000.0);
  EXPECT_EQ(seconds("2-12:30"), 217800.0);
  EXPECT_EQ(seconds("2-12:00:07"), 216007.0);
}

TEST(ParseDuration, RefusesWhatIsNone) {
  for (const char* text :
       {"",    " ",   "x",  "-5", "+5",   "1x",     "90sm",   "1m1h", "1h1h", "1:60", "1:60:00", "1:2:3:4",
        ":30", "30:", "1-", "-1", "1-24", "1-1:60", "1.5:00", "1 h",  "h",    "nan",  "0x10"}) {
    EXPECT_THAT([&] { return parse_duration("time-limit", text); },
                Refuses(InputFault::malformed, "--time-limit").in_any_words());
  }
}

TEST(ParseDuration, RefusesNothingAndMoreThanTenYears) {
  for (const char* text : {"0", "0:00", "0s", "4000d", "1e9", "4294967295-00"}) {
    EXPECT_THAT([&] { return parse_duration("interval", text); }, Refuses(InputFault::out_of_range, "--interval"));
  }
}

TEST(DurationText, HasTwoUnits) {
  EXPECT_EQ(duration_text(0.4), "0 s");
  EXPECT_EQ(duration_text(59.6), "1 min 00 s");
  EXPECT_EQ(duration_text(3599), "59 min 59 s");
  EXPECT_EQ(duration_text(3700), "1 h 01 min");
  EXPECT_EQ(duration_text(187200), "2 d 4 h");
  EXPECT_EQ(duration_text(300 * 86400.0), "300 d 0 h");
  EXPECT_EQ(duration_text(400 * 86400.0), "1.1 years");
  EXPECT_EQ(duration_text(40000 * 86400.0), "110 years");
  EXPECT_EQ(duration_text(1e30), "more than a million years");
}

}}  // namespace glassworks
