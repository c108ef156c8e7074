#include "analysis/reweighting/joint_samples.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <stdexcept>
#include <utility>

namespace glassworks { inline namespace analysis {
namespace {

constexpr double same_temperature = 1e-9;  // relative: decimals of a file against those of the ladder

void check_ladder(std::span<const double> temperatures, const char* what) {
  if (temperatures.empty()) {
    throw std::runtime_error(
        fmt::format("The {} hold no temperature (empty or damaged data). Check the campaign directory.", what));
  }
  for (std::size_t k = 0; k < temperatures.size(); ++k) {
    if (std::isfinite(temperatures[k]) && temperatures[k] > (k > 0 ? temperatures[k - 1] : 0.0)) continue;
    throw std::runtime_error(fmt::format(
        "The temperatures of the {} do not ascend from above 0 (T = {} at slot {}). Check the campaign directory or "
        "restore it from a copy.",
        what, temperatures[k], k));
  }
}

[[noreturn]] void bad_shape(const char* what) {
  throw std::runtime_error(
      fmt::format("The {} have another shape than their campaign (damaged or foreign data). Check the campaign "
                  "directory or restore it from a copy.",
                  what));
}

constexpr const char* added_names[SampledQuantities::added_count] = {"energy", "energy_squared", "energy_product"};

}  // namespace

SampledQuantities::SampledQuantities(const Config& config, const SizeRow& size)
    : SampledQuantities(size.samples, static_cast<double>(config.lattice(size.L).sites())) {
  static_cast<void>(
      (*this)[fmt::format("energy_of_copy_{}", config.replicas.copies)]);  // the weights are those of all copies
}

SampledQuantities::SampledQuantities(std::vector<std::string> names, double sites)
    : names_(std::move(names)), sampled_(names_.size()), sites_(sites) {
  const auto has_name = [&](const char* name) { return std::find(names_.begin(), names_.end(), name) != names_.end(); };
  const bool one_copy = !has_name("energy_of_copy_2");
  for (const char* name : added_names) {
    if (!has_name(name) && !(one_copy && name == added_names[energy_product])) names_.emplace_back(name);
  }
  for (std::size_t i = 0; i < names_.size(); ++i) {
    if (index_.emplace(names_[i], i).second) continue;
    throw std::runtime_error(fmt::format(
        "The samples name the quantity '{}' twice (foreign data). Analyze them with the version that wrote them.",
        names_[i]));
  }
  for (int copy = 1; has(fmt::format("energy_of_copy_{}", copy)); ++copy) {
    energy_of_copy_.push_back((*this)[fmt::format("energy_of_copy_{}", copy)]);
  }
  for (std::size_t k = 0; k < added_.size(); ++k) {
    added_[k] = has(added_names[k]) ? index_[added_names[k]] : names_.size();
  }
  if (energy_of_copy_.empty()) static_cast<void>((*this)["energy_of_copy_1"]);
}

std::size_t SampledQuantities::operator[](const std::string& name) const {
  const auto found = index_.find(name);
  if (found == index_.end()) {
    throw std::runtime_error(
        fmt::format("The samples of this campaign hold no quantity '{}' (another version wrote them). Analyze it with "
                    "that version.",
                    name));
  }
  return found->second;
}

std::size_t SampledQuantities::operator[](Added column) const {
  const auto k = static_cast<std::size_t>(column);
  return added_[k] < names_.size() ? added_[k] : (*this)[std::string(added_names[k])];
}

double SampledQuantities::total_energy(std::span<const float> values) const {
  double sum = 0.0;
  for (const std::size_t column : energy_of_copy_) sum += static_cast<double>(values[column]);
  return sites_ * sum;
}

void SampledQuantities::add_to(std::span<double> sums, std::span<const float> values) const {
  for (std::size_t i = 0; i < sampled_; ++i) sums[i] += static_cast<double>(values[i]);
  double sum = 0.0, squares = 0.0;
  for (const std::size_t column : energy_of_copy_) {
    const double e = static_cast<double>(values[column]);
    sum += e;
    squares += e * e;
  }
  const double copies = static_cast<double>(energy_of_copy_.size());
  const double values_of_added[] = {sum / copies, squares / copies, (sum * sum - squares) / (copies * (copies - 1.0))};
  for (std::size_t k = 0; k < added_.size(); ++k) {
    if (added_[k] >= sampled_ && added_[k] < names_.size()) sums[added_[k]] += values_of_added[k];
  }
}

JointSamples gather(std::vector<double> temperatures, const SampledQuantities& quantities,
                    std::span<const StoredSamples> rounds) {
  const std::size_t slots = temperatures.size();
  std::size_t count = 0, values = 0;
  for (const StoredSamples& round : rounds) {
    if (round.values.size() != slots * round.per_slot * quantities.sampled()) bad_shape("samples");
    count += round.per_slot;
    values += round.values.size();
  }
  JointSamples samples{std::move(temperatures), std::vector<std::size_t>(slots, count), {}};
  samples.values.reserve(values);
  for (std::size_t slot = 0; slot < slots; ++slot) {
    for (const StoredSamples& round : rounds) {
      const std::size_t size = round.per_slot * quantities.sampled();
      const std::span<const float> part = round.values.subspan(slot * size, size);
      samples.values.insert(samples.values.end(), part.begin(), part.end());
    }
  }
  return samples;
}

void check(const JointSamples& samples, const SampledQuantities& quantities) {
  check_ladder(samples.temperatures, "samples");
  if (samples.count.size() != samples.temperatures.size()) bad_shape("samples");
  const std::size_t total = std::accumulate(samples.count.begin(), samples.count.end(), std::size_t{0});
  if (samples.values.size() != total * quantities.sampled()) bad_shape("samples");
  const auto empty = std::find(samples.count.begin(), samples.count.end(), std::size_t{0});
  if (empty != samples.count.end()) {
    throw std::runtime_error(fmt::format(
        "No sample was stored at T = {:.6g} (reweighting needs samples at every slot). Use the slot averages instead.",
        samples.temperatures[static_cast<std::size_t>(empty - samples.count.begin())]));
  }
  const auto bad =
      std::find_if_not(samples.values.begin(), samples.values.end(), [](float x) { return std::isfinite(x); });
  if (bad != samples.values.end()) {
    const auto index = static_cast<std::size_t>(bad - samples.values.begin());
    throw std::runtime_error(fmt::format(
        "The samples hold a {} that is not a finite number (joint sample {}). Check the disorder and the protocol, and "
        "report it.",
        quantities.names()[index % quantities.sampled()], index / quantities.sampled()));
  }
}

void check(const SlotAverages& averages) {
  check_ladder(averages.temperatures, "slot averages");
  if (averages.values.size() != averages.temperatures.size() * averages.columns.size()) bad_shape("slot averages");
  const auto bad =
      std::find_if_not(averages.values.begin(), averages.values.end(), [](double x) { return std::isfinite(x); });
  if (bad != averages.values.end()) {
    const auto index = static_cast<std::size_t>(bad - averages.values.begin());
    throw std::runtime_error(fmt::format(
        "The slot averages hold a {} that is not a finite number (slot {}). Check the disorder and the protocol, and "
        "report it.",
        averages.columns[index % averages.columns.size()], index / averages.columns.size()));
  }
}

LadderPlace place_in_ladder(std::span<const double> temperatures, double T) {
  for (std::size_t k = 0; k < temperatures.size(); ++k) {
    if (std::abs(T - temperatures[k]) <= same_temperature * temperatures[k]) return {k, true};
  }
  if (!(T > temperatures.front() && T < temperatures.back())) {
    throw std::runtime_error(fmt::format(
        "T = {:.6g} is outside the simulated temperatures (extrapolation). Ask for temperatures from {:.6g} to {:.6g}.",
        T, temperatures.front(), temperatures.back()));
  }
  const auto above = std::upper_bound(temperatures.begin(), temperatures.end(), T);
  return {static_cast<std::size_t>(above - temperatures.begin()) - 1, false};
}

}}  // namespace glassworks::analysis
