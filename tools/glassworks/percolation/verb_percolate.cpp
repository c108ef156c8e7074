#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <filesystem>
#include <mutex>

#include "analysis/report/document.hpp"
#include "analysis/report/html_page.hpp"
#include "analysis/report/print_figure.hpp"
#include "base/threads.hpp"
#include "engine/config/config.hpp"
#include "engine/loading/memory.hpp"
#include "tools/glassworks/duration.hpp"
#include "tools/glassworks/output.hpp"
#include "tools/glassworks/output_option.hpp"
#include "tools/glassworks/percolation/percolation_report.hpp"
#include "tools/glassworks/print_options.hpp"
#include "tools/glassworks/stop_signals.hpp"
#include "tools/glassworks/terminal.hpp"
#include "tools/glassworks/verbs.hpp"

namespace glassworks { inline namespace tools {
namespace {

/// Reached by the signal handler, which may only touch lock-free atomics.
PercolationControl percolation;

/// Tells of the samples of one graph: every second on a terminal, in one line, and every ten seconds elsewhere.
class SampleProgress {
 public:
  SampleProgress(const std::string& name, std::uint32_t samples)
      : name_(name), samples_(samples), terminal_(isatty(STDERR_FILENO) == 1), thread_([this] { loop(); }) {}
  ~SampleProgress() {
    {
      const std::lock_guard lock(mutex_);
      done_ = true;
    }
    wake_.notify_all();
    thread_.join();
    if (terminal_) clear_line(Channel::error);
  }
  SampleProgress(const SampleProgress&) = delete;
  SampleProgress& operator=(const SampleProgress&) = delete;

 private:
  void loop() {
    std::unique_lock lock(mutex_);
    while (!wake_.wait_for(lock, std::chrono::seconds(terminal_ ? 1 : 10), [this] { return done_; })) {
      try {
        print();
      } catch (const std::bad_alloc&) {  // skips a line; the allocation that needs the memory reports it
      }
    }
  }
  void print() const {
    const std::uint32_t done = percolation.samples_done;
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
    std::string line = fmt::format("{}: {} of {} samples; {} elapsed", name_, done, samples_, duration_text(seconds));
    if (done > 0) line += fmt::format("; about {} left", duration_text(seconds * (samples_ - done) / done));
    if (terminal_) {
      rewrite_line(Channel::error, line);
    } else {
      glassworks::print(Channel::error, "{}\n", line);
    }
  }

  std::string name_;
  std::uint32_t samples_;
  bool terminal_;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  std::mutex mutex_;
  std::condition_variable wake_;
  bool done_ = false;
  Thread thread_;
};

/// Labels, sizes, the sets of occupied bonds of some p, and what a labeller takes besides.
double thread_bytes(const Graph& graph, std::size_t points) {
  const double set = static_cast<double>(graph.bond_indices()) / 8.0;
  return 12.0 * graph.sites() + set * 2.0 + std::min(set * static_cast<double>(std::min<std::size_t>(points, 32)), 3e8);
}

/// The methods of a processor, or else of devices, by name.
std::string names_of(const std::vector<LabellingMethod>& methods) {
  std::string names;
  for (const LabellingMethod method : methods) names += (names.empty() ? "" : ", ") + std::string(to_string(method));
  return names;
}

struct MethodChoice {
  bool cuda = false;
  LabellingMethod method = LabellingMethod::union_find;
};

/// Backend and method of one graph. A device pays for large graphs only: to send bonds and labels takes time.
MethodChoice choose(const PercolationRequest& request, const Graph& graph) {
  constexpr Site large = 1U << 18;
  const std::vector<LabellingMethod> cpu = cpu_labelling_methods(graph);
  const std::string reason = cuda_unavailable_reason();
  const std::vector<LabellingMethod> cuda = reason.empty() ? cuda_labelling_methods(graph) : decltype(cpu){};
  if (request.backend == BackendKind::cuda && cuda.empty()) {
    throw InputError(InputFault::unsupported, "--backend",
                     fmt::format("--backend cuda cannot be used ({}). Use --backend auto or cpu.",
                                 reason.empty() ? "no GPU method supports this graph" : reason));
  }
  MethodChoice choice{.cuda = request.backend == BackendKind::cuda ||
                              (request.backend == BackendKind::automatic && !cuda.empty() && graph.sites() >= large)};
  if (request.method.empty()) {
    const bool tiles = std::find(cuda.begin(), cuda.end(), LabellingMethod::tiles) != cuda.end();
    if (choice.cuda) choice.method = tiles ? LabellingMethod::tiles : LabellingMethod::direct;
    return choice;
  }
  const auto named = [&](const std::vector<LabellingMethod>& methods) {
    return std::find_if(methods.begin(), methods.end(), [&](auto m) { return request.method == to_string(m); });
  };
  const bool on_cpu = named(cpu) != cpu.end(), on_cuda = named(cuda) != cuda.end();
  if (on_cuda && request.backend != BackendKind::cpu) return {true, *named(cuda)};
  if (on_cpu && request.backend != BackendKind::cuda) return {false, *named(cpu)};
  throw InputError(InputFault::unsupported, "--method",
                   fmt::format("--method = '{}' cannot be used for {} (there are {} on the CPU{}). Use one of these.",
                               request.method, graph.description(), names_of(cpu),
                               cuda.empty() ? "" : ", " + names_of(cuda) + " on the GPU"));
}

/// Of all sizes, before any work.
void require_room(const PercolationRequest& request) {
  for (const Graph& graph : request.graphs) {
    require_memory(thread_bytes(graph, request.p.size()), physical_memory_bytes(), "--size", graph.description(),
                   "Use a smaller size.");
  }
}

PercolationCurve simulate(const PercolationRequest& request, std::size_t index) {
  const Graph& graph = request.graphs[index];
  const MethodChoice choice = choose(request, graph);
  const int threads = request.threads > 0 ? request.threads : hardware_threads();
  const double memory = physical_memory_bytes(), each = thread_bytes(graph, request.p.size());
  const int fitting = static_cast<int>(std::min(0.8 * memory / each, 1e6));
  const int workers = std::max(1, std::min({threads, fitting, static_cast<int>(std::min(request.samples, 1000000U))}));
  // Threads that find no sample of their own help to label one.
  LabellingMethod method = choice.method;
  if (!choice.cuda && request.method.empty() && workers < threads) method = LabellingMethod::parallel;
  const auto make = [&] {
    return choice.cuda ? make_cuda_labeller(graph, method) : make_cpu_labeller(graph, method, threads / workers);
  };
  PercolationPlan plan{.graph = &graph,
                       .occupation = request.occupation,
                       .p = request.p,
                       .samples = request.samples,
                       .seed = request.seed,
                       .threads = workers,
                       .make_labeller = make,
                       .one_labeller = choice.cuda};
  PercolationCurve curve{&graph, request.names[index], make()->description(), {}};
  percolation.samples_done = 0;
  const SampleProgress progress(graph.description(), request.samples);
  curve.result = simulate_percolation(plan, percolation);
  return curve;
}

/// A page, or the first figure.
std::string plot_text(const PercolationRequest& request, const std::vector<PercolationCurve>& curves) {
  const std::string suffix = std::filesystem::path(request.plot).extension().string();
  if (suffix == ".html") return html_page(percolation_document(request, curves));
  return print_figure(percolation_figures(request, curves).front(), {.format = format_of_suffix(suffix).value()});
}

}  // namespace

const VerbSyntax& percolate_syntax() {
  static const VerbSyntax syntax{
      .verb = "percolate",
      .operand = "",
      .meaning = "bond and site percolation over a range of p, and its threshold",
      .options = {choice("graph", "NAME", "chain, square, cubic, 4d, triangular, honeycomb or bethe",
                         {"chain", "square", "cubic", "4d", "triangular", "honeycomb", "bethe"}),
                  {"size", "L", "edge of a lattice, or WxH; several sizes give the threshold", false, true},
                  {"p", "LIST", "values and ranges begin:end:step, as 0.3,0.48:0.52:0.002", true},
                  {"samples", "N", "of each size (default 100)"},
                  {"sites", "", "sites are occupied, not bonds"},
                  {"open", "", "open boundary: clusters that span; else periodic: clusters that wrap"},
                  {"generations", "G", "shells of the Bethe lattice", false, true},
                  {"z", "Z", "coordination number of the Bethe lattice (default 3)"},
                  choice("numbering", "NAME", "of the Bethe lattice: standard (shell by shell, default) or random",
                         {"standard", "random"}),
                  {"edges", "FILE", "any graph: two site numbers per line, from 0 or 1; # starts a comment"},
                  {"csv", "FILE", "writes every average with its error there"},
                  {"plot", "FILE", "a page with all figures (.html), or the first one (.pdf, .svg, .png, .eps)"},
                  force_option(),
                  choice("backend", "NAME", "where clusters are labelled: auto (default), cpu or cuda",
                         {"auto", "cpu", "cuda"}),
                  {"method", "NAME", "of labelling; by default the fastest"},
                  {"threads", "N", "default: one per hardware thread"},
                  {"seed", "N", "of the random numbers (default 1)"}}};
  return syntax;
}

int percolate(const Arguments& arguments) {
  const ParsedArguments parsed = parse_arguments(percolate_syntax(), arguments);
  if (parsed.help) {
    show(percolate_syntax().help());
    return 0;
  }
  const PercolationRequest request = percolation_request(parsed);
  require_different(parsed, "csv", "plot");
  require_room(request);
  on_stop_signals([](int) { percolation.stop = true; });
  std::vector<PercolationCurve> curves;
  for (std::size_t k = 0; k < request.graphs.size(); ++k) {
    curves.push_back(simulate(request, k));
    if (percolation.stop) {
      print("Stopped by a signal; no file was written.\n");
      return status_signal;
    }
    show(curve_text(request, curves.back()));
    print("Labels: {}\n\n", curves.back().labeller);
    flush_output();
  }
  show(threshold_text(request, curves));
  if (!request.csv.empty()) {
    write_output(parsed, request.csv, "csv", percolation_csv(request, curves));
    print("Numbers: {}\n", request.csv);
  }
  if (!request.plot.empty()) {
    write_output(parsed, request.plot, "plot", plot_text(request, curves));
    print("Plot: {}\n", request.plot);
  }
  return 0;
}

}}  // namespace glassworks::tools
