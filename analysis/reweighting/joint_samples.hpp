#pragma once

#include <array>
#include <cstddef>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "db/database.hpp"
#include "engine/config/config.hpp"

namespace glassworks { inline namespace analysis {

/// The sampled quantities of a campaign at one lattice size, followed by the columns that the analysis adds. All copies
/// of a slot at one moment are one joint sample of the density exp(-beta (E_1 + E_2 + ...)), so each column is an
/// ordinary average over joint samples:
///
///     energy          mean of e_a over the copies
///     energy_squared  mean of e_a^2 over the copies
///     energy_product  mean of e_a e_b over all pairs of different copies: <e>^2 without bias, as copies are
///     independent
///
/// e_a: energy per site of copy a. What is sampled under its own name is not added again, and one copy has no
/// energy_product.
class SampledQuantities {
 public:
  enum Added { energy, energy_squared, energy_product, added_count };

  /// Of a stored size. Throws std::runtime_error if a name stands twice or the energy of a copy is missing
  /// (energy_of_copy_1, energy_of_copy_2, ...).
  SampledQuantities(const Config& config, const SizeRow& size);
  /// `names` in the order of the samples, of as many copies as there are energies; sites: N.
  SampledQuantities(std::vector<std::string> names, double sites);

  [[nodiscard]] std::size_t sampled() const { return sampled_; }
  [[nodiscard]] std::size_t size() const { return names_.size(); }
  /// Throws std::runtime_error for the energy_product of one copy.
  [[nodiscard]] std::size_t operator[](Added column) const;
  /// All columns, the added ones last.
  [[nodiscard]] const std::vector<std::string>& names() const { return names_; }
  /// Throws std::runtime_error if there is none of this name.
  [[nodiscard]] std::size_t operator[](const std::string& name) const;
  [[nodiscard]] bool has(const std::string& name) const { return index_.contains(name); }
  [[nodiscard]] double sites() const { return sites_; }

  /// N (e_1 + e_2 + ...) of one joint sample `values`[quantity].
  [[nodiscard]] double total_energy(std::span<const float> values) const;
  /// Adds all columns of one joint sample to sums[column].
  void add_to(std::span<double> sums, std::span<const float> values) const;

 private:
  std::vector<std::string> names_;
  std::size_t sampled_;
  double sites_;
  std::map<std::string, std::size_t> index_;
  std::vector<std::size_t> energy_of_copy_;
  std::array<std::size_t, added_count> added_{};  ///< place of each; sampled() or more where it is computed here
};

/// All joint samples of one realization, slot after slot.
struct JointSamples {
  std::vector<double> temperatures;  ///< [slot], ascending
  std::vector<std::size_t> count;    ///< joint samples of each slot
  std::vector<float> values;         ///< [joint sample][quantity]
};

/// Samples of one round as they are stored.
struct StoredSamples {
  std::span<const float> values;  ///< [slot][sample][quantity]
  std::size_t per_slot = 0;       ///< samples of each slot; 0: none
};

/// All samples of some rounds of one realization. Throws std::runtime_error if a round has another shape.
[[nodiscard]] JointSamples gather(std::vector<double> temperatures, const SampledQuantities& quantities,
                                  std::span<const StoredSamples> rounds);

/// Averages of one realization at every slot over all measurements, of which the samples are only a part.
struct SlotAverages {
  std::vector<double> temperatures;  ///< [slot], ascending
  std::vector<std::string> columns;  ///< names
  std::vector<double> values;        ///< [slot][column]
};

/// Throws std::runtime_error with one sentence: no slot, temperatures that do not ascend, a slot without samples,
/// another number of values than announced, a value that is not finite.
void check(const JointSamples& samples, const SampledQuantities& quantities);
void check(const SlotAverages& averages);

/// Where a temperature stands in a ladder.
struct LadderPlace {
  std::size_t slot = 0;  ///< T_slot <= T < T_{slot+1}
  bool at_slot = false;  ///< T = T_slot to 1e-9
};

/// Throws std::runtime_error for a temperature outside [T_1, T_max] (no extrapolation).
[[nodiscard]] LadderPlace place_in_ladder(std::span<const double> temperatures, double T);

}}  // namespace glassworks::analysis
