#pragma once

#include <memory>
#include <vector>

#include "analysis/diagnostics/diagnosed_size.hpp"
#include "tests/analysis/fake_campaign.hpp"

namespace glassworks::testing {

/// A size of a fake campaign: 10 measurements a round (as fake_round), protocol of one sweep between measurements.
inline Config diagnosed_config(int copies = 2) {
  Config config = fake_config(3, copies);
  config.round.measurements_per_round = {10};
  config.protocol.overrelaxation = 0;
  config.protocol.heatbath = 1;
  config.protocol.sweeps_per_exchange = 1;
  config.protocol.exchanges_per_measurement = 1;
  return config;
}

inline SizeRow size_row(std::vector<double> temperatures, int copies = 2, int L = 4) {
  SizeRow size;
  size.L = L;
  size.temperatures = std::move(temperatures);
  size.observables = stored_names(3, copies);
  return size;
}

inline std::shared_ptr<const DiagnosedSize> diagnosed_size(std::vector<double> temperatures, int copies = 2) {
  return std::make_shared<const DiagnosedSize>(diagnosed_config(copies), size_row(std::move(temperatures), copies));
}

inline RealizationRow realization_row(std::uint32_t realization, std::size_t rounds,
                                      RealizationStatus status = RealizationStatus::producing) {
  RealizationRow row;
  row.key = {4, realization};
  row.status = status;
  row.rounds = static_cast<std::uint32_t>(rounds);
  return row;
}

}  // namespace glassworks::testing
