#include "engine/percolation/percolation.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <mutex>
#include <utility>

#include "base/threads.hpp"
#include "engine/percolation/percolation_sample.hpp"
#include "kernels/core/random.hpp"

namespace glassworks { inline namespace engine {

namespace {

constexpr std::uint32_t most_blocks = 128;

/// Takes blocks of samples until there is none left. What it finds does not depend on who takes which.
class PercolationWork {
 public:
  PercolationWork(const PercolationPlan& plan, PercolationControl& control) : plan_(plan), control_(control) {
    blocks_.resize(std::min(plan.samples, most_blocks));
    if (plan.occupation == Occupation::bonds) {
      existing_ = BondSet(*plan.graph);
      plan.graph->for_each_bond([&](BondIndex b, Site, Site) { existing_.activate(b); });
    }
    if (plan.one_labeller) shared_ = plan.make_labeller();
  }

  void run(int threads) {
    ThreadTeam(threads).run([this](int) { take_part(); }, [this] { control_.stop = true; });
  }

  [[nodiscard]] std::vector<PercolationResult::Block> take_blocks() { return std::move(blocks_); }

 private:
  using Clock = std::chrono::steady_clock;

  void take_part() {
    const std::unique_ptr<Labeller> own = shared_ ? nullptr : plan_.make_labeller();
    PercolationSampler sampler(plan_, existing_);
    for (std::size_t b = next_++; b < blocks_.size() && !control_.stop; b = next_++) simulate(b, own.get(), sampler);
  }

  void simulate(std::size_t b, Labeller* own, PercolationSampler& sampler) {
    const auto begin_of = [&](std::size_t block) {
      return static_cast<std::uint32_t>(std::uint64_t{plan_.samples} * block / blocks_.size());
    };
    PercolationResult::Block& block = blocks_[b];
    block.sum.assign(plan_.p.size() * percolation_quantities, 0.0);
    block.sum_of_squares = block.sum;
    block.labelling_seconds.assign(plan_.p.size(), 0.0);
    const auto label = [&](std::size_t p_index, const BondSet& bonds, std::vector<Site>& labels) {
      std::unique_lock<std::mutex> turn;
      if (shared_) turn = std::unique_lock(device_);
      const Clock::time_point start = Clock::now();
      (shared_ ? shared_.get() : own)->label(bonds, labels);
      block.labelling_seconds[p_index] += std::chrono::duration<double>(Clock::now() - start).count();
    };
    for (std::uint32_t sample = begin_of(b); sample < begin_of(b + 1) && !control_.stop; ++sample) {
      sampler.simulate(sample, label, block);
      ++block.samples;
      ++control_.samples_done;
    }
  }

  const PercolationPlan& plan_;
  PercolationControl& control_;
  BondSet existing_;
  std::unique_ptr<Labeller> shared_;
  std::mutex device_;
  std::atomic<std::size_t> next_ = 0;
  std::vector<PercolationResult::Block> blocks_;
};

}  // namespace

PhiloxKey percolation_key(std::uint64_t seed, const Graph& graph) {
  // Campaigns have keys of dimensions 1 to 4.
  return size_key(seed, 16 + static_cast<int>(graph.kind()), static_cast<int>(graph.sites()));
}

PercolationResult::PercolationResult(std::vector<double> p, std::vector<Block> blocks, std::vector<double> units)
    : p_(std::move(p)), units_(std::move(units)), blocks_(std::move(blocks)) {
  total_.sum.assign(p_.size() * percolation_quantities, 0.0);
  total_.sum_of_squares = total_.sum;
  total_.labelling_seconds.assign(p_.size(), 0.0);
  const auto add = [](std::vector<double>& to, const std::vector<double>& from) {
    for (std::size_t i = 0; i < to.size(); ++i) to[i] += from[i];
  };
  for (const Block& block : blocks_) {
    samples_ += block.samples;
    add(total_.sum, block.sum);
    add(total_.sum_of_squares, block.sum_of_squares);
    add(total_.labelling_seconds, block.labelling_seconds);
  }
}

double PercolationResult::mean(PercolationQuantity quantity, std::size_t p_index) const {
  const auto q = static_cast<std::size_t>(quantity);
  return total_.sum[p_index * percolation_quantities + q] / (units_[q] * samples_);
}

double PercolationResult::error(PercolationQuantity quantity, std::size_t p_index) const {
  if (samples_ < 2) return std::numeric_limits<double>::quiet_NaN();
  const auto q = static_cast<std::size_t>(quantity);
  const double average = total_.sum[p_index * percolation_quantities + q] / samples_;
  const double mean_square = total_.sum_of_squares[p_index * percolation_quantities + q] / samples_;
  const double variance = mean_square - average * average;
  if (variance <= 1e-14 * mean_square) return 0.0;  // rounding
  return std::sqrt(variance / (samples_ - 1)) / units_[q];
}

double PercolationResult::mean_without(std::size_t block, PercolationQuantity quantity, std::size_t p_index) const {
  const auto q = static_cast<std::size_t>(quantity);
  const std::size_t i = p_index * percolation_quantities + q;
  return (total_.sum[i] - blocks_[block].sum[i]) / (units_[q] * (samples_ - blocks_[block].samples));
}

double PercolationResult::labelling_seconds(std::size_t p_index) const {
  return total_.labelling_seconds[p_index] / samples_;
}

PercolationResult simulate_percolation(const PercolationPlan& plan, PercolationControl& control) {
  PercolationWork work(plan, control);
  work.run(std::clamp<int>(plan.threads, 1, static_cast<int>(std::min(plan.samples, most_blocks))));
  if (control.stop) return {};
  const double N = plan.graph->sites(), M = static_cast<double>(std::max<BondIndex>(plan.graph->bonds(), 1));
  std::vector<double> units(percolation_quantities, 1.0);
  for (const auto quantity : {PercolationQuantity::largest, PercolationQuantity::mean_size,
                              PercolationQuantity::mean_size_rest, PercolationQuantity::clusters}) {
    units[static_cast<std::size_t>(quantity)] = N;
  }
  units[static_cast<std::size_t>(PercolationQuantity::occupied)] = plan.occupation == Occupation::bonds ? M : N;
  return {plan.p, work.take_blocks(), std::move(units)};
}

}}  // namespace glassworks::engine
