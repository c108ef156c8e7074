#include "scheduler/campaign.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <set>
#include <utility>

#include "kernels/observables.hpp"

namespace glassworks {
namespace fs = std::filesystem;
namespace {

void make_directories(const fs::path& directory) {
  std::error_code error;
  fs::create_directories(directory / "checkpoints", error);
  if (error || access(directory.c_str(), W_OK) != 0 || access((directory / "checkpoints").c_str(), W_OK) != 0) {
    throw InputError(
        fmt::format("the campaign directory {} cannot be written ({}). Choose another "
                    "campaign.directory or correct its permissions.",
                    directory.string(), error ? error.message() : std::strerror(errno)));
  }
}

/// The lock is released by the kernel when the process ends, however it ends.
int lock_directory(const fs::path& directory) {
  const fs::path file = directory / "campaign.lock";
  const int descriptor = open(file.c_str(), O_CREAT | O_RDWR | O_CLOEXEC, 0644);
  if (descriptor < 0) {
    throw InputError(
        fmt::format("the campaign directory {} cannot be locked ({}). Choose another campaign.directory "
                    "or correct its permissions.",
                    directory.string(), std::strerror(errno)));
  }
  if (flock(descriptor, LOCK_EX | LOCK_NB) != 0) {
    close(descriptor);
    throw InputError(
        fmt::format("the campaign in {} is already running (another process holds {}). Wait for it or "
                    "stop it first.",
                    directory.string(), file.filename().string()));
  }
  return descriptor;
}

std::vector<SizeRow> size_rows(const Config& config) {
  const ObservableLayout layout(config.model.dim, config.copies);
  std::vector<std::string> names;
  for (int i = 0; i < layout.size(); ++i) names.push_back(layout.name(i));
  std::vector<SizeRow> rows;
  for (std::size_t i = 0; i < config.model.L.size(); ++i) {
    rows.push_back({config.model.L[i], ladder_temperatures(config, i), names});
  }
  return rows;
}

/// A new campaign would remove them as orphans, and they may be all that is left of an old one.
void refuse_stray_checkpoints(const fs::path& directory) {
  if (fs::is_empty(directory / "checkpoints")) return;
  throw InputError(
      fmt::format("there are checkpoints in {} but no {} (a new campaign would remove them). Restore the database, or "
                  "choose another campaign.directory.",
                  directory.string(), database_file_name));
}

void refuse_other_configuration(const fs::path& directory, const Config& stored, const Config& given) {
  const auto differences = campaign_differences(stored, given);
  if (differences.empty()) return;
  std::string text = fmt::format(
      "the configuration differs from the campaign stored in {} (a campaign keeps its "
      "configuration). Restore the keys below or choose another campaign.directory:",
      directory.string());
  for (const std::string& line : differences) text += "\n  " + line;
  throw InputError(text);
}

}  // namespace

Campaign::Campaign(Config config, Database database, int lock, bool created)
    : config_(std::move(config)), database_(std::move(database)), lock_(lock), created_(created) {}

Campaign::Campaign(Campaign&& other) noexcept
    : config_(std::move(other.config_)),
      database_(std::move(other.database_)),
      lock_(std::exchange(other.lock_, -1)),
      created_(other.created_) {}

Campaign::~Campaign() {
  if (lock_ >= 0) close(lock_);
}

Campaign Campaign::create_or_continue(const Config& config) {
  const fs::path& directory = config.directory;
  const fs::path file = directory / database_file_name;
  std::error_code ignored;
  if (fs::exists(file, ignored)) {  // show a difference before anything else is touched
    refuse_other_configuration(directory, parse_config(Database::open(file, DatabaseAccess::read_only).config_text()),
                               config);
  }
  make_directories(directory);
  const int lock = lock_directory(directory);
  try {
    const bool created = !fs::exists(file);
    if (created) refuse_stray_checkpoints(directory);
    Database database = created ? Database::create(file, canonical_text(config), size_rows(config), config.realizations)
                                : Database::open(file, DatabaseAccess::read_write);
    refuse_other_configuration(directory, parse_config(database.config_text()), config);
    return {config, std::move(database), lock, created};
  } catch (...) {
    close(lock);
    throw;
  }
}

fs::path Campaign::checkpoint_path(const std::string& file) const { return config_.directory / "checkpoints" / file; }

void Campaign::remove_orphans() {
  std::set<std::string> referred;
  for (const RealizationRow& row : database_.realizations()) referred.insert(row.checkpoint);
  for (const auto& entry : fs::directory_iterator(config_.directory / "checkpoints")) {
    const std::string suffix = entry.path().extension().string();
    const bool ours = entry.is_regular_file() && (suffix == ".ckpt" || suffix == ".tmp");
    if (ours && !referred.contains(entry.path().filename().string())) fs::remove(entry.path());
  }
}

}  // namespace glassworks
