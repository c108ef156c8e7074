#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <string>
#include <string_view>
#include <vector>

/// The words of error messages: tests/FOLDER/refusals.txt has the sentences of each test in the order in which it
/// checks them. With GLASSWORKS_WRITE_GOLDEN in the environment, test executables write those of their tests into the
/// file (GLASSWORKS_WRITE_GOLDEN=1 build/tests/test_engine): read the difference before it is committed. What a removed
/// test had there stays: delete the file before, and run all executables of the folder, to be rid of it.
namespace glassworks {

/// A place in that file: the next one of the test that is running.
class GoldenSentence {
 public:
  GoldenSentence() : index_(running().count++) {}

  /// Numbers and the name of this machine are not compared: they differ from run to run.
  void allow_any_numbers() { any_numbers_ = true; }

  /// Leaves the place to the next one.
  static void give_back() { --running().count; }

  /// What is wrong with the words; empty if nothing is.
  [[nodiscard]] std::string complaint(std::string_view message) const {
    const std::string sentence = any_numbers_ ? without_numbers(portable(message)) : portable(message);
    const std::string test = name_of_test();
    const std::filesystem::path file = file_of_folder();
    Sentences all = read(file);
    if (std::getenv("GLASSWORKS_WRITE_GOLDEN") != nullptr) {
      std::vector<std::string>& said = running().said;
      said.resize(std::max(said.size(), index_ + 1));
      said[index_] = sentence;
      all[test] = said;
      write(file, all);
      return {};
    }
    const std::vector<std::string>& expected = all[test];
    if (index_ < expected.size() && expected[index_] == sentence) return {};
    return "in other words than " + file.string() + " (" + (index_ < expected.size() ? expected[index_] : "none yet") +
           "). Set GLASSWORKS_WRITE_GOLDEN to write them anew.";
  }

 private:
  using Sentences = std::map<std::string, std::vector<std::string>>;  ///< of each test

  /// Of the test that is running.
  struct Running : ::testing::EmptyTestEventListener {
    std::size_t count = 0;
    std::vector<std::string> said;

    void OnTestStart(const ::testing::TestInfo&) override {
      count = 0;
      said.clear();
    }
  };
  static Running& running() { return *running_; }
  static Running* listening() {
    auto* listener = new Running;  // owned by GoogleTest
    ::testing::UnitTest::GetInstance()->listeners().Append(listener);
    return listener;
  }
  static inline Running* const running_ = listening();

  static const ::testing::TestInfo& test() { return *::testing::UnitTest::GetInstance()->current_test_info(); }
  static std::string name_of_test() { return std::string(test().test_suite_name()) + '.' + test().name(); }
  static std::filesystem::path file_of_folder() {
    std::filesystem::path folder = test().file();
    while (folder.parent_path().filename() != "tests") folder = folder.parent_path();
    return folder / "refusals.txt";
  }

  /// "== TEST", then one sentence a line, with "N x " before one that follows itself.
  static Sentences read(const std::filesystem::path& file) {
    Sentences all;
    std::ifstream in(file, std::ios::binary);
    std::vector<std::string>* section = nullptr;
    for (std::string line; std::getline(in, line);) {
      if (line.starts_with("== ")) {
        section = &all[line.substr(3)];
      } else if (!line.empty() && section != nullptr) {
        const std::size_t mark = line.find(" x ");
        const bool repeated = mark != 0 && mark == line.find_first_not_of("0123456789");
        section->insert(section->end(), repeated ? std::stoul(line) : 1, repeated ? line.substr(mark + 3) : line);
      }
    }
    return all;
  }
  static void write(const std::filesystem::path& file, const Sentences& all) {
    std::ofstream out(file, std::ios::binary);
    for (const auto& [test, sentences] : all) {
      out << (test == all.begin()->first ? "" : "\n") << "== " << test << '\n';
      for (auto sentence = sentences.begin(); sentence != sentences.end();) {
        const auto other = std::find_if(sentence, sentences.end(), [&](const auto& next) { return next != *sentence; });
        if (other - sentence > 1) out << other - sentence << " x ";
        out << *sentence << '\n';
        sentence = other;
      }
    }
  }

  /// In one line, and of absolute paths the last name only; those of temporary folders have no name.
  static std::string portable(std::string_view text) {
    const auto in_a_path = [](char c) {
      return std::isalnum(static_cast<unsigned char>(c)) != 0 ||
             std::string_view("._-+%/").find(c) != std::string_view::npos;
    };
    std::string shown;
    for (std::size_t at = 0; at < text.size();) {
      if (text[at] != '/' || (at > 0 && in_a_path(text[at - 1]))) {
        shown += text[at] == '\n' ? "\\n" : std::string(1, text[at]);
        ++at;
        continue;
      }
      std::size_t end = at;
      while (end < text.size() && in_a_path(text[end])) ++end;
      while (end > at + 1 && (text[end - 1] == '.' || text[end - 1] == '/')) --end;
      const std::filesystem::path path = text.substr(at, end - at), folder = path.parent_path();
      const std::filesystem::path chosen = (std::filesystem::temp_directory_path() / "").parent_path();  // by TMPDIR
      const bool temporary = folder == chosen || folder == "/tmp" || folder == "/dev/shm";
      shown += temporary ? "SCRATCH" : path.filename().string();
      at = end;
    }
    return shown;
  }

  static std::string without_numbers(std::string text) {
    std::array<char, 256> host{};
    if (::gethostname(host.data(), host.size() - 1) == 0 && host[0] != '\0') {
      const std::string name(host.data());
      for (std::size_t at = 0; (at = text.find(name, at)) != std::string::npos;) text.replace(at, name.size(), "HOST");
    }
    std::string shown;
    for (const char c : text) {
      if (c < '0' || c > '9') {
        shown += c;
      } else if (shown.empty() || shown.back() != 'N') {
        shown += 'N';
      }
    }
    return shown;
  }

  std::size_t index_;
  bool any_numbers_ = false;
};

}  // namespace glassworks
