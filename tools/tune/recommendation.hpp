#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "tools/tune/figures.hpp"

namespace glassworks { inline namespace tools {

/// What was measured of one protocol, as far as a recommendation needs it.
struct ProtocolFigures {
  std::vector<LogFigure> errors = {};  ///< squared relative error x seconds of each observable [s]
  std::optional<LogFigure> walk = {};  ///< seconds of one tau of the walk [s]; none without exchanges
  double tau_in_run = 0.0;             ///< length of a run in tau of its walk
  bool tau_resolved = true;            ///< whether runs are long enough to say what tau is
};

/// The rule by which a protocol is recommended; its numbers stand in the output too.
struct TuneRule {
  double worse_error = 1.15;  ///< squared error x seconds may be this much worse than the configured one, no more
  double slower_walk = 1.5;   ///< the same of seconds per tau
  double better_error = 1.1, better_walk = 1.1;  ///< smaller differences count as agreement
  double sigmas = 2.0;                           ///< of agreement, and of not being worse [standard errors]
  double gain_sigmas = 3.0;                      ///< of a gain: a dozen protocols are compared
  double fewest_tau = 10.0;                      ///< length of a run
};

enum class TuneVerdict {
  keep,          ///< the configured protocol: nothing else is better by more than its uncertainty
  fewer_errors,  ///< another one has smaller errors at equal cost
  faster_walk,   ///< errors agree, and another walks faster
  too_short      ///< runs of the configured protocol hold less than fewest_tau
};

struct Recommendation {
  TuneVerdict verdict = TuneVerdict::keep;
  std::size_t chosen = 0;
  LogRatio error;                    ///< of the chosen one relative to the configured one, mean over the observables
  std::optional<LogRatio> walk;      ///< the same of seconds per tau
  std::vector<std::size_t> alike;    ///< errors shown to be at most worse_error times those configured, in order
  std::vector<std::size_t> unclear;  ///< neither that nor worse by more than the uncertainty
};

/// Chooses among protocols; the first one is the configured one.
///
/// The figure of merit is the geometric mean over the observables of squared error x seconds. A fast walk alone is
/// nothing: a protocol is eligible only if this mean is shown, `sigmas` standard errors included, to be at most
/// `worse_error` times that of the configured one, if no single observable is worse than that beyond its error, and if
/// a tau of its walk takes at most `slower_walk` times as long. Among the eligible ones that agree with the best of
/// them, the walk decides, because convergence.n_tau counts its tau. The configured one stays unless that one has
/// smaller errors or a faster walk by more than `gain_sigmas` standard errors.
[[nodiscard]] Recommendation recommend(std::span<const ProtocolFigures> protocols, const TuneRule& rule = {});

}}  // namespace glassworks::tools
