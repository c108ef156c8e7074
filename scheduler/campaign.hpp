#pragma once

#include <filesystem>

#include "db/database.hpp"
#include "engine/config.hpp"

namespace glassworks {

/// A campaign directory held by this process: the lock, the configuration and the database.
///
/// Layout: campaign.sqlite (the single truth), campaign.lock, checkpoints/.
class Campaign {
 public:
  /// Creates the campaign of a configuration, or continues it if the directory holds it already. Throws InputError if
  /// the stored configuration differs (with every difference), if the directory cannot be written, or if another
  /// process holds it.
  static Campaign create_or_continue(const Config& config);

  Campaign(Campaign&&) noexcept;
  Campaign& operator=(Campaign&&) = delete;
  ~Campaign();

  [[nodiscard]] const Config& config() const { return config_; }
  [[nodiscard]] Database& database() { return database_; }
  [[nodiscard]] std::filesystem::path checkpoint_path(const std::string& file) const;
  [[nodiscard]] bool created() const { return created_; }

  /// Removes checkpoint files that no realization refers to: left by a kill between writing and committing.
  void remove_orphans();

 private:
  Campaign(Config config, Database database, int lock, bool created);

  Config config_;
  Database database_;
  int lock_;
  bool created_;
};

}  // namespace glassworks
