#include <unistd.h>

#include <atomic>
#include <map>
#include <optional>
#include <thread>

#include "tests/db/campaign_fixture.hpp"
#include "tests/message_of.hpp"
#include "tests/refusals.hpp"

namespace glassworks { namespace {

namespace fs = std::filesystem;

/// Acts as a user without privileges, so that permissions count even when the tests run as root.
class Unprivileged {
 public:
  Unprivileged() : active_(::geteuid() != 0 || ::seteuid(65534) == 0) {}
  Unprivileged(const Unprivileged&) = delete;
  Unprivileged& operator=(const Unprivileged&) = delete;
  ~Unprivileged() {
    if (::getuid() == 0 && ::seteuid(0) != 0) std::abort();
  }
  [[nodiscard]] bool active() const { return active_; }

 private:
  bool active_;
};

class ReadOnly : public Campaign {
 protected:
  /// Name and bytes of every file.
  static std::map<std::string, std::vector<std::byte>> snapshot(const fs::path& directory) {
    std::map<std::string, std::vector<std::byte>> files;
    for (const auto& entry : fs::directory_iterator(directory)) {
      files[entry.path().filename().string()] = read_file(entry.path());
    }
    return files;
  }

  /// Copies the files with the given suffixes into a directory that nobody may write to, and reads the copy.
  void expect_readable_copy(const std::vector<std::string>& suffixes) {
    std::optional<Database> writer = create();
    for (int i = 0; i < 3; ++i) advance(*writer, {{4, 0}, {6, 1}});
    const std::string expected = contents(*writer);
    if (suffixes.size() == 1) writer.reset();  // the last to leave empties the log into the file
    const fs::path copy = directory_ / "copy #1?";
    fs::create_directory(copy);
    for (const std::string& suffix : suffixes) {
      fs::copy_file(file_.string() + suffix, copy / (std::string(database_file_name) + suffix));
    }
    fs::permissions(directory_, fs::perms(0755));
    for (const auto& entry : fs::directory_iterator(copy)) fs::permissions(entry.path(), fs::perms(0444));
    fs::permissions(copy, fs::perms(0555));
    const auto before = snapshot(copy);
    std::function<void()> writing;
    {
      const Unprivileged user;
      if (!user.active()) GTEST_SKIP() << "this user cannot give up its privileges";
      const Database reader = Database::open(copy / database_file_name, DatabaseAccess::read_only);
      EXPECT_EQ(contents(reader), expected);
      writing =
          outcome_of([&] { static_cast<void>(Database::open(copy / database_file_name, DatabaseAccess::read_write)); });
    }
    EXPECT_THAT(writing, Fails());
    EXPECT_EQ(snapshot(copy), before);
    fs::permissions(copy, fs::perms(0755));
  }
};

TEST_F(ReadOnly, CopyWithLogAndIndex) { expect_readable_copy({"", "-wal", "-shm"}); }

TEST_F(ReadOnly, CopyWithLogOnly) { expect_readable_copy({"", "-wal"}); }

TEST_F(ReadOnly, CopyOfTheFileAlone) { expect_readable_copy({""}); }

TEST_F(ReadOnly, ReadingChangesNothing) {
  Database writer = create();
  advance(writer, {{4, 0}, {6, 1}});
  const auto before = snapshot(directory_);
  {
    Database reader = open(DatabaseAccess::read_only);
    EXPECT_EQ(contents(reader), contents(writer));
    EXPECT_THAT([&] { reader.set_status(reader.realization({4, 0}), RealizationStatus::failed, ""); }, Fails());
    EXPECT_THAT([&] { advance(reader, {{4, 0}}); }, Fails());
  }
  auto after = snapshot(directory_);
  for (const char* name : {"campaign.sqlite", "campaign.sqlite-wal"})
    EXPECT_EQ(after.at(name), before.at(name)) << name;
  EXPECT_EQ(after.size(), before.size());
}

TEST_F(ReadOnly, FilesOfAClosedCampaignStayAsTheyAre) {
  {
    Database writer = create();
    advance(writer, {{4, 0}});
  }
  const auto before = snapshot(directory_);
  EXPECT_TRUE(before.at("campaign.sqlite-wal").empty());
  EXPECT_EQ(open(DatabaseAccess::read_only).realization({4, 0}).rounds, 1U);
  const auto after = snapshot(directory_);
  EXPECT_EQ(after.at("campaign.sqlite"), before.at("campaign.sqlite"));
  EXPECT_EQ(after.at("campaign.sqlite-wal"), before.at("campaign.sqlite-wal"));
  EXPECT_EQ(after.size(), before.size());
}

TEST_F(ReadOnly, SeesWholeCommitsWhileAnotherWrites) {
  static_cast<void>(create());
  std::atomic<bool> stop{false}, ended{false};
  std::atomic<std::uint32_t> committed{0};
  std::string failure;
  std::thread writing([&] {
    failure = message_of([&] {
      Database writer = open();
      while (!stop && committed < 500) {
        advance(writer, {{4, 0}, {4, 1}});
        ++committed;
      }
    });
    ended = true;
  });
  const Database reader = open(DatabaseAccess::read_only);
  std::uint32_t last = 0;
  for (int i = 0; i < 60 || (committed == 0 && !ended); ++i) {
    const std::uint32_t at_least = committed;
    const auto rows = reader.realizations(4);
    EXPECT_GE(rows[0].rounds, at_least);
    EXPECT_GE(rows[0].rounds, last);
    EXPECT_EQ(rows[0].rounds, rows[1].rounds);
    EXPECT_GE(reader.rounds({4, 1}).size(), rows[0].rounds);
    last = rows[0].rounds;
  }
  stop = true;
  writing.join();
  EXPECT_EQ(failure, "no error");
  EXPECT_GT(committed, 0U);
}

}}  // namespace glassworks
