#include "db/log_copier.hpp"

#include <chrono>
#include <cstring>
#include <fstream>
#include <iterator>
#include <thread>

#include "tests/db/campaign_fixture.hpp"

namespace glassworks { namespace {

class LogCopies : public Campaign {
 protected:
  /// Frames of the log, and how many of them are in the database too: numbers of SQLite's index of the log, at bytes 16
  /// and 96 of the file that writers share.
  [[nodiscard]] std::pair<std::uint32_t, std::uint32_t> frames() const {
    std::ifstream in(file_.string() + "-shm", std::ios::binary);
    const std::string index((std::istreambuf_iterator<char>(in)), {});
    std::uint32_t all = 0, copied = 0;
    std::memcpy(&all, index.data() + 16, sizeof all);
    std::memcpy(&copied, index.data() + 96, sizeof copied);
    return {all, copied};
  }
};

TEST_F(LogCopies, BringsCommitsIntoTheDatabaseWithoutTheWriter) {
  Database database = create();
  for (int i = 0; i < 3; ++i) advance(database, {{4, 0}, {6, 1}});
  const std::string written = contents(database);
  ASSERT_GT(frames().first, 0U);
  ASSERT_EQ(frames().second, 0U);
  LogCopier copier(file_);
  copier.committed(LogCopier::enough_rounds - 1);
  copier.committed(1);
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(20);
  while (frames().second < frames().first && std::chrono::steady_clock::now() < end) {
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
  ASSERT_EQ(frames().second, frames().first);
  const std::filesystem::path alone = directory_ / "copy.sqlite";  // without the log
  std::filesystem::copy_file(file_, alone);
  EXPECT_EQ(contents(Database::open(alone, DatabaseAccess::read_only)), written);
  advance(database, {{4, 0}});
  EXPECT_EQ(database.realization({4, 0}).rounds, 4U);
}

TEST_F(LogCopies, FailsInSilence) {
  LogCopier copier(file_);  // there is no such file: whoever writes says so
  copier.committed(LogCopier::enough_rounds);
  copier.committed(LogCopier::enough_rounds);
}

}}  // namespace glassworks
