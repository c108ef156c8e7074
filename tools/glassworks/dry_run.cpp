#include "tools/glassworks/dry_run.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sys/statvfs.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <optional>
#include <span>

#include "base/paths.hpp"
#include "engine/loading/memory.hpp"
#include "scheduler/campaign/amendment.hpp"
#include "scheduler/campaign/stored_columns.hpp"
#include "scheduler/devices/worker_backends.hpp"
#include "tools/glassworks/campaign_means.hpp"
#include "tools/glassworks/duration.hpp"
#include "tools/glassworks/open_campaign.hpp"
#include "tools/glassworks/output.hpp"
#include "tools/glassworks/round_timing.hpp"
#include "tools/glassworks/run_course.hpp"

namespace glassworks { inline namespace tools {
namespace {

namespace fs = std::filesystem;

/// What is to be simulated of one size.
struct SizePlan {
  Chain chain;
  std::vector<double> temperatures;
  int realizations = 0;
  RoundsLeft left;
};

/// Plans of all sizes, and what is said about the campaign as a whole.
std::vector<SizePlan> plan_campaign(Config config) {
  const fs::path file = config.campaign.directory / database_file_name;
  std::optional<Database> database;
  if (is_there(file)) {
    database = open_campaign(config.campaign.directory);
    Continuation continuation = plan_continuation(*database, config);
    require_written_columns(*database, continuation.stored);
    print("Would continue the campaign in {}.\n", config.campaign.directory.string());
    print_kept(continuation.kept);
    for (const ConfigChange& change : continuation.raised) {
      const bool adds = change.key == "model.L" || change.key == "disorder.realizations";
      print("Would raise {}{}.\n", change.text(),
            adds ? "" : "; finished realizations that no longer pass would be reopened, which is not counted below");
    }
    config = std::move(continuation.taken);
  } else {
    print("Would create a campaign in {}.\n", config.campaign.directory.string());
  }
  std::vector<SizePlan> plans;
  for (std::size_t i = 0; i < config.model.L.size(); ++i) {
    const int L = config.model.L[i];
    SizePlan plan;
    plan.temperatures = ladder_temperatures(config, i);
    plan.realizations = realizations_of(config, i);
    bool adapting = config.ladder.adapt != LadderAdaptation::none;
    std::size_t stages = 0;
    std::vector<RealizationRow> rows;
    if (database) {
      const std::vector<SizeRow> sizes = database->sizes();
      const auto size = std::ranges::find(sizes, L, &SizeRow::L);
      if (size != sizes.end()) plan.temperatures = size->temperatures;
      adapting = size != sizes.end() && size->adapting;
      stages = database->ladder_stages(L).size();
      rows = database->realizations(L);
    }
    plan.chain = make_chain(config, i, plan.temperatures);
    const double missing_stages = std::max(config.ladder.adapt_rounds - static_cast<double>(stages), 0.0);
    const int pilots = std::min(config.ladder.pilots, plan.realizations);
    if (adapting) {
      print(
          "Would adapt the ladder of L = {} first, in {:.0f} more stages with {} realizations; the slots below "
          "are the initial ones.\n",
          L, missing_stages, pilots);
    }
    plan.left = rounds_left(config, i, rows, adapting ? missing_stages * pilots : 0.0);
    plans.push_back(std::move(plan));
  }
  return plans;
}

/// [device seconds]
struct Cost {
  double least = 0.0, expected = 0.0, most = 0.0;

  Cost& operator+=(const Cost& other) {
    least += other.least;
    expected += other.expected;
    most += other.most;
    return *this;
  }
};

std::string cost_text(const Means& means, double device_seconds) {
  return fmt::format("{:.3g} {} ({} here)", device_seconds * means.units_per_device / 3600.0, means.unit,
                     duration_text(device_seconds / means.devices));
}

/// What a course takes, of which all is known.
std::string known_text(const Means& means, const Cost& cost) { return "about " + cost_text(means, cost.most); }

/// "at least A, expected B, at most C"; without stored estimates B is left out, and where A = C that alone is there.
std::string bounds_text(const Means& means, const Cost& cost, bool judged) {
  if (cost.least == cost.most) return cost_text(means, cost.most);
  std::string text = "at least " + cost_text(means, cost.least);
  if (judged) text += ", expected " + cost_text(means, cost.expected);
  return text + ", at most " + cost_text(means, cost.most);
}

/// What a size takes.
struct Needs {
  Cost cost;
  double memory = 0.0;  ///< of a batch on every worker
};

/// Spins updated each nanosecond in one round.
double rate(const Chain& chain, const RoundTiming& timing) {
  return mean_updates_of_round(chain) / (1e9 * timing.seconds);
}

std::string lengths_text(const Lattice& lattice) {
  if (lattice.is_graph()) return fmt::format("N = {}", lattice.sites());
  if (lattice.is_cube()) return fmt::format("L = {}", lattice.L);
  return fmt::format("{}", fmt::join(std::span(lattice.lengths).first(static_cast<std::size_t>(lattice.dim)), "x"));
}

/// What a shape costs beside a cube of as many sites, which has faster kernels.
void print_shape(const Config& config, const Chain& chain, Backend& backend, const RoundTiming& timing) {
  const Lattice& lattice = chain.lattice;
  if (lattice.is_cube() || lattice.is_graph()) return;
  print("  shape         {}", lengths_text(lattice));
  if (!config.model.reads_couplings()) {
    Chain cube = chain;
    const double edge = std::pow(static_cast<double>(lattice.sites()), 1.0 / lattice.dim);
    cube.lattice.L = std::max(4, 2 * static_cast<int>(std::lround(edge / 2.0)));
    cube.lattice.lengths = {};
    const RoundTiming of_cube = time_round(config, cube, backend, timing.batch, usable_memory());
    print(", {:.2g} times slower than the cube L = {} (measured)", rate(cube, of_cube) / rate(chain, timing),
          cube.lattice.L);
  }
  print("\n");
}

/// Prints what needs no timing, before the timing starts.
void print_known(const SizePlan& plan, const Means& means, double one) {
  const Chain& chain = plan.chain;
  const double checkpoint = checkpoint_bytes(chain);
  print("\nL = {}: {} realizations, {} {}, {} slots from T = {:.5g} to {:.5g}\n", chain.lattice.L, plan.realizations,
        chain.copies, chain.copies == 1 ? "copy" : "copies", chain.slots(), plan.temperatures.front(),
        plan.temperatures.back());
  print("  temperatures  {:.5g}\n", fmt::join(plan.temperatures, " "));
  print("  memory        {} a realization; {} can be used here\n", bytes_text(one),
        bytes_text(physical_memory_bytes()));
  print("  checkpoints   {} each, {} with two of each realization\n", bytes_text(checkpoint),
        bytes_text(checkpoint * checkpoint_generations * plan.realizations));
  print("  database      {} a round and realization\n", bytes_text(database_bytes_per_round(chain)));
  const std::string kernels = means.first().kernel_description(chain);
  if (!kernels.empty()) print("  kernels       {}\n", kernels);
  flush_output();
}

Needs print_size(const Config& config, const SizePlan& plan, const Means& means) {
  const Chain& chain = plan.chain;
  const RoundsLeft& left = plan.left;
  const MemoryNeed need = batch_need(config, chain, means.first());
  print_known(plan, means, need.of(1.0));
  const int timed = timed_batch(config, chain, plan.realizations, means, need);
  const RoundTiming timing = time_round(config, chain, means.first(), timed, usable_memory());
  const auto workers = static_cast<double>(means.backends.size());
  const int together = campaign_batch(config, chain, plan.realizations, means, need, timing.seconds);
  const double known = left.average.value_or(0.0) * timing.seconds;
  const Cost cost = left.average
                        ? Cost{known, known, known}
                        : Cost{left.least * timing.seconds, left.expected * timing.seconds, left.most * timing.seconds};
  const double memory = need.of(together) * workers;
  print("  batches       {} of memory in batches of {}\n", bytes_text(memory), together);
  print(
      "  a round       {}, {:.3g} s for each realization, {:.3g} updates/ns (measured{} with {} at "
      "once)\n",
      left.average ? "of average length" : fmt::format("{} measurements", chain.measurements), timing.seconds,
      rate(chain, timing),
      timing.lattice == chain.lattice
          ? ""
          : fmt::format(" at {}, in proportion to the sites,", lengths_text(timing.lattice)),
      timing.batch);
  print_shape(config, chain, means.first(), timing);
  if (left.average) {
    print("  rounds left   {:.0f}, of which the last are the longest\n", left.most);
  } else if (left.least == left.most) {
    print("  rounds left   {:.0f}\n", left.most);
  } else {
    print("  rounds left   at least {:.0f}{}, at most {:.0f}\n", left.least,
          left.judged > 0 ? fmt::format(", expected {:.0f} (as {} judged realizations of this size need)",
                                        left.expected, left.judged)
                          : "",
          left.most);
  }
  print("  cost          {}\n", left.average ? known_text(means, cost) : bounds_text(means, cost, left.judged > 0));
  return {cost, memory};
}

/// Of the file system that holds the directory, or would; none if it cannot be asked.
std::optional<double> free_bytes(fs::path directory) {
  directory = absolute_path(directory);
  std::error_code error;
  while (!fs::exists(directory, error) && directory.has_relative_path()) directory = directory.parent_path();
  struct statvfs space {};
  if (statvfs(directory.c_str(), &space) != 0) return std::nullopt;
  return static_cast<double>(space.f_bavail) * static_cast<double>(space.f_frsize);
}

/// Of the files in a directory; 0 where there is none.
double stored_bytes(const fs::path& directory) {
  std::error_code error;
  double bytes = 0.0;
  for (auto entry = fs::directory_iterator(directory, error); !error && entry != fs::directory_iterator();
       entry.increment(error)) {
    std::error_code gone;
    const auto size = fs::file_size(entry->path(), gone);
    if (!gone) bytes += static_cast<double>(size);
  }
  return bytes;
}

}  // namespace

std::string resource_warnings(const ResourceNeeds& needs) {
  std::string text;
  const double disk = needs.checkpoints + needs.database_most, least = needs.checkpoints + needs.database_least;
  if (needs.disk_free && least > *needs.disk_free) {
    text += fmt::format(
        "The disk is too small: at least {} are needed and {} are free. Choose a campaign.directory on another disk, "
        "or "
        "fewer realizations.\n",
        bytes_text(least), bytes_text(*needs.disk_free));
  } else if (needs.disk_free && disk > *needs.disk_free) {
    text += fmt::format(
        "The disk may be too small: up to {} are needed and {} are free. Watch it, or choose a campaign.directory on "
        "another disk.\n",
        bytes_text(disk), bytes_text(*needs.disk_free));
  }
  if (needs.memory > needs.memory_of_machine) {
    text += fmt::format(
        "The memory is too small: {} are needed and this machine has {}. Choose a smaller backend.batch, fewer slots "
        "or a "
        "smaller lattice.\n",
        bytes_text(needs.memory), bytes_text(needs.memory_of_machine));
  } else if (needs.memory_free && needs.memory > *needs.memory_free) {
    text += fmt::format(
        "The memory is too small now: {} are needed and {} are free. End other programs, or choose a smaller "
        "backend.batch, fewer slots or a smaller lattice.\n",
        bytes_text(needs.memory), bytes_text(*needs.memory_free));
  }
  constexpr double year = 365.25 * 86400.0;
  if (needs.seconds_least >= year) {
    text += fmt::format(
        "The time is too long: at least {} on this machine. Choose smaller sizes, fewer realizations or fewer rounds, "
        "or "
        "more machines.\n",
        duration_text(needs.seconds_least));
  }
  return text;
}

void print_dry_run(const Config& config, std::vector<WorkerBackend> backends) {
  print("Dry run with {}: nothing is created or changed.\n", describe(backends));
  const Means means = means_of(config, std::move(backends));
  const std::vector<SizePlan> plans = plan_campaign(config);
  Cost cost;
  ResourceNeeds needs{.memory_of_machine = physical_memory_bytes(), .memory_free = available_memory_bytes()};
  bool judged = false;
  for (const SizePlan& plan : plans) {
    const Needs of_size = print_size(config, plan, means);
    cost += of_size.cost;
    needs.memory = std::max(needs.memory, of_size.memory);
    const double round = database_bytes_per_round(plan.chain);
    needs.database_least += round * plan.left.least;
    needs.database_most += round * plan.left.most;
    needs.checkpoints += checkpoint_generations * checkpoint_bytes(plan.chain) * plan.realizations;
    judged = judged || plan.left.judged > 0;
  }
  print("\nTogether: {}. Checkpoints and the database come on top.\n",
        config.course.exists() ? known_text(means, cost) : bounds_text(means, cost, judged));
  if (!judged && cost.most > 2.0 * cost.least) {
    print("Pilots narrow the range: glassworks bench --config FILE --proposal.\n");
  }
  if (!means.gpu) {
    const std::string reason = cuda_unavailable_reason();
    print("GPU-hours: not measured ({}).\n", reason.empty() ? "backend.kind uses no GPU" : reason);
  }
  print("Disk: checkpoints up to {}, database {} to {} more", bytes_text(needs.checkpoints),
        bytes_text(needs.database_least), bytes_text(needs.database_most));
  needs.disk_free = free_bytes(config.campaign.directory);
  needs.checkpoints = std::max(needs.checkpoints - stored_bytes(config.campaign.directory / "checkpoints"), 0.0);
  needs.seconds_least = cost.least / means.devices;
  print("{}.\n", needs.disk_free ? fmt::format("; {} are free there", bytes_text(*needs.disk_free)) : "");
  show(resource_warnings(needs));
}

}}  // namespace glassworks::tools
