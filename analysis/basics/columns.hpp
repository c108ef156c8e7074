#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "db/database.hpp"
#include "engine/config/config.hpp"

namespace glassworks { inline namespace analysis {

/// What orders at low temperature, squared: columns whose mean is its value at k = 0 and at k_min.
struct OrderParameter {
  std::vector<std::size_t> zero, kmin;
  const char* symbol;  ///< "|q|^2", "q^2" or "m^2"
  const char* label;   ///< the same in figures
};

/// Where each observable of a stored bin stands, found by the names that the campaign stores with its bins, followed by
/// the columns that the analysis adds to each realization at each slot.
class Columns {
 public:
  /// Added after the stored observables.
  enum Added {
    energy_product,  ///< <e>^2 without bias: <e>_a <e>_b averaged over all pairs of different copies a, b; one copy:
                     ///< its own <e>^2
    attempts,        ///< exchanges of the pair (t, t+1) tried per measurement; 0 at the last slot
    accepted,        ///< of these, accepted
    walkers_up,      ///< replicas per measurement that visited T_1 last
    walkers_down,    ///< replicas per measurement that visited T_max last
    added_count
  };

  /// Of a stored size. Throws std::runtime_error without the energies of all copies.
  Columns(const Config& config, const SizeRow& size);
  /// `names` in the order of the bins. Throws std::runtime_error without the energy of a copy.
  Columns(std::vector<std::string> names, int dim);

  [[nodiscard]] std::size_t stored() const { return names_.size(); }
  [[nodiscard]] std::size_t size() const { return names_.size() + added_count; }
  [[nodiscard]] std::size_t operator[](Added column) const { return names_.size() + static_cast<std::size_t>(column); }
  /// Throws std::runtime_error if the campaign did not store it.
  [[nodiscard]] std::size_t operator[](const std::string& name) const;
  [[nodiscard]] bool has(const std::string& name) const { return index_.contains(name); }
  [[nodiscard]] const std::string& name(std::size_t column) const { return names_[column]; }
  [[nodiscard]] const std::vector<std::size_t>& energy_of_copy() const { return energy_of_copy_; }
  [[nodiscard]] int dim() const { return dim_; }
  /// The overlap; the magnetization where there is one copy.
  [[nodiscard]] OrderParameter order_parameter() const;

  /// Columns of `family`(k), family "overlap_k" or "chi_1" ..., for all k = multiple * (e_a + ...) of so many axes:
  /// one axis is k_min (or 2 k_min), two (1,1,0), three (1,1,1); none is k = 0.
  [[nodiscard]] std::vector<std::size_t> modes(const std::string& family, int axes, int multiple = 1) const;
  /// Whether the bins hold them all.
  [[nodiscard]] bool has_modes(const std::string& family, int axes, int multiple = 1) const;

 private:
  [[nodiscard]] std::vector<std::string> mode_names(const std::string& family, int axes, int multiple) const;

  std::vector<std::string> names_;
  std::map<std::string, std::size_t> index_;
  std::vector<std::size_t> energy_of_copy_;
  int dim_;
};

/// Columns whose mean a quantity of single measurements is (kernels' BinLayout): those of its own name, or all
/// equivalent wave vectors: "overlap_kmin" of overlap_k at every k_min, "overlap_2kmin", "overlap_110", "chi_2_zero",
/// "chi_2_kmin"; "energy_product" is the added column. Empty for what bins do not hold.
[[nodiscard]] std::vector<std::size_t> columns_of_sample(const Columns& columns, const std::string& quantity);

}}  // namespace glassworks::analysis
