#include "tools/glassworks/instances/ground_instances.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <csignal>
#include <map>
#include <optional>

#include "base/input_error.hpp"
#include "base/json_writer.hpp"
#include "base/regular_file.hpp"
#include "base/text_file.hpp"
#include "base/threads.hpp"
#include "db/database.hpp"
#include "kernels/make_backend.hpp"
#include "tools/glassworks/instances/instance_search.hpp"
#include "tools/glassworks/output.hpp"
#include "tools/glassworks/output_option.hpp"
#include "tools/glassworks/stop_signals.hpp"
#include "tools/glassworks/terminal.hpp"
#include "tools/glassworks/verbs.hpp"

namespace glassworks { inline namespace tools {
namespace fs = std::filesystem;
namespace {

constexpr const char* table_name = "instances.csv";

StopFlag stopped_search;

struct Instance {
  std::string name;    ///< of the file
  std::string digest;  ///< of its content
  InstanceGoal goal;
  InstanceResult result;
};

SearchEffort effort_of(const ParsedArguments& parsed) {
  SearchEffort effort;
  effort.runs = whole_number(parsed, "runs", 1, 4096).value_or(effort.runs);
  effort.sweeps = static_cast<std::uint64_t>(
      whole_number(parsed, "sweeps", 1, 2'000'000'000).value_or(static_cast<int>(effort.sweeps)));
  effort.seconds = whole_number(parsed, "seconds", 1, 31'536'000).value_or(0);
  effort.seed = static_cast<std::uint64_t>(whole_number(parsed, "seed").value_or(1));
  return effort;
}

/// The graph of a file, with weights of 1 where a maximum cut is sought and the file has none.
GivenGraph read_instance(const fs::path& file, InstanceGoal goal) {
  GivenGraph graph = read_graph_file(file);
  if (goal == InstanceGoal::maximum_cut && graph.graph->terms().size() > 0) {
    throw InputError(InputFault::conflict, "cut",
                     fmt::format("--cut does not fit '{}' (a cut is one of bonds, and the file has terms of more than "
                                 "two spins). Leave --cut out.",
                                 file.string()));
  }
  if (!graph.couplings.empty()) return graph;
  if (goal == InstanceGoal::maximum_cut) {
    graph.couplings.assign(graph.graph->bonds().size(), 1.0);
    return graph;
  }
  throw InputError(InputFault::missing, file.string(),
                   fmt::format("the file '{}' holds no couplings (its lines have two numbers, and the energy needs J). "
                               "Add them as a third number, or use --cut for the largest cut of the graph.",
                               file.string()));
}

/// An energy or a cut: whole numbers as such.
std::string number_text(double x) {
  return x == std::round(x) && std::abs(x) < 1e15 ? fmt::format("{:.0f}", x) : fmt::format("{:.12g}", x);
}

std::string time_text(double seconds) {
  if (std::isinf(seconds)) return "not met";
  if (seconds < 0.1) return fmt::format("{:.2g} s", seconds);
  return seconds < 100 ? fmt::format("{:.1f} s", seconds) : fmt::format("{:.0f} s", seconds);
}

std::string instance_text(const Instance& instance) {
  const InstanceResult& r = instance.result;
  std::string text = fmt::format("{}: {} sites, {} bonds\n", instance.name, r.sites, r.bonds);
  text += fmt::format("  lowest energy   {} ({:.8g} per site)\n", number_text(r.energy),
                      r.energy / static_cast<double>(r.sites));
  if (instance.goal == InstanceGoal::maximum_cut) text += fmt::format("  largest cut     {}\n", number_text(r.cut));
  text += fmt::format("  met by          {} of {} runs of {} sweeps at {} temperatures from {:.3g} to {:.3g}\n",
                      r.met(), r.runs.size(), r.sweeps, r.slots, r.T_min, r.T_max);
  text += fmt::format("  time to target  {:.3g} sweeps of a run, {} of this machine (met with probability 0.99)\n",
                      r.sweeps_to_target(), time_text(r.seconds_to_target()));
  text += fmt::format("  time spent      {}{}\n", time_text(r.seconds), r.stopped ? ", stopped" : "");
  if (r.met() == 1 && r.runs.size() > 1) {
    text += "  Only one run met this energy: it may not be the lowest. Raise --sweeps or --runs.\n";
  }
  return text;
}

std::string spins_name(const Instance& instance) { return instance.name + ".spins"; }

std::string spins_text(const Instance& instance) {
  std::string text = fmt::format("# {}, energy {}\n# site s\n", instance.name, number_text(instance.result.energy));
  for (std::size_t i = 0; i < instance.result.spins.size(); ++i) {
    text += fmt::format("{} {}\n", instance.result.first + static_cast<std::int64_t>(i), instance.result.spins[i]);
  }
  return text;
}

constexpr const char* table_head =
    "file,digest,goal,sites,bonds,energy,cut,runs,met,sweeps,sweeps_to_target,seconds_to_target,seconds\n";

std::string table_row(const Instance& i) {
  const InstanceResult& r = i.result;
  const bool is_cut = i.goal == InstanceGoal::maximum_cut;
  return fmt::format("{},{},{},{},{},{:.17g},{},{},{},{},{:.6g},{:.6g},{:.6g}\n", i.name, i.digest,
                     is_cut ? "cut" : "energy", r.sites, r.bonds, r.energy, is_cut ? number_text(r.cut) : "",
                     r.runs.size(), r.met(), r.sweeps, r.sweeps_to_target(), r.seconds_to_target(), r.seconds);
}

std::string instances_json(const std::vector<Instance>& instances) {
  JsonWriter json;
  json.begin_object().key("instances").begin_array();
  for (const Instance& i : instances) {
    const InstanceResult& r = i.result;
    json.begin_object().field("file", i.name).field("sites", r.sites).field("bonds", r.bonds).field("energy", r.energy);
    if (i.goal == InstanceGoal::maximum_cut) json.field("cut", r.cut);
    json.field("runs", static_cast<std::int64_t>(r.runs.size())).field("met", std::int64_t{r.met()});
    json.field("sweeps", static_cast<std::int64_t>(r.sweeps)).field("sweeps_to_target", r.sweeps_to_target());
    json.field("seconds_to_target", r.seconds_to_target()).field("seconds", r.seconds).field("first", r.first);
    json.key("spins").begin_array();
    for (const std::int8_t s : r.spins) json.value(std::int64_t{s});
    json.end_array().end_object();
  }
  json.end_array().end_object();
  return json.text();
}

/// Rows of a table of an earlier call, by digest and goal.
std::map<std::string, std::string> known_rows(const fs::path& table) {
  std::map<std::string, std::string> rows;
  std::error_code error;
  if (!fs::exists(table, error)) return rows;
  for (const std::string& line : split(read_text_file(table, "table of instances", std::uintmax_t{1} << 28), '\n')) {
    if (rows.empty() && line + '\n' == table_head) continue;
    const std::vector<std::string> columns = split(line, ',');
    if (!line.empty() &&
        columns.size() != static_cast<std::size_t>(std::ranges::count(std::string_view(table_head), ',')) + 1) {
      throw InputError(InputFault::malformed, table.string(),
                       fmt::format("'{}' is no table of instances (a line has {} columns). Choose another --out.",
                                   table.string(), columns.size()));
    }
    if (columns.size() > 3) rows[columns[1] + columns[2]] = line + '\n';
  }
  return rows;
}

std::vector<fs::path> files_of(const fs::path& operand) {
  if (!fs::is_directory(operand)) return {operand};
  std::vector<fs::path> files;
  for (const fs::directory_entry& entry : fs::directory_iterator(operand)) {
    const std::string extension = entry.path().extension().string();
    if (entry.is_regular_file() && extension != ".md" && extension != ".csv" && extension != ".spins") {
      files.push_back(entry.path());
    }
  }
  std::ranges::sort(files);
  if (files.empty()) {
    throw InputError(
        InputFault::missing, operand.string(),
        fmt::format("the folder '{}' holds no files of graphs, and no campaign. Give one of both.", operand.string()));
  }
  return files;
}

void show_progress(const std::string& name, const InstanceResult& result) {
  if (isatty(STDERR_FILENO) == 0) return;
  rewrite_line(Channel::error, fmt::format("{}: {} sweeps, lowest energy {}, met by {} of {} runs", name, result.sweeps,
                                           number_text(result.energy), result.met(), result.runs.size()));
}

}  // namespace

std::vector<Option> instance_options() {
  return {{"cut", "", "of a file: the largest cut of its weights, J = -w (1 where it has none)"},
          {"runs", "N", "of a file: independent runs (16)"},
          {"sweeps", "N", "of a file: sweeps of each run at most (1048576)"},
          {"seconds", "N", "of a file: begins no further round after them"},
          {"seed", "N", "of a file: seed of the random numbers (1)"},
          choice("backend", "KIND", "of a file: where spins are simulated (cpu)", {"cpu", "cuda", "reference"}),
          {"out", "DIR", "of files: also a table and the spins; files in the table are not searched again"},
          {"json", "", "of files: one JSON document"},
          force_option()};
}

bool is_of_instances(const fs::path& operand) {
  std::error_code error;
  if (fs::is_regular_file(operand, error)) return true;
  if (!fs::is_directory(operand, error) || fs::exists(operand / database_file_name, error)) return false;
  return std::ranges::any_of(fs::directory_iterator(operand, error), [](const fs::directory_entry& entry) {
    std::error_code unread;
    return entry.is_regular_file(unread);
  });
}

int search_ground_states_of_files(const ParsedArguments& parsed) {
  const InstanceGoal goal = parsed.has("cut") ? InstanceGoal::maximum_cut : InstanceGoal::lowest_energy;
  const SearchEffort effort = effort_of(parsed);
  const int threads = whole_number(parsed, "threads", 1, 4096).value_or(hardware_threads());
  BackendOptions options;
  options.threads = threads;
  const std::string kind = text_of(parsed, "backend").value_or("cpu");
  options.kind = kind == "cpu" ? BackendKind::cpu : kind == "cuda" ? BackendKind::cuda : BackendKind::reference;
  const std::unique_ptr<Backend> backend = make_backend(options);
  const auto out = text_of(parsed, "out");
  std::map<std::string, std::string> known;
  if (out) {
    require_writable_in(parsed, *out, {}, "out");
    known = known_rows(fs::path(*out) / table_name);
  }
  on_stop_signals([](int) { stopped_search = true; });
  std::vector<Instance> instances;
  for (const fs::path& file : files_of(parsed.operand)) {
    const GivenGraph graph = read_instance(file, goal);
    Instance instance{file.filename().string(), graph.digest, goal, {}};
    const std::string key = instance.digest + (goal == InstanceGoal::maximum_cut ? "cut" : "energy");
    if (known.contains(key)) {
      print(Channel::error, "{} is in the table: not searched again.\n", instance.name);
      continue;
    }
    if (out) require_writable_in(parsed, *out, {spins_name(instance)}, "out");
    instance.result = search_instance(graph, goal, effort, *backend, threads, stopped_search,
                                      [&](const InstanceResult& result) { show_progress(instance.name, result); });
    if (isatty(STDERR_FILENO) == 1) rewrite_line(Channel::error, "");
    if (!parsed.has("json")) show(instance_text(instance));
    if (out && !instance.result.stopped) {
      fs::create_directories(*out);
      write_output(parsed, fs::path(*out) / spins_name(instance), "out", spins_text(instance));
      known[key] = table_row(instance);
      std::string text = table_head;
      for (const auto& [digest, row] : known) text += row;
      write_output(fs::path(*out) / table_name, text, Existing::replace);
    }
    instances.push_back(std::move(instance));
    if (stopped_search) break;
  }
  if (parsed.has("json")) show_document(instances_json(instances));
  if (stopped_search) {
    print(Channel::error, "Stopped: what was found is above; finished files are in the table.\n");
    return status_signal;
  }
  return 0;
}

}}  // namespace glassworks::tools
