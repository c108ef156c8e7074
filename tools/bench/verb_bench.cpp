#include <fmt/format.h>

#include <charconv>
#include <optional>
#include <set>

#include "base/threads.hpp"
#include "engine/config/config.hpp"
#include "engine/loading/memory.hpp"
#include "tools/bench/cluster_updates.hpp"
#include "tools/bench/config_rows.hpp"
#include "tools/bench/course_rows.hpp"
#include "tools/bench/gpu.hpp"
#include "tools/bench/proposal_command.hpp"
#include "tools/bench/report.hpp"
#include "tools/bench/rounds.hpp"
#include "tools/glassworks/output.hpp"
#include "tools/glassworks/output_option.hpp"
#include "tools/glassworks/verbs.hpp"

namespace glassworks { inline namespace tools {
namespace {

struct BenchCommand {
  BenchOptions options;
  std::optional<GpuBenchOptions> gpu;          ///< instead of `options`
  std::optional<ClusterBenchOptions> cluster;  ///< the same
  std::optional<CourseBenchOptions> courses;   ///< the same
  std::optional<ConfigBenchOptions> config;    ///< the same
  std::optional<ProposalOptions> proposal;     ///< the same
  std::string json;
};

/// Lattices have even sizes.
enum class Sizes { even, any };

int size_of(const std::string& text, int largest, Sizes kind) {
  int L = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), L);
  if (error != std::errc() || end != text.data() + text.size() || L < 4 || L > largest ||
      (kind == Sizes::even && L % 2 != 0)) {
    throw InputError(InputFault::out_of_range, "--L",
                     fmt::format("--L = '{}' cannot be used (a size is {} from 4 to {}). Write them as --L 8,16,32.",
                                 text, kind == Sizes::even ? "an even number" : "a number", largest));
  }
  return L;
}

std::vector<int> sizes_of(const std::string& list, int largest, Sizes kind) {
  std::vector<int> sizes;
  for (const std::string& piece : split(list, ',')) sizes.push_back(size_of(piece, largest, kind));
  return sizes;
}

std::vector<InstructionSet> sets_of(const std::string& name) {
  const auto available = available_instruction_sets();
  std::string names;
  for (const InstructionSet isa : available) {
    if (name == to_string(isa)) return {isa};
    names += fmt::format("{}{}", names.empty() ? "" : ", ", to_string(isa));
  }
  if (name == "all") return {available.begin(), available.end()};
  throw InputError(
      InputFault::unknown, "--isa",
      fmt::format("--isa = '{}' cannot be used (all or one of {} can be measured here). Use --isa all.", name, names));
}

std::vector<int> sizes(const ParsedArguments& given, std::vector<int> otherwise, int largest = 64,
                       Sizes kind = Sizes::even) {
  const auto list = text_of(given, "L");
  return list ? sizes_of(*list, largest, kind) : std::move(otherwise);
}

/// Lattices and graphs that have a size alone, or a degree.
constexpr LatticeChoice measured_lattices[] = {LatticeChoice::hypercubic,  LatticeChoice::random_regular,
                                               LatticeChoice::erdos_renyi, LatticeChoice::complete,
                                               LatticeChoice::diamond,     LatticeChoice::pyrochlore};

LatticeChoice lattice_option(const std::string& name) {
  std::string names;
  for (const LatticeChoice lattice : measured_lattices) {
    const std::string_view known = enum_names(LatticeChoice{})[static_cast<std::size_t>(lattice)];
    if (name == known) return lattice;
    names += fmt::format("{}{}", names.empty() ? "" : ", ", known);
  }
  throw InputError(InputFault::unknown, "--lattice",
                   fmt::format("--lattice = '{}' cannot be measured ({} can). Choose one of them.", name, names));
}

GpuBenchOptions gpu_options(const ParsedArguments& given) {
  GpuBenchOptions options;
  const bool quick = given.has("quick");
  options.seconds = quick ? 0.2 : 1.0;
  options.repeats = quick ? 3 : 5;
  const auto take = [&given](const char* name, int& value, int smallest, int largest) {
    value = whole_number(given, name, smallest, largest).value_or(value);
  };
  take("device", options.device, 0, static_cast<int>(cuda_devices().size()) - 1);
  take("components", options.components, 1, max_components);
  take("copies", options.copies, 2, 4);
  take("slots", options.slots, 1, 1024);
  take("tile", options.tile, 0, 32);
  take("realizations", options.realizations, 1, 1000000);
  take("repeats", options.repeats, 1, 1000);
  take("overrelaxation", options.overrelaxation, 0, 1000);
  take("heatbath", options.heatbath, 1, 1000);
  take("sweeps", options.sweeps_per_exchange, 1, 1000);
  if (const auto name = text_of(given, "lattice")) {
    options.lattice = lattice_option(*name);
    options.sizes = options.lattice == LatticeChoice::hypercubic ? std::vector{15} : std::vector{1024, 4096};
    options.sizes = sizes(given, options.sizes, 1000000, Sizes::any);
    options.degree = whole_number(given, "degree", 1, 1000).value_or(6);
  } else {
    options.sizes = sizes(given, options.sizes);
  }
  options.kernel = text_of(given, "kernel").value_or("");
  options.all_devices = given.has("devices");
  if (options.all_devices && text_of(given, "devices") != "all") {
    throw InputError(InputFault::unknown, "--devices",
                     "--devices can only be 'all' (one device is chosen by --device). Use --devices all.");
  }
  for (const int L : options.sizes) {
    if (options.tile > 0 && options.tile != L && (options.tile % 2 != 0 || L % (2 * options.tile) != 0)) {
      throw InputError(InputFault::conflict, "--tile",
                       fmt::format("--tile {} cannot be used for L = {} (a tile is even, and twice its edge divides "
                                   "L). Choose another --tile.",
                                   options.tile, L));
    }
  }
  return options;
}

ClusterBenchOptions cluster_options(const ParsedArguments& given) {
  ClusterBenchOptions options;
  const bool quick = given.has("quick");
  options.repeats = whole_number(given, "repeats", 1, 1000).value_or(quick ? 3 : 7);
  options.seconds = quick ? 0.05 : 0.5;
  if (quick) options.sizes = {256};
  options.sizes = sizes(given, options.sizes, 16384);
  options.sets = sets_of(text_of(given, "isa").value_or("all"));
  return options;
}

void require_cuda() {
  if (const std::string reason = cuda_unavailable_reason(); !reason.empty()) {
    throw InputError(InputFault::unsupported, "--backend",
                     fmt::format("--backend cuda cannot be measured ({}). Use --backend cpu.", reason));
  }
}

CourseBenchOptions course_options(const ParsedArguments& given, bool on_device) {
  CourseBenchOptions options;
  const bool quick = given.has("quick");
  options.repeats = whole_number(given, "repeats", 1, 1000).value_or(quick ? 3 : 7);
  options.seconds = quick ? 0.05 : 0.5;
  if (quick) options.sizes = {32};
  options.sizes = sizes(given, options.sizes, 512);
  options.backend.kind = on_device ? BackendKind::cuda : BackendKind::cpu;
  options.backend.threads = 1;
  if (on_device) {
    options.backend.device = whole_number(given, "device", 0, static_cast<int>(cuda_devices().size()) - 1).value_or(0);
  }
  const std::string isa = text_of(given, "isa").value_or("all");
  if (isa != "all") options.backend.isa = sets_of(isa).front();
  return options;
}

/// Refuses options that --config does not go with.
void require_taken(const ParsedArguments& given, const std::set<std::string>& taken) {
  for (const auto& [name, value] : given.options) {
    if (taken.contains(name)) continue;
    throw InputError(InputFault::conflict, "--config",
                     fmt::format("--config cannot be used with --{} (the configuration says what is timed, and where). "
                                 "Use a key, such as --model.L=16 or --backend.kind=cuda.",
                                 name));
  }
}

ConfigBenchOptions config_options(const ParsedArguments& given) {
  require_taken(given, {"config", "overrelaxation", "heatbath", "repeats", "quick", "json", "force"});
  ConfigBenchOptions options;
  const bool quick = given.has("quick");
  options.file = *text_of(given, "config");
  options.config = load_config(options.file, given.keys);
  options.overrelaxation = whole_number(given, "overrelaxation", 0, 1000);
  options.heatbath = whole_number(given, "heatbath", 0, 1000);
  options.repeats = whole_number(given, "repeats", 1, 1000).value_or(quick ? 3 : options.repeats);
  if (quick) options.seconds = 0.05;
  return options;
}

BenchCommand command_of(const ParsedArguments& given) {
  const bool quick = given.has("quick");
  BenchCommand command;
  command.json = text_of(given, "json").value_or("");
  require_proposal_whole(given);
  if (given.has("proposal")) {
    require_taken(given, {"config", "proposal", "minutes", "json", "force"});
    command.proposal = proposal_options(given);
    return command;
  }
  if (given.has("config")) {
    command.config = config_options(given);
    return command;
  }
  if (!given.keys.empty()) {
    throw InputError(InputFault::conflict, "--config",
                     fmt::format("--{} cannot be used here (keys are those of a configuration). Add --config FILE.",
                                 given.keys.front()));
  }
  const std::string backend = text_of(given, "backend").value_or("cpu");
  if (given.has("courses")) {
    if (backend == "cuda") require_cuda();
    command.courses = course_options(given, backend == "cuda");
    return command;
  }
  if (given.has("cluster")) {
    if (backend != "cpu") {
      throw InputError(
          InputFault::conflict, "--cluster",
          fmt::format("--cluster cannot be used with --backend {} (it measures processors only). Use --backend cpu.",
                      backend));
    }
    command.cluster = cluster_options(given);
    return command;
  }
  if (backend == "cuda") {
    require_cuda();
    command.gpu = gpu_options(given);
    return command;
  }
  if (backend != "cpu") {
    throw InputError(InputFault::unknown, "--backend",
                     fmt::format("--backend = '{}' cannot be used (cpu and cuda can). Choose one of them.", backend));
  }
  BenchOptions& options = command.options;
  if (quick) options.sizes = options.model_sizes = {8, 16};
  options.sizes = sizes(given, options.sizes);
  options.model_sizes = sizes(given, options.model_sizes);
  options.models_alone = given.has("models");
  options.sets = sets_of(text_of(given, "isa").value_or("all"));
  options.threads = whole_number(given, "threads", 1, 4096).value_or(hardware_threads());
  options.repeats = whole_number(given, "repeats", 1, 1000).value_or(quick ? 3 : 7);
  options.seconds = quick ? 0.01 : 0.1;
  return command;
}

/// Shows a table or a line of it. Throws OutputLost if the output is closed, so that nothing more is measured.
void show_part(const std::string& text) {
  show(text);
  if (!flush_output()) throw OutputLost();
}

/// Shows the tables of the CPU backend; returns the JSON document.
std::string bench_processors(const BenchOptions& options) {
  const auto for_sizes = [&options](const std::vector<int>& sizes_of_part, auto bench, auto& results) {
    for (const int L : sizes_of_part) {
      for (auto& r : bench(options, L)) results.push_back(r);
    }
  };
  const auto for_all_sizes = [&](auto bench, auto& results) { for_sizes(options.sizes, bench, results); };
  if (!options.models_alone) {
    for (const int L : options.sizes) {
      require_memory(bytes_of_threads(options, L), physical_memory_bytes(), "--L",
                     fmt::format("L = {} with {} threads", L, options.threads),
                     "Use fewer --threads or a smaller --L.");
    }
  }
  BenchResults results;
  show_part(bench_header(options));
  if (!options.models_alone) {
    for_all_sizes(bench_updates, results.updates);
    show_part(update_table(results.updates));
  }
  for_sizes(options.model_sizes, bench_models, results.models);
  show_part(model_table(results.models));
  results.graphs = bench_graphs(options);
  show_part(graph_table(results.graphs));
  if (options.models_alone) return bench_json(options, results);
  for_all_sizes(bench_threads, results.threads);
  show_part(thread_table(results.threads));
  for_all_sizes(bench_shares, results.shares);
  show_part(share_table(results.shares));
  return bench_json(options, results);
}

/// The same for the CUDA backend.
std::string bench_gpus(const GpuBenchOptions& options) {
  check_kernel(options);
  std::vector<GpuResult> results;
  show_part(gpu_header(options));
  for (const int L : options.sizes) {
    results.push_back(bench_gpu(options, L));
    show_part(gpu_table_line(results.back()));
  }
  return gpu_json(options, results);
}

std::string bench_clusters(const ClusterBenchOptions& options) {
  std::vector<ClusterResult> results;
  show_part(cluster_header(options));
  for (const int L : options.sizes) {
    const std::vector<ClusterResult> of_size = bench_cluster(options, L);
    show_part(cluster_table(of_size));
    results.insert(results.end(), of_size.begin(), of_size.end());
  }
  return cluster_json(options, results);
}

std::string bench_histories(const CourseBenchOptions& options) {
  for (const int L : options.sizes) {
    require_memory(bytes_of_courses(options, L), physical_memory_bytes(), "--L", fmt::format("L = {}", L),
                   "Use a smaller --L.");
  }
  std::vector<CourseResult> results;
  const std::unique_ptr<Backend> backend = make_backend(options.backend);
  show_part(course_header(options, *backend));
  for (const int L : options.sizes) {
    const std::vector<CourseResult> of_size = bench_courses(options, *backend, L);
    show_part(course_table(options, of_size));
    results.insert(results.end(), of_size.begin(), of_size.end());
  }
  return course_json(options, *backend, results);
}

/// The sizes of a configuration.
std::string bench_configs(const ConfigBenchOptions& options) {
  std::vector<ConfigResult> results;
  show_part(config_header(options));
  for (std::size_t i = 0; i < options.config.model.L.size(); ++i) {
    results.push_back(bench_config(options, i));
    show_part(config_table_line(results.back()));
  }
  return config_json(options, results);
}

}  // namespace

const VerbSyntax& bench_syntax() {
  static const VerbSyntax syntax{
      .verb = "bench",
      .meaning = "speed of the updates and of whole rounds on this machine",
      .options = {choice("backend", "KIND", "cpu or cuda (cpu)", {"cpu", "cuda"}),
                  {"L", "LIST", "lattice sizes (8,12,16,24,32; with --quick 8,16; cuda: also 20,48,64)"},
                  choice("isa", "SET", "all, portable, avx2 or avx512 (all)", {"all", "portable", "avx2", "avx512"}),
                  {"threads", "N", "largest number of threads (those of the machine)"},
                  {"repeats", "N", "timed repeats (7, cuda 5; with --quick 3)"},
                  {"models", "", "every model and update beside a plain loop, and graphs, alone, with cpu (L 8,32)"},
                  {"cluster", "", "cluster updates instead, with cpu (L 256,1024; with --quick 256)"},
                  {"courses", "", "sweeps and measurements of histories in time instead (L 64,128; with --quick 32)"},
                  {"config", "FILE",
                   "updates of this campaign instead, whose keys can be given too: --model.L=16 --backend.kind=cuda"},
                  {"proposal", "",
                   "with --config: core-hours or GPU-hours, memory and disk of the whole campaign, from pilots"},
                  {"minutes", "M", "with --proposal: time for timings and pilots (2)"},
                  {"json", "FILE", "also write everything to this file"},
                  force_option(),
                  {"quick", "", "short repeats: a first impression in seconds"},
                  {"device", "N", "cuda: the device, counted from 0"},
                  choice("devices", "all", "cuda: also the same batch on every device at once", {"all"}),
                  {"kernel", "NAME",
                   "cuda: beginning of a kernel name: plain, tile, resident, ladder, graph (the fastest)"},
                  {"lattice", "NAME", "cuda: model.lattice, with sizes --L of any parity: odd cubes and graphs"},
                  {"degree", "Z", "cuda: mean degree of graphs that are drawn (6)"},
                  {"components", "N", "cuda: vectors of N components, the model on; 1: ising (heisenberg)"},
                  {"slots", "N", "cuda: temperatures (by size, about the ladder that a campaign needs)"},
                  {"copies", "N", "cuda: copies, 2 or 4 (2)"},
                  {"tile", "EDGE", "cuda: protocol.tile (8 for vectors from L = 48 on, else 0)"},
                  {"realizations", "N", "cuda: realizations in the batch (what the backend prefers)"},
                  {"overrelaxation", "N", "cuda and --config: over-relaxation sweeps n_M (10)"},
                  {"heatbath", "N", "cuda and --config: heat-bath sweeps n_B (1); with --config also 0"},
                  {"sweeps", "N", "cuda: repetitions n_T of both before an exchange (1)"}},
      .keys = true,
      .more = "Prints a table; how the figures are taken stands above each."};
  return syntax;
}

int run_bench(const Arguments& arguments) {
  const ParsedArguments given = parse_arguments(bench_syntax(), arguments);
  if (given.help) {
    show(bench_syntax().help());
    return 0;
  }
  const BenchCommand command = command_of(given);
  if (given.has("json")) require_writable(given, command.json, "json");
  const std::string document = command.gpu        ? bench_gpus(*command.gpu)
                               : command.cluster  ? bench_clusters(*command.cluster)
                               : command.courses  ? bench_histories(*command.courses)
                               : command.config   ? bench_configs(*command.config)
                               : command.proposal ? bench_proposal(*command.proposal, show_part)
                                                  : bench_processors(command.options);
  if (given.has("json")) write_output(given, command.json, "json", document);
  return command.proposal ? proposal_status() : 0;
}

}}  // namespace glassworks::tools
