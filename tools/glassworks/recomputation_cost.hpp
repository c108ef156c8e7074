#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "engine/config/config.hpp"
#include "kernels/make_backend.hpp"

namespace glassworks { inline namespace tools {

/// Memory and time that the rounds of an untrusted configuration cost on this machine, estimated before any of them is
/// computed.
class RecomputationCost {
 public:
  explicit RecomputationCost(double seconds_allowed) : allowed_(seconds_allowed) {}

  /// So many rounds from the start of one realization. `config` must outlive this.
  void add(const Config& config, const Chain& chain, std::uint32_t rounds);

  /// Times short rounds where the work is not obviously little.
  ///
  /// backend_of  the one that will compute
  /// returns     why it may not be computed, a clause; empty: it may
  [[nodiscard]] std::string estimate(const std::function<Backend&(const Config&)>& backend_of);

  [[nodiscard]] double seconds() const { return seconds_; }  ///< estimated; an upper bound where nothing was timed
  [[nodiscard]] bool is_long() const { return timed_; }      ///< long enough to be timed

 private:
  struct Part {
    Chain chain;
    double rounds = 0.0;
  };
  double allowed_, seconds_ = 0.0, updates_ = 0.0, step_updates_ = 0.0, bytes_ = 0.0;
  bool timed_ = false;
  std::map<std::pair<const Config*, int>, Part> parts_;  ///< by configuration and L
};

/// Decides how many first rounds of courses are simulated again: as many as their share of the time allows, since the
/// first ones are much shorter than the last.
class AffordableRounds {
 public:
  /// seconds  for each realization
  explicit AffordableRounds(double seconds) : seconds_(seconds) {}

  /// The largest of some numbers of first rounds that take no longer; the largest up to `least` where none does, or
  /// where even a short timing is too much. Times short rounds once for each configuration and size.
  ///
  /// counts   ascending, not empty
  /// returns  its place there
  [[nodiscard]] std::size_t choose(const Config& config, const Chain& chain, const std::vector<std::uint32_t>& counts,
                                   std::uint32_t least, Backend& backend);

 private:
  double seconds_;
  std::map<std::pair<const Config*, int>, double> seconds_per_update_;
};

}}  // namespace glassworks::tools
