#include "tools/bench/config_rows.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/threads.hpp"
#include "engine/loading/memory.hpp"
#include "glassworks/version.hpp"
#include "kernels/make_backend.hpp"
#include "kernels/rounds/first_state.hpp"
#include "tools/bench/report.hpp"
#include "tools/glassworks/doctor_machine.hpp"

namespace glassworks { inline namespace tools {
namespace {

constexpr int most_steps = 1 << 20;

/// The processor time of a single thread leaves out what others take of a shared machine.
Clock clock_of(const BackendOptions& options) {
  return options.kind == BackendKind::cpu && options.threads == 1 ? Clock::thread : Clock::wall;
}

/// The chain of one size, without measurements.
Chain config_chain(const ConfigBenchOptions& options, std::size_t size_index) {
  if (options.config.course.exists()) {
    throw InputError(
        InputFault::unsupported, "--config",
        fmt::format("--config {} cannot be timed (it is a history in time). Use bench --courses.", options.file));
  }
  Chain chain = make_chain(options.config, size_index, ladder_temperatures(options.config, size_index));
  chain.protocol.overrelaxation = options.overrelaxation.value_or(chain.protocol.overrelaxation);
  chain.protocol.heatbath = options.heatbath.value_or(chain.protocol.heatbath);
  chain.measurements = chain.samples = 0;
  chain.local = 0;
  return chain;
}

/// Realizations of a size that stay where the backend works.
class HeldChain {
 public:
  HeldChain(const ConfigBenchOptions& options, std::size_t size_index, const Chain& chain)
      : chain_(chain), backend_(make_backend(options.config.backend.options)) {
    const std::string refusal = backend_->refusal(chain_);
    if (!refusal.empty()) throw InputError(InputFault::unsupported, "--config", refusal);
    const auto count = static_cast<std::size_t>(entry_of_size(options.config.disorder.realizations, size_index));
    require_memory(batch_need(options.config, chain_, *backend_).of(static_cast<double>(count)),
                   physical_memory_bytes(), "--config", fmt::format("L = {}", chain_.lattice.L),
                   "Use fewer disorder.realizations.");
    disorder_.resize(count);
    records_.resize(count);
    std::vector<HeldTask> tasks(count);
    const auto first = static_cast<std::size_t>(options.config.disorder.first_realization);
    parallel_for(count, hardware_threads(), [&](std::size_t i) {
      const auto number = static_cast<std::uint32_t>(first + i);
      disorder_[i] = make_disorder(options.config, chain_.lattice, number);
      tasks[i] = {number, &disorder_[i], first_state(chain_, number, 1)};
    });
    held_ = backend_->hold(chain_, std::move(tasks));
  }
  HeldChain(const HeldChain&) = delete;
  HeldChain& operator=(const HeldChain&) = delete;

  /// Time of a round of so many steps [s].
  double time(int steps, Clock clock) {
    held_->set_conditions({chain_.beta, 1.0F}, {steps, 0});
    return seconds_of(
        [this] {
          RoundControl control;
          static_cast<void>(held_->run_round(records_, control));
        },
        clock);
  }
  [[nodiscard]] int realizations() const { return static_cast<int>(disorder_.size()); }
  [[nodiscard]] std::string kernel() const { return backend_->kernel_description(chain_); }

 private:
  const Chain& chain_;
  std::unique_ptr<Backend> backend_;
  std::vector<Disorder> disorder_;
  std::vector<RoundRecord> records_;
  std::unique_ptr<HeldBatch> held_;
};

std::string sweeps_text(const Chain& chain) {
  const Protocol& p = chain.protocol;
  std::string text;
  const auto add = [&text](int count, std::string_view what) {
    if (count > 0) text += fmt::format("{}{} {}", text.empty() ? "" : " + ", count, what);
  };
  add(chain.cluster_sweeps(), "clusters");
  add(p.heatbath, chain.model.kind == ModelKind::heisenberg ? "HB" : "local");
  add(chain.overrelaxation(), "OR");
  if (p.tile_repeats > 1) text = fmt::format("{} x ({})", p.tile_repeats, text);
  return text + (p.tile > 0 ? fmt::format(", tile {}", p.tile) : "");
}

}  // namespace

ConfigResult bench_config(const ConfigBenchOptions& options, std::size_t size_index) {
  ConfigResult result;
  result.chain = config_chain(options, size_index);
  const Clock clock = clock_of(options.config.backend.options);
  std::unique_ptr<HeldChain> held;
  result.start = seconds_of([&] {
    held = std::make_unique<HeldChain>(options, size_index, result.chain);
    static_cast<void>(held->time(1, Clock::wall));
  });
  result.realizations = held->realizations();
  result.kernel = held->kernel();

  const double of_step =
      result.chain.updates_per_stretch() / result.chain.protocol.exchanges_per_measurement * result.realizations;
  double one = held->time(1, clock), many = 0.0;
  int steps = 2;
  // A longer round costs what it has more of steps: it is lengthened until they take most of its time.
  for (many = held->time(steps, clock); steps < most_steps && (many < options.seconds || many < 2.0 * one);
       many = held->time(steps, clock)) {
    const double wanted = steps * 1.2 * std::max(options.seconds, 2.0 * one) / std::max(many, 1e-6);
    steps = std::min({std::max(steps + 1, static_cast<int>(std::min(wanted, 1e9))), 8 * steps, most_steps});
  }
  std::vector<double> ns;
  for (int r = 0; r < options.repeats; ++r) {
    one = held->time(1, clock);
    many = held->time(steps, clock);
    ns.push_back(1e9 * (many - one) / ((steps - 1) * of_step));
  }
  result.steps = steps;
  result.ns = spread_of(std::move(ns));
  result.updates = options.repeats * (steps - 1) * of_step;
  return result;
}

std::string device_text(const BackendOptions& options) {
  const std::unique_ptr<Backend> backend = make_backend(options);
  const std::string text = backend->description();
  return text.starts_with("cuda") ? text : text + ", " + this_machine().processor;
}

std::string config_header(const ConfigBenchOptions& options) {
  return fmt::format(
      "glassworks {} ({}, {}, {})\n{}, load {:.1f}\n{}: steps without measurements, medians of {} repeats; +- is half "
      "of their range. An update is that of one spin.\nstart: backend, disorder, states and the first step.\n\n"
      "{:>6} {:24} {:>8} {:>8} {:>18} {:>9} {:>8}  {}\n",
      version::kVersion, version::kCommit, version::kCompiler, version::kBuildType,
      device_text(options.config.backend.options), this_machine().load, options.file, options.repeats, "L", "update",
      "systems", "steps", "ns per update", "updates", "start", "kernel");
}

std::string config_table_line(const ConfigResult& r) {
  return fmt::format("{:6} {:24} {:8} {:8} {:>18} {:9.3g} {:6.2f} s  {}\n", r.chain.lattice.L, sweeps_text(r.chain),
                     r.realizations * r.chain.replicas(), r.steps,
                     fmt::format("{:.4g} +-{:2.0f}%", r.ns.median, 50.0 * r.ns.relative()), r.updates, r.start,
                     r.kernel);
}

std::string config_json(const ConfigBenchOptions& options, const std::vector<ConfigResult>& results) {
  JsonWriter json;
  json.begin_object();
  write_provenance(json);
  json.field("device", device_text(options.config.backend.options)).field("config", options.file);
  json.field("repeats", options.repeats).field("time_unit", "ns per spin update");
  json.key("results").begin_array();
  for (const ConfigResult& r : results) {
    json.begin_object().field("L", r.chain.lattice.L).field("update", sweeps_text(r.chain));
    json.field("systems", r.realizations * r.chain.replicas()).field("steps", r.steps).field("kernel", r.kernel);
    json.field("ns_per_update", r.ns.median).field("ns_low", r.ns.low).field("ns_high", r.ns.high);
    json.field("updates", r.updates).field("start_seconds", r.start).end_object();
  }
  return json.end_array().end_object().text();
}

}}  // namespace glassworks::tools
