#include <algorithm>
#include <bit>
#include <mutex>

#include "base/threads.hpp"
#include "kernels/models/model_facts.hpp"
#include "kernels/series/bit_rows.hpp"
#include "kernels/series/discrete_sums.hpp"
#include "kernels/series/graph_sums.hpp"
#include "kernels/series/lane_fields.hpp"
#include "kernels/series/series_sums.hpp"

namespace glassworks { inline namespace series {
namespace {

/// Spins of one replica: bit k of all states.
using StateBits = std::vector<BitRows>;

/// Discrete spins of one slot whose overlaps have two values, or three with 0. States 0 and 1 of ising and blume-capel
/// are -1 and 1, bit 1 is set where s = 0.
class BitSeries {
 public:
  BitSeries(const SeriesInput& in, int slot)
      : in_(in),
        slot_(slot),
        model_(in.chain.model),
        shape_(in.lattice()),
        valid_(shape_.all()),
        all_planes_(in.has_planes_of_rows() ? shape_.planes(valid_) : std::vector<std::int64_t>()),
        axes_(lag_axes(in.chain.lattice)),
        diagonals_(lag_diagonals(in.chain.lattice)),
        blocks_(row_blocks(in.lattice(), std::max(1, sites_at_once / in.lattice().length(0)))),
        potts_(model_.kind == ModelKind::potts),
        bits_(std::bit_width(static_cast<unsigned>(std::max(facts_of(model_).states - 1, facts_of(model_).absent)))),
        masked_(potts_ || bits_ > 1),
        spins_(static_cast<std::size_t>(in.chain.copies)) {
    parallel_for(spins_.size(), in.threads, [&](std::size_t copy) { spins_[copy] = bits_of(states(copy)); });
  }

  void measure(double* row) const {
    DiscreteSums sums(in_.lattice());
    if (potts_) {
      row[in_.layout.at(Q::magnetization_2)] = potts_order();
    } else {
      for (std::size_t copy = 0; copy < spins_.size(); ++copy) sums.spins.planes.push_back(planes_of(down(copy)));
    }
    if (in_.chain.copies > 1) sum_pairs(sums.pairs);
    for (std::size_t t = 0; t < in_.kept.size(); ++t) sum_reference(t, sums.references.emplace_back(in_.lattice()));
    put_discrete(in_.layout, sums, row);
  }

 private:
  using Q = SeriesQuantity;
  static constexpr int sites_of_part = 2048;    ///< the same of the cache of the first level
  static constexpr int sites_at_once = 16384;   ///< of 64 fields: a block stays in the cache
  static constexpr std::size_t few_fields = 6;  ///< one by one, these take less time than side by side

  [[nodiscard]] const std::uint8_t* states(std::size_t copy) const {
    return in_.state.states.data() + in_.replica(static_cast<int>(copy), slot_) * in_.lattice().sites();
  }
  [[nodiscard]] StateBits bits_of(const std::uint8_t* states) const {
    StateBits bits(static_cast<std::size_t>(bits_), shape_.empty());
    for (int k = 0; k < bits_; ++k) pack_bits(shape_, states, k, bits[static_cast<std::size_t>(k)]);
    return bits;
  }
  [[nodiscard]] StateBits kept_bits(std::size_t reference, std::size_t copy) const {
    const KeptSpins& kept = in_.kept[reference];
    const int replica = in_.replica(static_cast<int>(copy), slot_);
    if (bits_ == 1) {
      StateBits bits(1, shape_.empty());
      unpack_bits(shape_, kept.bits, replica * in_.lattice().sites(), bits[0]);
      return bits;
    }
    std::vector<std::uint8_t> states(static_cast<std::size_t>(in_.lattice().sites()));
    kept_states(in_.chain, kept, replica, states);
    return bits_of(states.data());
  }

  /// The overlap of two replicas. potts: where states are equal; otherwise where spins differ in sign.
  [[nodiscard]] BitField overlap(const StateBits& a, const StateBits& b) const {
    BitField q{a[0], {}};
    for (std::size_t i = 0; i < valid_.size(); ++i) q.bit[i] ^= b[0][i];
    if (potts_) {
      for (std::size_t k = 1; k < a.size(); ++k) {
        for (std::size_t i = 0; i < valid_.size(); ++i) q.bit[i] |= a[k][i] ^ b[k][i];
      }
      for (std::size_t i = 0; i < valid_.size(); ++i) q.bit[i] = ~q.bit[i] & valid_[i];
    }
    if (masked_) q.mask = valid_;
    if (!potts_ && bits_ > 1) {
      for (std::size_t i = 0; i < valid_.size(); ++i) {
        q.mask[i] &= ~(a[1][i] | b[1][i]);
        q.bit[i] &= q.mask[i];
      }
    }
    return q;
  }
  /// Sum of f f' over counted pairs of sites: f = +-1 or 0, or q delta - 1.
  [[nodiscard]] std::int64_t value(const BitCounts& counts) const {
    if (!potts_) return counts.terms - 2 * counts.different;
    const std::int64_t p = model_.states - 1;
    return p * p * counts.both - p * counts.different + (counts.terms - counts.both - counts.different);
  }
  /// Sums of f over planes.
  [[nodiscard]] std::vector<std::int64_t> planes(const BitField& field) const {
    std::vector<std::int64_t> sums = field.mask.empty() ? all_planes_ : shape_.planes(field.mask);
    const std::vector<std::int64_t> bits = shape_.planes(field.bit);
    for (std::size_t i = 0; i < sums.size(); ++i) {
      sums[i] = potts_ ? model_.states * bits[i] - sums[i] : sums[i] - 2 * bits[i];
    }
    return sums;
  }
  /// The same on a graph.
  [[nodiscard]] std::vector<std::int64_t> planes_of(const BitField& field) const {
    if (in_.has_planes_of_rows()) return planes(field);
    return graph_planes(in_.chain.lattice, *in_.graph(), values_of(field));
  }
  /// Adds the sums over a block of rows.
  void add_lags(const LaneFields& fields, const RowBlock& block, bool diagonals, LagSums& sums) const {
    const auto over = [&](const std::vector<Displacement>& steps, int r, const RowBlock& part) {
      BitCounts counts;
      for (const Displacement& step : steps) counts.add(fields.sum(times(r, step), part, in_.kernels));
      return value(counts);
    };
    const int rows = std::max(1, sites_of_part / in_.lattice().length(0));
    for (int r = 0; r < in_.layout.lags(); ++r) {
      for (int y = 0; y < block.rows; y += rows) {
        const RowBlock part{block.first + y, std::min(rows, block.rows - y)};
        sums.axis[static_cast<std::size_t>(r)] += over(axes_, r, part);
        if (diagonals) sums.diagonal[static_cast<std::size_t>(r)] += over(diagonals_, r, part);
      }
    }
    for (int bond = 0; bond < in_.bond_steps() && !potts_; ++bond) {
      sums.link += value(fields.sum(bond_displacement(in_.lattice(), bond), block, in_.kernels));
    }
  }
  /// f at each site: +-1 or 0, or q delta - 1.
  [[nodiscard]] std::vector<std::int64_t> values_of(const BitField& field) const {
    std::vector<std::int64_t> f(static_cast<std::size_t>(in_.lattice().sites()));
    shape_.for_bits(field.bit,
                    [&](std::size_t site, int bit) { f[site] = potts_ ? model_.states * bit - 1 : 1 - 2 * bit; });
    if (potts_ || field.mask.empty()) return f;
    shape_.for_bits(field.mask, [&](std::size_t site, int there) { f[site] *= there; });
    return f;
  }
  /// Planes and bonds of a graph, for each of many fields; bonds of potts are not those of its overlaps.
  template <class Field>
  void sum_graph(std::size_t fields, const Field& field, FieldSums& sums) const {
    std::mutex mutex;
    parallel_for(fields, in_.threads, [&](std::size_t i) {
      const std::vector<std::int64_t> f = values_of(field(i));
      sums.planes[i] = graph_planes(in_.chain.lattice, *in_.graph(), f);
      if (potts_) return;
      const std::int64_t link = graph_links(*in_.graph(), [&](std::size_t a, std::size_t b) { return f[a] * f[b]; }) +
                                graph_products(*in_.graph(), f);
      const std::lock_guard lock(mutex);
      sums.lags.link += link;
    });
  }
  /// Bonds of a graph whose ends are in one state, 64 in a word.
  [[nodiscard]] BitRows equal_graph_bonds(const StateBits& s) const {
    std::vector<int> state(static_cast<std::size_t>(in_.lattice().sites()), 0);
    for (std::size_t k = 0; k < s.size(); ++k) {
      shape_.for_bits(s[k], [&](std::size_t site, int bit) { state[site] |= bit << k; });
    }
    BitRows equal((in_.graph()->bonds().size() + 63) / 64, 0);
    std::size_t bond = 0;
    (void)graph_links(*in_.graph(), [&](std::size_t a, std::size_t b) {
      equal[bond / 64] |= std::uint64_t{state[a] == state[b] ? 1U : 0U} << bond % 64;
      ++bond;
      return 0;
    });
    return equal;
  }

  /// potts: bonds whose ends are in one state [bond].
  [[nodiscard]] std::vector<BitRows> equal_bonds(const StateBits& s) const {
    if (in_.graph() != nullptr) return {equal_graph_bonds(s)};
    std::vector<BitRows> bonds;
    const bool open = in_.lattice().is_open(0);
    StateBits next;
    for (const BitRows& bit : s) next.push_back(shape_.shifted(bit, 1));
    const BitRows last = open ? shape_.shifted(valid_, 1) : valid_;
    for (int bond = 0; bond < in_.lattice().owned(); ++bond) {
      BitRows& equal = bonds.emplace_back(shape_.empty());
      const Displacement d = bond_displacement(in_.lattice(), bond);
      for_row_runs(in_.lattice(), d, [&](const RowRun& run) {
        for (int i = 0; i < run.rows * shape_.words; ++i) {
          const auto here = static_cast<std::size_t>(run.row * shape_.words + i);
          const auto there = static_cast<std::size_t>(run.other * shape_.words + i);
          std::uint64_t differ = 0;
          for (std::size_t k = 0; k < s.size(); ++k) differ |= s[k][here] ^ (d[0] != 0 ? next[k] : s[k])[there];
          equal[here] = ~differ & valid_[here] & (d[0] != 0 ? last : valid_)[there];
        }
      });
    }
    return bonds;
  }
  [[nodiscard]] static std::int64_t equal_in_both(const std::vector<BitRows>& a, const std::vector<BitRows>& b) {
    std::int64_t sum = 0;
    for (std::size_t bond = 0; bond < a.size(); ++bond) {
      for (std::size_t i = 0; i < a[bond].size(); ++i) sum += count_bits(a[bond][i] & b[bond][i]);
    }
    return sum;
  }

  /// Sums of f f' over all sites x and x + d, of a field that is everywhere. there: f(x + |d_x|)
  [[nodiscard]] std::int64_t lag_of(const BitRows& f, const BitRows& there, Displacement d) const {
    if (d[0] < 0) {  // the same pairs of sites
      for (int& component : d) component = -component;
    }
    const std::uint64_t* const other = d[0] != 0 ? there.data() : f.data();
    BitCounts counts;
    for_row_runs(in_.lattice(), d, [&](const RowRun& run) {
      const auto at = [&](const std::uint64_t* rows, std::int64_t row) {
        return reinterpret_cast<const std::uint8_t*>(rows + row * shape_.words);
      };
      const std::size_t bytes = static_cast<std::size_t>(run.rows * shape_.words) * sizeof(std::uint64_t);
      counts.terms += std::int64_t{run.rows} * in_.lattice().length(0);
      counts.different += in_.kernels.count_different({at(f.data(), run.row), at(other, run.other), nullptr, nullptr,
                                                       bytes, static_cast<std::ptrdiff_t>(bytes), 1});
    });
    return value(counts);
  }
  /// Lags of one field that is everywhere, on a lattice that is periodic along x: rows of 64 sites a word.
  void sum_lags(const BitRows& f, bool diagonals, LagSums& sums) const {
    parallel_for(static_cast<std::size_t>(in_.layout.lags()), in_.threads, [&](std::size_t r) {
      const BitRows there = shape_.shifted(f, static_cast<int>(r));
      for (const Displacement& step : axes_) sums.axis[r] += lag_of(f, there, times(static_cast<int>(r), step));
      for (std::size_t i = 0; i < (diagonals ? diagonals_.size() : 0); ++i) {
        sums.diagonal[r] += lag_of(f, there, times(static_cast<int>(r), diagonals_[i]));
      }
    });
    const BitRows next = shape_.shifted(f, 1 % in_.lattice().length(0));
    for (int bond = 0; bond < in_.bond_steps(); ++bond) {
      sums.link += lag_of(f, next, bond_displacement(in_.lattice(), bond));
    }
  }

  /// Sums over many fields, number i of which is field(i): planes of each of them, and lags of all.
  template <class Field>
  void sum_fields(std::size_t fields, bool diagonals, const Field& field, FieldSums& sums) const {
    sums.planes.resize(fields);
    if (in_.graph() != nullptr) sum_graph(fields, field, sums);
    if (in_.layout.lags() == 0) return;
    if (fields <= few_fields && !masked_ && !in_.lattice().is_open(0)) {
      for (std::size_t i = 0; i < fields; ++i) {
        const BitField f = field(i);
        sums.planes[i] = planes(f);
        sum_lags(f.bit, diagonals, sums.lags);
      }
      return;
    }
    for (std::size_t first = 0; first < fields; first += LaneFields::most) {
      const std::size_t n = std::min<std::size_t>(LaneFields::most, fields - first);
      std::vector<BitField> f(n);
      parallel_for(n, in_.threads, [&](std::size_t lane) {
        f[lane] = field(first + lane);
        sums.planes[first + lane] = planes(f[lane]);
      });
      LaneFields lanes(in_.lattice(), static_cast<int>(n), masked_);
      parallel_for(blocks_.size(), in_.threads, [&](std::size_t block) {
        lanes.fill(blocks_[block], [&](int lane, std::size_t i) { return f[static_cast<std::size_t>(lane)].bit[i]; });
        if (masked_) {
          lanes.fill_mask(blocks_[block],
                          [&](int lane, std::size_t i) { return f[static_cast<std::size_t>(lane)].mask[i]; });
        }
      });
      std::mutex mutex;
      parallel_for(blocks_.size(), in_.threads, [&](std::size_t block) {
        LagSums own(in_.lattice());
        add_lags(lanes, blocks_[block], diagonals, own);
        const std::lock_guard lock(mutex);
        sums.lags.add(own);
      });
    }
  }

  /// |m|^2 of potts, averaged over the copies.
  [[nodiscard]] double potts_order() const {
    const double N = in_.sites();
    double m2 = 0.0;
    for (std::size_t copy = 0; copy < spins_.size(); ++copy) {
      std::vector<std::int64_t> number(static_cast<std::size_t>(model_.states), 0);
      const std::uint8_t* s = states(copy);
      for (std::int64_t i = 0; i < in_.lattice().sites(); ++i) ++number[s[i]];
      double square = 0.0;
      for (const std::int64_t n : number) square += static_cast<double>(n) * static_cast<double>(n);
      m2 += std::max(0.0, (model_.states * (square / (N * N)) - 1.0) / (model_.states - 1.0));
    }
    return m2 / static_cast<double>(spins_.size());
  }
  /// The spins of a copy: 1 where s = -1.
  [[nodiscard]] BitField down(std::size_t copy) const {
    BitField field{spins_[copy][0], valid_};
    for (std::size_t i = 0; i < valid_.size(); ++i) {
      if (bits_ > 1) field.mask[i] &= ~spins_[copy][1][i];
      field.bit[i] = ~field.bit[i] & field.mask[i];
    }
    return field;
  }

  void sum_pairs(FieldSums& sums) const {
    sum_fields(
        in_.pairs.size(), !diagonals_.empty(),
        [&](std::size_t i) {
          return overlap(spins_[static_cast<std::size_t>(in_.pairs[i].a)],
                         spins_[static_cast<std::size_t>(in_.pairs[i].b)]);
        },
        sums);
    if (!potts_) return;
    std::vector<std::vector<BitRows>> bonds;
    for (const StateBits& s : spins_) bonds.push_back(equal_bonds(s));
    for (const SeriesPair& pair : in_.pairs) {
      sums.lags.link += equal_in_both(bonds[static_cast<std::size_t>(pair.a)], bonds[static_cast<std::size_t>(pair.b)]);
    }
  }

  void sum_reference(std::size_t t, FieldSums& sums) const {
    sum_fields(
        spins_.size(), false, [&](std::size_t copy) { return overlap(spins_[copy], kept_bits(t, copy)); }, sums);
    for (std::size_t copy = 0; copy < spins_.size() && potts_; ++copy) {
      sums.lags.link += equal_in_both(equal_bonds(spins_[copy]), equal_bonds(kept_bits(t, copy)));
    }
  }

  const SeriesInput& in_;
  int slot_;
  SpinModel model_;
  BitShape shape_;
  BitRows valid_;
  std::vector<std::int64_t> all_planes_;  ///< sites of each plane
  std::vector<Displacement> axes_, diagonals_;
  std::vector<RowBlock> blocks_;
  bool potts_;
  int bits_;                      ///< of a state
  bool masked_;                   ///< whether fields have masks
  std::vector<StateBits> spins_;  ///< [copy]
};

}  // namespace

void measure_bits(const SeriesInput& in, int slot, double* row) { BitSeries(in, slot).measure(row); }

}}  // namespace glassworks::series
