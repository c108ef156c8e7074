#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "engine/config/config.hpp"

namespace glassworks { inline namespace tools {

/// What `glassworks tune` may change: keys of the protocol, and the number of slots.
enum class TuneKey {
  overrelaxation,
  heatbath,
  cluster_sweeps,
  isoenergetic,
  sweeps_per_exchange,
  exchanges_per_measurement,
  slots
};

/// All keys in the order in which they are varied.
[[nodiscard]] const std::vector<TuneKey>& tune_keys();

/// "overrelaxation": the option of the command line.
[[nodiscard]] std::string_view option_of(TuneKey key);
/// "protocol.overrelaxation": the key of a configuration.
[[nodiscard]] std::string_view key_of(TuneKey key);
/// "n_M": for tables.
[[nodiscard]] std::string_view symbol_of(TuneKey key);

/// One protocol that is compared with others, at one lattice size.
struct ProtocolChoice {
  Protocol protocol;
  int slots = 1;

  [[nodiscard]] int at(TuneKey key) const;
  void set(TuneKey key, int value);
  bool operator==(const ProtocolChoice&) const = default;
};

/// That of a configuration.
[[nodiscard]] ProtocolChoice configured_choice(const Config& config, std::size_t size_index);

/// The configuration with this choice, at all sizes; slots of other sizes stay. Not validated.
[[nodiscard]] Config with_choice(const Config& config, std::size_t size_index, const ProtocolChoice& choice);

/// n_A n_T (n_C + n_M + n_B): sweeps between two measurements; a cluster update counts as one.
[[nodiscard]] double sweeps_per_measurement(const ProtocolChoice& choice, const SpinModel& model);

/// The base with some keys set to other values. Measurements stay about as many sweeps apart as those of the base, by
/// n_A = round(sweeps of the base / sweeps of a step), at least 1; a value of n_A itself scales this.
[[nodiscard]] ProtocolChoice varied(const ProtocolChoice& base, const SpinModel& model,
                                    const std::map<TuneKey, int>& values);

/// "n_M = 5, slots = 24": the keys of which two choices differ, without the n_A that follows from others; "as
/// configured" if there are none.
[[nodiscard]] std::string difference_text(const ProtocolChoice& base, const ProtocolChoice& choice,
                                          const SpinModel& model);

/// Values of one key that are compared with the configured one, which is not among them.
struct TuneAxis {
  TuneKey key;
  std::vector<int> values;
};

/// The axes around the configured protocol: those of `given` if there are any, else for every key that the model and
/// its protocol have n_M = 20, 10, 5, 3, 2, 1; n_B = 1, 2 (without over-relaxation also 5); n_C = 1, 2, 5; n_I = 0, 1;
/// n_T = 1, 2; n_A = 1/2 and 2 times the configured one; slots = 3/4 and 4/3 of them. Values that the configuration
/// does not allow are left out. Throws InputError for given ones that cannot be used.
[[nodiscard]] std::vector<TuneAxis> tune_axes(const Config& config, std::size_t size_index,
                                              const std::map<TuneKey, std::vector<int>>& given);

}}  // namespace glassworks::tools
