#pragma once

#include <cstddef>
#include <filesystem>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

namespace glassworks {

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
  /// "Cannot read FILE (WHY)", for those who know a remedy of their own.
  [[nodiscard]] const std::string& problem() const { return problem_; }

 private:
  FileFault fault_;
  std::string problem_;
};

/// A file that appears under its name whole and on stable storage, or not at all.
///
/// Written as TARGET.PID-N.tmp in the same directory; publish() syncs it, renames it over the target and syncs the
/// directory. Every member throws FileError; the temporary file is then removed by the destructor. Only a killed
/// process leaves a *.tmp behind.
class DurableFile {
 public:
  explicit DurableFile(std::filesystem::path target);
  DurableFile(DurableFile&& other) noexcept;
  DurableFile& operator=(DurableFile&&) = delete;
  ~DurableFile();

  void append(std::span<const std::byte> data);
  /// Replaces bytes written before.
  void overwrite(std::size_t offset, std::span<const std::byte> data);
  void publish();

  /// The first two steps of publish(), for many files: sync() all of them (from several threads, so that the file
  /// system joins them), rename() each, then sync_path(directory) once. Only then do the names last.
  void sync();
  void rename();

 private:
  std::filesystem::path target_, temporary_;
  int descriptor_ = -1;
};

/// The whole file. Throws FileError.
[[nodiscard]] std::vector<std::byte> read_file(const std::filesystem::path& file);

/// Forces a file, or the names in a directory, to stable storage. Throws FileError.
void sync_path(const std::filesystem::path& path);

/// Renames within a directory and syncs it; an existing target is replaced. Throws FileError.
void rename_durably(const std::filesystem::path& from, const std::filesystem::path& to);

}  // namespace glassworks
