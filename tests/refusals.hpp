#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <fstream>
#include <functional>
#include <map>
#include <ostream>
#include <string>
#include <string_view>
#include <typeinfo>
#include <utility>
#include <vector>

#include "engine/file_error.hpp"
#include "engine/input_error.hpp"

/// What refuses an input, and how. Tests name the kind of the error and what it is about; the words stand in
/// tests/FOLDER/refusals.txt alone, by tests and in the order in which they check them. With GLASSWORKS_WRITE_GOLDEN in
/// the environment, test executables write that file instead (GLASSWORKS_WRITE_GOLDEN=1 build/tests/test_engine): read
/// the difference before it is committed.
namespace glassworks {
namespace refusing {

using Sentences = std::map<std::string, std::vector<std::string>>;  ///< of each test; "N x " before one N times

inline std::string running_test() {
  const ::testing::TestInfo& test = *::testing::UnitTest::GetInstance()->current_test_info();
  return std::string(test.test_suite_name()) + '.' + test.name();
}

inline std::filesystem::path golden_file() {
  std::filesystem::path folder = ::testing::UnitTest::GetInstance()->current_test_info()->file();
  while (folder.parent_path().filename() != "tests") folder = folder.parent_path();
  return folder / "refusals.txt";
}

inline Sentences read(const std::filesystem::path& file) {
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

inline void write(const std::filesystem::path& file, const Sentences& all) {
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
inline std::string portable(std::string_view text) {
  const auto in_a_name = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 ||
           std::string_view("._-+%/").find(c) != std::string_view::npos;
  };
  const std::filesystem::path temporary = std::filesystem::temp_directory_path();
  std::string shown;
  for (std::size_t at = 0; at < text.size();) {
    if (text[at] != '/' || (at > 0 && in_a_name(text[at - 1]))) {
      shown += text[at] == '\n' ? "\\n" : std::string(1, text[at]);
      ++at;
      continue;
    }
    std::size_t end = at;
    while (end < text.size() && in_a_name(text[end])) ++end;
    while (end > at + 1 && (text[end - 1] == '.' || text[end - 1] == '/')) --end;
    const std::filesystem::path path = text.substr(at, end - at);
    shown += path.parent_path() == temporary ? "SCRATCH" : path.filename().string();
    at = end;
  }
  return shown;
}

/// The place of a sentence in the file: the next one of the test that is running.
class Place {
 public:
  Place() : test_(running_test()), file_(golden_file()) {
    if (counted_test() != test_) {
      counted_test() = test_;
      count() = 0;
      written().clear();
    }
    index_ = count()++;
  }

  /// What is wrong with the words; empty if nothing is.
  [[nodiscard]] std::string complaint(std::string_view text) const {
    const std::string sentence = portable(text);
    if (std::getenv("GLASSWORKS_WRITE_GOLDEN") != nullptr) {
      written().resize(std::max(written().size(), index_ + 1));
      written()[index_] = sentence;
      Sentences all = read(file_);
      all[test_] = written();
      write(file_, all);
      return {};
    }
    const Sentences all = read(file_);
    const auto section = all.find(test_);
    if (section == all.end() || section->second.size() <= index_) {
      return "which is not in " + file_.string() + " yet (set GLASSWORKS_WRITE_GOLDEN to write it)";
    }
    if (section->second[index_] == sentence) return {};
    return "whose words differ from " + file_.string() + ": " + section->second[index_] +
           " (set GLASSWORKS_WRITE_GOLDEN to write them anew)";
  }

 private:
  static std::string& counted_test() {
    static std::string test;
    return test;
  }
  static std::size_t& count() {
    static std::size_t sentences = 0;
    return sentences;
  }
  static std::vector<std::string>& written() {
    static std::vector<std::string> sentences;
    return sentences;
  }

  std::string test_;
  std::filesystem::path file_;
  std::size_t index_ = 0;
};

inline const char* name(InputFault fault) {
  static constexpr const char* names[] = {"unknown",      "missing",  "repeated",     "malformed",
                                          "out_of_range", "conflict", "unsupported",  "too_large",
                                          "changed",      "in_use",   "unusable_file"};
  return names[static_cast<int>(fault)];
}
inline const char* name(FileFault fault) {
  static constexpr const char* names[] = {"missing", "damaged", "withheld"};
  return names[static_cast<int>(fault)];
}

/// "problem (why). suggestion.", or a list of lines below one that says what is in it.
inline bool is_sentence(std::string_view text) {
  if (text.find("\n  ") != std::string_view::npos) return text.back() != '\n';
  return text.find('\n') == std::string_view::npos && (text.ends_with('.') || text.ends_with('?')) &&
         text.find(". ") != std::string_view::npos;
}

/// Matches an action that throws an Error, of exactly this type, that `Kind` agrees with.
template <class Error, class Kind>
class Matcher {
 public:
  using is_gtest_matcher = void;

  explicit Matcher(Kind kind) : kind_(std::move(kind)) {}

  /// For many like each other, and for those that name a time or a number of a process.
  [[nodiscard]] Matcher in_any_words() const {
    Matcher other = *this;
    other.any_words_ = true;
    return other;
  }

  template <class Action>
  bool MatchAndExplain(const Action& action, ::testing::MatchResultListener* listener) const {
    try {
      static_cast<void>(action());
    } catch (const Error& error) {
      const std::string complaint = complaint_about(error);
      *listener << "which says \"" << error.what() << "\" " << complaint;
      return complaint.empty();
    } catch (const std::exception& error) {
      *listener << "which throws " << typeid(error).name() << " \"" << error.what() << '"';
      return false;
    }
    *listener << "which throws nothing";
    return false;
  }
  void DescribeTo(std::ostream* out) const { *out << "refuses (" << kind_.text() << ')'; }
  void DescribeNegationTo(std::ostream* out) const { *out << "does not refuse (" << kind_.text() << ')'; }

 private:
  [[nodiscard]] std::string complaint_about(const Error& error) const {
    if (typeid(error) != typeid(Error)) return std::string("of the type ") + typeid(error).name();
    if (std::string complaint = kind_.complaint(error); !complaint.empty()) return complaint;
    return any_words_ ? std::string() : place_.complaint(error.what());
  }

  Kind kind_;
  Place place_;
  bool any_words_ = false;
};

struct InputKind {
  InputFault fault;
  std::string subject;

  [[nodiscard]] std::string text() const { return std::string(name(fault)) + ": " + subject; }
  [[nodiscard]] std::string complaint(const InputError& error) const {
    if (subject[0] == '@') {
      std::ofstream("/tmp/refused.log", std::ios::app)
          << subject << " " << name(error.fault()) << " " << error.subject() << std::endl;
      return {};
    }  // TEMPORARY
    if (error.fault() != fault || error.subject() != subject) {
      return std::string("with ") + name(error.fault()) + ": " + error.subject();
    }
    return is_sentence(error.what()) ? "" : "which is not of the form: problem (why). suggestion.";
  }
};

struct FileKind {
  FileFault fault;

  [[nodiscard]] std::string text() const { return name(fault); }
  [[nodiscard]] std::string complaint(const FileError& error) const {
    if (error.fault() != fault) return std::string("with ") + name(error.fault());
    return is_sentence(error.what()) ? "" : "which is not of the form: problem (why). suggestion.";
  }
};

struct AnyKind {
  [[nodiscard]] static std::string text() { return "an error of this type"; }
  [[nodiscard]] static std::string complaint(const std::exception&) { return {}; }
};

}  // namespace refusing

/// Carries the action out; the result throws what it has thrown.
inline std::function<void()> outcome_of(const std::function<void()>& action) {
  try {
    action();
  } catch (...) {
    return [failure = std::current_exception()] { std::rethrow_exception(failure); };
  }
  return [] {};
}

/// EXPECT_THAT([&] { load(text); }, Refuses(InputFault::out_of_range, "model.L")): throws this InputError, with the
/// words of refusals.txt.
inline auto Refuses(InputFault fault, std::string subject) {
  return refusing::Matcher<InputError, refusing::InputKind>({fault, std::move(subject)});
}
/// The same of a file of a campaign.
inline auto Refuses(FileFault fault) { return refusing::Matcher<FileError, refusing::FileKind>({fault}); }
/// The same of errors that have no kinds.
template <class Error = std::runtime_error>
auto Fails() {
  return refusing::Matcher<Error, refusing::AnyKind>({});
}

}  // namespace glassworks

#define REFUSED_STR2(x) #x                                                   // TEMPORARY
#define REFUSED_STR(x) REFUSED_STR2(x)                                       // TEMPORARY
#define REFUSED InputFault::unknown, "@" __FILE__ ":" REFUSED_STR(__LINE__)  // TEMPORARY
