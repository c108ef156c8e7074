#include <cmath>

#include "analysis/basics/value_format.hpp"
#include "analysis/export/hdf5.hpp"
#include "analysis/export/hdf5_parts.hpp"
#include "analysis/export/observable_info.hpp"
#include "analysis/series/series_columns.hpp"
#include "analysis/series/series_tables.hpp"

namespace glassworks { inline namespace analysis {
namespace {

using Numbers = std::vector<double>;

/// Times, conditions and realizations of a size.
void write_frame(Hdf5Group& group, const SizeSeries& series) {
  const std::size_t times = series.times.size(), slots = series.slots();
  Numbers temperatures;
  std::vector<std::uint32_t> numbers;
  std::vector<std::uint64_t> measured, counts;
  for (const Numbers& of_time : series.temperature) {
    temperatures.insert(temperatures.end(), of_time.begin(), of_time.end());
  }
  for (const RealizationSeries& one : series.realizations) {
    numbers.push_back(one.realization);
    measured.push_back(one.times);
  }
  for (std::size_t k = 0; k < times; ++k) counts.push_back(static_cast<std::uint64_t>(series.count(k)));
  group.array<std::uint64_t>("times", series.times, {times}, {"[time]", "measurement times", "sweeps"});
  group.array<double>("temperature", temperatures, {times, slots},
                      {"[time][slot]", "temperature in the step that leads to the time", "J/k_B"});
  group.array<double>("field", series.field, {times}, {"[time]", "factor of the fields in that step", "1"});
  write_texts(group, "columns", series.observables, "[column]", "stored quantities");
  group.array<std::uint32_t>("realizations", numbers, {numbers.size()}, {"[realization]", "their numbers", "1"});
  group.array<std::uint64_t>("measured", measured, {measured.size()},
                             {"[realization]", "times that it has measured, from the first", "1"});
  group.array<std::uint64_t>("counts", counts, {times}, {"[time]", "realizations that have measured it", "1"});
}

/// The stored quantities of every realization, and their averages.
void write_columns(Hdf5Group& group, const SizeAnalysisInTime& size, RawBins raw) {
  const SizeSeries& series = *size.series;
  const std::size_t times = series.times.size(), slots = series.slots(), columns = series.observables.size();
  if (raw == RawBins::with) {
    const std::size_t of_all = times * slots * columns;
    Numbers rows;
    rows.reserve(series.realizations.size() * of_all);
    for (const RealizationSeries& one : series.realizations) {
      rows.insert(rows.end(), one.values.begin(), one.values.end());
      rows.insert(rows.end(), of_all - one.values.size(), nan);
    }
    group.array<double>("rows", rows, {series.realizations.size(), times, slots, columns},
                        {"[realization][time][slot][column]",
                         "what each realization has measured, means over copies and pairs; NaN: not yet",
                         {}});
  }
  Numbers averages, errors;
  for (std::size_t k = 0; k < times; ++k) {
    for (const SlotAnalysis& slot : size.slots) {
      for (const Estimate& e : slot.averages[k]) {
        averages.push_back(e.mean);
        errors.push_back(e.error);
      }
    }
  }
  group.array<double>("averages", averages, {times, slots, columns},
                      {"[time][slot][column]", "averages over the realizations that have measured the time", {}});
  group.array<double>("errors", errors, {times, slots, columns},
                      {"[time][slot][column]", "standard errors of the averages, over realizations", {}});
}

/// One quantity with its covariance in time.
void write_quantity(Hdf5Group group, const SizeAnalysisInTime& size, const std::string& name) {
  const SizeSeries& series = *size.series;
  const std::size_t times = series.times.size(), slots = series.slots();
  const auto column = column_of(series, name);
  const ObservableInfo info = describe_observable(name);
  group.attribute("units", info.units);
  group.attribute("description", info.equation);
  group.attribute("first_time", start_of(series, size.slots.front(), name));
  Numbers values, errors, covariances, rows;
  for (const SlotAnalysis& slot : size.slots) {
    const TimeCurve curve = curve_of(series, slot, name);
    values.insert(values.end(), curve.value.begin(), curve.value.end());
    errors.insert(errors.end(), curve.error.begin(), curve.error.end());
    for (const Numbers& row : time_covariance(series, curve)) {
      covariances.insert(covariances.end(), row.begin(), row.end());
    }
    if (column) continue;
    for (const Numbers& row : realization_rows(series, slot, name)) rows.insert(rows.end(), row.begin(), row.end());
  }
  const std::string squared = info.units == "1" ? "1" : '(' + info.units + ")^2";
  group.array<double>("value", values, {slots, times}, {"[slot][time]", "average over realizations", info.units});
  group.array<double>("error", errors, {slots, times}, {"[slot][time]", "standard error (jackknife)", info.units});
  group.array<double>("covariance", covariances, {slots, times, times},
                      {"[slot][time][time]", "of the averages, between times", squared});
  if (column) return;
  group.array<double>("rows", rows, {slots, series.realizations.size(), times},
                      {"[slot][realization][time]",
                       "pseudovalues n f - (n - 1) f_i of n realizations, f_i without realization i", info.units});
}

void write_series(Hdf5Group group, const SizeAnalysisInTime& size, RawBins raw) {
  group.attribute("description", "histories in time; time counts sweeps");
  group.attribute("covariance_rule",
                  "cov(t, t') = sum_i (x_i(t) - mean x(t)) (x_i(t') - mean x(t'))/(n (n' - 1)) over the realizations "
                  "that have both times, n >= n' of them at the times: x_i of `rows`");
  write_frame(group, *size.series);
  write_columns(group, size, raw);
  Hdf5Group quantities = group.group("observables");
  quantities.attribute("description", "columns and derived quantities, but functions of r, which are in `averages`");
  for (const std::string& name : quantity_names(size)) {
    if (!is_of_distance(name)) write_quantity(quantities.group(name), size, name);
  }
}

}  // namespace

void write_course_file(Staging& staging, const CampaignSnapshot& snapshot, const std::vector<Provenance>& provenances,
                       const std::string& created, std::span<const ExportedSize> sizes, const CourseAnalysis& analysis,
                       RawBins raw) {
  Hdf5File file(staging.path_of(campaign_file), campaign_file);
  {
    Hdf5Group root = file.root();
    write_root(root, snapshot, provenances, created);
    Hdf5Group of_sizes = root.group("sizes");
    for (std::size_t i = 0; i < sizes.size(); ++i) {
      Hdf5Group group = of_sizes.group("L" + std::to_string(sizes[i].size.L));
      write_size(group, snapshot.config, sizes[i].size);
      write_realizations(group, sizes[i]);
      write_series(group.group("series"), analysis.sizes[i], raw);
    }
  }
  file.close();
  staging.finished(campaign_file);
}

}}  // namespace glassworks::analysis
