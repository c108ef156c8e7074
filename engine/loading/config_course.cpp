#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <limits>

#include "engine/config/config_value.hpp"
#include "engine/loading/config_validate.hpp"
#include "kernels/series/series_layout.hpp"

namespace glassworks { inline namespace engine {
namespace {

using Times = std::vector<std::uint64_t>;

constexpr std::size_t most_times = 20000, most_waiting_times = 64;
constexpr int most_course_copies = 512;
constexpr std::uint64_t most_rounds = 1'000'000;

Times counts_of(const std::vector<SweepCount>& list) {
  Times times;
  for (const SweepCount one : list) times.push_back(one.count);
  return times;
}

/// Adds the times of the rule after a beginning, up to and including `last`.
void add_times(const CourseTimes& rule, std::uint64_t beginning, std::uint64_t last, Times& times) {
  if (last <= beginning) return;
  const int base = rule.rule == CourseTimes::Rule::per_decade ? 10 : 2;
  const auto n = static_cast<int>(std::min<std::uint64_t>(rule.number.count, 10000));
  for (const std::uint64_t t : logarithmic_times(last - beginning, base, n)) times.push_back(beginning + t);
}

Times measurement_times(const CourseConfig& config) {
  const std::uint64_t end = config.sweeps.count;
  Times times;
  if (config.times.rule == CourseTimes::Rule::every) {
    const std::uint64_t step = config.times.number.count;
    for (std::uint64_t t = step; t <= end && times.size() <= most_times; t += step) times.push_back(t);
  }
  const bool logarithmic =
      config.times.rule == CourseTimes::Rule::per_decade || config.times.rule == CourseTimes::Rule::per_octave;
  if (logarithmic) add_times(config.times, 0, end, times);
  std::uint64_t begin = 0;
  for (const CourseSegment& segment : config.segments) {
    const std::uint64_t to = segment.sweeps.count > 0 ? begin + segment.sweeps.count : end;
    if (logarithmic && begin > 0) add_times(config.times, begin, std::min(to, end), times);
    if (segment.sweeps.count > 0 && to <= end) times.push_back(to);
    begin = to;
  }
  for (const std::uint64_t t : counts_of(config.waiting_times)) {
    if (t > 0 && t <= end) times.push_back(t);
    if (logarithmic) add_times(config.times, t, end, times);
  }
  std::ranges::copy_if(counts_of(config.times.listed), std::back_inserter(times),
                       [&](std::uint64_t t) { return t > 0 && t <= end; });
  std::ranges::sort(times);
  times.erase(std::ranges::unique(times).begin(), times.end());
  return times;
}

/// Minutes of one processor, about a second of a GPU. A power of two, so that small changes of the configuration leave
/// it as it is.
std::uint64_t automatic_round(const Config& config) {
  const double updates_of_round = config.protocol.multispin == MultispinRule::off ? 6e10 : 2e12;
  double sites = 1.0;
  if (config.model.dim < 1 || config.model.dim > most_dim) return 1;  // refused later
  for (const int L : config.model.L) sites = std::max(sites, static_cast<double>(config.lattice(L).sites()));
  const double slots = static_cast<double>(std::max<std::size_t>(config.ladder.temperatures.size(), 1));
  const double updates = sites * slots * std::max(config.replicas.copies, 1);
  std::uint64_t sweeps = 1;
  while (sweeps < (std::uint64_t{1} << 40) && 2.0 * static_cast<double>(sweeps) * updates <= updates_of_round)
    sweeps *= 2;
  return sweeps;
}

/// A key that a course decides: it may be given with this value only.
template <class T>
void decide(const std::function<bool(const char*)>& given, const char* key, T& value, T decided, const char* why) {
  if (given(key) && value != decided) {
    refuse_pair(fmt::format("{} = {}", key, write_value(value)), "course.sweeps", why, "Leave one of them out");
  }
  value = std::move(decided);
}

[[noreturn]] void out_of_range(const char* key, const std::string& text) {
  throw InputError(InputFault::out_of_range, key, text);
}

void validate_times(const CourseConfig& course) {
  const Times waiting = counts_of(course.waiting_times), listed = counts_of(course.times.listed);
  const auto ascend = [](const Times& times) {
    return std::ranges::adjacent_find(times, std::greater_equal<>()) == times.end();
  };
  if (!ascend(waiting) || !ascend(listed)) {
    const char* const key = ascend(waiting) ? "course.times" : "course.waiting_times";
    out_of_range(key, fmt::format("{} does not ascend (or has a time twice). Sort it and give each time once.", key));
  }
  if (waiting.size() > most_waiting_times) {
    out_of_range(
        "course.waiting_times",
        fmt::format("course.waiting_times has {} entries (at most {}: a state is kept for each). Leave some out.",
                    waiting.size(), most_waiting_times));
  }
  const Times measured = measurement_times(course);
  if (measured.size() > most_times) {
    out_of_range("course.times", fmt::format("course.times = {} are more than {} measurements (each is stored). Choose "
                                             "fewer.",
                                             write_value(course.times), most_times));
  }
  if (measured.empty()) {
    out_of_range("course.times", fmt::format("course.times = {} has no time up to course.sweeps = {} (nothing would be "
                                             "measured). Lengthen the course or choose earlier times.",
                                             write_value(course.times), course.sweeps.count));
  }
  if (!waiting.empty() && waiting.back() >= measured.back()) {
    out_of_range(
        "course.waiting_times",
        fmt::format("course.waiting_times holds {}, after which nothing is measured (the last measurement is at "
                    "{}). Lengthen the course or leave it out.",
                    waiting.back(), measured.back()));
  }
}

void validate_segments(const Config& config) {
  const std::vector<CourseSegment>& segments = config.course.segments;
  for (std::size_t i = 0; i + 1 < segments.size(); ++i) {
    if (segments[i].sweeps.count > 0) continue;
    throw InputError(
        InputFault::malformed, "course.segments",
        fmt::format("course.segments = {} has a segment without sweeps before the last one (it would never "
                    "end). Give it a number of sweeps.",
                    write_value(segments)));
  }
  if (!segments.empty() && segments.back().sweeps.count > 0) {
    throw InputError(InputFault::malformed, "course.segments",
                     fmt::format("course.segments = {} ends with a segment of {} sweeps (the last one goes on to "
                                 "course.sweeps, which may be raised later). Leave out its number, or add `at T`.",
                                 write_value(segments), segments.back().sweeps.count));
  }
  const bool has_field = config.model.field != FieldKind::none;
  for (const CourseSegment& segment : segments) {
    if (has_field || (segment.first_field == 1.0 && segment.last_field == 1.0)) continue;
    refuse_pair("course.segments with a field", "model.field = none", "it is a factor of the fields of the model",
                "Set model.field and model.field_strength to the largest field of the course");
  }
}

}  // namespace

Course make_course(const Config& config, const std::vector<double>& temperatures) {
  const CourseConfig& given = config.course;
  Course course;
  for (const CourseSegment& segment : given.segments) {
    Segment& made = course.segments.emplace_back();
    made.steps = segment.sweeps.count > 0 ? segment.sweeps.count : endless;
    made.stair = segment.stair.count;
    made.field = {segment.first_field, segment.last_field, RampShape::linear};
    for (const double T : temperatures) {
      made.temperature.push_back({segment.first_T.value_or(T), segment.last_T.value_or(T), segment.shape});
    }
  }
  course.measured.listed = measurement_times(given);
  course.references = counts_of(given.waiting_times);
  course.pairs = given.pairs;
  course.longest_round = settled_longest_round(config);
  return course;
}

void use_course(Config& config, const std::function<bool(const char*)>& given) {
  CourseConfig& course = config.course;
  if (!course.exists()) {
    for (const char* key : {"course.segments", "course.times", "course.waiting_times", "course.pairs"}) {
      if (!given(key)) continue;
      throw InputError(InputFault::missing, "course.sweeps",
                       fmt::format("{} is given without course.sweeps (a course has a length). Add course.sweeps, or "
                                   "leave out the course.",
                                   key));
    }
    return;
  }
  for (const char* key : {"convergence.min_rounds", "convergence.max_rounds", "convergence.min_round_trips",
                          "convergence.n_tau", "convergence.equilibration_tau", "convergence.left_out",
                          "convergence.rule", "convergence.group_share", "convergence.group_n_tau"}) {
    if (given(key)) config.notes.push_back(fmt::format("{} is not used (see course.sweeps).", key));
  }
  if (course.segments.empty()) course.segments.emplace_back();
  Protocol& p = config.protocol;
  decide(given, "protocol.exchange", p.exchange, ExchangeSchedule::none, "exchanges mix histories in time");
  decide(given, "protocol.sweeps_per_exchange", p.sweeps_per_exchange, 1, "its time counts single steps");
  decide(given, "protocol.exchanges_per_measurement", p.exchanges_per_measurement, 1, "its time counts single steps");
  decide(given, "protocol.adaptation", p.adaptation, 0, "proposals of a course keep their width");
  decide(given, "ladder.adapt", config.ladder.adapt, LadderAdaptation::none, "its slots do not exchange");
  decide(given, "campaign.second_start", config.campaign.second_start, SecondStart::none,
         "what a history begins with is part of a course");
  decide(given, "round.measurements", config.round.measurements_per_round, std::vector<int>{1},
         "course.times says when it is measured");
  config.round.samples_per_round = 0;
  if (!given("protocol.overrelaxation") && p.moves.empty()) p.overrelaxation = 0;
  if (!given("replicas.copies")) config.replicas.copies = 2;
  const bool many = config.replicas.copies > BinLayout::most_copies && !config.model.has_graphs();
  if (!given("protocol.lanes") && p.multispin != MultispinRule::off && many) p.lanes = MultispinLanes::copies;
  if (config.ladder.temperatures.empty() && config.ladder.T_min == 0.0 && !course.segments.empty() &&
      course.segments.front().first_T) {
    config.ladder.temperatures = {*course.segments.front().first_T};  // no slot has a temperature of its own
  }
  if (!config.ladder.temperatures.empty()) config.ladder.kind = LadderKind::list;
}

void settle_course_rounds(Config& config) {
  if (!config.course.exists() || config.course.sweeps.count / settled_longest_round(config) > most_rounds) return;
  Course course;
  course.measured.listed = measurement_times(config.course);
  course.references = counts_of(config.course.waiting_times);
  course.longest_round = settled_longest_round(config);
  const auto rounds = static_cast<int>(rounds_of(course).size());
  ConvergenceConfig& convergence = config.convergence;
  convergence = {.min_rounds = 1,
                 .max_rounds = std::max(rounds, 1),
                 .min_round_trips = 0,
                 .n_tau = 0.0,
                 .equilibration_tau = 0.0,
                 .rule_given = ConvergenceConfig::newest_rule,
                 .lengths = Lengths::course};
}

std::uint64_t settled_longest_round(const Config& config) {
  const std::uint64_t given = config.course.longest_round.count;
  return given > 0 ? given : automatic_round(config);
}

void validate_course(const Config& config) {
  if (!config.course.exists()) return;
  if (config.replicas.copies < 1 || config.replicas.copies > most_course_copies) {
    out_of_range("replicas.copies", fmt::format("replicas.copies = {} is not possible (1 to {} in a course). Choose a "
                                                "number in this range.",
                                                config.replicas.copies, most_course_copies));
  }
  if (const std::uint64_t round = settled_longest_round(config); config.course.sweeps.count / round > most_rounds) {
    out_of_range("course.longest_round",
                 fmt::format("course.longest_round = {} makes more than {} rounds of course.sweeps = {} (each is "
                             "stored). Raise the one or lower the other.",
                             round, most_rounds, config.course.sweeps.count));
  }
  if (const int pairs = config.replicas.copies * (config.replicas.copies - 1) / 2; config.course.pairs > pairs) {
    throw InputError(InputFault::conflict, "course.pairs",
                     fmt::format("course.pairs = {} is not possible ({} copies have {} pairs). Use fewer, or 0 for the "
                                 "usual number.",
                                 config.course.pairs, config.replicas.copies, pairs));
  }
  validate_segments(config);
  validate_times(config.course);
  for (std::size_t i = 0; i < config.model.L.size(); ++i) {
    const Chain chain = make_chain(config, i);
    if (chain.replicas() > static_cast<int>(max_replicas_per_realization)) {
      throw InputError(
          InputFault::too_large, "replicas.copies",
          fmt::format("replicas.copies = {} at {} temperatures is not possible (a realization has up to {} "
                      "replicas). Use fewer copies or temperatures.",
                      chain.copies, chain.slots(), max_replicas_per_realization));
    }
    if (const std::string problem = course_problem(*chain.course, chain); !problem.empty()) {
      throw InputError(InputFault::conflict, "course.segments", problem);
    }
    const std::string problem =
        series_problem({chain.model, chain.lattice, chain.copies, chain.course->pairs, chain.course->references});
    if (!problem.empty()) throw InputError(InputFault::conflict, "course.sweeps", problem);
  }
}

}}  // namespace glassworks::engine
