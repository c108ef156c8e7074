#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "engine/percolation/percolation.hpp"
#include "kernels/clusters/winding.hpp"

namespace glassworks { inline namespace engine {

/// Simulates samples one after the other; one thread's share of simulate_percolation.
class PercolationSampler {
 public:
  /// `existing`: the bonds that exist, of all samplers.
  PercolationSampler(const PercolationPlan& plan, const BondSet& existing);

  /// Calls label(bonds, labels) and measures at every p: adds to sum and sum_of_squares [p][quantity].
  template <class Label>
  void simulate(std::uint32_t sample, Label&& label, PercolationResult::Block& block) {
    for (std::size_t first = 0; first < plan_.p.size(); first += sets_.size()) {
      const std::size_t n = std::min(sets_.size(), plan_.p.size() - first);
      occupy(sample, first, n);
      for (std::size_t k = 0; k < n; ++k) {
        BondSet& bonds = prepare(k);
        label(first + k, bonds, labels_);
        measure(k, first + k, block);
      }
    }
  }

 private:
  [[nodiscard]] bool of_sites() const { return plan_.occupation == Occupation::sites; }
  void occupy(std::uint32_t sample, std::size_t first, std::size_t n);
  BondSet& prepare(std::size_t set);
  void measure(std::size_t set, std::size_t p_index, PercolationResult::Block& block);
  void count_sites(const BondSet& occupied);
  Winding crossings() const;
  [[nodiscard]] std::vector<Site> labels_of_end(int axis, bool far) const;

  const PercolationPlan& plan_;
  const Graph& graph_;
  const BondSet& existing_;
  PhiloxKey key_;
  std::vector<BondSet> sets_;  ///< what is occupied, at some values of p
  BondSet bonds_;              ///< of site percolation
  const BondSet* occupied_ = nullptr;
  std::uint64_t occupied_count_ = 0;
  std::vector<Site> labels_, sizes_;
  std::optional<WindingFinder> windings_;
  std::vector<bool> last_shell_;
};

}}  // namespace glassworks::engine
