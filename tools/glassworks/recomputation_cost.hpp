#pragma once

#include <functional>
#include <map>
#include <string>
#include <utility>

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

}}  // namespace glassworks::tools
