#include "analysis/verdict.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <boost/math/distributions/students_t.hpp>
#include <cmath>
#include <limits>
#include <utility>

#include "analysis/value_format.hpp"

namespace glassworks {
namespace {

constexpr std::size_t steps_between_three_bins = 2;

/// All comparisons of one kind; those without an error are left out.
void add(std::vector<Comparison>& list, const std::string& what, std::span<const double> temperatures,
         std::span<const Estimate> differences) {
  for (std::size_t slot = 0; slot < differences.size(); ++slot) {
    const Estimate& d = differences[slot];
    const double sigma = significance(d);
    if (!std::isnan(sigma) && d.realizations >= fewest_realizations) {
      list.push_back({what, temperatures[slot], d, sigma, 0.0});
    }
  }
}

std::string describe(const Comparison& c) {
  return fmt::format("{} at T = {:.5g}: {}, {:.2f} sigma (limit {:.2f})", c.what, c.T,
                     format_value(c.difference.mean, c.difference.error), c.sigma, c.threshold);
}

std::string describe_realizations(const RealizationCounts& counts) {
  std::string text = counts.unconverged_used > 0 ? fmt::format("{} of {} realizations used have not converged",
                                                               counts.unconverged_used, counts.used)
                                                 : fmt::format("all {} realizations used have converged", counts.used);
  if (counts.converged == counts.total) return text;
  text += fmt::format("; of {} in the campaign {} converged", counts.total, counts.converged);
  const std::pair<int, const char*> others[] = {
      {counts.reached_maximum, "reached the maximum of rounds without converging"},
      {counts.failed, "failed"},
      {counts.running, "still running"},
      {counts.not_started, "not started"}};
  for (const auto& [count, state] : others) {
    if (count > 0) text += fmt::format(", {} {}", count, state);
  }
  return text;
}

std::string headline(const Verdict& verdict, const RealizationCounts& counts) {
  const std::string state = to_string(verdict.state);
  if (counts.used < fewest_realizations) {
    return fmt::format("{}: {} realization{} cannot be judged, at least {} are needed", state, counts.used,
                       counts.used == 1 ? "" : "s", fewest_realizations);
  }
  if (verdict.state == Equilibration::undecided) {
    return fmt::format("{}: too few rounds for three logarithmic bins, {} realizations with four rounds are needed",
                       state, fewest_realizations);
  }
  if (verdict.significant == 0) return fmt::format("{}: no deviation in {} comparisons", state, verdict.comparisons);
  return fmt::format("{}: significant deviation in {} of {} comparisons", state, verdict.significant,
                     verdict.comparisons);
}

std::vector<std::string> in_words(const Verdict& verdict, const RealizationCounts& counts) {
  std::vector<std::string> lines = {headline(verdict, counts), describe_realizations(counts)};
  for (const Comparison& c : verdict.worst) lines.push_back("largest " + describe(c));
  if (!verdict.worst.empty()) {
    lines.push_back(fmt::format("false-alarm probability {:g} % for all {} comparisons together (Student's t)",
                                100.0 * family_false_alarm, verdict.comparisons));
  }
  return lines;
}

}  // namespace

double significance_threshold(int comparisons, int realizations) {
  if (comparisons < 1 || realizations < 2) return std::numeric_limits<double>::infinity();
  const boost::math::students_t distribution(realizations - 1);
  return boost::math::quantile(boost::math::complement(distribution, family_false_alarm / (2.0 * comparisons)));
}

Verdict judge(std::span<const double> temperatures, std::span<const ObservableResult> observables,
              std::span<const LogBinStep> steps, const RealizationCounts& counts, const std::string& order_parameter) {
  const std::string quantity_names[log_bin_quantities] = {"energy", order_parameter};
  std::vector<Comparison> kinds[2];
  for (const ObservableResult& o : observables) {
    if (o.name == "identity_difference") add(kinds[0], "identity difference", temperatures, o.at_slot);
    if (o.name == "field_identity_difference") add(kinds[0], "field identity difference", temperatures, o.at_slot);
  }
  bool enough_rounds = steps.size() >= steps_between_three_bins;
  for (const LogBinStep& step : steps.first(std::min(steps.size(), steps_between_three_bins))) {
    const std::string bins = fmt::format(", bins {} - {}", log_bin_name(step.bin), log_bin_name(step.bin + 1));
    for (std::size_t quantity = 0; quantity < log_bin_quantities; ++quantity) {
      const std::size_t before = kinds[1].size();
      add(kinds[1], quantity_names[quantity] + bins, temperatures, step.difference[quantity]);
      enough_rounds = enough_rounds && kinds[1].size() == before + temperatures.size();
    }
  }

  Verdict verdict;
  verdict.comparisons = static_cast<int>(kinds[0].size() + kinds[1].size());
  const auto excess = [](const Comparison& c) { return c.sigma / c.threshold; };
  for (std::vector<Comparison>& kind : kinds) {
    for (Comparison& c : kind) {
      c.threshold = significance_threshold(verdict.comparisons, c.difference.realizations);
      if (c.sigma > c.threshold) ++verdict.significant;
    }
    const auto worst = std::max_element(
        kind.begin(), kind.end(), [&](const Comparison& a, const Comparison& b) { return excess(a) < excess(b); });
    if (worst != kind.end()) verdict.worst.push_back(*worst);
  }

  if (counts.used < fewest_realizations) {
    verdict.state = Equilibration::undecided;
  } else if (verdict.significant > 0) {
    verdict.state = Equilibration::not_equilibrated;
  } else if (!enough_rounds) {
    verdict.state = Equilibration::undecided;
  } else if (counts.unconverged_used > 0) {
    verdict.state = Equilibration::equilibrated_on_average;
  } else {
    verdict.state = Equilibration::equilibrated;
  }
  verdict.lines = in_words(verdict, counts);
  return verdict;
}

const char* to_string(Equilibration state) {
  switch (state) {
    case Equilibration::equilibrated:
      return "equilibrated";
    case Equilibration::equilibrated_on_average:
      return "equilibrated on average";
    case Equilibration::not_equilibrated:
      return "not equilibrated";
    case Equilibration::undecided:
      return "undecided";
  }
  return "unknown";
}

}  // namespace glassworks
