#include "analysis/export/staging.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <optional>

#include "tests/refusals.hpp"

namespace glassworks { namespace {

namespace fs = std::filesystem;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

class StagingTest : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = (fs::temp_directory_path() / "staging-XXXXXX").string();
    ASSERT_NE(::mkdtemp(pattern.data()), nullptr);
    scratch_ = pattern;
    out_ = scratch_ / "deep" / "export";
  }
  void TearDown() override { fs::remove_all(scratch_); }

  /// All files and empty folders below the export.
  [[nodiscard]] std::vector<std::string> names() const {
    std::vector<std::string> found;
    if (!fs::exists(out_)) return found;
    for (const auto& entry : fs::recursive_directory_iterator(out_)) {
      if (!entry.is_directory() || fs::is_empty(entry.path())) {
        found.push_back(entry.path().lexically_relative(out_).string());
      }
    }
    std::sort(found.begin(), found.end());
    return found;
  }

  [[nodiscard]] static std::string content(const fs::path& file) {
    std::ifstream in(file);
    return {std::istreambuf_iterator<char>(in), {}};
  }

  /// Publishes files whose content is their name.
  void publish(const std::vector<std::string>& files, Existing existing = Existing::refuse) const {
    Staging staging(out_, existing);
    for (const std::string& file : files) staging.write(file, file);
    staging.publish();
  }

  fs::path scratch_, out_;
};

TEST_F(StagingTest, NothingIsThereBeforePublish) {
  {
    Staging staging(out_, Existing::refuse);
    staging.write("results.csv", "a");
    staging.write("alps/L4.task1.out.h5", "b");
    EXPECT_FALSE(fs::exists(out_ / "results.csv"));
    EXPECT_FALSE(fs::exists(out_ / "alps"));
  }
  EXPECT_FALSE(fs::exists(out_)) << "the directory was made for this export";
  fs::create_directories(out_);
  { Staging staging(out_, Existing::refuse); }
  EXPECT_TRUE(fs::exists(out_)) << "a directory of others stays";
}

TEST_F(StagingTest, PublishesWhatWasFinished) {
  Staging staging(out_, Existing::refuse);
  staging.write("results.csv", "abc");
  std::ofstream(staging.path_of("never finished")) << "x";
  std::ofstream(staging.path_of("alps/L4.task1.out.h5")) << "12345";
  staging.finished("alps/L4.task1.out.h5");
  staging.write(Staging::manifest, "{}");
  staging.publish();
  EXPECT_EQ(content(out_ / "results.csv"), "abc");
  EXPECT_EQ(content(out_ / "alps/L4.task1.out.h5"), "12345");
  EXPECT_EQ(content(out_ / "manifest.json"), "{}");
  EXPECT_FALSE(fs::exists(out_ / "never finished"));
  ASSERT_EQ(staging.files().size(), 3U);
  EXPECT_EQ(staging.files()[1].size, 5U);
  EXPECT_EQ(staging.files()[0].digest, "06b05ab6733a618578af5f94892f3950");  // xxhsum -H128 of "abc"
}

TEST_F(StagingTest, RefusesToReplaceWithoutBeingAsked) {
  publish({"results.csv", "manifest.json"});
  EXPECT_THAT([&] { Staging(out_, Existing::refuse); }, Refuses(InputFault::unusable_file, out_.string()));
  fs::remove(out_ / "manifest.json");
  EXPECT_THAT([&] { publish({"results.csv"}); }, Refuses(InputFault::unusable_file, (out_ / "results.csv").string()));
  EXPECT_EQ(content(out_ / "results.csv"), "results.csv");
}

TEST_F(StagingTest, ReplacesAWholeExport) {
  publish({"results.csv", "bins.csv", "alps/L4.task1.out.h5", "alps/L4.task2.out.h5", "manifest.json"});
  std::ofstream(out_ / "notes.txt") << "of the owner";
  std::ofstream(out_ / "alps" / "notes.txt") << "of the owner";
  publish({"results.csv", "alps/L4.task2.out.h5", "manifest.json"}, Existing::replace);
  EXPECT_THAT(names(),
              ElementsAre("alps/L4.task2.out.h5", "alps/notes.txt", "manifest.json", "notes.txt", "results.csv"));
}

TEST_F(StagingTest, RemovesWhatKilledProcessesLeft) {
  fs::create_directories(out_);
  const pid_t child = ::fork();
  if (child == 0) ::_exit(0);
  ASSERT_GT(child, 0);
  ASSERT_EQ(::waitpid(child, nullptr, 0), child);
  const fs::path gone = out_ / fmt::format(".export-{}", child), alive = out_ / ".export-1";
  for (const fs::path& folder : {gone, alive}) {
    fs::create_directory(folder);
    std::ofstream(folder / "campaign.h5") << "half";
  }
  fs::create_directory(out_ / ".export-notes");
  publish({"results.csv"});
  EXPECT_FALSE(fs::exists(gone));
  EXPECT_TRUE(fs::exists(alive)) << "process 1 is alive";
  EXPECT_TRUE(fs::exists(out_ / ".export-notes")) << "not ours";
}

TEST_F(StagingTest, SaysWhatCannotBeWritten) {
  std::ofstream(scratch_ / "file") << "x";
  EXPECT_THAT([&] { Staging(scratch_ / "file", Existing::refuse); },
              Refuses(InputFault::unusable_file, (scratch_ / "file").string()));
  EXPECT_THAT([&] { Staging(scratch_ / "file" / "below", Existing::refuse); }, Fails());
  fs::create_directories(out_ / "results.csv");
  EXPECT_THAT([&] { publish({"results.csv"}, Existing::replace); },
              Refuses(InputFault::unusable_file, (out_ / "results.csv").string()));
  EXPECT_THAT(names(), ElementsAre("results.csv"));
}

}}  // namespace glassworks
