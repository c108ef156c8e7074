#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/un.h>
#include <unistd.h>

#include <array>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <future>
#include <iterator>
#include <map>
#include <set>

#include "base/file_error.hpp"
#include "base/input_error.hpp"
#include "tests/refusals.hpp"
#include "tools/glassworks/output.hpp"
#include "tools/glassworks/verb_table.hpp"
#include "tools/glassworks/verbs.hpp"

/// Every option of every verb that names a file or folder to be written, against whatever may stand under that name.
/// The options come from the tables of the verbs: a new one fails here until it is said how to call it.
namespace glassworks::testing { namespace {

namespace fs = std::filesystem;

/// Options that name something to be read, or to be looked at.
const std::set<std::string> no_outputs = {"report --reference", "plot --reference", "percolate --edges",
                                          "doctor --directory", "bench --config"};

struct OutputOption {
  std::string verb, option;
  bool folder = false, force = false;
  [[nodiscard]] std::string name() const { return verb + " --" + option; }
};

std::vector<OutputOption> output_options() {
  std::vector<OutputOption> all;
  for (const Verb& verb : all_verbs()) {
    const std::vector<Option>& options = verb.syntax->options;
    const bool force = std::ranges::any_of(options, [](const Option& o) { return o.name == "force"; });
    for (const Option& option : options) {
      const OutputOption found{verb.syntax->verb, option.name, option.value == "DIR", force};
      if ((option.value == "FILE" || found.folder) && !no_outputs.contains(found.name())) all.push_back(found);
    }
  }
  return all;
}

std::string output_contents(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

class OutputOptions : public ::testing::Test {
 protected:
  static void SetUpTestSuite() {
    std::string pattern = (fs::temp_directory_path() / "glassworks_outputs_XXXXXX").string();
    scratch_ = mkdtemp(pattern.data());
    std::ofstream(scratch_ / "small.cfg")
        << "model.type = ising\nmodel.dim = 2\nmodel.L = 4\ndisorder.realizations = 2\nladder.T_min = 1\n"
           "ladder.T_max = 2\nladder.slots = 2\nround.measurements = 2\nconvergence.min_rounds = 2\n"
           "convergence.max_rounds = 2\nbackend.threads = 1\n";
    std::ofstream(scratch_ / "graph.txt") << "0 1 1\n1 2 -1\n0 2 1\n";
    std::ofstream(scratch_ / "course.cfg")
        << "model.type = ising\nmodel.dim = 2\nmodel.L = 4\ndisorder.realizations = 4\nladder.temperatures = 1\n"
           "course.sweeps = 4\ncourse.times = 1, 4\nbackend.threads = 1\n";
    ::testing::internal::CaptureStdout();
    ASSERT_EQ(tools::run_campaign(Arguments{(scratch_ / "small.cfg").string(), "--campaign.directory=" + campaign()}),
              0);
    ASSERT_EQ(tools::run_campaign(Arguments{(scratch_ / "course.cfg").string(), "--campaign.directory=" + course()}),
              0);
    static_cast<void>(::testing::internal::GetCapturedStdout());
  }
  static void TearDownTestSuite() { fs::remove_all(scratch_); }
  static std::string campaign() { return (scratch_ / "campaign").string(); }
  static std::string course() { return (scratch_ / "course").string(); }

  /// Calls check() for every option that names a file, or else a folder, with an empty folder for each.
  template <class Check>
  void for_each_option(bool folder, const Check& check) {
    int options = 0;
    for (const OutputOption& option : output_options()) {
      if (option.folder != folder) continue;
      if (option.verb == "plot" && std::system("command -v gnuplot >/dev/null") != 0) continue;
      SCOPED_TRACE(option.name());
      option_ = option;
      folder_ = scratch_ / ("case-" + std::to_string(++options));
      fs::remove_all(folder_);
      fs::create_directory(folder_);
      check();
    }
    EXPECT_GE(options, 3);
  }

  /// Arguments but for the option itself.
  Arguments call() const {
    const std::string C = campaign(), config = (scratch_ / "small.cfg").string();
    const Arguments report = {C, "--blocks=2", "--temperatures=0"};
    const Arguments percolate = {"--graph=square", "--size=4", "--p=0.5", "--samples=2", "--threads=1"};
    const Arguments tune = {config,        "--realizations=2", "--runs=2", "--measurements=2", "--equilibration=0",
                            "--heatbath=2"};
    const auto with = [](Arguments arguments, const Arguments& more) {
      arguments.insert(arguments.end(), more.begin(), more.end());
      return arguments;
    };
    const std::map<std::string, Arguments> calls = {
        {"init --out", {"ising"}},
        {"analyze --csv", {C}},
        {"analyze --covariance", {course()}},
        {"analyze --realizations", {course()}},
        {"compare --csv", {C, C}},
        {"compare --json", {C, C}},
        {"inspect --csv", {C}},
        {"watch --html", {C}},
        {"report --out", report},
        {"report --csv", with(report, {"--out=" + (scratch_ / "page.html").string()})},
        {"plot --out", with(report, {"--figures=energy", "--format=svg"})},
        {"export --out", {C, "--csv"}},
        {"publish --out", {C}},
        {"ground --out", {(scratch_ / "graph.txt").string(), "--runs=1", "--sweeps=4", "--threads=1"}},
        {"percolate --csv", percolate},
        {"percolate --plot", percolate},
        {"tune --out", tune},
        {"tune --json", tune},
        {"bench --json", {"--quick", "--cluster", "--L=4", "--isa=portable", "--repeats=1"}},
    };
    const auto found = calls.find(option_.name());
    if (found != calls.end()) return found->second;
    ADD_FAILURE() << option_.name() << ": add its call here, or to no_outputs if it writes nothing";
    return {};
  }

  /// Whether a call takes a second: fewer cases then.
  [[nodiscard]] bool is_slow() const { return option_.verb == "bench"; }

  /// The name to be given; percolate knows the kind of its plot by the suffix.
  [[nodiscard]] fs::path target() const { return folder_ / (option_.option == "plot" ? "out.html" : "out"); }

  enum class Force { without, with };
  /// Calls the verb. Returns what it refuses with; empty: it has done its work.
  std::string outcome(const fs::path& name, Force force) const {
    Arguments arguments = call();
    arguments.push_back("--" + option_.option + '=' + name.string());
    if (force == Force::with) arguments.emplace_back("--force");
    if (option_.name() == "report --csv") fs::remove(scratch_ / "page.html");
    std::string problem;
    ::testing::internal::CaptureStdout();
    ::testing::internal::CaptureStderr();
    try {
      EXPECT_EQ(verb_named(option_.verb).call(arguments), 0);
    } catch (const std::exception& error) {
      problem = error.what();
      EXPECT_NE(problem, "");
      EXPECT_TRUE(refusing::is_sentence(problem)) << problem;
      EXPECT_TRUE(dynamic_cast<const InputError*>(&error) || dynamic_cast<const FileError*>(&error) ||
                  problem.find("annot") != problem.npos)
          << problem;
    }
    flush_output();
    static_cast<void>(::testing::internal::GetCapturedStderr());
    static_cast<void>(::testing::internal::GetCapturedStdout());
    for (const auto& entry : fs::recursive_directory_iterator(folder_)) {
      const std::string left = entry.path().filename();
      EXPECT_FALSE(left.ends_with(".tmp") || left.starts_with(".export-")) << "is left: " << entry.path();
    }
    return problem;
  }
  void expect_refused(const fs::path& name, const std::string& what) const {
    for (const Force force : {Force::without, Force::with}) {
      if (force == Force::with && !option_.force) continue;
      EXPECT_NE(outcome(name, force), "") << what;
    }
  }

  static bool make_device(const fs::path& node, int minor) {
    return ::mknod(node.c_str(), S_IFCHR | 0600, makedev(1, static_cast<unsigned>(minor))) == 0;
  }
  static void make_socket(const fs::path& name) {
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    ASSERT_LT(name.string().size(), sizeof address.sun_path);
    name.string().copy(address.sun_path, sizeof address.sun_path - 1);
    const int socket = ::socket(AF_UNIX, SOCK_STREAM, 0);
    ASSERT_EQ(::bind(socket, reinterpret_cast<const sockaddr*>(&address), sizeof address), 0);
    ::close(socket);
  }

  /// Things of other kinds, which stay as they are.
  void expect_never_replaced(const std::vector<std::string>& kinds) const {
    const std::string suffix = target().extension();
    for (const std::string& kind : kinds) {
      const fs::path name = folder_ / (kind + suffix);
      if (kind == "socket") make_socket(name);
      if (kind == "fifo") {
        ASSERT_EQ(::mkfifo(name.c_str(), 0600), 0);
      }
      if (kind == "circle") fs::create_symlink(name.filename(), name);
      if (kind == "block" && ::mknod(name.c_str(), S_IFBLK | 0600, makedev(1, 200)) != 0) continue;
      if (kind == "device" && !make_device(name, 3)) continue;
      if (kind == "link" && !fs::exists(folder_ / ("device" + suffix))) continue;
      if (kind == "link") fs::create_symlink("device" + suffix, name);
      struct stat before {
      }, after{};
      ASSERT_EQ(::lstat(name.c_str(), &before), 0);
      expect_refused(name, kind);
      ASSERT_EQ(::lstat(name.c_str(), &after), 0);
      EXPECT_EQ(before.st_ino, after.st_ino) << kind << " was replaced";
    }
  }

  static inline fs::path scratch_;
  OutputOption option_;
  fs::path folder_;
};

TEST_F(OutputOptions, FilesAreReplacedOnlyWithForce) {
  for_each_option(false, [&] {
    ASSERT_TRUE(option_.force) << "the verb has no --force";
    if (!is_slow()) {
      EXPECT_EQ(outcome(target(), Force::without), "");
      EXPECT_TRUE(fs::is_regular_file(target()));
      EXPECT_GT(fs::file_size(target()), 0);
    }
    std::ofstream(target()) << "precious";
    EXPECT_THAT(outcome(target(), Force::without), ::testing::HasSubstr("exists already"));
    EXPECT_EQ(output_contents(target()), "precious");
    EXPECT_EQ(outcome(target(), Force::with), "");
    EXPECT_NE(output_contents(target()), "precious");
  });
}

TEST_F(OutputOptions, StreamsAreWrittenThrough) {
  for_each_option(false, [&] {
    ASSERT_EQ(::mkfifo(target().c_str(), 0600), 0);
    auto reader = std::async(std::launch::async, [&] { return output_contents(target()); });
    EXPECT_EQ(outcome(target(), Force::without), "");
    EXPECT_NE(reader.get(), "");
    EXPECT_TRUE(fs::is_fifo(target()));
    fs::remove(target());
    if (!make_device(target(), 3)) return;
    if (is_slow()) return;
    EXPECT_EQ(outcome(target(), Force::with), "");
    EXPECT_TRUE(fs::is_character_file(fs::symlink_status(target()))) << "the device was replaced";
    const fs::path link = target().parent_path() / ("link" + target().extension().string());
    fs::create_symlink(target().filename(), link);
    EXPECT_EQ(outcome(link, Force::without), "");
    EXPECT_TRUE(fs::is_symlink(link) && fs::is_character_file(fs::symlink_status(target())));
    fs::remove(target());
    ASSERT_TRUE(make_device(target(), 7));
    EXPECT_THAT(outcome(target(), Force::with), ::testing::HasSubstr("No space left"));
    EXPECT_TRUE(fs::is_character_file(fs::symlink_status(target())));
  });
}

TEST_F(OutputOptions, WhatALinkLeadsToStays) {
  for_each_option(false, [&] {
    const fs::path behind = folder_ / "behind";
    fs::create_symlink("behind", target());
    EXPECT_THAT(outcome(target(), Force::without), ::testing::HasSubstr("exists already"));
    EXPECT_FALSE(fs::exists(behind));
    std::ofstream(behind) << "precious";
    EXPECT_THAT(outcome(target(), Force::without), ::testing::HasSubstr("exists already"));
    EXPECT_EQ(outcome(target(), Force::with), "");
    EXPECT_TRUE(fs::is_regular_file(fs::symlink_status(target())));
    EXPECT_EQ(output_contents(behind), "precious");
  });
}

TEST_F(OutputOptions, WhatIsNoPlaceForAFileIsRefused) {
  for_each_option(false, [&] {
    expect_never_replaced({"socket", "block", "circle"});
    fs::create_directory(target());
    expect_refused(target(), "a directory");
    EXPECT_TRUE(fs::is_empty(target()));
    expect_refused(folder_ / "missing" / target().filename(), "a missing parent");
    EXPECT_FALSE(fs::exists(folder_ / "missing"));
    std::ofstream(folder_ / "file") << "precious";
    expect_refused(folder_ / "file" / target().filename(), "a file as parent");
    EXPECT_EQ(output_contents(folder_ / "file"), "precious");
    expect_refused("", "no name");
    if (::geteuid() == 0) return;
    fs::permissions(folder_, fs::perms::owner_read | fs::perms::owner_exec);
    expect_refused(folder_ / ("new" + target().extension().string()), "a folder that is read only");
    fs::permissions(folder_, fs::perms::owner_all);
  });
}

TEST_F(OutputOptions, FoldersAreMadeAndWhatIsNoneIsRefused) {
  for_each_option(true, [&] {
    expect_never_replaced({"socket", "fifo", "block", "device", "link", "circle"});
    std::ofstream(folder_ / "file") << "precious";
    expect_refused(folder_ / "file", "a file");
    expect_refused(folder_ / "file" / "below", "a file as parent");
    EXPECT_EQ(output_contents(folder_ / "file"), "precious");
    const fs::path dangling = folder_ / "dangling";
    fs::create_symlink("behind", dangling);
    expect_refused(dangling, "a link to nothing");
    EXPECT_FALSE(fs::exists(folder_ / "behind"));
    fs::create_directory(folder_ / "behind");
    EXPECT_EQ(outcome(dangling, Force::without), "");
    EXPECT_TRUE(fs::is_symlink(dangling) && !fs::is_empty(folder_ / "behind"));
  });
}

TEST_F(OutputOptions, NothingInAFolderIsReplacedBySurprise) {
  for_each_option(true, [&] {
    ASSERT_EQ(outcome(target(), Force::without), "");
    fs::path first;
    for (const auto& entry : fs::recursive_directory_iterator(target())) {
      if (entry.is_regular_file() && (first.empty() || entry.path() < first)) first = entry.path();
    }
    const auto again = [&] {
      fs::remove_all(target());
      fs::create_directories(first.parent_path());
    };
    again();
    std::ofstream(first) << "precious";
    EXPECT_NE(outcome(target(), Force::without), "");
    EXPECT_EQ(output_contents(first), "precious");
    if (option_.force) {
      EXPECT_EQ(outcome(target(), Force::with), "");
      EXPECT_NE(output_contents(first), "precious");
    }
    again();
    fs::create_symlink(folder_ / "behind", first);
    EXPECT_NE(outcome(target(), Force::without), "");
    EXPECT_TRUE(fs::is_symlink(first) && !fs::exists(folder_ / "behind"));
    again();
    if (!make_device(first, 3)) return;
    static_cast<void>(outcome(target(), option_.force ? Force::with : Force::without));
    EXPECT_TRUE(fs::is_character_file(fs::symlink_status(first))) << "the device was replaced";
  });
}

TEST_F(OutputOptions, TwoOptionsCannotNameOneFile) {
  folder_ = scratch_;
  for (const auto& [verb, one, other] : {std::array{"tune", "out", "json"}, std::array{"percolate", "csv", "plot"},
                                         std::array{"report", "out", "csv"}}) {
    option_ = {verb, other, false, true};
    Arguments arguments = call();
    const std::string file = (scratch_ / "both.html").string();
    std::erase_if(arguments, [](const std::string& argument) { return argument.starts_with("--out="); });
    arguments.insert(arguments.end(),
                     {std::string("--") + one + '=' + file, std::string("--") + other + '=' + file, "--force"});
    EXPECT_THROW(verb_named(verb).call(arguments), InputError) << verb;
    EXPECT_FALSE(fs::exists(file)) << verb;
  }
}

}}  // namespace glassworks::testing
