#pragma once

#include <cstddef>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "engine/config/config.hpp"
#include "kernels/rounds/held_batch.hpp"
#include "scheduler/campaign/campaign_rows.hpp"

namespace glassworks { inline namespace scheduler {

/// A realization that a batch holds.
struct HeldRow {
  const RealizationRow* row = nullptr;
  std::size_t task = 0;
};

/// The states of realizations in the files of a campaign, two generations of each. Files are named by what they hold,
/// so a row says which of them it needs.
class CheckpointStore {
 public:
  /// threads  that compress
  CheckpointStore(std::filesystem::path directory, const Config& config, int threads)
      : directory_(std::move(directory)), config_(config), threads_(threads) {}

  /// Of the file with the state of a row.
  [[nodiscard]] static std::string name_of(const RealizationRow& row);
  /// Whether the state of a row needs no file, or the row names the one that holds it.
  [[nodiscard]] static bool is_stored(const RealizationRow& row);

  /// Files that are written together: no more at once than a process may have open.
  static constexpr std::size_t at_once = 128;
  /// Takes the states of up to `at_once` realizations off a device; those in memory stay there [row]. Throws where the
  /// device fails.
  [[nodiscard]] static std::vector<ChainState> fetch(const HeldBatch& held, std::span<const HeldRow> rows);
  /// Writes the states of these realizations and syncs them together: on most file systems that costs little more than
  /// one of them. Throws FileError.
  ///
  /// fetched  by `fetch`
  void write(const Chain& chain, const HeldBatch& held, std::span<const HeldRow> rows,
             std::span<const ChainState> fetched) const;
  /// Syncs the directory, so that the file names of the last write are durable.
  void sync() const;
  void remove(std::span<const std::string> names) const;

 private:
  std::filesystem::path directory_;
  const Config& config_;
  int threads_;
};

}}  // namespace glassworks::scheduler
