#pragma once

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <ranges>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/input_error.hpp"
#include "engine/config/keys/backend_keys.hpp"
#include "engine/config/keys/campaign_keys.hpp"
#include "engine/config/keys/checkpoint_keys.hpp"
#include "engine/config/keys/convergence_keys.hpp"
#include "engine/config/keys/course_keys.hpp"
#include "engine/config/keys/disorder_keys.hpp"
#include "engine/config/keys/ladder_keys.hpp"
#include "engine/config/keys/model_keys.hpp"
#include "engine/config/keys/protocol_keys.hpp"
#include "engine/config/keys/replicas_keys.hpp"
#include "engine/config/keys/round_keys.hpp"
#include "engine/config/keys/workers_keys.hpp"
#include "engine/config/model_rules.hpp"
#include "kernels/rounds/bin_layout.hpp"

namespace glassworks { inline namespace engine {

/// A whole configuration: every key of the configuration file with its default, by section (engine/config/keys/). See
/// docs/keys.md. Sections that are bases have members whose names say enough alone: config.replicas.copies,
/// config.backend.devices.
struct Config {
  CampaignConfig campaign;
  ModelConfig model;
  DisorderConfig disorder;
  ReplicasConfig replicas;
  LadderConfig ladder;
  Protocol protocol;
  CourseConfig course;
  RoundConfig round;
  ConvergenceConfig convergence;
  BackendConfig backend;
  WorkersConfig workers;
  CheckpointConfig checkpoint;
  std::vector<std::string> notes;  ///< for people: keys that were given but are not used

  /// The lattice of the size with label L (the longest edge).
  [[nodiscard]] Lattice lattice(int L) const;
  [[nodiscard]] const ModelRules& rules() const { return rules_of(model.spins); }
  /// What the bins and samples of a campaign hold; of numbers that are refused later, those of the nearest possible.
  [[nodiscard]] BinLayout bins() const {
    return {model.spins, model.axes(), std::clamp(replicas.copies, 1, BinLayout::most_copies), round.observables,
            protocol.local};
  }
  /// Whether they have columns of a quantity.
  [[nodiscard]] bool measures(BinQuantity quantity) const { return bins().has(quantity); }
  /// Realizations of one quotient realization / this share random words; 1 without multi-spin coding: none do.
  [[nodiscard]] std::uint32_t realizations_per_group() const;
  /// Whether the fields come from model.field_strength.
  [[nodiscard]] bool has_field_strength() const {
    return model.field != FieldKind::none && model.field != FieldKind::file;
  }
  /// Whether every realization draws fields of its own.
  [[nodiscard]] bool has_drawn_field() const { return has_field_strength() && model.field != FieldKind::constant; }
  /// Whether sites differ in more than their couplings and fields: absent ones, or random axes.
  [[nodiscard]] bool has_drawn_sites() const { return model.site_dilution != 0.0 || model.anisotropy != 0.0; }
  /// Whether all realizations have the same couplings and fields, so that they are independent runs of one system.
  [[nodiscard]] bool is_pure() const {
    return model.couplings == CouplingKind::ferromagnet && model.bond_dilution == 0.0 && !has_drawn_field() &&
           !has_drawn_sites() && !model.has_drawn_graphs();
  }
  /// Whether all couplings are normal with mean 0 and variance 1, for which integration by parts ties the energy to
  /// overlaps.
  [[nodiscard]] bool has_normal_couplings() const {
    return model.couplings == CouplingKind::gaussian && model.couplings_mean == 0.0 && model.bond_dilution == 0.0 &&
           model.site_dilution == 0.0 && !model.has_weighted_bonds();
  }
  /// The same of the fields, for which the energy in the fields is tied to the overlap.
  [[nodiscard]] bool has_normal_fields() const { return model.field == FieldKind::gaussian && !has_drawn_sites(); }
};

/// Reads a configuration file (`[section]` headings with `key = value` lines, or `section.key = value`; `#` comments)
/// and applies overrides of the form "section.key=value". Relative paths of coupling and field files are relative to
/// the configuration file; campaign.directory is relative to the working directory. Throws InputError.
[[nodiscard]] Config load_config(const std::filesystem::path& file, const std::vector<std::string>& overrides);

/// The configuration with which a campaign goes on if no other is given: the canonical text that it stores, with
/// overrides, and its directory. Throws InputError.
[[nodiscard]] Config load_stored_config(const std::string& text, const std::filesystem::path& directory,
                                        const std::vector<std::string>& overrides);

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
  bool allowed = false;  ///< touches no chain there is: thresholds, maxima and realizations raised, sizes added
  /// "key: before -> after", for people.
  [[nodiscard]] std::string text() const;
};

/// The entry of a list that has one for all sizes, or one for each.
[[nodiscard]] inline int entry_of_size(const std::vector<int>& list, std::size_t size_index) {
  return list.size() == 1 ? list.front() : list.at(size_index);
}

/// What was given for a run of a campaign, with the present values of thresholds, realizations and sizes that are
/// given as they were before they were raised.
///
/// raised  what was raised in the campaign, oldest first
/// kept    out: those values, as "given -> present"
[[nodiscard]] Config with_raised_values(const Config& stored, Config given, const std::vector<ConfigChange>& raised,
                                        std::vector<ConfigChange>& kept);

/// The given configuration of a run, with round lengths, samples, observables and rule taken from the campaign where
/// they were not given, and with its sizes in the order of the campaign, new ones last. Precondition:
/// `campaign_changes` reports only allowed changes.
[[nodiscard]] Config continued(const Config& stored, Config given);

/// Every key that differs and belongs to the campaign. Keys that may differ between runs of one campaign (backend.*,
/// campaign.directory, workers.*) are left out, and so is what `continued` takes over. Keys with a value for each size
/// are compared at the sizes that both have. Empty: the same campaign.
[[nodiscard]] std::vector<ConfigChange> campaign_changes(const Config& stored, const Config& given);

/// Every key of seed, model, disorder, copies and protocol that differs; sizes, numbers of realizations and what
/// decides when a realization stops are left out, and so are the digests of model.couplings = files. Empty:
/// realizations of both are of one ensemble.
[[nodiscard]] std::vector<ConfigChange> ensemble_differences(const Config& one, const Config& other);

/// Every key that decides when a realization stops (convergence.*) and differs.
[[nodiscard]] std::vector<ConfigChange> stopping_differences(const Config& one, const Config& other);

/// The configuration of several campaigns of one ensemble: sizes of all, ascending, with their realizations added up.
/// Keys with a value for each size come from the first campaign that has the size, all else from the first.
///
/// all  not empty
[[nodiscard]] Config united(std::span<const Config> all);

/// Everything that can be checked without starting: ranges, parity of L, ladder order, tile, copies, memory. Throws
/// InputError. Called by load_config.
void validate(const Config& config);

/// Why a backend does not run the chains of a campaign: the sentence of `refusal` for the first size that it refuses.
/// Empty if it runs all of them.
[[nodiscard]] std::string backend_refusal(const Config& config, BackendKind backend);

/// Temperatures of the ladder of one size, ascending. `size_index` counts in model.L. Throws InputError.
[[nodiscard]] std::vector<double> ladder_temperatures(const Config& config, std::size_t size_index);

/// Number of slots for an expected exchange acceptance of 0.3 between T_min and T_max: from measured
/// acceptances of the three-dimensional model.
[[nodiscard]] int automatic_slots(const Lattice& lattice, double T_min, double T_max);

/// Realizations of one size.
[[nodiscard]] inline int realizations_of(const Config& config, std::size_t size_index) {
  return entry_of_size(config.disorder.realizations, size_index);
}
/// Their numbers, ascending from disorder.first.
[[nodiscard]] inline auto realization_numbers(const Config& config, std::size_t size_index) {
  const auto first = static_cast<std::uint32_t>(config.disorder.first_realization);
  return std::views::iota(first, first + static_cast<std::uint32_t>(realizations_of(config, size_index)));
}
/// Number of the first realization of every size in a text of canonical_text; 0 where it does not say.
[[nodiscard]] std::uint32_t stored_first_realization(std::string_view canonical);
/// Measurements of a round of one size.
[[nodiscard]] int measurements_of(const Config& config, std::size_t size_index);
/// With a ladder of so many slots.
[[nodiscard]] int measurements_of(const Config& config, std::size_t size_index, std::size_t slots);
[[nodiscard]] int measurements_of_L(const Config& config, int L);
/// The configuration that a new campaign stores: automatic choices are written out, because later versions may choose
/// differently.
[[nodiscard]] Config settled(Config config);

/// The chain of one size of the campaign with the temperatures that its database holds, ascending.
[[nodiscard]] Chain make_chain(const Config& config, std::size_t size_index, const std::vector<double>& temperatures);
/// Without temperatures and measurements: what does not depend on them.
[[nodiscard]] Chain make_chain_without_ladder(const Config& config, std::size_t size_index);
/// With the ladder of the configuration.
[[nodiscard]] Chain make_chain(const Config& config, std::size_t size_index);

/// The course of a campaign that has one, for slots of these temperatures.
[[nodiscard]] Course make_course(const Config& config, const std::vector<double>& temperatures);

/// Couplings and fields of a realization: a pure function of (model, seed, L, realization). Throws InputError where a
/// file is missing or malformed.
[[nodiscard]] Disorder make_disorder(const Config& config, const Lattice& lattice, std::uint32_t realization);

/// J -> -J where a bond crosses an odd number of antiperiodic ends, as the last step of make_disorder: coupling files,
/// read and exported, have the signs before it.
template <class Real>
void change_signs_across_ends(const ModelConfig& model, const Lattice& lattice, std::vector<Real>& couplings);

/// The field of every site of FieldKind::constant, model.field_strength along its direction [component].
[[nodiscard]] std::vector<double> constant_field(const ModelConfig& model, std::size_t components);

}}  // namespace glassworks::engine
