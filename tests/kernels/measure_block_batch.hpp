#pragma once

#include <gtest/gtest.h>

#include <ostream>

#include "kernels/cuda/measure_block.hpp"
#include "kernels/cuda/sample_value.hpp"
#include "kernels/reference/reference_replica.hpp"
#include "kernels/rounds/measurement.hpp"
#include "kernels/rounds/round_record.hpp"
#include "tests/kernels/support.hpp"

/// The steps of the CUDA measurement of a batch, run by the host one thread after the other, and what Measurement gives
/// of the same replicas.
namespace glassworks::test::measure_block {

using measure::BlockMemory;
using measure::BlockShape;
using measure::Job;
using measure::ThreadSums;

/// Runs the threads of a step by turns upwards and downwards, so that a step that needs the order of its threads fails.
struct HostBlock {
  explicit HostBlock(int threads) : sums(static_cast<std::size_t>(threads)) {}

  template <class Step>
  void run(Step step) {
    const int threads = static_cast<int>(sums.size());
    downwards = !downwards;
    for (int i = 0; i < threads; ++i) {
      const int thread = downwards ? threads - 1 - i : i;
      step(thread, threads, sums[static_cast<std::size_t>(thread)]);
    }
  }

  std::vector<ThreadSums> sums;
  bool downwards = false;
};

enum class Planes { where_they_fit, in_device_memory };

/// Of the spins of a replica; paired: split, with x and y side by side.
enum class Order { natural, split, paired };

struct Case {
  int dim, L, copies;
  double field;
  bool fixed;      ///< the tiling that the compiler knows
  int blocks = 1;  ///< of a unit
  Planes planes = Planes::where_they_fit;
  Order order = Order::natural;  ///< of the spins
  unsigned open = 0;             ///< Lattice::open
};

inline void PrintTo(const Case& c, std::ostream* out) {
  *out << "d " << c.dim << ", L " << c.L << ", copies " << c.copies << ", field " << c.field
       << (c.fixed ? ", fixed" : ", general") << ", blocks " << c.blocks
       << (c.planes == Planes::in_device_memory ? ", planes in device memory" : "")
       << (c.order == Order::natural ? ""
           : c.order == Order::split ? ", split"
                                     : ", paired");
  if (c.open != 0) *out << ", open " << c.open;
}

SpinLayout layout_of(const Case& c) { return c.order == Order::paired ? SpinLayout::paired : SpinLayout::planar; }

/// What a device holds of a batch before a measurement, and what it must hold after it.
class MeasuredBatch {
 public:
  static constexpr int slots = 3, tasks = 2, samples = 2;
  static constexpr float untouched = -7.0F;

  explicit MeasuredBatch(const Case& c)
      : chain_(test::make_chain({c.dim, c.L, c.open}, c.copies, test::geometric_betas(slots, 0.3, 1.5),
                                {0, 0, 1, 1, ExchangeSchedule::sequential, 0}, 1)),
        layout_(selected(chain_, c)),
        source_(static_cast<std::uint32_t>(100 * c.dim + c.L)),
        order_(SpinOrder::natural(c.L)) {
    for (int task = 0; task < tasks; ++task) add_task(task, c.field);
    if (c.order != Order::natural) split_planes(layout_of(c));
    mean_before_ = mean_;
    samples_.assign(expected_samples_.size(), untouched);
  }

  [[nodiscard]] LocalSelection selection() const { return chain_.local; }

  [[nodiscard]] DeviceBatch batch() {
    DeviceBatch b{};
    b.lattice = chain_.lattice;
    b.tasks = tasks;
    b.copies = chain_.copies;
    b.slots = slots;
    b.observables = layout_.size();
    b.site_count = chain_.lattice.sites();
    b.order = order_;
    b.d_energy_exponent = exponent_.data();
    b.d_fields = fields_.empty() ? nullptr : fields_.data();
    b.d_spins = spins_.data();
    b.d_replica_at = replica_at_.data();
    b.d_heading = heading_.data();
    b.d_energy = energy_.data();
    b.d_walk_up = up_.data();
    b.d_walk_down = down_.data();
    b.d_walk_mean = walk_.data();
    b.d_mean = mean_.data();
    b.samples = samples;
    b.d_mean_before = mean_before_.data();
    if (chain_.copies == 4) b.d_pair_overlap = pair_overlap_.data();
    b.d_samples = samples_.data();
    return b;
  }

  void expect_measured() const {
    EXPECT_TRUE(test::same_bytes(mean_, expected_mean_));
    EXPECT_TRUE(test::same_bytes(walk_, expected_walk_));
    EXPECT_EQ(up_, expected_up_);
    EXPECT_EQ(down_, expected_down_);
    EXPECT_TRUE(test::same_bytes(samples_, expected_samples_));
  }

  /// As the last of the samples of this round.
  void take_sample() {
    const DeviceBatch b = batch();
    const BinLayout layout(SpinModel{}, b.lattice.dim, b.copies);
    for (std::int64_t i = sample_values(layout, b) - 1; i >= 0; --i) form_sample_value(layout, b, samples - 1, i);
  }

 private:
  /// In a field, everything that heisenberg can have beside its observables.
  static BinLayout selected(Chain& chain, const Case& c) {
    if (c.field > 0.0) chain.local = chiral_response | chiral_axes;
    return BinLayout(chain);
  }
  void add_task(int task, double field) {
    const auto number = static_cast<std::uint32_t>(task);
    const Disorder disorder = test::gaussian_disorder(chain_.lattice, 7 + number, field);
    ChainState state = initial_state(chain_, number);
    place_replicas(state);
    exponent_.push_back(disorder.energy_scale.exponent);
    for (std::size_t c = 0; c < 3 && field > 0.0; ++c) {
      for (std::size_t i = 0; i < sites(); ++i) fields_.push_back(disorder.fields[3 * i + c]);
    }
    std::vector<ReferenceReplica> replicas;
    for (std::size_t r = 0; r < state.slot.size(); ++r) {
      float* spins = state.spins.data() + 3 * sites() * r;
      replicas.emplace_back(chain_, disorder, number, static_cast<std::uint32_t>(r), spins);
      energy_.push_back(-replicas.back().energy());
    }
    expect_bins(disorder, replicas, state);
    expect_walk(state);
    spins_.insert(spins_.end(), state.spins.begin(), state.spins.end());
  }

  void split_planes(SpinLayout layout) {
    const int L = chain_.lattice.L;
    order_ = SpinOrder::split(L, layout);
    const std::vector<float> natural = spins_;
    const std::size_t volume = sites();
    for (std::size_t i = 0; i < spins_.size(); ++i) {
      const int plane = L * L, site = static_cast<int>(i) % plane, y = site / L, x = site % L;
      const std::size_t place =
          i - static_cast<std::size_t>(site) + static_cast<std::size_t>(order_.of_x(x) + order_.of_y(y));
      const std::size_t c = i / volume % 3, first = i - i % (3 * volume), of_site = place % volume;
      const bool pair = layout == SpinLayout::paired && c < 2;
      spins_[pair ? first + 2 * of_site + c : place] = natural[i];
    }
  }

  /// A random order of the replicas of each copy.
  void place_replicas(ChainState& state) {
    const auto first = static_cast<int>(replica_at_.size());
    replica_at_.resize(replica_at_.size() + state.slot.size());
    for (int copy = 0; copy < chain_.copies; ++copy) {
      const int shift = source_.below(slots);
      for (int k = 0; k < slots; ++k) {
        const int r = copy * slots + k, slot = (k + shift) % slots;
        state.slot[static_cast<std::size_t>(r)] = static_cast<std::uint16_t>(slot);
        state.heading[static_cast<std::size_t>(r)] = static_cast<std::int8_t>(source_.below(3) - 1);
        heading_.push_back(state.heading[static_cast<std::size_t>(r)]);
        replica_at_[static_cast<std::size_t>(first + copy * slots + slot)] = r;
      }
    }
  }

  void expect_bins(const Disorder& disorder, const std::vector<ReferenceReplica>& replicas, const ChainState& state) {
    Measurement measurement(chain_, disorder.energy_scale);
    for (int slot = 0; slot < slots; ++slot) {
      std::vector<const ReferenceReplica*> at;
      for (std::size_t r = 0; r < replicas.size(); ++r) {
        if (state.slot[r] == slot) at.push_back(&replicas[r]);
      }
      std::vector<ReplicaSums> sums;
      std::vector<PairSums> pairs;
      for (std::size_t a = 0; a < at.size(); ++a) {
        sums.push_back(at[a]->sums());
        for (std::size_t b = a + 1; b < at.size(); ++b) {
          pairs.push_back(pair_sums(chain_, *at[a], *at[b], measurement.empty_pair()));
        }
      }
      std::vector<double> bin;
      for (int i = 0; i < layout_.size(); ++i) bin.push_back(source_.normal());
      mean_.insert(mean_.end(), bin.begin(), bin.end());
      std::vector<float> sample(static_cast<std::size_t>(measurement.layout().sample_size()), untouched);
      for (int earlier = 1; earlier < samples; ++earlier) append(sample, expected_samples_);
      measurement.add(sums.data(), pairs.data(), bin.data(), sample.data());
      append(sample, expected_samples_);
      expected_mean_.insert(expected_mean_.end(), bin.begin(), bin.end());
      pair_overlap_.resize(pair_overlap_.size() + pairs.size(), untouched);
    }
  }

  void expect_walk(const ChainState& state) {
    RoundRecord record = empty_record(chain_);
    for (double& x : record.walk_mean) x = source_.normal();
    for (std::uint32_t& n : record.walk_up) n = source_.word() % 9;
    for (std::uint32_t& n : record.walk_down) n = source_.word() % 9;
    append(record, walk_, up_, down_);
    record_walk(chain_, state, record);
    append(record, expected_walk_, expected_up_, expected_down_);
  }
  static void append(const std::vector<float>& from, std::vector<float>& to) {
    to.insert(to.end(), from.begin(), from.end());
  }
  static void append(const RoundRecord& record, std::vector<double>& walk, std::vector<std::uint32_t>& up,
                     std::vector<std::uint32_t>& down) {
    walk.insert(walk.end(), record.walk_mean.begin(), record.walk_mean.end());
    up.insert(up.end(), record.walk_up.begin(), record.walk_up.end());
    down.insert(down.end(), record.walk_down.begin(), record.walk_down.end());
  }
  [[nodiscard]] std::size_t sites() const { return static_cast<std::size_t>(chain_.lattice.sites()); }

  Chain chain_;
  BinLayout layout_;
  test::Source source_;
  std::vector<float> spins_, fields_;
  SpinOrder order_;
  std::vector<int> exponent_, replica_at_, heading_;
  std::vector<long long> energy_;
  std::vector<double> mean_, expected_mean_, walk_, expected_walk_;
  std::vector<double> mean_before_, pair_overlap_;
  std::vector<float> samples_, expected_samples_;
  std::vector<std::uint32_t> up_, down_, expected_up_, expected_down_;
};

/// The blocks of a launch of sum_kernel, the last first, each in memory that holds something else.
template <int dim, bool planes_in_block, Boundary boundary, SpinLayout layout, class Tiling>
void sum(const Job& job, const Tiling& tiling, const BlockShape& shape, const DeviceBatch& batch, std::int64_t units) {
  for (std::int64_t unit = units - 1; unit >= 0; --unit) {
    for (int chunk = job.chunks() - 1; chunk >= 0; --chunk) {
      std::vector<double> memory(shape.bytes / sizeof(double) + 1, -1.7e300);
      HostBlock block(shape.threads);
      measure::measure_unit<dim, planes_in_block, boundary, layout>(
          block, job, tiling, batch, unit, chunk, BlockMemory(memory.data(), shape.terms, shape.planes));
    }
  }
}

template <int dim, Boundary boundary, SpinLayout layout, class Tiling>
void measure_batch(const Case& c, const Tiling& tiling, MeasuredBatch& measured) {
  const DeviceBatch batch = measured.batch();
  const std::vector<double> phase = PhaseTable(c.L).joined(), walk_phase = PhaseTable(2 * batch.slots).cosine;
  Job job(batch.lattice, batch.copies, measured.selection());
  job.d_phase = phase.data();
  job.d_walk_phase = walk_phase.data();
  job.share_passes(c.blocks);
  BlockShape shape(job, Tiling::one_tile ? static_cast<int>(batch.site_count) : 0);
  if (c.planes == Planes::in_device_memory) shape.planes_in_block = false;
  const std::int64_t units = std::int64_t{batch.tasks} * batch.slots;
  std::vector<Complex> kept(static_cast<std::size_t>(units * job.formulas.pairs() * job.formulas.kept_chiralities()));
  if (!kept.empty()) job.d_kept = kept.data();
  if (job.chunks() == 1 && shape.planes_in_block) {
    sum<dim, true, boundary, layout>(job, tiling, shape, batch, units);
    return;
  }
  constexpr std::int64_t group = 4;  // the last launch is not full
  for (; job.first_unit < units; job.first_unit += group) {
    const std::int64_t count = std::min(group, units - job.first_unit);
    std::vector<std::int32_t> planes(static_cast<std::size_t>(count * job.formulas.pairs() * job.plane_sums()));
    std::vector<unsigned long long> totals(static_cast<std::size_t>(count * job.totals()));
    job.d_planes = planes.data();
    job.d_totals = totals.data();
    if (shape.planes_in_block) {
      sum<dim, true, boundary, layout>(job, tiling, shape, batch, count);
    } else if constexpr (Tiling::fixed_L == 0) {
      sum<dim, false, boundary, layout>(job, tiling, shape, batch, count);
    }
    for (std::int64_t unit = 0; unit < count; ++unit) {
      HostBlock block(BlockShape::most_threads);
      measure::UnitSpace space;
      measure::PairSpace work;
      measure::form_unit<dim>(block, job, batch, unit, space, work);
    }
  }
}

template <int dim>
void measure_general(const Case& c, MeasuredBatch& measured) {
  const MeasureTiling tiling({dim, c.L});
  const auto with = [&]<SpinLayout layout>() {
    if (c.open == 0) {
      measure_batch<dim, Boundary::periodic, layout>(c, tiling, measured);
    } else {
      measure_batch<dim, Boundary::open, layout>(c, tiling, measured);
    }
  };
  if constexpr (dim == 3) {
    if (c.order == Order::paired) return with.template operator()<SpinLayout::paired>();
  }
  with.template operator()<SpinLayout::planar>();
}

inline void measure_fixed(const Case& c, MeasuredBatch& measured) {
  const auto with = [&]<int L>() {
    if (c.L != L) return;
    if (c.order == Order::paired) {
      measure_batch<3, Boundary::periodic, SpinLayout::paired>(c, FixedTiling<3, L>(), measured);
    } else {
      measure_batch<3, Boundary::periodic, SpinLayout::planar>(c, FixedTiling<3, L>(), measured);
    }
  };
  with.operator()<4>();
  with.operator()<6>();
  with.operator()<8>();
  with.operator()<10>();
  with.operator()<12>();
  with.operator()<16>();
  with.operator()<20>();
  with.operator()<24>();
}

}  // namespace glassworks::test::measure_block
