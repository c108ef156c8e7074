#pragma once

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/un.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <vector>

#include "analysis/export/staging.hpp"
#include "base/input_error.hpp"
#include "base/text_file.hpp"
#include "tools/glassworks/output.hpp"
#include "tools/glassworks/publication.hpp"
#include "tools/glassworks/publication_check.hpp"
#include "tools/glassworks/verbs.hpp"

/// Published folders as strangers may give them: no wait, no message of a library, and never "no problems" where
/// something is missing, changed or not compared.
namespace glassworks::testing { namespace {

namespace fs = std::filesystem;
using ::testing::Contains;
using ::testing::ContainsRegex;
using ::testing::IsEmpty;
using Change = std::function<void(const fs::path& folder)>;

std::string published_contents(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}
void write(const fs::path& file, const std::string& text) { std::ofstream(file, std::ios::binary) << text; }

/// Writes the list of digests anew, as somebody would who has changed something.
void sign(const fs::path& folder) {
  std::string list;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    const std::string name = entry.path().lexically_relative(folder);
    if (!fs::is_regular_file(entry.symlink_status()) || name == digest_list_file) continue;
    if (entry.file_size() < (1 << 20)) list += file_digest(entry.path()) + "  " + name + '\n';
  }
  write(folder / digest_list_file, list + "# XXH3-128 of the lines above: " + text_digest(list) + '\n');
}

void call(int (*verb)(const Arguments&), const Arguments& arguments) {
  ::testing::internal::CaptureStdout();
  ::testing::internal::CaptureStderr();
  std::string problem;
  try {
    if (verb(arguments) != 0) problem = "it has failed";
  } catch (const std::exception& error) {
    problem = error.what();
  }
  flush_output();
  const std::string errors = ::testing::internal::GetCapturedStderr();
  static_cast<void>(::testing::internal::GetCapturedStdout());
  EXPECT_EQ(problem, "") << errors;
}

class PublicationCheckTest : public ::testing::Test {
 protected:
  static void SetUpTestSuite() {
    std::string pattern = (fs::temp_directory_path() / "glassworks_published_XXXXXX").string();
    scratch_ = mkdtemp(pattern.data());
    campaign("drawn", {});
    call(export_files, {at("drawn"), "--couplings", "--out=" + at("files")});
    campaign("read", {"--model.couplings=files", "--model.couplings_file=" + at("files/couplings")});
    publish(at("read"), base());
  }
  static void TearDownTestSuite() { fs::remove_all(scratch_); }

  static std::string at(const std::string& name) { return (scratch_ / name).string(); }
  /// Six rounds of two realizations, whose couplings lie in the folder.
  static fs::path base() { return scratch_ / "base"; }

  static void campaign(const std::string& name, const Arguments& keys) {
    write(at("small.cfg"),
          "model.type = ising\nmodel.dim = 2\nmodel.L = 4\nmodel.couplings = bimodal\ndisorder.realizations = 2\n"
          "ladder.T_min = 1\nladder.T_max = 2\nladder.slots = 3\nround.measurements = 4\nconvergence.min_rounds = 6\n"
          "convergence.max_rounds = 6\nbackend.threads = 1\n");
    Arguments arguments = {at("small.cfg"), "--campaign.directory=" + at(name)};
    arguments.insert(arguments.end(), keys.begin(), keys.end());
    call(static_cast<int (*)(const Arguments&)>(tools::run_campaign), arguments);
  }
  /// Without the figures, which make copies slow.
  static void publish(const std::string& campaign, const fs::path& folder) {
    call(publish_campaigns, {campaign, "--out=" + folder.string()});
    for (const char* part : {"figures", "numbers", "alps", "campaign.h5"}) fs::remove_all(folder / part);
    write(folder / "report.html", "text");
    sign(folder);
  }

  static PublicationCheck check(const fs::path& folder, int recompute = 2, double seconds = 600.0) {
    RoundControl control;
    return check_publication(folder, {.recompute = recompute, .seconds_allowed = seconds, .progress = {}, .note = {}},
                             control);
  }

  /// The problems of a changed copy, or what it is refused with.
  static std::vector<std::string> problems_of(const Change& change) {
    const fs::path copy = scratch_ / "copy";
    fs::remove_all(copy);
    fs::copy(base(), copy, fs::copy_options::recursive);
    change(copy);
    const auto begin = std::chrono::steady_clock::now();
    std::vector<std::string> problems;
    try {
      problems = check(copy).problems;
    } catch (const InputError& error) {
      problems = {error.what()};
    }
    EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(20));
    return problems;
  }
  static void expect_problem(const std::string& name, const std::string& pattern, const Change& change) {
    SCOPED_TRACE(name);
    const std::vector<std::string> problems = problems_of(change);
    EXPECT_THAT(problems, Contains(ContainsRegex(pattern)));
    for (const std::string& problem : problems) {
      EXPECT_THAT(problem, ::testing::Not(ContainsRegex("vector::|map::|basic_|std::|stoi|filesystem error|internal")));
    }
    ++cases_;
  }

  static inline fs::path scratch_;
  static inline int cases_ = 0;
};

Change removed(const std::string& name) {
  return [=](const fs::path& folder) { fs::remove_all(folder / name); };
}
Change put(const std::string& name, const std::string& text) {
  return [=](const fs::path& folder) { write(folder / name, text); };
}
Change linked(const std::string& name, const fs::path& target) {
  return [=](const fs::path& folder) {
    fs::remove_all(folder / name);
    fs::create_symlink(target, folder / name);
  };
}
/// A file, folder or link of another kind in its place.
Change replaced(const std::string& name, const std::function<void(const fs::path&)>& make) {
  return [=](const fs::path& folder) {
    fs::remove_all(folder / name);
    make(folder / name);
  };
}
Change edited(const std::string& name, const std::string& from, const std::string& to) {
  return [=](const fs::path& folder) {
    std::string text = published_contents(folder / name);
    const std::size_t place = text.find(from);
    ASSERT_NE(place, text.npos) << from << " is not in " << text;
    write(folder / name, text.replace(place, from.size(), to));
  };
}
Change appended(const std::string& name, const std::string& more) {
  return [=](const fs::path& folder) { write(folder / name, published_contents(folder / name) + more); };
}
/// Lines, counted from 0, are left out.
Change without_lines(const std::string& name, const std::function<bool(const std::string&, std::size_t)>& is_out) {
  return [=](const fs::path& folder) {
    std::ifstream in(folder / name);
    std::string text, line;
    for (std::size_t number = 0; std::getline(in, line); ++number) {
      if (!is_out(line, number)) text += line + '\n';
    }
    in.close();
    ASSERT_NE(text, published_contents(folder / name));
    write(folder / name, text);
  };
}
Change without_line(const std::string& name, std::size_t line) {
  return without_lines(name, [=](const std::string&, std::size_t number) { return number == line; });
}
Change also_signed(const Change& change) {
  return [=](const fs::path& folder) {
    change(folder);
    sign(folder);
  };
}

void make_socket(const fs::path& name) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  name.string().copy(address.sun_path, sizeof address.sun_path - 1);
  const int socket = ::socket(AF_UNIX, SOCK_STREAM, 0);
  ASSERT_EQ(::bind(socket, reinterpret_cast<const sockaddr*>(&address), sizeof address), 0);
  ::close(socket);
}

}}  // namespace glassworks::testing
