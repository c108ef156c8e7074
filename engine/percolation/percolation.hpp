#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "base/stop_flag.hpp"
#include "kernels/clusters/graph.hpp"
#include "kernels/clusters/labelling.hpp"
#include "kernels/core/random.hpp"

namespace glassworks { inline namespace engine {

/// What is occupied with probability p. Bonds: every site is in a cluster. Sites: bonds join neighbours that are both
/// occupied, and only occupied sites are in clusters.
enum class Occupation { bonds, sites };

/// What is measured in every sample at every p, N = all sites, n = sites of a cluster.
enum class PercolationQuantity {
  crossing_any,    ///< 1 if a cluster joins both ends of an axis (open) or wraps along an axis (periodic boundary)
  crossing_all,    ///< 1 if one cluster does so along every axis
  crossing_full,   ///< periodic: 1 if one cluster has d independent windings; open: as crossing_all
  largest,         ///< n_max / N
  mean_size,       ///< sum n^2 / N
  mean_size_rest,  ///< the same without the largest cluster
  clusters,        ///< clusters / N
  centre_size,     ///< Bethe lattice: n of the cluster of the centre, 0 if that is empty
  centre_out,      ///< Bethe lattice: 1 if the centre is joined to the last shell
  occupied,        ///< occupied bonds (sites) / all bonds (sites)
  count
};
constexpr std::size_t percolation_quantities = static_cast<std::size_t>(PercolationQuantity::count);

/// One curve in p: the same graph, many samples.
///
/// Bond b of sample s is occupied at p if the word b % 4 of the Philox block (percolation_key, Stream::percolation,
/// realization s, index b / 4) is below round(2^32 p), an exact comparison of whole numbers; so is site b. A sample has
/// the same words at all p: what is occupied at some p is occupied at every larger one, and values at different p are
/// correlated, but those of different samples are independent.
struct PercolationPlan {
  const Graph* graph = nullptr;
  Occupation occupation = Occupation::bonds;
  std::vector<double> p;  ///< in [0, 1], ascending
  std::uint32_t samples = 1;
  std::uint64_t seed = 1;
  int threads = 1;  ///< share the samples; the results do not depend on them
  std::function<std::unique_ptr<Labeller>()> make_labeller;
  bool one_labeller = false;  ///< threads take turns with one labeller (a device) instead of one each
};

/// Key of the random words: graphs of another kind or size have other ones.
[[nodiscard]] PhiloxKey percolation_key(std::uint64_t seed, const Graph& graph);

/// Shared with whoever watches a simulation or stops it.
struct PercolationControl {
  StopFlag stop;
  std::atomic<std::uint32_t> samples_done = 0;
};

/// Averages over the samples, and their parts by blocks of consecutive samples for resampling.
class PercolationResult {
 public:
  /// Sums over the samples of one block, of whole numbers: sites, bonds, clusters.
  struct Block {
    std::uint32_t samples = 0;
    std::vector<double> sum, sum_of_squares;  ///< [p][quantity]
    std::vector<double> labelling_seconds;    ///< [p]
  };

  PercolationResult() = default;
  /// units[quantity]: what the sums are divided by.
  PercolationResult(std::vector<double> p, std::vector<Block> blocks, std::vector<double> units);

  [[nodiscard]] const std::vector<double>& p() const { return p_; }
  [[nodiscard]] std::uint32_t samples() const { return samples_; }
  [[nodiscard]] std::size_t blocks() const { return blocks_.size(); }
  [[nodiscard]] double mean(PercolationQuantity quantity, std::size_t p_index) const;
  /// Standard error over the samples; NaN for a single one.
  [[nodiscard]] double error(PercolationQuantity quantity, std::size_t p_index) const;
  /// The mean over all samples but those of one block (jackknife).
  [[nodiscard]] double mean_without(std::size_t block, PercolationQuantity quantity, std::size_t p_index) const;
  /// Time of one labelling, on average [s].
  [[nodiscard]] double labelling_seconds(std::size_t p_index) const;

 private:
  std::vector<double> p_, units_;
  std::vector<Block> blocks_;
  Block total_;
  std::uint32_t samples_ = 0;
};

/// Simulates all samples. Bits of the result do not depend on the number of threads nor on the labeller, except for the
/// times. Empty (no samples) if it was stopped. Throws what the labeller throws.
[[nodiscard]] PercolationResult simulate_percolation(const PercolationPlan& plan, PercolationControl& control);

}}  // namespace glassworks::engine
