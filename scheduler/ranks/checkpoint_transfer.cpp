#include "scheduler/ranks/checkpoint_transfer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <optional>
#include <span>
#include <stdexcept>
#include <utility>

#include "base/durable_file.hpp"
#include "base/threads.hpp"
#include "db/errors.hpp"
#include "engine/checkpoint/checkpoint.hpp"
#include "engine/checkpoint/checkpoint_name.hpp"

namespace glassworks { inline namespace scheduler {
namespace fs = std::filesystem;
namespace {

std::optional<CheckpointFile> read_state(const fs::path& checkpoints, const std::string& name,
                                         const std::string& digest, const CheckpointIdentity& identity) {
  if (name.empty()) return std::nullopt;
  try {
    CheckpointFile file{name, read_file(checkpoint_path(checkpoints, name), largest_checkpoint(identity))};
    if (state_digest(decode_checkpoint(file.bytes, identity).state) != digest) return std::nullopt;
    return file;
  } catch (const FileError& error) {
    if (error.fault() == FileFault::withheld) throw;
    return std::nullopt;
  }
}

void refuse_other_name(const std::string& name) {
  if (is_checkpoint_name(name)) return;
  throw std::runtime_error(fmt::format(
      "a rank sends a checkpoint named '{}' (that is no name of a checkpoint). Start the same executable on "
      "all machines.",
      db::in_one_line(name)));
}

}  // namespace

std::vector<CheckpointFile> read_states(const Config& config, const Chains& chains,
                                        const std::vector<RealizationRow>& rows) {
  const fs::path checkpoints = config.campaign.directory / "checkpoints";
  std::vector<CheckpointFile> files;
  for (const RealizationRow& row : rows) {
    if (row.rounds == 0) continue;
    const auto read = [&](const std::string& name, const std::string& digest) {
      const Chain& chain = chains.at(row.key.L);
      const std::uint32_t rounds = rounds_of_checkpoint(name);
      return read_state(checkpoints, name, digest, checkpoint_identity(config, chain, row.key.realization, rounds));
    };
    std::optional<CheckpointFile> file = read(row.checkpoint, row.checkpoint_digest);
    if (!file) file = read(row.previous_checkpoint, row.previous_digest);
    if (file) files.push_back(std::move(*file));
  }
  return files;
}

void write_states(const fs::path& checkpoints, const std::vector<CheckpointFile>& all) {
  constexpr std::size_t at_once = 128;  // a process may have only so many files open
  constexpr int syncing_threads = 16;   // they wait for the disk
  for (const CheckpointFile& file : all) refuse_other_name(file.name);
  for (std::span<const CheckpointFile> files = all; !files.empty();) {
    const std::span<const CheckpointFile> part = files.first(std::min(at_once, files.size()));
    files = files.subspan(part.size());
    std::vector<std::optional<DurableFile>> written(part.size());
    parallel_for(part.size(), syncing_threads, [&](std::size_t i) {
      written[i].emplace(checkpoints / part[i].name);
      written[i]->append(part[i].bytes);
      written[i]->sync();
    });
    for (std::optional<DurableFile>& file : written) file->rename();
  }
  sync_path(checkpoints);
}

void remove_states(const fs::path& checkpoints, const std::vector<std::string>& names) {
  for (const std::string& name : names) remove_checkpoint(checkpoints, name);
}

}}  // namespace glassworks::scheduler
