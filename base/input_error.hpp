#pragma once

#include <stdexcept>
#include <string>
#include <utility>

namespace glassworks { inline namespace base {

/// What is wrong with an input.
enum class InputFault {
  unknown,        ///< the name or number of something that does not exist: a key, choice, option, verb or size
  missing,        ///< needed and not given, or not there
  repeated,       ///< given twice
  malformed,      ///< cannot be read as what it should be
  out_of_range,   ///< a number that is too small, too large or not among those that are possible
  conflict,       ///< does not go together with something else that was given, or has no use beside it
  unsupported,    ///< this program or machine cannot do it
  too_large,      ///< needs more memory, time or places than there are
  changed,        ///< differs from what a campaign has begun with
  in_use,         ///< other processes work with it
  unusable_file,  ///< a file or directory that cannot be read, written or used
};

/// Input that cannot be used. The message is one sentence for people: problem (why). suggestion.
class InputError : public std::runtime_error {
 public:
  /// subject  what it is about, as it is written in the input (the key `model.L`, the option `--at`, the verb, the
  ///          file); several with ", " in between
  InputError(InputFault fault, std::string subject, const std::string& sentence)
      : std::runtime_error(sentence), fault_(fault), subject_(std::move(subject)) {}

  [[nodiscard]] InputFault fault() const { return fault_; }
  [[nodiscard]] const std::string& subject() const { return subject_; }

 private:
  InputFault fault_;
  std::string subject_;
};

}}  // namespace glassworks::base
