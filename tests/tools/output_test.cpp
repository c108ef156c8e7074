#include "tools/glassworks/output.hpp"

#include <gtest/gtest.h>

#include <string>

#include "tools/glassworks/status_report.hpp"
#include "tools/glassworks/terminal.hpp"

namespace glassworks {
namespace {

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

/// The names of a machine and of its devices come from the database.
TEST(Output, AWorkerIsOneLine) {
  WorkerState worker;
  worker.row.host = "node\n\x1b[2J";
  worker.row.backend = "gpu\x07";
  const std::string line = worker_line(worker);
  EXPECT_EQ(line, visible_line(line));
}

}  // namespace
}  // namespace glassworks
