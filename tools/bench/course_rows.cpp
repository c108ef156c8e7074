#include "tools/bench/course_rows.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/threads.hpp"
#include "glassworks/version.hpp"
#include "kernels/rounds/first_state.hpp"
#include "kernels/series/measure_series.hpp"
#include "kernels/series/series_measurer.hpp"
#include "tools/bench/model_rows.hpp"
#include "tools/bench/report.hpp"

namespace glassworks { inline namespace tools {
namespace {

struct CourseRow {
  BenchSystem system;
  std::string update;
  Protocol protocol;
  int copies = 0;
  std::vector<double> temperatures;
};

std::vector<CourseRow> course_rows() {
  Protocol words;
  words.heatbath = 1;
  words.overrelaxation = 0;
  words.multispin = MultispinRule::metropolis;
  words.lanes = MultispinLanes::copies;
  words.exchange = ExchangeSchedule::none;
  Protocol bath = words;
  bath.multispin = MultispinRule::off;
  bath.lanes = MultispinLanes::realizations;
  const std::vector<double> around = {0.12, 0.13, 0.14, 0.155, 0.17};
  std::vector<CourseRow> rows;
  const auto add = [&](const std::string& name, const SpinModel& spins, CouplingKind couplings,
                       const std::string& update, const Protocol& protocol, int copies,
                       const std::vector<double>& temperatures) {
    CourseRow& row = rows.emplace_back();
    row.system.name = name;
    row.system.spins = spins;
    row.system.couplings = couplings;
    row.system.T = temperatures.front();
    row.update = update;
    row.protocol = protocol;
    row.copies = copies;
    row.temperatures = temperatures;
  };
  for (const double T : {0.7, 1.1}) {
    add("ising +-J", {ModelKind::ising, 2, 1}, CouplingKind::bimodal, "multi-spin Metropolis", words, 128, {T});
  }
  add("heisenberg", {}, CouplingKind::gaussian, "heat bath", bath, 4, around);
  for (const int n : {2, 4}) {
    add(fmt::format("on n={}", n), {ModelKind::on, 2, n}, CouplingKind::gaussian, "heat bath", bath, 4, around);
  }
  return rows;
}

Chain course_chain(const CourseRow& row, int L) {
  Chain chain;
  chain.model = row.system.spins;
  chain.lattice = {3, L};
  chain.copies = row.copies;
  chain.measurements = 0;
  for (const double T : row.temperatures) chain.beta.push_back(static_cast<float>(1.0 / T));
  chain.protocol = row.protocol;
  chain.protocol.sweeps_per_exchange = chain.protocol.exchanges_per_measurement = 1;
  chain.key = size_key(1, 3, L);
  return chain;
}

bool is_device(const CourseBenchOptions& options) { return options.backend.kind == BackendKind::cuda; }

/// On a device enough that it is filled, and no more than that takes.
int realizations_of(const CourseBenchOptions& options, const Chain& chain) {
  constexpr double spins = 3e8;
  if (!is_device(options)) return 1;
  return std::max(1, static_cast<int>(spins / (chain.replicas() * static_cast<double>(chain.lattice.sites()))));
}

double bytes_of(const Chain& chain) {
  const double of_spin = chain.model.is_discrete() ? 1.0 : 4.0 * components_of(chain.model);
  return 4.0 * of_spin * chain.replicas() * static_cast<double>(chain.lattice.sites());
}

CourseResult bench_row(const CourseBenchOptions& options, Backend& backend, const CourseRow& row, int L) {
  const Chain chain = course_chain(row, L);
  CourseResult result;
  result.L = L;
  result.model = row.system.name;
  result.update = row.update;
  result.T = row.system.T;
  result.realizations = realizations_of(options, chain);
  result.copies = chain.copies;
  result.slots = chain.slots();
  result.kernel = backend.kernel_description(chain);
  std::vector<Disorder> disorder;
  std::vector<HeldTask> tasks;
  disorder.reserve(static_cast<std::size_t>(result.realizations));
  for (int r = 0; r < result.realizations; ++r) {
    const auto number = static_cast<std::uint32_t>(r);
    disorder.push_back(disorder_of(row.system, chain.lattice, number));
    tasks.push_back({number, &disorder.back(), first_state(chain, number, hardware_threads())});
  }
  const std::unique_ptr<HeldBatch> held = backend.hold(chain, std::move(tasks));
  constexpr int steps = 32;
  held->set_conditions({chain.beta, 1.0F}, {steps, 0});
  std::vector<RoundRecord> records(disorder.size());
  const Clock clock = is_device(options) ? Clock::wall : Clock::thread;
  Timed round{[&] {
                RoundControl control;
                static_cast<void>(held->run_round(records, control));
              },
              steps * chain.updates_per_stretch() * result.realizations,
              {}};
  time_in_turn({&round}, options.repeats, options.seconds, clock);
  result.sweeps = round.nanoseconds_per_unit;

  const SeriesLayout layout({chain.model, chain.lattice, chain.copies, 0, {}});
  std::vector<double> rows(static_cast<std::size_t>(chain.slots() * layout.size()));
  SeriesMeasurer* const measurer = held->series_measurer();
  const std::vector<std::vector<KeptSpins>> kept(1);  // of one realization, at no time
  const auto on_device = [&] {
    return measurer != nullptr && measurer->measure(0, layout, kept, hardware_threads(), rows);
  };
  result.on_device = on_device();
  const ChainState state = result.on_device ? ChainState() : held->state(0);
  const auto measure = [&] {
    if (!on_device()) measure_series(chain, disorder[0], state, {}, layout, 1, rows);
  };
  // On a processor one measurement of a large lattice takes minutes.
  constexpr double long_enough = 1.0;
  double seconds = seconds_of(measure, clock);
  if (seconds < long_enough) {
    Timed measurement{measure, 1.0, {}};
    time_in_turn({&measurement}, 3, 0.1 * options.seconds, clock);
    seconds = 1e-9 * measurement.nanoseconds_per_unit.median;
  }
  result.measurement = seconds / chain.slots();
  result.sweeps_of_one =
      1e9 * result.measurement / (result.sweeps.median * chain.copies * static_cast<double>(chain.lattice.sites()));
  return result;
}

}  // namespace

std::vector<CourseResult> bench_courses(const CourseBenchOptions& options, Backend& backend, int L) {
  std::vector<CourseResult> results;
  for (const CourseRow& row : course_rows()) results.push_back(bench_row(options, backend, row, L));
  return results;
}

double bytes_of_courses(const CourseBenchOptions& options, int L) {
  double most = 0.0;
  for (const CourseRow& row : course_rows()) {
    const Chain chain = course_chain(row, L);
    most = std::max(most, bytes_of(chain) * realizations_of(options, chain));
  }
  return most;
}

std::string course_header(const CourseBenchOptions& options, const Backend& backend) {
  const bool device = is_device(options);
  return fmt::format(
      "glassworks {} ({}, {}, {}), {}\nSweeps of histories in time, d = 3, without exchanges: medians of {} repeats in "
      "{} "
      "per spin update, +- half of\ntheir range{}. A measurement is that of one slot of one realization with all its "
      "columns, also in sweeps of that slot.\n\n{:>4} {:12} {:22} {:>5} {:>6} {:>6} {:>6} {:>16} {:>13} {:>8}  {}\n",
      version::kVersion, version::kCommit, version::kCompiler, version::kBuildType, backend.description(),
      options.repeats, device ? "ps" : "ns",
      device ? ", packing and unpacking of the spins in rounds of 32 sweeps among them" : ", one thread", "L", "model",
      "update", "T", "batch", "copies", "slots", device ? "sweeps [ps]" : "sweeps [ns]", "measured", "= sweeps",
      "kernel");
}

std::string course_table(const CourseBenchOptions& options, const std::vector<CourseResult>& results) {
  std::string text;
  const bool device = is_device(options);
  const double unit = device ? 1e3 : 1.0;
  for (const CourseResult& r : results) {
    text += fmt::format("{:4} {:12} {:22} {:5g} {:6} {:6} {:6} {:>16} {:>13} {:8.0f}  {}\n", r.L, r.model, r.update,
                        r.T, r.realizations, r.copies, r.slots,
                        fmt::format("{:.4g} +-{:2.0f}%", unit * r.sweeps.median, 50.0 * r.sweeps.relative()),
                        fmt::format("{:.3g} ms{}", 1e3 * r.measurement, device && !r.on_device ? " host" : ""),
                        r.sweeps_of_one, r.kernel);
  }
  return text;
}

std::string course_json(const CourseBenchOptions& options, const Backend& backend,
                        const std::vector<CourseResult>& results) {
  JsonWriter json;
  json.begin_object();
  write_provenance(json);
  json.field("backend", backend.description());
  json.key("settings").begin_object().field("dim", 3).field("repeats", options.repeats);
  json.field("seconds_of_a_piece", options.seconds).field("steps_of_a_round", 32);
  json.field("time_unit", "ns per spin update").end_object();
  json.key("courses").begin_array();
  for (const CourseResult& r : results) {
    json.begin_object().field("L", r.L).field("model", r.model).field("update", r.update).field("T", r.T);
    json.field("realizations", r.realizations).field("copies", r.copies).field("slots", r.slots);
    json.field("kernel", r.kernel);
    write_spread(json, "sweeps", r.sweeps);
    json.field("measurement_seconds", r.measurement).field("measured_on_device", r.on_device);
    json.field("measurement_in_sweeps", r.sweeps_of_one).end_object();
  }
  return json.end_array().end_object().text();
}

}}  // namespace glassworks::tools
