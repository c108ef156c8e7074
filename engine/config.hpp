#pragma once

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "engine/model_rules.hpp"
#include "kernels/backend.hpp"
#include "kernels/rounds/chain.hpp"

namespace glassworks::inline engine {

enum class CouplingKind { gaussian, bimodal, ferromagnet, file };
enum class FieldKind { none, sphere, gaussian, uniform, file };
enum class LadderKind { geometric, linear, list };
enum class LadderAdaptation { none, rejection, feedback };

struct ModelConfig {
  SpinModel spins;  ///< what a site carries; its beta is 1/T, for phi4 T = 1/(2 kappa)
  int dim = 3;
  std::vector<int> L;
  std::vector<Boundary> boundary;  ///< of each axis; empty: all periodic
  CouplingKind couplings = CouplingKind::gaussian;
  std::filesystem::path couplings_file;
  FieldKind field = FieldKind::none;
  /// H has the components of the spins. |H| (sphere), standard deviation of each component (gaussian), half width of
  /// each component (uniform) [J].
  double field_strength = 0.0;
  std::filesystem::path field_file;
  /// XXH3-128 of the files' bytes, 32 hexadecimal digits, set by load_config: a campaign is tied to the content.
  std::string couplings_digest, field_digest;
};

struct LadderConfig {
  LadderKind kind = LadderKind::geometric;
  double T_min = 0.0, T_max = 0.0;
  std::vector<int> slots;  ///< empty: auto; one entry: for all sizes; else one per size
  std::vector<double> temperatures;
  std::vector<double> kappas;  ///< as given for phi4; load_config turns them into temperatures and leaves this empty
  LadderAdaptation adapt = LadderAdaptation::none;
  int pilots = 8;         ///< realizations 0 .. pilots - 1 of each size, which the ladder is adapted with
  int adapt_rounds = 12;  ///< of the pilots, before the ladder is frozen
};

struct ConvergenceConfig {
  int min_rounds = 16;
  int max_rounds = 1024;
  int min_round_trips = 10;
  double n_tau = 20.0;              ///< length of a history in units of its largest tau; 0: any
  double equilibration_tau = 10.0;  ///< what averages leave out at the start, in the same units
};

/// A whole configuration: every key of the configuration file with its default. See docs/keys.md.
struct Config {
  std::uint64_t seed = 1;
  std::filesystem::path directory;
  ModelConfig model;
  int realizations = 0;
  int copies = 2;
  LadderConfig ladder;
  Protocol protocol;
  int measurements_per_round = 100;
  std::optional<int> samples_per_round;  ///< as given; see samples()
  ConvergenceConfig convergence;
  BackendOptions backend;
  std::vector<int> devices;        ///< numbers of CUDA devices; empty: all
  int batch = 0;                   ///< realizations simulated together; 0: chosen from threads and size
  int lease_seconds = 60;          ///< a process that does not stir for so long loses its realizations
  int max_attempts = 20;           ///< of one round, before its realization is quarantined
  std::vector<std::string> notes;  ///< for people: keys that were given but are not used

  /// The lattice of one size.
  [[nodiscard]] Lattice lattice(int L) const;
  [[nodiscard]] const ModelRules& rules() const { return rules_of(model.spins); }
  /// Whether bins hold overlaps of all components and chiralities; see measures_tensors.
  [[nodiscard]] bool measures_tensors() const { return glassworks::measures_tensors(model.spins); }
  /// Whether every realization draws fields of its own.
  [[nodiscard]] bool has_drawn_field() const {
    return model.field != FieldKind::none && model.field != FieldKind::file;
  }
  /// Whether all realizations have the same couplings and fields, so that they are independent runs of one system.
  [[nodiscard]] bool is_pure() const { return model.couplings == CouplingKind::ferromagnet && !has_drawn_field(); }
  /// Measurements of a round that are also stored singly: five, or all where there are less, if nothing was given.
  [[nodiscard]] int samples() const { return samples_per_round.value_or(std::min(5, measurements_per_round)); }
};

/// Input that cannot be used. The message is one sentence for people: problem (why). suggestion.
class InputError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Reads a configuration file (`[section]` headings with `key = value` lines, or `section.key = value`; `#` comments)
/// and applies overrides of the form "section.key=value". Relative paths of coupling and field files are relative to
/// the configuration file; campaign.directory is relative to the working directory. Throws InputError.
[[nodiscard]] Config load_config(const std::filesystem::path& file, const std::vector<std::string>& overrides);

/// Reads the canonical text that a campaign stores. A text of a version that took no samples has none. Throws
/// InputError.
[[nodiscard]] Config parse_config(const std::string& text);

/// Every key with its value, one `section.key = value` per line, in a fixed order; parse_config reads it back. Keys of
/// models and protocols that the campaign does not have are left out, so the text of a Heisenberg campaign is the same
/// in every version.
[[nodiscard]] std::string canonical_text(const Config& config);

/// Names, allowed values, defaults and one-line meanings of all keys, for `glassworks run --help` and the page of keys.
struct ConfigKey {
  std::string name, values, default_value, meaning;
};
[[nodiscard]] const std::vector<ConfigKey>& config_keys();
/// The page of keys as Markdown, docs/keys.md.
[[nodiscard]] std::string keys_page();

/// A key of a campaign that was given another value than the stored one.
struct ConfigChange {
  std::string key, before, after;
  bool allowed = false;  ///< raised, where raising changes no chain: thresholds, maxima, number of realizations
  /// "key: before -> after", for people.
  [[nodiscard]] std::string text() const;
};

/// What was given for a run of a campaign, with the number of samples of the campaign where none was given: it changes
/// no chain, and campaigns of earlier versions take none.
[[nodiscard]] Config continued(const Config& stored, Config given);

/// Every key that differs and belongs to the campaign. Keys that may differ between runs of one campaign (backend.*,
/// campaign.directory, workers.*) are left out, and so is what `continued` takes over. Empty: the same campaign.
[[nodiscard]] std::vector<ConfigChange> campaign_changes(const Config& stored, const Config& given);

/// Everything that can be checked without starting: ranges, parity of L, ladder order, tile, copies, memory. Throws
/// InputError. Called by load_config.
void validate(const Config& config);

/// Temperatures of the ladder of one size, ascending. `size_index` counts in model.L. Throws InputError.
[[nodiscard]] std::vector<double> ladder_temperatures(const Config& config, std::size_t size_index);

/// Number of slots for an expected exchange acceptance of 0.3 between T_min and T_max: from measured
/// acceptances of the three-dimensional model.
[[nodiscard]] int automatic_slots(const Lattice& lattice, double T_min, double T_max);

/// The chain of one size of the campaign with the temperatures that its database holds, ascending.
[[nodiscard]] Chain make_chain(const Config& config, std::size_t size_index, const std::vector<double>& temperatures);
/// With the ladder of the configuration.
[[nodiscard]] Chain make_chain(const Config& config, std::size_t size_index);

/// Couplings and fields of a realization: a pure function of (model, seed, L, realization). Throws InputError where a
/// file is missing or malformed.
[[nodiscard]] Disorder make_disorder(const Config& config, const Lattice& lattice, std::uint32_t realization);

}  // namespace glassworks::inline engine
