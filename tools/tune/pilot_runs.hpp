#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "analysis/basics/columns.hpp"
#include "analysis/observables/estimators.hpp"
#include "engine/config/config.hpp"
#include "kernels/make_backend.hpp"
#include "tools/tune/figures.hpp"
#include "tools/tune/protocol_choice.hpp"

namespace glassworks { inline namespace tools {

/// Lengths of the pilots of one size. Together with configuration and seed they fix everything but times.
struct PilotShape {
  int realizations = 0;   ///< R
  int runs = 0;           ///< K independent runs of each realization, 2 or more
  int measurements = 0;   ///< of each run with the configured protocol; the others make as many sweeps
  int equilibration = 0;  ///< measurements before the first one, with the configured protocol

  [[nodiscard]] int tasks() const { return realizations * runs; }
  bool operator==(const PilotShape&) const = default;
};

/// What the pilots of one protocol have shown.
struct PilotSeries {
  ProtocolChoice choice;
  int measurements = 0;  ///< of a run, those left out at its start not counted
  /// Means over runs at the lowest temperature [observable][realization * K + run], and of their halves.
  std::vector<std::vector<double>> means = {}, first = {}, second = {};
  /// Correlation of round means of the walk, averaged over runs and replicas [function][realization][t].
  std::array<std::vector<std::vector<double>>, walk_functions> walk = {};
  int round_measurements = 1;
  /// Device or core seconds of rounds of one realization: those of the run, and the longer ones at its start.
  std::vector<double> seconds = {}, long_seconds = {};
  int long_measurements = 0;  ///< of a round at the start
  int batch = 0;              ///< runs that were simulated together while it was timed
};

/// What a short trial of the configured protocol says about lengths that fit into a given time.
struct PilotTrial {
  double seconds = 0.0;  ///< wall time of a measurement of a whole batch, without what a round takes beside
  int batch = 1;
  double measurements = 0.0;  ///< of its second half, which tau comes from
  bool walks = false;         ///< whether there are exchanges
  double tau = 0.5;           ///< of the walk [measurements]
  bool tau_resolved = false;
};

/// Simulates the pilots of one size in memory.
///
/// All runs of realization r have its couplings, as a campaign has them, and dynamics of their own: a run takes the
/// random numbers of a realization number from 2^31 on, of which no campaign simulates one, since streams of updates
/// are addressed by that number and those of couplings are separate (kernels/core/random.hpp).
class PilotRuns {
 public:
  /// All referenced objects must outlive it.
  PilotRuns(const Config& config, std::size_t size_index, Backend& backend, bool is_processor, RoundControl& control);

  /// Realizations simulated together, as a campaign would: what the backend prefers, or a few for each thread.
  [[nodiscard]] int batch(const ProtocolChoice& choice) const;

  /// Makes the states that all protocols start from: shape.equilibration measurements of the configured protocol from
  /// random spins. False if a stop was asked for.
  [[nodiscard]] bool equilibrate(const PilotShape& shape);

  /// Runs of one protocol from these states; nothing if a stop was asked for. A fifth of a run is left out at its
  /// start. On another ladder a slot starts with the state of the nearest temperature.
  [[nodiscard]] std::optional<PilotSeries> measure(const ProtocolChoice& choice);

  /// One batch with the configured protocol from random spins, for a given time [s]; nothing if a stop was asked for.
  [[nodiscard]] std::optional<PilotTrial> try_out(double seconds);

  /// Those that are compared: energy, chi_sg and chi_cg, or chi_m of pure systems and single copies; in this order.
  [[nodiscard]] std::vector<std::string> observables() const;
  [[nodiscard]] const ProtocolChoice& configured() const { return configured_; }
  [[nodiscard]] Chain chain_of(const ProtocolChoice& choice) const;
  /// "GPU" or "core".
  [[nodiscard]] const char* seconds_of() const { return is_processor_ ? "core" : "GPU"; }
  /// Of one measurement of one realization. The rounds of pilots are short, and on a GPU the few milliseconds that
  /// each takes beside its measurements would hide the protocol: the difference of long and short rounds is free of
  /// them, as are the rounds of a campaign.
  [[nodiscard]] MedianTime measurement_time(const PilotSeries& series) const;
  /// Memory of one run [bytes].
  [[nodiscard]] double bytes_of_run() const;

 private:
  class Batch;

  void make_disorders(int realizations);
  /// Random spins with the number `first` and those that follow. runs: of each realization
  [[nodiscard]] std::vector<HeldTask> fresh_tasks(const Chain& chain, std::size_t first, std::size_t count,
                                                  std::size_t runs) const;
  /// Of no rounds yet.
  [[nodiscard]] PilotSeries empty_series(const ProtocolChoice& choice, int rounds, int round_measurements) const;
  void take_records(const Chain& chain, std::span<const std::vector<RoundRecord>> rounds, std::size_t first_task,
                    PilotSeries& series) const;

  const Config& config_;
  std::size_t size_index_;
  Backend& backend_;
  bool is_processor_;
  RoundControl& control_;
  ProtocolChoice configured_;
  std::vector<Estimator> estimators_;
  std::size_t columns_ = 0;
  int threads_;
  PilotShape shape_;
  std::vector<Disorder> disorders_;  ///< [realization]
  std::vector<ChainState> states_;   ///< after equilibration, on the configured ladder [realization * K + run]
};

/// tau of the walk of all realizations [measurements], with its figure of seconds per tau. Nothing without exchanges.
struct WalkFigure {
  double tau = 0.5, error = 0.0;
  bool resolved = false;
  LogFigure log_tau = {};
};
[[nodiscard]] std::optional<WalkFigure> walk_figure(const PilotSeries& series);

}}  // namespace glassworks::tools
