#include "analysis/diagnostics/diagnosed_size.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace glassworks { inline namespace analysis {

DiagnosedSize::DiagnosedSize(const Config& campaign, const SizeRow& size)
    : config(campaign),
      L(size.L),
      sites(static_cast<double>(campaign.lattice(size.L).sites())),
      temperatures(size.temperatures),
      columns(campaign, size),
      samples(size.samples) {}

double DiagnosedSize::sweeps_per_measurement() const {
  const Protocol& p = config.protocol;
  return static_cast<double>(p.exchanges_per_measurement) * p.sweeps_per_exchange * p.tile_repeats *
         (p.overrelaxation + p.cluster_sweeps + p.heatbath);
}

void DiagnosedSize::check(RealizationKey key, std::span<const RoundRow> rounds) const {
  for (const RoundRow& row : rounds) {
    const RoundRecord& r = row.record;
    const auto where = [&] {
      return fmt::format("Round {} of realization {} of L = {}", row.round, key.realization, L);
    };
    if (key.L != L || r.mean.size() != slots() * columns.stored() || r.exchange_attempts.size() + 1 != slots() ||
        r.exchange_accepted.size() + 1 != slots() || r.walk_up.size() != slots() || r.walk_down.size() != slots() ||
        r.measurements < 1) {
      throw std::runtime_error(where() +
                               " has another shape than its campaign (damaged or foreign data). Check the campaign "
                               "directory or restore it from a copy.");
    }
    const auto bad = std::find_if(r.mean.begin(), r.mean.end(), [](double x) { return !std::isfinite(x); });
    if (bad == r.mean.end()) continue;
    const auto place = static_cast<std::size_t>(bad - r.mean.begin());
    throw std::runtime_error(
        fmt::format("{} holds a {} that is not a finite number (slot {}). Check the disorder and the protocol, and "
                    "report it.",
                    where(), columns.name(place % columns.stored()), place / columns.stored()));
  }
}

}}  // namespace glassworks::analysis
