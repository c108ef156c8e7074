#pragma once

#include <filesystem>

namespace glassworks { inline namespace scheduler {

/// A directory of this process for the states of its batches, for as long as it lives. Those that killed processes
/// have left in the same place are removed.
class RankScratch {
 public:
  /// parent  where temporary files go; throws FileError if nothing can be written there
  explicit RankScratch(const std::filesystem::path& parent);
  RankScratch(const RankScratch&) = delete;
  RankScratch& operator=(const RankScratch&) = delete;
  ~RankScratch();

  /// The directory of the checkpoints.
  [[nodiscard]] std::filesystem::path checkpoints() const { return directory_ / "checkpoints"; }

 private:
  std::filesystem::path directory_;
  int lock_ = -1;  ///< held as long as the process lives: tells others that the directory is in use
};

}}  // namespace glassworks::scheduler
