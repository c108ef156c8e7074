#include "kernels/rounds/course.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <iterator>

namespace glassworks { inline namespace rounds {
namespace {

/// base^x for x in [0, 1], by the binary digits of x: base^(1/2), base^(1/4), ... multiplied where the digit is 1.
double power(double base, double x) {
  if (x >= 1.0) return base;
  double result = 1.0, root = base;
  for (; x > 0.0; x -= x >= 1.0 ? 1.0 : 0.0) {
    root = std::sqrt(root);
    x *= 2.0;
    if (x >= 1.0) result *= root;
  }
  return result;
}

/// The segment of a step and where it begins.
struct Place {
  const Segment* segment = nullptr;
  std::uint64_t first = 0;
};
Place place_of(const Course& course, std::uint64_t step) {
  Place place;
  for (const Segment& segment : course.segments) {
    place.segment = &segment;
    if (segment.steps == endless || step - place.first < segment.steps) break;
    place.first += segment.steps;
  }
  return place;
}

std::string times_problem(const char* what, const std::vector<std::uint64_t>& times, std::uint64_t first,
                          std::uint64_t end) {
  const std::string name = std::string("The ") + what + " of the course cannot be used (";
  if (std::ranges::adjacent_find(times, std::greater_equal<>()) != times.end()) {
    return name + "they do not ascend, or one stands twice). Sort them and give each once.";
  }
  if (!times.empty() && (times.front() < first || times.back() > end)) {
    const std::uint64_t wrong = times.front() < first ? times.front() : times.back();
    return name + "time " + std::to_string(wrong) + " is not between " + std::to_string(first) + " and the end, " +
           std::to_string(end) + "). Leave it out, or lengthen the course.";
  }
  return {};
}

std::string segment_problem(const Segment& segment, std::size_t number, const Chain& chain) {
  const std::string name = "Segment " + std::to_string(number + 1) + " of the course cannot be used (";
  if (segment.steps == 0) return name + "it has no steps). Give it at least one.";
  if (segment.stair == 0) return name + "its stairs have no steps). Give them at least one.";
  if (segment.temperature.size() != static_cast<std::size_t>(chain.slots())) {
    return name + "it has " + std::to_string(segment.temperature.size()) + " temperatures, and the chain has " +
           std::to_string(chain.slots()) + " slots). Give one temperature for each slot.";
  }
  const auto is_temperature = [](double T) {
    const auto beta = static_cast<float>(1.0 / T);
    return std::isfinite(T) && T > 0.0 && std::isfinite(beta) && beta > 0.0F;
  };
  for (const Ramp& T : segment.temperature) {
    if (!is_temperature(T.first) || !is_temperature(T.last)) {
      return name + "a temperature is not above 0, or beyond what a number holds). Give temperatures above 0.";
    }
  }
  const Ramp& field = segment.field;
  if (!(std::fabs(field.first) <= 1.0 && std::fabs(field.last) <= 1.0)) {
    return name + "the factor of the field is not between -1 and 1). Give the model the largest field of the course.";
  }
  if (field.shape == RampShape::geometric && !field.is_constant() && !(field.first * field.last > 0.0)) {
    return name + "a geometric ramp of the field goes through 0). Use a linear one.";
  }
  if (segment.steps == endless && !segment.is_constant()) {
    return name + "it has no end, so its ramps have none). Give it a number of steps.";
  }
  return {};
}

}  // namespace

double Ramp::at(double x) const {
  if (x <= 0.0 || is_constant()) return first;
  if (x >= 1.0) return last;
  if (shape == RampShape::linear) return first + x * (last - first);
  return first * power(last / first, x);
}

bool Segment::is_constant() const {
  return field.is_constant() && std::ranges::all_of(temperature, &Ramp::is_constant);
}

std::optional<std::uint64_t> MeasurementTimes::next_after(std::uint64_t t) const {
  std::optional<std::uint64_t> next;
  if (every > 0 && endless - t > every) next = (t / every + 1) * every;
  const auto of_list = std::ranges::upper_bound(listed, t);
  if (of_list != listed.end() && (!next || *of_list < *next)) next = *of_list;
  return next;
}

std::vector<std::uint64_t> logarithmic_times(std::uint64_t last, int base, int n) {
  constexpr double exact = 0x1p53;  // whole numbers up to here are exact
  std::vector<std::uint64_t> times;
  double whole = 1.0;  // base^(k / n)
  for (int k = 0; whole < exact; ++k) {
    if (k == n) {
      whole *= base;
      k = 0;
    }
    const double time = std::floor(whole * power(base, static_cast<double>(k) / n) + 0.5);
    if (time >= exact || static_cast<std::uint64_t>(time) > last) break;
    const auto t = static_cast<std::uint64_t>(time);
    if (times.empty() || t > times.back()) times.push_back(t);
  }
  return times;
}

std::uint64_t Course::end() const {
  std::uint64_t sum = 0;
  for (const Segment& segment : segments) sum = segment.steps >= endless - sum ? endless : sum + segment.steps;
  return sum;
}

std::vector<CourseRound> rounds_of(const Course& course) {
  std::vector<CourseRound> rounds;
  if (course.measured.listed.empty()) return rounds;
  const std::uint64_t end = course.measured.listed.back();
  std::vector<std::uint64_t> stops = course.measured.listed;
  std::ranges::copy_if(course.references, std::back_inserter(stops), [&](std::uint64_t t) { return t > 0 && t < end; });
  std::ranges::sort(stops);
  stops.erase(std::ranges::unique(stops).begin(), stops.end());
  std::uint64_t from = 0;
  for (const std::uint64_t stop : stops) {
    const std::uint64_t way = stop - from, parts = (way - 1) / course.longest_round + 1, first = from;
    for (std::uint64_t part = 1; part <= parts; ++part) {
      const std::uint64_t to = first + way / parts * part + std::min(way % parts, part);
      rounds.push_back({from, to, part == parts && std::ranges::binary_search(course.measured.listed, to)});
      from = to;
    }
  }
  return rounds;
}

double updates_of_rounds(const Chain& chain, std::uint32_t first, std::uint32_t last) {
  if (first >= last) return 0.0;
  if (chain.course == nullptr) return (last - first) * chain.updates_per_round();
  const std::vector<CourseRound> rounds = rounds_of(*chain.course);
  if (rounds.size() < last) return 0.0;  // of a course that was longer
  const double steps = static_cast<double>(rounds[last - 1].to - rounds[first].from);
  return steps * chain.updates_per_stretch() / chain.protocol.exchanges_per_measurement;
}

double mean_updates_of_round(const Chain& chain) {
  if (chain.course == nullptr) return chain.updates_per_round();
  const auto rounds = static_cast<std::uint32_t>(rounds_of(*chain.course).size());
  return updates_of_rounds(chain, 0, rounds) / std::max(rounds, 1U);
}

Conditions conditions_at(const Course& course, std::uint64_t step) {
  const auto [segment, first] = place_of(course, step);
  const std::uint64_t stair = (step - first) / segment->stair, stairs = (segment->steps - 1) / segment->stair + 1;
  const double x = stair == 0 ? 0.0 : static_cast<double>(stair) / static_cast<double>(stairs - 1);
  Conditions conditions;
  for (const Ramp& T : segment->temperature) conditions.beta.push_back(static_cast<float>(1.0 / T.at(x)));
  conditions.field = static_cast<float>(segment->field.at(x));
  return conditions;
}

std::uint64_t next_change(const Course& course, std::uint64_t step) {
  const auto [segment, first] = place_of(course, step);
  if (segment->steps == endless) return endless;
  const std::uint64_t end = first + segment->steps;
  if (segment->is_constant()) return end;
  const std::uint64_t left = segment->stair - (step - first) % segment->stair;
  return end - step <= left ? end : step + left;
}

std::string course_problem(const Course& course, const Chain& chain) {
  if (course.segments.empty()) return "The course cannot be used (it has no segment). Give it at least one.";
  for (std::size_t i = 0; i < course.segments.size(); ++i) {
    if (std::string problem = segment_problem(course.segments[i], i, chain); !problem.empty()) return problem;
    if (course.segments[i].steps == endless && i + 1 < course.segments.size()) {
      return "The course cannot be used (a segment without an end is followed by another one). Give it a number of "
             "steps.";
    }
  }
  // Numbers of half-sweeps have 48 bits (core/random.hpp).
  const double per_step = std::ldexp(static_cast<double>(chain.protocol.sweeps_per_exchange) *
                                         (chain.sweeps_per_repetition() + chain.protocol.isoenergetic + 1),
                                     chain.lattice.dim);
  const std::uint64_t end = course.end();
  if (end != endless && static_cast<double>(end) * per_step >= 0x1p48) {
    return "The course cannot be used (it has " + std::to_string(end) +
           " steps, and random numbers have addresses for 2^48 half-sweeps). Shorten it.";
  }
  if (chain.samples != 0) {
    return "The course cannot be used (each of its measurements is a record by itself, and the chain keeps samples). "
           "Set the number of samples to 0.";
  }
  if (std::string problem = times_problem("measurement times", course.measured.listed, 1, end); !problem.empty()) {
    return problem;
  }
  return times_problem("reference times", course.references, 0, end);
}

}}  // namespace glassworks::rounds
