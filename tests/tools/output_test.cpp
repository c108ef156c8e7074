#include "tools/glassworks/output.hpp"

#include <gtest/gtest.h>

#include <string>

#include "tools/glassworks/status_report.hpp"
#include "tools/glassworks/terminal.hpp"

namespace glassworks { namespace {

TEST(Output, NamesAndMessagesAreOneLine) {
  ::testing::internal::CaptureStdout();
  print("{:>4}|{}|{}\n", 7, std::string("a\nb\x1b"), "c\rd");
  flush_output();
  EXPECT_EQ(::testing::internal::GetCapturedStdout(), "   7|a\\nb\\x1b|c\\rd\n");
}

TEST(Output, ComposedTextsKeepTheirLines) {
  ::testing::internal::CaptureStdout();
  show("one\n\ttwo\x1b[2J\n");
  flush_output();
  EXPECT_EQ(::testing::internal::GetCapturedStdout(), "one\n\ttwo\\x1b[2J\n");
}

TEST(Output, ALineIsCutBetweenCharacters) {
  EXPECT_EQ(fit("abc", 0), "abc");
  EXPECT_EQ(fit("abc", 4), "abc");
  EXPECT_EQ(fit("abcd", 4), "abc");
  EXPECT_EQ(fit("\u00e9\u00e9\u00e9\u00e9", 4), "\u00e9\u00e9\u00e9");
  EXPECT_EQ(fit("a\nb", 80), "a\\nb");
}

TEST(Output, ALineIsBrokenAtBlanks) {
  using Lines = std::vector<std::string>;
  const std::string line = "Hardest: L = 8, realization 3: 20 of about 70 rounds";
  EXPECT_EQ(wrap(line, 0), Lines{line}) << "not on a terminal";
  EXPECT_EQ(wrap(line, 53), Lines{line});
  EXPECT_EQ(wrap(line, 52), (Lines{"Hardest: L = 8, realization 3: 20 of about 70", "    rounds"}));
  EXPECT_EQ(wrap(line, 24), (Lines{"Hardest: L = 8,", "    realization 3: 20", "    of about 70 rounds"}));
  EXPECT_EQ(wrap(std::string(45, 'x') + " y", 21),
            (Lines{std::string(20, 'x'), "    " + std::string(16, 'x'), "    " + std::string(9, 'x') + " y"}));
  EXPECT_EQ(wrap("\u00e9\u00e9 " + std::string(17, 'x'), 21), Lines{"\u00e9\u00e9 " + std::string(17, 'x')});
  EXPECT_EQ(wrap("", 80), Lines{""});
  EXPECT_EQ(wrap("a\nb", 80), Lines{"a\\nb"});
}

/// The names of a machine and of its devices come from the database.
TEST(Output, AWorkerIsOneLine) {
  WorkerState worker;
  worker.row.host = "node\n\x1b[2J";
  worker.row.backend = "gpu\x07";
  const std::string line = worker_line(worker);
  EXPECT_EQ(line, visible_line(line));
}

}}  // namespace glassworks
