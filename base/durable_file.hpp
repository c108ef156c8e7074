#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <vector>

#include "base/file_error.hpp"

namespace glassworks { inline namespace base {

/// A file that appears under its name whole and on stable storage, or not at all.
///
/// Written as TARGET.PID-N.tmp in the same directory; publish() syncs it, renames it over the target and syncs the
/// directory. Every member throws FileError; the temporary file is then removed by the destructor. Only a killed
/// process leaves a *.tmp behind. A device is never replaced.
class DurableFile {
 public:
  /// permissions  without those that the umask takes away
  explicit DurableFile(std::filesystem::path target, unsigned permissions = 0666);
  DurableFile(DurableFile&& other) noexcept;
  DurableFile& operator=(DurableFile&&) = delete;
  ~DurableFile();

  void append(std::span<const std::byte> data);
  /// Replaces bytes written before.
  void overwrite(std::size_t offset, std::span<const std::byte> data);
  void publish();
  /// publish(), unless the target already exists. Returns whether the file was published.
  [[nodiscard]] bool publish_new();
  /// Copies the permissions of the target, which this file will replace.
  void copy_target_permissions();

  /// publish() in steps, for many files at once: sync() each file (from several threads, so that the file system can
  /// batch them), rename() each, then sync_path(directory) once. The new names are durable only after that.
  void sync();
  void rename();

 private:
  std::filesystem::path target_, temporary_;
  int descriptor_ = -1;
};

/// The whole of a file of a campaign, at most `max_bytes`. Throws FileError, also for a symbolic link.
[[nodiscard]] std::vector<std::byte> read_file(const std::filesystem::path& file,
                                               std::uintmax_t max_bytes = std::uintmax_t{1} << 40);

/// Forces a file, or the names in a directory, to stable storage. Throws FileError.
void sync_path(const std::filesystem::path& path);

/// Renames within a directory and syncs it; an existing target is replaced. Throws FileError.
void rename_durably(const std::filesystem::path& from, const std::filesystem::path& to);

}}  // namespace glassworks::base
