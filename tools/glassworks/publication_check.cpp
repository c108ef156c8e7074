#include "tools/glassworks/publication_check.hpp"

#include <fmt/format.h>

#include <iterator>
#include <map>
#include <memory>
#include <optional>
#include <stdexcept>
#include <utility>

#include "analysis/export/staging.hpp"
#include "db/bins.hpp"
#include "engine/checkpoint/checkpoint.hpp"
#include "engine/loading/memory.hpp"
#include "kernels/rounds/course.hpp"
#include "kernels/series/course_batch.hpp"
#include "scheduler/campaign/stopwatch.hpp"
#include "scheduler/devices/batch_size.hpp"
#include "scheduler/histories/start.hpp"
#include "scheduler/recovery/recomputation.hpp"
#include "tools/glassworks/duration.hpp"
#include "tools/glassworks/publication.hpp"
#include "tools/glassworks/publication_records.hpp"
#include "tools/glassworks/recomputation_cost.hpp"
#include "tools/glassworks/stop_signals.hpp"

namespace glassworks { inline namespace tools {
namespace fs = std::filesystem;
namespace {

/// A message as a clause of a problem: without its full stop.
std::string clause_of(const std::exception& error) {
  if (dynamic_cast<const std::logic_error*>(&error) != nullptr) return "an internal error";
  std::string text = error.what();
  if (text.ends_with('.')) text.pop_back();
  return text;
}

void check_files(const PublishedFolder& folder, const std::map<std::string, std::string>& digests,
                 const PublicationOptions& options, PublicationCheck& found) {
  constexpr double slowest_disk = 2e8;  // B/s; the digest itself takes less
  double bytes = 0.0;
  for (const auto& [name, size] : folder.files()) bytes += static_cast<double>(size);
  if (const double seconds = bytes / slowest_disk; seconds > options.seconds_allowed) {
    found.problems.push_back(
        fmt::format("no file was compared: {:.3g} GB take up to {}, and {} are allowed (--time-limit allows more)",
                    1e-9 * bytes, duration_text(seconds), duration_text(options.seconds_allowed)));
    return;
  }
  for (const auto& [name, digest] : digests) {
    if (options.progress) options.progress("files", found.files, digests.size());
    ++found.files;
    if (!folder.files().contains(name)) {
      found.problems.push_back(fmt::format("{} is missing", name));
      continue;
    }
    try {
      RegularFile file = folder.open(name);
      if (const std::string now = file_digest(file); now != digest) {
        found.problems.push_back(fmt::format("{} has been changed: its digest is {}, not {}", name, now, digest));
      }
    } catch (const FileError& error) {
      found.problems.push_back(clause_of(error));
    }
  }
  if (options.progress) options.progress("files", digests.size(), digests.size());
  for (const auto& [name, size] : folder.files()) {
    if (name != digest_list_file && !digests.contains(name)) found.unlisted.push_back(name);
  }
}

/// A realization that is to be simulated again.
struct Repetition {
  RealizationKey key;
  const Config* config = nullptr;
  FirstRounds first;
  Chain chain;
};

/// Backends by kind: one folder may hold campaigns that no single one can simulate.
class Backends {
 public:
  Backend& of(const Config& config) {
    std::unique_ptr<Backend>& backend = backends_[recomputing_backend(config)];
    if (!backend) backend = make_backend({.kind = recomputing_backend(config)});
    return *backend;
  }

 private:
  std::map<BackendKind, std::unique_ptr<Backend>> backends_;
};

/// Simulates one again and compares it. Throws std::runtime_error with the reason where that cannot be done; false
/// where `control` has stopped it.
bool repeat(const Repetition& repetition, Backend& backend, RoundControl& control, PublicationCheck& found) {
  const auto& [key, config, first, chain] = repetition;
  require_realization_fits(*config, chain, backend, physical_memory_bytes());
  const Disorder disorder = make_disorder(*config, chain.lattice, key.realization);
  ChainState state;
  const Beginning beginning{key.realization, &disorder, &state};
  if (!make_starts(*config, chain, {&beginning, 1}, backend, control)) return false;
  Digest bins;
  RoundRecord record;
  std::vector<HeldTask> tasks;
  tasks.push_back({key.realization, &disorder, std::move(state)});
  const std::unique_ptr<HeldBatch> held = hold_batch(backend, chain, std::move(tasks));
  for (std::uint32_t round = 0; round < first.rounds; ++round) {
    if (held->run_round({&record, 1}, control) == RoundOutcome::abandoned) return false;
    db::add_to_digest(bins, round, record);
  }
  ++found.realizations;
  found.rounds += first.rounds;
  if (bins.hex() != first.bins) {
    found.problems.push_back(
        fmt::format("the first {} rounds of realization {} at L = {}, simulated again, have other "
                    "bins (digest {}, not {})",
                    first.rounds, key.realization, key.L, bins.hex(), first.bins));
  } else if (!first.state.empty() && state_digest(held->state(0)) != first.state) {
    found.problems.push_back(
        fmt::format("the state of realization {} at L = {} after {} rounds, simulated again, has "
                    "another digest",
                    key.realization, key.L, first.rounds));
  }
  return true;
}

/// Of the numbers of first rounds whose digests are known, the one that is simulated again.
FirstRounds choose_rounds(const Config& config, const Chain& chain, const std::vector<FirstRounds>& listed,
                          AffordableRounds& affordable, Backends& backends) {
  if (chain.course == nullptr) {
    const auto more = [](const FirstRounds& one) { return one.rounds > most_first_rounds; };
    return *std::prev(std::ranges::find_if(listed, more));
  }
  if (const std::size_t rounds = rounds_of(*chain.course).size(); listed.back().rounds > rounds) {
    throw std::runtime_error(fmt::format("its course has {} rounds, not {}", rounds, listed.back().rounds));
  }
  std::vector<std::uint32_t> counts;
  for (const FirstRounds& one : listed) counts.push_back(one.rounds);
  return listed[affordable.choose(config, chain, counts, most_first_rounds, backends.of(config))];
}

/// Those that were chosen and can be begun; the others are problems.
std::vector<Repetition> repetitions_of(const PublicationRecords& records, const PublicationOptions& options,
                                       Backends& backends, PublicationCheck& found) {
  constexpr double part_of_time = 0.25;  // timings are rough
  const int wanted = options.recompute;
  AffordableRounds affordable(part_of_time * options.seconds_allowed / wanted);
  std::vector<Repetition> repetitions;
  std::vector<std::map<RealizationKey, std::vector<FirstRounds>>::const_iterator> all;
  for (auto one = records.first_rounds.begin(); one != records.first_rounds.end(); ++one) all.push_back(one);
  for (const std::size_t i : spread_evenly(all.size(), static_cast<std::size_t>(wanted))) {
    const auto& [key, listed] = *all[i];
    ++found.chosen;
    try {
      const PublishedOrigin origin = records.origin_of(key);
      const Config& config = records.configurations[origin.configuration];
      Chain chain = make_chain(config, origin.size, records.temperatures.at(key.L));
      const FirstRounds first = choose_rounds(config, chain, listed, affordable, backends);
      repetitions.push_back({key, &config, first, std::move(chain)});
    } catch (const std::bad_alloc&) {
      throw;
    } catch (const std::exception& error) {
      found.problems.push_back(fmt::format("realization {} at L = {} cannot be simulated again: {}", key.realization,
                                           key.L, clause_of(error)));
    }
  }
  return repetitions;
}

/// Whether all of it may be computed here; says how long it takes.
bool is_affordable(const std::vector<Repetition>& repetitions, const PublicationOptions& options, Backends& backends,
                   PublicationCheck& found) {
  RecomputationCost cost(options.seconds_allowed);
  for (const Repetition& one : repetitions) cost.add(*one.config, one.chain, one.first.rounds);
  const std::string refusal = cost.estimate([&](const Config& config) -> Backend& { return backends.of(config); });
  if (refusal.empty()) {
    if (options.note && cost.is_long() && cost.seconds() >= 1.0) {
      options.note(fmt::format("To simulate the first rounds of {} realizations again takes about {}.",
                               repetitions.size(), duration_text(cost.seconds())));
    }
    return true;
  }
  found.problems.push_back(
      fmt::format("{} of {} realizations were not simulated again: {}", repetitions.size(), found.chosen, refusal));
  return false;
}

void repeat_rounds(const PublicationRecords& records, const PublicationOptions& options, RoundControl& control,
                   PublicationCheck& found) {
  Backends backends;
  const std::vector<Repetition> repetitions = repetitions_of(records, options, backends, found);
  if (repetitions.empty() || !is_affordable(repetitions, options, backends, found)) return;
  const Stopwatch watch;
  const StopTimer timer(
      control, std::chrono::steady_clock::now() + std::chrono::duration_cast<std::chrono::steady_clock::duration>(
                                                      std::chrono::duration<double>(options.seconds_allowed)));
  for (std::size_t done = 0; const Repetition& one : repetitions) {
    if (options.progress) options.progress("realizations simulated again", done, repetitions.size());
    try {
      if (!repeat(one, backends.of(*one.config), control, found)) {
        found.problems.push_back(
            fmt::format("{} of {} realizations were not simulated again: stopped after {} (--time-limit allows more)",
                        repetitions.size() - done, found.chosen, duration_text(watch.total())));
        return;
      }
    } catch (const std::bad_alloc&) {
      throw;
    } catch (const std::exception& error) {
      found.problems.push_back(fmt::format("realization {} at L = {} cannot be simulated again: {}",
                                           one.key.realization, one.key.L, clause_of(error)));
    }
    ++done;
  }
  if (options.progress) options.progress("realizations simulated again", repetitions.size(), repetitions.size());
}

}  // namespace

PublicationCheck check_publication(const fs::path& path, const PublicationOptions& options, RoundControl& control) {
  if (!is_publication(path)) {
    throw InputError(InputFault::missing, (path / digest_list_file).string(),
                     fmt::format("{} is no published folder (it holds no {}). Give one that `glassworks publish` made.",
                                 path.string(), digest_list_file));
  }
  const PublishedFolder folder(path);
  PublicationCheck found;
  found.problems = folder.irregular();
  std::optional<PublicationRecords> records;
  try {
    check_files(folder, read_digest_list(folder, found.problems), options, found);
    records = read_records(folder);
  } catch (const std::bad_alloc&) {
    throw;
  } catch (const std::exception& error) {
    found.problems.push_back(clause_of(error));
  }
  if (options.recompute <= 0) return found;
  if (!records) {
    found.problems.emplace_back(
        "nothing can be simulated again: what the folder says of its realizations is not whole");
  } else if (records->first_rounds.empty()) {
    found.problems.emplace_back("nothing can be simulated again: no realization has a round");
  } else {
    repeat_rounds(*records, options, control, found);
  }
  return found;
}

}}  // namespace glassworks::tools
