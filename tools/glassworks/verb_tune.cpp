#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <optional>

#include "base/paths.hpp"
#include "base/text_file.hpp"
#include "scheduler/devices/worker_backends.hpp"
#include "tools/glassworks/course_options.hpp"
#include "tools/glassworks/executable.hpp"
#include "tools/glassworks/output.hpp"
#include "tools/glassworks/output_option.hpp"
#include "tools/glassworks/run_course.hpp"
#include "tools/glassworks/verbs.hpp"
#include "tools/tune/tune_report.hpp"
#include "tools/tune/tuned_config.hpp"

namespace glassworks { inline namespace tools {
namespace {

constexpr double usual_minutes = 5.0;
constexpr int largest_value = 1000000;

std::vector<int> key_list(TuneKey key, const std::string& text) {
  std::vector<int> values;
  for (const std::string& piece : split(text, ',')) {
    int value = -1;
    const auto [last, error] = std::from_chars(piece.data(), piece.data() + piece.size(), value);
    if (error != std::errc() || last != piece.data() + piece.size() || value < 0 || value > largest_value) {
      throw InputError(InputFault::malformed, fmt::format("--{}", option_of(key)),
                       fmt::format("--{0} = '{1}' cannot be used (it is no list of whole numbers from 0 to {2}). Write "
                                   "it as --{0} 1,2,5.",
                                   option_of(key), text, largest_value));
    }
    values.push_back(value);
  }
  return values;
}

struct TuneCommand {
  TuneLengths lengths;
  std::optional<double> minutes;  ///< none: lengths are given, and no time
  std::map<TuneKey, std::vector<int>> values;
  std::optional<int> L;
  std::string out, json;
  ParsedArguments given;
};

TuneCommand command_of(const ParsedArguments& parsed) {
  TuneCommand command;
  command.lengths.realizations = whole_number(parsed, "realizations", 2, largest_value).value_or(0);
  command.lengths.runs = whole_number(parsed, "runs", 2, largest_value).value_or(0);
  command.lengths.measurements = whole_number(parsed, "measurements", 2, largest_value).value_or(0);
  command.lengths.equilibration = whole_number(parsed, "equilibration", 0, largest_value).value_or(-1);
  command.minutes = minutes_of(parsed);
  if (!command.minutes && !command.lengths.complete()) command.minutes = usual_minutes;
  for (const TuneKey key : tune_keys()) {
    if (const auto text = text_of(parsed, std::string(option_of(key)))) command.values[key] = key_list(key, *text);
  }
  command.L = whole_number(parsed, "L");
  command.out = text_of(parsed, "out").value_or("");
  command.json = text_of(parsed, "json").value_or("");
  for (const char* option : {"out", "json"}) {
    if (parsed.has(option)) require_writable(parsed, parsed.options.at(option), option);
  }
  require_different(parsed, "out", "json");
  command.given = parsed;
  return command;
}

/// Positions of the sizes in model.L, ascending in L.
std::vector<std::size_t> sizes_of(const Config& config, const std::optional<int>& L) {
  std::vector<std::size_t> sizes;
  for (std::size_t i = 0; i < config.model.L.size(); ++i) {
    if (!L || config.model.L[i] == *L) sizes.push_back(i);
  }
  if (sizes.empty()) {
    throw InputError(InputFault::unknown, "--L",
                     fmt::format("--L = {} cannot be used (model.L does not have it). Choose one of its sizes.", *L));
  }
  std::ranges::sort(sizes, {}, [&](std::size_t i) { return config.model.L[i]; });
  return sizes;
}

/// Prints how to run the recommended protocol, and writes its configuration if --out is given.
void finish(const TuneSetting& setting, const TuneCommand& command, const std::vector<TuneResult>& results) {
  const Config& config = setting.config;
  std::map<std::string, std::string> values = recommended_keys(config, results);
  std::string run = fmt::format("glassworks run {}", setting.operand);
  for (const std::string& key : setting.keys) run += fmt::format(" '--{}'", key);
  for (const auto& [key, value] : values) run += fmt::format(" '--{}={}'", key, value);
  if (results.size() > 1 && !values.empty()) {
    print(
        "\nOne campaign has one protocol for all sizes: that of L = {}, which costs most. Slots are those of each "
        "size.\n",
        results.back().L);
  }
  if (command.out.empty()) {
    print("\nTo run it: {}\n", run);
    return;
  }
  const std::size_t changes = values.size();
  for (const std::string& key : setting.keys) {
    const std::size_t equals = key.find('=');
    if (key.substr(0, equals) != "campaign.directory")
      values.try_emplace(key.substr(0, equals), key.substr(equals + 1));
  }
  if (!config.model.couplings_file.empty()) values["model.couplings_file"] = config.model.couplings_file.string();
  if (!config.model.field_file.empty()) values["model.field_file"] = config.model.field_file.string();
  const std::vector<std::string> head = {
      fmt::format("From {} by `glassworks tune` {}{}.", setting.operand, executable_version(),
                  changes == 0 ? ": nothing better was found, so the protocol is the same" : "")};
  const std::string text = read_text_file(setting.operand, "configuration file", 1U << 20);
  write_output(command.given, command.out, "out", edited_configuration(text, values, head));
  print("\nTo run it: glassworks run {}\n", command.out);
}

int tune(const ParsedArguments& parsed) {
  const TuneCommand command = command_of(parsed);
  const Config config = load_config(parsed.operand, parsed.keys);
  refuse_course(config, "tune", "it compares ways to equilibrium, and the protocol of a course is its dynamics",
                "Choose protocol.local and protocol.moves as the physics demands");
  for (const std::string& note : config.notes) print(Channel::error, "Note: {}\n", note);
  if (config.ladder.adapt != LadderAdaptation::none) {
    print(Channel::error,
          "Note: protocols are compared on the ladder that a campaign begins with (ladder.adapt moves "
          "its temperatures later).\n");
  }
  const std::vector<std::size_t> sizes = sizes_of(config, command.L);
  std::vector<TuneRequest> requests;
  for (const std::size_t i : sizes) {
    TuneRequest request{.lengths = command.lengths, .axes = tune_axes(config, i, command.values)};
    if (command.minutes) request.seconds = 60.0 * *command.minutes / static_cast<double>(sizes.size());
    request.progress = [](const std::string& line) { print(Channel::error, "{}\n", line); };
    requests.push_back(std::move(request));
  }

  std::vector<WorkerBackend> backends = make_worker_backends(config);
  backends.resize(1);  // times are those of one device
  stop_on_signals();
  TuneSetting setting{config, parsed.operand, parsed.keys, describe(backends)};
  setting.minutes = command.minutes.value_or(0.0);
  print("Protocols compared with {}; seed {}.\n", setting.backend, config.campaign.seed);
  std::vector<TuneResult> results;
  for (std::size_t i = 0; i < sizes.size() && !run_control().stop; ++i) {
    const int L = config.model.L[sizes[i]];
    PilotRuns pilots(config, sizes[i], *backends.front().backend, backends.front().is_processor, run_control());
    setting.seconds_of = pilots.seconds_of();
    std::optional<TuneResult> result = tune_size(pilots, config.model.spins, L, requests[i], run_control());
    if (!result) break;
    result->size_index = sizes[i];
    show(tune_text(setting, *result));
    if (!flush_output()) throw OutputLost();
    results.push_back(*std::move(result));
  }
  if (!command.json.empty() && !results.empty()) {
    write_output(command.given, command.json, "json", tune_json(setting, results));
  }
  if (run_control().stop) {
    print("\nStopped{}.\n", results.empty() ? " before the configured protocol was measured" : "");
    return status_signal;
  }
  finish(setting, command, results);
  return 0;
}

}  // namespace

const VerbSyntax& tune_syntax() {
  static const VerbSyntax syntax{
      .verb = "tune",
      .operand = "CONFIG",
      .meaning = "compare protocols by short pilot runs on this machine, and recommend one",
      .options = {{"L", "L", "this size only"},
                  {"minutes", "M", "time for all of it (5); the lengths follow from it, and are printed"},
                  {"realizations", "R", "realizations of each size, from 0 on"},
                  {"runs", "K", "independent runs of each realization, 2 or more"},
                  {"measurements", "N", "of a run with the configured protocol; the others make as many sweeps"},
                  {"equilibration", "N", "measurements before, with the configured protocol"},
                  {"overrelaxation", "LIST", "n_M to compare, for example 20,10,5,3,2,1,0"},
                  {"heatbath", "LIST", "n_B"},
                  {"cluster-sweeps", "LIST", "n_C, of protocols with cluster updates"},
                  {"isoenergetic", "LIST", "n_I, moves between copies of ising"},
                  {"sweeps-per-exchange", "LIST", "n_T"},
                  {"exchanges-per-measurement", "LIST", "n_A"},
                  {"slots", "LIST", "temperatures of the ladder"},
                  {"out", "FILE", "writes the recommended configuration"},
                  {"json", "FILE", "writes all figures"},
                  force_option()},
      .keys = true,
      .more =
          "Each key is varied alone, then the best values together. With a list, only the keys with lists are varied.\n"
          "Measurements stay about as many sweeps apart as configured: n_A follows from the other keys.\n\n"
          "Protocols are judged by squared error x seconds of energy, chi_SG and chi_CG at the lowest temperature, "
          "from\n"
          "repeated runs of the same realizations; the configured one is 1. The walk through temperatures decides "
          "among\n"
          "protocols whose errors agree. Another protocol is recommended only if its errors at equal cost are at most\n"
          "15 % above the configured ones with two standard errors, a tau of its walk costs at most 1.5 times as "
          "much,\n"
          "and it is better in one of them by more than the uncertainty. Runs of less than 10 tau give none.\n\n"
          "Times are seconds of one GPU, or of one core. With --realizations, --runs, --measurements and\n"
          "--equilibration all figures but times are the same everywhere. Ctrl-C prints what was measured."};
  return syntax;
}

int tune_protocol(const Arguments& arguments) {
  const ParsedArguments parsed = parse_arguments(tune_syntax(), arguments);
  if (parsed.help) {
    show(tune_syntax().help());
    return 0;
  }
  return tune(parsed);
}

}}  // namespace glassworks::tools
