#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <exception>
#include <functional>
#include <optional>
#include <ostream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <typeinfo>
#include <utility>

#include "base/file_error.hpp"
#include "base/input_error.hpp"
#include "tests/golden_sentences.hpp"

/// What refuses an input: tests name the kind of the error and what it is about. Its words stand in one file of the
/// folder (golden_sentences.hpp).
namespace glassworks {
namespace refusing {

/// "problem (why). suggestion.", or a list of lines below one that says what is in it.
inline bool is_sentence(std::string_view text) {
  if (text.find("\n  ") != std::string_view::npos) return text.back() != '\n';
  return text.find('\n') == std::string_view::npos && (text.ends_with('.') || text.ends_with('?')) &&
         text.find(". ") != std::string_view::npos;
}

inline const char* name(InputFault fault) {
  constexpr std::array names = {"unknown",     "missing",   "repeated", "malformed", "out_of_range", "conflict",
                                "unsupported", "too_large", "changed",  "in_use",    "unusable_file"};
  return names.at(static_cast<std::size_t>(fault));
}
inline const char* name(FileFault fault) {
  constexpr std::array names = {"missing", "damaged", "withheld"};
  return names.at(static_cast<std::size_t>(fault));
}

inline std::string kind_of(const InputError& error) {
  return std::string(name(error.fault())) + ": " + error.subject();
}
inline std::string kind_of(const FileError& error) { return name(error.fault()); }
inline std::string kind_of(const std::exception&) { return ""; }

/// Matches an action that throws an Error, of exactly this type, of this kind and in the words of the file.
template <class Error>
class Matcher {
 public:
  using is_gtest_matcher = void;

  explicit Matcher(std::string kind) : kind_(std::move(kind)) {}

  /// Where words name a time or a process of this machine.
  [[nodiscard]] Matcher with_any_numbers() const {
    Matcher other = *this;
    other.words_->allow_any_numbers();
    return other;
  }
  /// For many like each other, and where words depend on the machine.
  [[nodiscard]] Matcher in_any_words() const {
    Matcher other = *this;
    other.words_.reset();
    GoldenSentence::give_back();
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
  void DescribeTo(std::ostream* out) const { *out << "refuses with " << typeid(Error).name() << " (" << kind_ << ')'; }
  void DescribeNegationTo(std::ostream* out) const { *out << "does not refuse (" << kind_ << ')'; }

 private:
  [[nodiscard]] std::string complaint_about(const Error& error) const {
    if (typeid(error) != typeid(Error)) return std::string("and is of the type ") + typeid(error).name();
    if (kind_of(error) != kind_) return "and is of the kind " + kind_of(error);
    if (!kind_.empty() && !is_sentence(error.what())) return "and has not the form: problem (why). suggestion.";
    return words_ ? words_->complaint(error.what()) : std::string();
  }

  std::string kind_;
  std::optional<GoldenSentence> words_{std::in_place};
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

/// EXPECT_THAT([&] { load(text); }, Refuses(InputFault::out_of_range, "model.L")): throws this InputError.
inline auto Refuses(InputFault fault, std::string subject) {
  return refusing::Matcher<InputError>(refusing::kind_of(InputError(fault, std::move(subject), "")));
}
/// The same of a file of a campaign.
inline auto Refuses(FileFault fault) { return refusing::Matcher<FileError>(refusing::name(fault)); }
/// The same of errors that have no kinds.
template <class Error = std::runtime_error>
auto Fails() {
  return refusing::Matcher<Error>("");
}

}  // namespace glassworks
