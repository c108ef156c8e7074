#include "scheduler/work/checkpoint_store.hpp"

#include <optional>

#include "base/durable_file.hpp"
#include "base/threads.hpp"
#include "engine/checkpoint/checkpoint.hpp"
#include "engine/checkpoint/checkpoint_name.hpp"

namespace glassworks { inline namespace scheduler {

std::string CheckpointStore::name_of(const RealizationRow& row) {
  return checkpoint_name(row.key, row.rounds, row.state_digest);
}

bool CheckpointStore::is_stored(const RealizationRow& row) { return row.rounds == 0 || row.checkpoint == name_of(row); }

/// One after the other: a device has one way to the host.
std::vector<ChainState> CheckpointStore::fetch(const HeldBatch& held, std::span<const HeldRow> rows) {
  std::vector<ChainState> states(rows.size());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (held.state_in_memory(rows[i].task) == nullptr) states[i] = held.state(rows[i].task);
  }
  return states;
}

void CheckpointStore::write(const Chain& chain, const HeldBatch& held, std::span<const HeldRow> rows,
                            std::span<const ChainState> fetched) const {
  constexpr int syncing_threads = 16;  // they wait for the disk
  std::vector<std::optional<DurableFile>> files(rows.size());
  parallel_for(files.size(), threads_, [&](std::size_t i) {
    const ChainState* const here = held.state_in_memory(rows[i].task);
    const RealizationRow& row = *rows[i].row;
    files[i].emplace(prepare_checkpoint(directory_ / name_of(row), here != nullptr ? *here : fetched[i],
                                        checkpoint_identity(config_, chain, row.key.realization, row.rounds)));
  });
  // All are written by now: a file system that syncs by a journal has most of them done with the first.
  parallel_for(files.size(), syncing_threads, [&](std::size_t i) {
    files[i]->sync();
    files[i]->rename();
  });
}

void CheckpointStore::sync() const { sync_path(directory_); }

void CheckpointStore::remove(std::span<const std::string> names) const {
  for (const std::string& name : names) remove_checkpoint(directory_, name);
}

}}  // namespace glassworks::scheduler
