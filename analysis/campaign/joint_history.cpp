#include "analysis/campaign/joint_history.hpp"

#include <fmt/format.h>

#include <stdexcept>

#include "analysis/history.hpp"

namespace glassworks {

JointSamples joint_samples(RealizationKey key, std::span<const RoundRow> rounds, std::span<const double> temperatures,
                           std::size_t quantities, std::uint32_t equilibration) {
  const RoundRange range = equilibrated_part(static_cast<std::uint32_t>(rounds.size()), equilibration);
  const std::span<const RoundRow> used = rounds.subspan(range.first, range.last - range.first);
  JointSamples samples;
  samples.temperatures.assign(temperatures.begin(), temperatures.end());
  std::size_t per_slot = 0;
  for (const RoundRow& round : used) {
    const auto n = static_cast<std::size_t>(round.record.samples_per_slot);
    if (round.record.samples.size() != n * quantities * temperatures.size()) {
      throw std::runtime_error(
          fmt::format("Round {} of realization {} of L = {} has samples of another shape than its campaign (damaged or "
                      "foreign data). Check the campaign directory or restore it from a copy.",
                      round.round, key.realization, key.L));
    }
    per_slot += n;
  }
  samples.count.assign(temperatures.size(), per_slot);
  samples.values.reserve(per_slot * temperatures.size() * quantities);
  for (std::size_t slot = 0; slot < temperatures.size(); ++slot) {
    for (const RoundRow& round : used) {
      const std::size_t width = static_cast<std::size_t>(round.record.samples_per_slot) * quantities;
      const auto first = round.record.samples.begin() + static_cast<std::ptrdiff_t>(slot * width);
      samples.values.insert(samples.values.end(), first, first + static_cast<std::ptrdiff_t>(width));
    }
  }
  return samples;
}

}  // namespace glassworks
