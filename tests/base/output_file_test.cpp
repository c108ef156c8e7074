#include "base/output_file.hpp"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <future>
#include <iterator>

#include "base/durable_file.hpp"
#include "tests/refusals.hpp"

namespace glassworks { namespace {

namespace fs = std::filesystem;

std::string contents(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

/// An empty directory that goes with the test.
class OutputFile : public ::testing::Test {
 protected:
  OutputFile() {
    std::string pattern = (fs::temp_directory_path() / "glassworks_output_XXXXXX").string();
    folder_ = mkdtemp(pattern.data());
  }
  ~OutputFile() override { fs::remove_all(folder_); }
  [[nodiscard]] auto entries() const { return std::distance(fs::directory_iterator(folder_), {}); }

  fs::path folder_;
};

TEST_F(OutputFile, IsWholeAndLeavesNothingElse) {
  const fs::path file = folder_ / "table.csv";
  write_output(file, "new", Existing::refuse);
  EXPECT_EQ(contents(file), "new");
  fs::permissions(file, fs::perms::owner_read | fs::perms::owner_write);
  EXPECT_THAT([&] { write_output(file, "more", Existing::refuse); }, Refuses(InputFault::unusable_file, file.string()));
  EXPECT_EQ(contents(file), "new");
  write_output(file, "newer", Existing::replace);
  EXPECT_EQ(contents(file), "newer");
  EXPECT_EQ(fs::status(file).permissions(), fs::perms::owner_read | fs::perms::owner_write) << "as private as before";
  EXPECT_EQ(entries(), 1);
}

TEST_F(OutputFile, LongNamesHaveATemporaryFileToo) {
  const fs::path file = folder_ / std::string(255, 'x');
  write_output(file, "new", Existing::refuse);
  EXPECT_EQ(contents(file), "new");
  EXPECT_EQ(output_place(folder_ / std::string(256, 'x')).kind, OutputPlace::Kind::unusable);
}

TEST_F(OutputFile, WhatALinkLeadsToStays) {
  const fs::path link = folder_ / "link", target = folder_ / "target";
  fs::create_symlink("target", link);
  EXPECT_THAT([&] { write_output(link, "new", Existing::refuse); }, Refuses(InputFault::unusable_file, link.string()));
  EXPECT_FALSE(fs::exists(target));
  write_output(target, "precious", Existing::refuse);
  EXPECT_THAT([&] { write_output(link, "new", Existing::refuse); }, Refuses(InputFault::unusable_file, link.string()));
  write_output(link, "new", Existing::replace);
  EXPECT_FALSE(fs::is_symlink(link));
  EXPECT_EQ(contents(link), "new");
  EXPECT_EQ(contents(target), "precious");
  fs::create_symlink("circle", folder_ / "circle");
  EXPECT_EQ(output_place(folder_ / "circle").kind, OutputPlace::Kind::unusable);
}

/// What was written before through the same descriptor stays.
TEST_F(OutputFile, DescriptorsOfThisProcessAreWrittenThrough) {
  const fs::path file = folder_ / "output";
  const int descriptor = ::open(file.c_str(), O_WRONLY | O_CREAT, 0600);
  ASSERT_EQ(::write(descriptor, "first ", 6), 6);
  const std::string number = std::to_string(descriptor);
  write_output("/dev/fd/" + number, "second ", Existing::refuse);
  write_output("/proc/self/fd/" + number, "third", Existing::refuse);
  ::close(descriptor);
  EXPECT_EQ(contents(file), "first second third");
  EXPECT_EQ(output_place("/dev/fd/" + number).kind, OutputPlace::Kind::unusable) << "it is closed";
  const int reading = ::open(file.c_str(), O_RDONLY);
  EXPECT_EQ(output_place("/dev/fd/" + std::to_string(reading)).kind, OutputPlace::Kind::unusable);
  ::close(reading);
}

TEST_F(OutputFile, AFifoIsWaitedForAndAReaderThatGoesIsAnError) {
  const fs::path fifo = folder_ / "fifo";
  ASSERT_EQ(::mkfifo(fifo.c_str(), 0600), 0);
  const std::string text(200000, 'x');  // more than a pipe holds
  auto reader = std::async(std::launch::async, [&] { return contents(fifo); });
  write_output(fifo, text, Existing::refuse);
  EXPECT_EQ(reader.get(), text);
  reader = std::async(std::launch::async, [&] {
    char some[10];
    std::ifstream(fifo).read(some, sizeof some);
    return std::string();
  });
  EXPECT_THAT([&] { write_output(fifo, text, Existing::refuse); }, Refuses(FileFault::withheld).in_any_words());
  EXPECT_TRUE(fs::is_fifo(fifo));
  EXPECT_EQ(entries(), 1);
}

/// Whatever else goes wrong: no file takes the place of a device.
TEST_F(OutputFile, ADurableFileReplacesNoDevice) {
  const fs::path node = folder_ / "node", other = folder_ / "other";
  if (::mknod(node.c_str(), S_IFCHR | 0600, makedev(1, 3)) != 0) GTEST_SKIP() << "mknod is not permitted";
  {
    DurableFile file(node);
    EXPECT_THAT([&] { file.publish(); }, Refuses(FileFault::withheld));
  }
  std::ofstream(other) << "text";
  EXPECT_THAT([&] { rename_durably(other, node); }, Refuses(FileFault::withheld));
  EXPECT_TRUE(fs::is_character_file(node));
  EXPECT_EQ(entries(), 2);
}

TEST_F(OutputFile, AFullDiskIsASentenceAndLeavesNothing) {
  const fs::path full = folder_ / "full";
  if (::mknod(full.c_str(), S_IFCHR | 0600, makedev(1, 7)) != 0) GTEST_SKIP() << "mknod is not permitted";
  EXPECT_THAT([&] { write_output(full, "text", Existing::replace); }, Refuses(FileFault::withheld));
  EXPECT_EQ(entries(), 1);
}

}}  // namespace glassworks
