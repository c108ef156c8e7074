#include "kernels/cuda/multispin/device_multispin_round.hpp"

#include <algorithm>

#include "kernels/core/addresses.hpp"
#include "kernels/cuda/multispin/bit_exchange.hpp"
#include "kernels/cuda/multispin/bit_order.hpp"
#include "kernels/cuda/multispin/bit_swap.hpp"
#include "kernels/cuda/round_course.hpp"
#include "kernels/models/cluster_sums.hpp"
#include "kernels/models/multispin.hpp"
#include "kernels/rounds/round_record.hpp"

namespace glassworks { inline namespace cuda {
namespace {

std::vector<BitThreshold> thresholds_of(const Chain& chain, const SweepKind& kind, float modulus, float field) {
  std::vector<BitThreshold> all;
  for (const float beta : chain.beta) {
    const auto of_slot = multispin_thresholds_in_field(kind.rule, beta, modulus, 2 * chain.lattice.dim, field);
    const auto of_spin = static_cast<int>(of_slot.size() / 2);
    for (int odd = 0; odd < (kind.open_ends ? 2 : 1); ++odd) {
      for (int spin = 0; spin < (kind.in_field ? 2 : 1); ++spin) {
        for (int k = 0; k < kind.thresholds(); ++k) {
          const int m = odd + k * multispin_step(kind.diluted);  // a larger one than 2 z does not occur
          all.emplace_back(m < of_spin ? of_slot[static_cast<std::size_t>(spin * of_spin + m)] : 0U);
        }
      }
    }
  }
  return all;
}

/// Of a graph [place][degree][bit of the spin][m]: those past the largest m let everything pass.
std::vector<BitThreshold> thresholds_of_graph(const Chain& chain, const SweepKind& kind,
                                              const std::vector<int>& degrees, float modulus, float field) {
  std::vector<BitThreshold> of_slots;
  for (const float beta : chain.beta) {
    for (const int z : degrees) {
      const auto of_site = multispin_thresholds_in_field(kind.rule, beta, modulus, z, field);
      const int count = deciding_thresholds(kind.rule, word_room(z), false, kind.in_field);
      for (int spin = 0; spin < (kind.in_field ? 2 : 1); ++spin) {
        for (int m = 0; m < count; ++m) {
          const auto at = static_cast<std::size_t>(spin * (2 * z + 1) + 2 * m);
          of_slots.emplace_back(m <= z ? of_site[at] : 0U);
        }
      }
    }
  }
  std::vector<BitThreshold> all;
  for (int copy = 0; copy < chain.copies; ++copy) all.insert(all.end(), of_slots.begin(), of_slots.end());
  return all;
}

/// Of so many groups of 128 realizations.
SweepLoad load_of(const Chain& chain, int groups) {
  const Step moves(chain);
  const int sweeps = moves.repetitions() * moves.count(MoveKind::local);
  const bool ladders =
      chain.protocol.exchange == ExchangeSchedule::even_odd && moves.count(MoveKind::isoenergetic) == 0;
  return {chain.copies, chain.slots(), groups, sweeps, ladders};
}

class BitCourse final : public RoundCourse {
 public:
  BitCourse(const Chain& chain, const SweepKind& kind, const SweepShape& shape, const MultispinBatch& batch,
            BitMeasurement& measurement, std::uint32_t* d_swap_scratch, cudaStream_t stream)
      : chain_(chain),
        moves_(chain),
        kind_(kind),
        shape_(shape),
        batch_(batch),
        measurement_(measurement),
        d_swap_scratch_(d_swap_scratch),
        stream_(stream) {
    pack_states(batch_, stream_);
    measurement_.begin_round(stream_);
  }
  void end() {
    measurement_.end_round(batch_, stream_);
    unpack_states(batch_, stream_);
  }

  bool start_steps(int m, const RoundControl& control) override {
    const int n_A = chain_.protocol.exchanges_per_measurement;
    const auto first = static_cast<std::uint64_t>(m) * static_cast<std::uint64_t>(n_A);
    if (shape_.blocks_of_ladder > 0) {
      if (control.stop) return false;
      launch_ladders(kind_, shape_, batch_, first, n_A, stream_);
      return true;
    }
    for (int s = 0; s < n_A; ++s) {
      if (control.stop) return false;
      const std::uint64_t step = first + static_cast<std::uint64_t>(s);
      start_sweeps(step, s > 0 && exchanges_with_sweeps());
      if (s + 1 == n_A || !exchanges_with_sweeps()) launch_bit_exchange(batch_, step, stream_);
    }
    return true;
  }
  void start_measurement(int m) override {
    const bool sampled = is_sampled(m, chain_.measurements, chain_.samples);
    measurement_.launch(batch_, sampled ? samples_before(m, chain_.measurements, chain_.samples) : -1, stream_);
  }
  [[nodiscard]] int ahead() const override { return 4; }

 private:
  /// The sweeps and isoenergetic moves of a step, and the energies after them.
  void start_sweeps(std::uint64_t step, bool exchange) {
    const int n_B = moves_.count(MoveKind::local), n_I = moves_.count(MoveKind::isoenergetic);
    const int sweeps = moves_.repetitions() * n_B;
    if (n_I == 0) return launch_sweeps(kind_, shape_, batch_, {step, 0, sweeps, exchange, true}, stream_);
    if (exchange && moves_.moves().front().kind() != MoveKind::local) {
      launch_sweeps(kind_, shape_, batch_, {step, 0, 0, true, false}, stream_);
      exchange = false;
    }
    for (int t = 0; t < moves_.repetitions(); ++t) {
      for (const PlacedMove& move : moves_.moves()) {
        if (move.kind() == MoveKind::local) {
          const int begin = t * n_B + move.first;
          launch_sweeps(kind_, shape_, batch_, {step, begin, begin + move.count, exchange, false}, stream_);
          exchange = false;
        } else {
          const int begin = t * n_I + move.first;
          launch_bit_swap(batch_, step, begin, begin + move.count, chain_.isoenergetic_slots(), d_swap_scratch_,
                          stream_);
        }
      }
    }
    launch_sweeps(kind_, shape_, batch_, {step, sweeps, sweeps, false, true}, stream_);
  }
  /// Whether the kernel of a step makes the exchanges of the one before.
  [[nodiscard]] bool exchanges_with_sweeps() const {
    return shape_.places > 0 && chain_.protocol.exchange == ExchangeSchedule::even_odd;
  }

  const Chain& chain_;
  const Step moves_;
  const SweepKind& kind_;
  const SweepShape& shape_;
  MultispinBatch batch_;
  BitMeasurement& measurement_;
  std::uint32_t* d_swap_scratch_;
  cudaStream_t stream_;
};

}  // namespace

void DeviceMultispinRounds::begin(const Chain& chain, std::span<const RoundTask> tasks, const DeviceBatch& common,
                                  cudaStream_t stream) {
  bool diluted = false;
  const std::int64_t past_ends = chain.lattice.bond_places() - chain.lattice.bonds();
  std::vector<CouplingCount> couplings;  // [task]
  modulus_ = 0.0F;                       // all bonds of a realization may be absent
  for (const RoundTask& task : tasks) {
    couplings.push_back(count_couplings(task.disorder->couplings));
    modulus_ = std::max(modulus_, couplings.back().modulus.value_or(0.0F));
    diluted = diluted || couplings.back().absent > past_ends;
  }
  constant_field_ = single_field(tasks.front().disorder->fields).value_or(0.0F);
  kind_ = kind_of(chain, diluted, constant_field_ != 0.0F);
  batch_ = {};
  batch_.common = common;
  batch_.sites = static_cast<int>(chain.lattice.sites());
  batch_.couplings = chain.lattice.bond_places();
  batch_.sweeps = chain.protocol.sweeps_per_exchange * chain.protocol.heatbath;
  if (chain.lattice.is_graph()) {
    begin_graph(chain, *tasks.front().disorder->graph, stream);
  } else {
    batch_.lattice = HalfLattice(chain.lattice);
  }
  const std::vector<MultispinGroup> groups = multispin_groups(tasks);
  shape_ = choose_shape(kind_, load_of(chain, static_cast<int>(groups.size())));
  prepare_sweeps(kind_, shape_);
  batch_.words = shape_.form.words;
  upload_thresholds(chain, constant_field_, stream);
  upload_lanes(tasks, groups, couplings, stream);
  reserve_bits(chain);
  pack_couplings(batch_, negative_.data(), batch_.d_absent == nullptr ? nullptr : absent_.data(), stream);
  measurement_ = std::make_unique<BitMeasurement>(chain, batch_);
}

/// Tests prescribe forms: "words memory", or "words 2", those of a pack, "words 2 ladders 0" and the blocks of a
/// ladder.
SweepKind DeviceMultispinRounds::kind_of(const Chain& chain, bool diluted, bool in_field) const {
  SweepKind kind{chain.lattice, diluted, chain.protocol.multispin, in_field, !diluted && chain.lattice.open != 0};
  const std::string& kernel = choices_.kernel;
  for (const int words : {1, 2, 4}) {
    if (kernel.starts_with("words " + std::to_string(words))) kind.words = words;
  }
  for (const int blocks : {0, 1, 2}) {
    if (kernel.ends_with("ladders " + std::to_string(blocks))) kind.blocks_of_ladder = blocks;
  }
  if (!chain.lattice.is_graph()) return kind;
  kind.graph = WordGraphSize::estimated(chain.lattice, kind.rule);
  kind.in_memory = kernel == "words memory";
  return kind;
}

void DeviceMultispinRounds::begin_graph(const Chain& chain, const SiteGraph& graph, cudaStream_t stream) {
  const WordGraphOrder order(chain.lattice, graph, kind_.rule, kind_.in_field);
  kind_.graph = order.size();
  degree_of_thresholds_ = order.degrees();
  batch_.graph = graph_.upload(order, staged_, stream);
  batch_.couplings = batch_.graph.links;
}

void DeviceMultispinRounds::upload_thresholds(const Chain& chain, float field, cudaStream_t stream) {
  const std::vector<BitThreshold> thresholds =
      chain.lattice.is_graph() ? thresholds_of_graph(chain, kind_, degree_of_thresholds_, modulus_, field)
                               : thresholds_of(chain, kind_, modulus_, field);
  auto* d_threshold = threshold_.reserve(thresholds.size());
  staged_.to_device(d_threshold, thresholds.data(), thresholds.size() * sizeof(BitThreshold), stream);
  batch_.d_threshold = d_threshold;
}

void DeviceMultispinRounds::set_conditions(const Chain& chain, std::span<const HeldTask> tasks, float factor,
                                           cudaStream_t stream) {
  const float field = scaled_field(constant_field_, factor);
  upload_thresholds(chain, field, stream);
  if (!kind_.in_field) return;
  std::vector<long long> field_term(task_of_lane_.size(), 0);
  for (std::size_t lane = 0; lane < field_term.size(); ++lane) {
    if (task_of_lane_[lane] < 0) continue;
    const Disorder& disorder = *tasks[static_cast<std::size_t>(task_of_lane_[lane])].disorder;
    field_term[lane] = to_fixed_clamped(field, disorder.energy_scale.multiplier());
  }
  staged_.to_device(field_term_.data(), field_term.data(), field_term.size() * sizeof(long long), stream);
}

/// Words of a group without realizations are left out.
void DeviceMultispinRounds::upload_lanes(std::span<const RoundTask> tasks, const std::vector<MultispinGroup>& groups,
                                         std::span<const CouplingCount> couplings, cudaStream_t stream) {
  const auto words = static_cast<std::size_t>(batch_.words);
  std::vector<BitPack> packs;
  std::vector<int> task_of_lane, bonds;
  std::vector<long long> term, field_term;
  for (const MultispinGroup& group : groups) {
    std::vector<std::size_t> of_word[4];
    for (const std::size_t t : group.tasks) of_word[tasks[t].realization % multispin_group / 32].push_back(t);
    std::size_t used = words;  // of the last pack
    for (std::uint32_t w = 0; w < 4; ++w) {
      if (of_word[w].empty()) continue;
      if (used == words) {
        packs.push_back({group.number, {1, 1, 1, 1}, static_cast<int>(of_word[w].front())});
        task_of_lane.resize(32 * words * packs.size(), -1);
        bonds.resize(task_of_lane.size(), 0);
        term.resize(task_of_lane.size(), 0);
        field_term.resize(task_of_lane.size(), 0);
        used = 0;
      }
      packs.back().turn[used] = multispin_turn(w);
      for (const std::size_t t : of_word[w]) {
        const std::size_t lane = 32 * (words * (packs.size() - 1) + used) + tasks[t].realization % 32;
        task_of_lane[lane] = static_cast<int>(t);
        bonds[lane] = static_cast<int>(std::ssize(tasks[t].disorder->couplings) - couplings[t].absent);
        const float multiplier = tasks[t].disorder->energy_scale.multiplier();
        term[lane] = to_fixed_clamped(couplings[t].modulus.value_or(0.0F), multiplier);
        field_term[lane] = to_fixed_clamped(single_field(tasks[t].disorder->fields).value_or(0.0F), multiplier);
      }
      ++used;
    }
  }
  batch_.packs = static_cast<int>(packs.size());
  const auto upload = [&](auto& buffer, const auto& from) {
    auto* d_to = buffer.reserve(from.size());
    staged_.to_device(d_to, from.data(), from.size() * sizeof(from.front()), stream);
    return d_to;
  };
  batch_.d_packs = upload(packs_, packs);
  batch_.d_task = upload(task_, task_of_lane);
  task_of_lane_ = task_of_lane;
  batch_.d_bonds = upload(bonds_, bonds);
  batch_.d_term = upload(term_, term);
  batch_.d_field_term = kind_.in_field ? upload(field_term_, field_term) : nullptr;
}

void DeviceMultispinRounds::reserve_bits(const Chain& chain) {
  const auto packs = static_cast<std::size_t>(batch_.packs), replicas = static_cast<std::size_t>(chain.replicas());
  const auto words = static_cast<std::size_t>(batch_.words);
  const auto couplings = packs * static_cast<std::size_t>(batch_.coupling_words());
  const std::size_t spins = packs * replicas * static_cast<std::size_t>(batch_.replica_words());
  const std::size_t lanes = packs * replicas * 32 * words;
  const bool twice = shape_.places > 0;
  batch_.d_spins = spins_.reserve(spins);
  batch_.d_next_spins = twice ? next_spins_.reserve(spins) : nullptr;
  batch_.d_negative = negative_.reserve(std::max<std::size_t>(couplings, 1));
  const bool moves_read_ends = kind_.open_ends && chain.protocol.isoenergetic > 0;
  batch_.d_absent = kind_.diluted || moves_read_ends ? absent_.reserve(couplings) : nullptr;
  batch_.d_unsatisfied = unsatisfied_.reserve(lanes);
  batch_.d_down = kind_.in_field ? down_.reserve(lanes) : nullptr;
  batch_.d_walker = walker_.reserve(lanes);
  batch_.d_next_unsatisfied = twice ? next_unsatisfied_.reserve(lanes) : nullptr;
  batch_.d_next_down = twice && kind_.in_field ? next_down_.reserve(lanes) : nullptr;
  batch_.d_next_walker = twice ? next_walker_.reserve(lanes) : nullptr;
  batch_.d_mask = mask_.reserve(packs * replicas * words);
}

RoundOutcome DeviceMultispinRounds::run(const Chain& chain, RoundControl& control, cudaStream_t stream) {
  std::uint32_t* d_swap_scratch = nullptr;
  if (const std::size_t words = chain.protocol.isoenergetic > 0 ? swap_scratch_words(batch_) : 0; words > 0) {
    d_swap_scratch = swap_scratch_.reserve(words);
  }
  BitCourse course(chain, kind_, shape_, batch_, *measurement_, d_swap_scratch, stream);
  const RoundOutcome outcome =
      run_round_course(chain, static_cast<std::size_t>(batch_.common.tasks), course, control, stream);
  if (outcome == RoundOutcome::finished) course.end();
  return outcome;
}

double DeviceMultispinRounds::bytes_per_task(const Chain& chain) {
  const auto sites = static_cast<double>(chain.lattice.sites()), bonds = static_cast<double>(chain.lattice.bonds());
  const bool graph = chain.lattice.is_graph();
  const int swapped = chain.protocol.isoenergetic > 0 ? chain.replicas() : 0;  // two words for a pair
  // Couplings of a graph stand at both ends of a bond, and none is absent; rows of links are not quite full.
  const double of_couplings = graph ? 2.2 * bonds : 4.0 * chain.lattice.dim * sites;
  const double bits = (sites * (2 * chain.replicas() + swapped) + of_couplings) / 8;
  const double bytes = 2 * sites * chain.replicas();  // before a round and after it
  const double bins = 8.0 * chain.slots() * BinLayout(chain).size() * (1 + chain.samples / 2);
  return bytes + bits + 4.0 * (graph ? bonds : chain.lattice.dim * sites) + bins + 150.0 * chain.replicas() +
         BitMeasurement::bytes_per_pack(chain, 1) / 32;
}

std::string DeviceMultispinRounds::description(const Chain& chain) const {
  constexpr int many = 64;
  return choose_shape(kind_of(chain, false, false), load_of(chain, many)).description();
}

}}  // namespace glassworks::cuda
