#include "scheduler/recovery/verification.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <utility>

#include "db/database.hpp"
#include "engine/config/config.hpp"
#include "engine/disorder/coupling_samples.hpp"
#include "engine/loading/memory.hpp"
#include "engine/starts/stored_starts.hpp"
#include "scheduler/campaign/stored_columns.hpp"
#include "scheduler/devices/batch_size.hpp"
#include "scheduler/recovery/recomputation.hpp"
#include "scheduler/recovery/verification_files.hpp"
#include "scheduler/recovery/verification_rows.hpp"

namespace glassworks { inline namespace scheduler {
namespace {

namespace fs = std::filesystem;

std::map<int, Chain> make_chains(const Config& config, const std::vector<SizeRow>& sizes) {
  std::map<int, Chain> chains;
  for (const SizeRow& size : sizes) {
    const auto index = std::ranges::find(config.model.L, size.L) - config.model.L.begin();
    if (index == std::ssize(config.model.L)) continue;  // check_database tells of it
    chains.emplace(size.L, make_chain(config, static_cast<std::size_t>(index), size.temperatures));
  }
  return chains;
}

/// The configuration of a campaign; with the samples it reads, where rounds are to be simulated again.
Config stored_config(const Database& database, const VerificationOptions& options) {
  Config config = parse_config(database.config_text());
  if (options.recompute > 0) {
    open_coupling_samples(config);
    open_stored_starts(config);
  }
  return config;
}

class Verifier {
 public:
  Verifier(const fs::path& directory, const VerificationOptions& options, RoundControl& control)
      : options_(options),
        control_(control),
        checkpoints_(directory / "checkpoints"),
        database_(Database::open(directory / database_file_name, DatabaseAccess::read_only)),
        files_(checkpoint_files(checkpoints_)),
        rows_(read_rows(database_, result_)),
        config_(stored_config(database_, options)),
        chains_(make_chains(config_, database_.sizes())),
        other_columns_(column_differences(config_, database_.sizes())) {}

  Verification run() {
    prepare_recomputation();
    show("the database as a whole", 0, 1);
    check_database(database_, result_);
    show("the database as a whole", 1, 1);
    check_small_tables(database_, result_);
    check_columns();
    check_directory();
    check_realizations();
    check_ladders(database_, checkpoints_, result_);
    recompute();
    find_orphans();
    return std::move(result_);
  }

 private:
  void check_columns();
  void check_directory();
  void check_realizations();
  void prepare_recomputation();
  void recompute();
  void find_orphans();
  void show(const char* stage, std::size_t done, std::size_t total) const {
    if (options_.progress) options_.progress({stage, done, total});
  }
  bool stop() { return result_.stopped = result_.stopped || control_.stop; }

  const VerificationOptions& options_;
  RoundControl& control_;
  const fs::path checkpoints_;
  const Database database_;
  Verification result_;
  // Read in this order while others write: a file that is there before the rows are and that nobody names in the end is
  // an orphan, and a ladder is frozen before its size has rounds.
  const std::set<std::string> files_;
  const std::vector<RealizationRow> rows_;
  const Config config_;
  const std::map<int, Chain> chains_;
  const std::map<int, std::string> other_columns_;  ///< differences, by L
  std::unique_ptr<Backend> own_;                    ///< that simulates again
  std::vector<RealizationRow> readable_;            ///< those of rows_ whose rounds can be read
};

void Verifier::check_columns() {
  for (const auto& [L, difference] : other_columns_) {
    result_.problems.push_back({fmt::format("Another version wrote the campaign ({})", difference),
                                "none for its results, whose columns are found by name; the last rounds of this size "
                                "are not simulated again",
                                "it refuses to begin: continue the campaign with the version that began it"});
  }
}

void Verifier::check_directory() {
  std::error_code error;
  if (!fs::is_symlink(checkpoints_, error)) return;
  result_.problems.push_back({fmt::format("{} is a symbolic link", checkpoints_.string()), "none for the results",
                              "it refuses to begin: put the folder itself in the place of the link"});
}

void Verifier::check_realizations() {
  const std::optional<std::size_t> provenances = count_provenances(database_);
  for (std::size_t i = 0; i < rows_.size() && !stop(); ++i) {
    show("realizations", i, rows_.size());
    const RealizationRow& row = rows_[i];
    ++result_.realizations;
    if (!chains_.contains(row.key.L)) continue;
    const Chain& chain = chains_.at(row.key.L);
    const std::vector<CourseRound> course =
        chain.course != nullptr ? rounds_of(*chain.course) : std::vector<CourseRound>();
    const ExpectedRound expected{chain.replicas(), chain.measurements, chain.samples, course, provenances};
    if (check_rounds(database_, row, expected, result_)) {
      readable_.push_back(row);
    }
    check_checkpoints(database_, {checkpoints_, config_, chain}, row, result_);
  }
  if (!result_.stopped) show("realizations", rows_.size(), rows_.size());
}

/// Before all other work, because it may be that nothing can be simulated here.
void Verifier::prepare_recomputation() {
  if (options_.recompute <= 0) return;
  if (options_.backend == nullptr) own_ = make_recomputing_backend(config_);
  const Backend& backend = own_ ? *own_ : *options_.backend;
  for (const auto& [L, chain] : chains_) require_realization_fits(config_, chain, backend, physical_memory_bytes());
}

void Verifier::recompute() {
  if (options_.recompute <= 0) return;
  std::vector<RealizationRow> candidates;
  std::ranges::copy_if(readable_, std::back_inserter(candidates), [this](const RealizationRow& row) {
    return can_recompute(row) && !other_columns_.contains(row.key.L);
  });
  const auto chosen = spread_evenly(candidates.size(), static_cast<std::size_t>(options_.recompute));
  Backend* const backend = own_ ? own_.get() : options_.backend;
  for (std::size_t i = 0; i < chosen.size() && !stop(); ++i) {
    show("rounds simulated again", i, chosen.size());
    const RealizationRow& row = candidates[chosen[i]];
    recompute_row(database_, {checkpoints_, config_, chains_.at(row.key.L)}, row, *backend, control_, result_);
  }
  if (!result_.stopped) show("rounds simulated again", chosen.size(), chosen.size());
}

void Verifier::find_orphans() {
  Verification now;
  std::set<std::string> named = ladder_checkpoints(database_, now);
  for (const RealizationRow& row : read_rows(database_, now)) {
    named.insert(row.checkpoint);
    named.insert(row.previous_checkpoint);
  }
  if (!now.problems.empty()) return;  // a row that cannot be read may name any of them
  for (const std::string& file : files_) {
    std::error_code ignored;
    if (!named.contains(file) && fs::exists(checkpoints_ / file, ignored)) result_.orphans.push_back(file);
  }
}

}  // namespace

Verification verify(const fs::path& directory, const VerificationOptions& options, RoundControl& control) {
  return Verifier(directory, options, control).run();
}

}}  // namespace glassworks::scheduler
