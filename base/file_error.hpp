#pragma once

#include <filesystem>
#include <stdexcept>
#include <string>
#include <string_view>

namespace glassworks { inline namespace base {

/// What is wrong with a file.
enum class FileFault {
  missing,
  damaged,   ///< its content cannot be used, or the disk does not give it back
  withheld,  ///< it may be good: no permission, no space, too many open files, a format of a newer program
};

/// A file that cannot be written, read or used: "PROBLEM. SUGGESTION."
class FileError : public std::runtime_error {
 public:
  FileError(FileFault fault, const std::string& problem, const std::string& suggestion)
      : std::runtime_error(problem + ". " + suggestion + "."), fault_(fault), problem_(problem) {}

  [[nodiscard]] FileFault fault() const { return fault_; }
  /// "Cannot read FILE (WHY)", for callers that add their own suggestion.
  [[nodiscard]] const std::string& problem() const { return problem_; }

 private:
  FileFault fault_;
  std::string problem_;
};

/// Throws FileError "Cannot ACTION NAME (what the error number means)".
[[noreturn]] void fail_file(std::string_view action, std::string_view name, int error);

}}  // namespace glassworks::base
