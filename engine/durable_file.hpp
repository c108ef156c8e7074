#pragma once

#include <cstddef>
#include <filesystem>
#include <span>
#include <vector>

namespace glassworks {

/// A file that appears under its name whole and on stable storage, or not at all.
///
/// Written as TARGET.PID-N.tmp in the same directory; publish() syncs it, renames it over the target and syncs the
/// directory. Every member throws std::runtime_error with one sentence; the temporary file is then removed by the
/// destructor. Only a killed process leaves a *.tmp behind.
class DurableFile {
 public:
  explicit DurableFile(std::filesystem::path target);
  DurableFile(const DurableFile&) = delete;
  DurableFile& operator=(const DurableFile&) = delete;
  ~DurableFile();

  void append(std::span<const std::byte> data);
  /// Replaces bytes written before.
  void overwrite(std::size_t offset, std::span<const std::byte> data);
  void publish();

 private:
  std::filesystem::path target_, temporary_;
  int descriptor_ = -1;
};

/// The whole file. Throws std::runtime_error with one sentence.
[[nodiscard]] std::vector<std::byte> read_file(const std::filesystem::path& file);

/// Forces a file, or the names in a directory, to stable storage.
void sync_path(const std::filesystem::path& path);

/// Renames within a directory and syncs it; an existing target is replaced.
void rename_durably(const std::filesystem::path& from, const std::filesystem::path& to);

}  // namespace glassworks
