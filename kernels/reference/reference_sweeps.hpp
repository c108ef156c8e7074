#pragma once

#include <algorithm>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "kernels/core/addresses.hpp"
#include "kernels/core/lattice_table.hpp"
#include "kernels/models/activation.hpp"
#include "kernels/models/anisotropy.hpp"
#include "kernels/models/for_model.hpp"
#include "kernels/models/multispin.hpp"
#include "kernels/models/site_array.hpp"
#include "kernels/models/vector_chain.hpp"
#include "kernels/reference/reference_copies.hpp"
#include "kernels/rounds/beside.hpp"
#include "kernels/rounds/bond_view.hpp"
#include "kernels/rounds/chain.hpp"
#include "kernels/rounds/moves.hpp"

namespace glassworks { inline namespace reference {

/// All terms of a site, or those that it owns.
enum class TermsOfSite { all, owned };

/// The local sweeps of one replica by their plain definition, one site at a time, for every model M (for_model.hpp).
/// Absent sites are emptied at the start and stay so. Refers to its spins; owns nothing.
template <class M>
class ReferenceSweeps {
 public:
  using Site = typename M::Site;
  static constexpr int n = M::components;

  ReferenceSweeps(const Chain& chain, const Disorder& disorder, std::uint32_t realization, std::uint32_t replica,
                  SiteArray<Site> sites, std::shared_ptr<const LatticeTable> table, std::int64_t* beside,
                  const exact::Phi4Weight& phi4 = {})
      : chain_(chain),
        lattice_(chain.lattice),
        table_(std::move(table)),
        disorder_(disorder),
        bonds_(chain.lattice, disorder.graph.get()),
        kind_(vector_chain(chain.model)),
        realization_(realization),
        replica_(replica),
        sites_(sites),
        beside_(beside),
        layout_(chain),
        phi4_(phi4) {
    for (std::size_t i = 0; i < disorder.absent.size(); ++i) {
      if (disorder.absent[i] != 0) set_site(static_cast<std::int64_t>(i), absent_site<M>());
    }
    if (!is_multispin()) return;
    const float modulus = single_modulus(disorder.couplings).value_or(0.0F);
    const float field = single_field(disorder.fields).value_or(0.0F);
    for (const float beta : chain.beta) {
      if (lattice_.is_graph()) {
        thresholds_by_degree_.emplace_back();
        for (std::int64_t i = 0; i < lattice_.sites(); ++i) {
          const std::size_t z = table_->links(i).size();
          auto& of_slot = thresholds_by_degree_.back();
          of_slot.resize(std::max(of_slot.size(), z + 1));
          if (!of_slot[z].empty()) continue;
          of_slot[z] =
              multispin_thresholds_in_field(chain.protocol.multispin, beta, modulus, static_cast<int>(z), field);
        }
        continue;
      }
      if (chain.has_copy_lanes()) {
        levels_.push_back(copy_levels(chain.protocol.multispin, beta, modulus, 2 * lattice_.owned()));
        continue;
      }
      thresholds_.push_back(
          multispin_thresholds_in_field(chain.protocol.multispin, beta, modulus, 2 * lattice_.owned(), field));
    }
  }

  [[nodiscard]] Site site(std::int64_t i) const { return sites_.load(i); }
  void set_site(std::int64_t i, const Site& s) { sites_.store(i, s); }
  /// J of the bond with a neighbour.
  [[nodiscard]] float coupling(const LatticeTable::Link& link) const {
    return disorder_.couplings[static_cast<std::size_t>(link.place)];
  }
  /// H_i; 0 where there are none.
  [[nodiscard]] exact::Vector<n> site_field(std::int64_t i) const {
    exact::Vector<n> H{};
    for (int k = 0; disorder_.has_fields() && k < n; ++k) {
      H.c[k] = disorder_.fields[static_cast<std::size_t>(i * n + k)];
    }
    return H;
  }
  /// D (n_i.s)^2; 0 where there is no anisotropy.
  [[nodiscard]] float anisotropy(std::int64_t i, const Site& s) const {
    if constexpr (has_axes) {
      if (!disorder_.axes.empty()) return exact::anisotropy_term(disorder_.anisotropy, axis(i), s);
    }
    return 0.0F;
  }
  [[nodiscard]] float anisotropy(std::int64_t i) const { return anisotropy(i, site(i)); }
  [[nodiscard]] typename M::Neighbours neighbours(std::int64_t i) const {
    typename M::Neighbours h{};
    if constexpr (M::has_fields) {
      if (disorder_.has_fields()) M::start(h, site_field(i));
    }
    bool first = !disorder_.has_fields();
    for (const LatticeTable::Link& link : table_->links(i)) {
      M::add_bond(chain_.model, h, coupling(link), site(link.site), first);
      first = false;
    }
    if constexpr (has_products<M>) {  // after the bonds, to 0 where there are none
      bonds_.for_terms(i, [&](std::span<const std::int32_t> term, std::int64_t place) {
        M::add_bond(chain_.model, h, disorder_.couplings[static_cast<std::size_t>(place)], others(term, i), false);
      });
    }
    return h;
  }

  /// Sweeps of single spins that follow each other in a repetition of a step at a slot: all of them in a tile, then in
  /// the next one.
  void sweep(const Step& step, std::span<const PlacedMove> moves, std::uint64_t repetition, int slot) {
    slot_ = static_cast<std::size_t>(slot);
    const float beta = chain_.beta[slot_];
    SweepConstants constants{exact::LocalTemperature(beta), 0, chain_.model, phi4_};
    for_each_tile([&](const Lattice::Coordinates& origin, int edge) {
      step.for_each(moves, repetition, [&](const NumberedMove& move) {
        sweep_ = move.sweep;
        constants.sweep = move.number;
        const bool local = move.kind() == MoveKind::local;
        for_each_site(origin, edge, [&](std::int64_t i, int colour) {
          if (disorder_.is_absent(i)) return;
          if (local) {
            local_update(i, constants, colour);
          } else {
            over_relax(i);
          }
        });
      });
    });
  }

  /// The energy of a site with the spin s, of the terms that the energy of a replica has, each rounded at its scale.
  [[nodiscard]] std::int64_t energy(std::int64_t i, const Site& s) const {
    const float scale = disorder_.energy_scale.multiplier();
    std::int64_t sum = 0;
    if constexpr (M::has_fields) {
      if (disorder_.has_fields()) sum -= to_fixed_clamped(M::in_field(chain_.model, site_field(i), s), scale);
    }
    if constexpr (M::has_site_energy) {
      sum += to_fixed_clamped(static_cast<float>(M::site_energy(chain_.model, s)), scale);
    }
    sum -= to_fixed_clamped(anisotropy(i, s), scale);
    for (const LatticeTable::Link& link : table_->links(i)) {
      const Site other = site(link.site);
      const float x = link.owned ? M::product(chain_.model, s, other) : M::product(chain_.model, other, s);
      sum -= to_fixed_clamped(exact::mul(coupling(link), x), scale);
    }
    return sum + energy_of_terms(i, s, TermsOfSite::all);
  }
  /// The part of terms of more than two spins.
  [[nodiscard]] std::int64_t energy_of_terms(std::int64_t i, const Site& s, TermsOfSite which) const {
    std::int64_t sum = 0;
    if constexpr (has_products<M>) {
      bonds_.for_terms(i, [&](std::span<const std::int32_t> term, std::int64_t place) {
        if (which == TermsOfSite::owned && term.front() != i) return;
        const float J = disorder_.couplings[static_cast<std::size_t>(place)];
        sum -= to_fixed_clamped(exact::mul(J, M::product(chain_.model, s, others(term, i))),
                                disorder_.energy_scale.multiplier());
      });
    }
    return sum;
  }

  /// What local updates that reject did since clear_accepted; whether a |phi| was too large.
  [[nodiscard]] std::uint64_t accepted() const { return accepted_; }
  void clear_accepted() { accepted_ = 0; }
  [[nodiscard]] bool too_large() const { return too_large_; }

 private:
  [[nodiscard]] Site others(std::span<const std::int32_t> term, std::int64_t i) const {
    return product_of_others<M>(term, i, [this](std::int64_t j) { return site(j); });
  }

  static constexpr bool has_axes = !M::discrete && !M::free_modulus;

  [[nodiscard]] Site axis(std::int64_t i) const {
    Site axis{};
    for (int k = 0; k < n; ++k) axis.c[k] = disorder_.axes[static_cast<std::size_t>(i * n + k)];
    return axis;
  }
  /// Moves a site, unless the anisotropy rejects the move (anisotropy_accepts). The word:
  /// stream anisotropy, sweeps of both kinds counted on, word site mod 4 of block site / 4.
  void propose(std::int64_t i, const Site& moved) {
    if constexpr (has_axes) {
      if (!disorder_.axes.empty()) {
        const float after = exact::anisotropy_term(disorder_.anisotropy, axis(i), moved);
        const RandomBlock words = random_block(chain_.key, Stream::anisotropy, realization_, replica_, sweep_,
                                               static_cast<std::uint32_t>(i / 4));
        if (!exact::anisotropy_accepts(chain_.beta[slot_], anisotropy(i), after, words.word[i % 4])) return;
      }
    }
    set_site(i, moved);
  }

  /// visit(origin, edge): the even tiles, then the odd ones; without tiles the whole lattice.
  template <class Visit>
  void for_each_tile(const Visit& visit) const {
    if (chain_.protocol.tile == 0) return visit({}, lattice_.L);
    const int edge = chain_.protocol.tile;
    const Lattice tiles{lattice_.dim, lattice_.L / edge};
    for (int colour = 0; colour < 2; ++colour) {
      for (std::int64_t tile = 0; tile < tiles.sites(); ++tile) {
        if (tiles.parity(tile) != colour) continue;
        Lattice::Coordinates origin = tiles.coordinates(tile);
        for (int& x : origin) x *= edge;
        visit(origin, edge);
      }
    }
  }
  /// visit(site, colour) in a tile: one colour after the other.
  template <class Visit>
  void for_each_site(const Lattice::Coordinates& origin, int edge, const Visit& visit) const {
    const Lattice tile{lattice_.dim, edge};
    for (int colour = 0; colour < table_->colours(); ++colour) {
      if (edge == lattice_.L) {
        for (const std::int32_t i : table_->sites_of(colour)) visit(i, colour);
        continue;
      }
      for (std::int64_t place = 0; place < tile.sites(); ++place) {
        Lattice::Coordinates c = tile.coordinates(place);
        for (std::size_t axis = 0; axis < c.size(); ++axis) c[axis] += origin[axis];
        const std::int64_t i = lattice_.site(c);
        if (table_->colour(i) == colour) visit(i, colour);
      }
    }
  }

  void over_relax(std::int64_t i) {
    if constexpr (!M::discrete) {
      const bool conserving = chain_.protocol.heatbath == 0 && !kind_.renormalizes;
      propose(i, conserving ? exact::over_relax_conserving(site(i), neighbours(i))
                            : exact::over_relax(site(i), neighbours(i)));
    }
  }

  [[nodiscard]] bool is_multispin() const { return chain_.protocol.multispin != MultispinRule::off; }

  /// Multi-spin coding by its definition: see multispin_thresholds and multispin_word.
  void multispin_update(std::int64_t i, std::uint64_t sweep, int colour) {
    if constexpr (M::discrete) {
      const std::vector<std::uint32_t>& threshold =
          lattice_.is_graph() ? thresholds_by_degree_[slot_][table_->links(i).size()] : thresholds_[slot_];
      std::size_t m = site(i) == 0 ? threshold.size() / 2 : 0;
      const auto add = [&](float J, std::int64_t neighbour) {
        m += J == 0.0F ? 1 : exact::is_satisfied(J, site(i), site(neighbour)) ? 0 : 2;
      };
      for (const LatticeTable::Link& link : table_->links(i)) add(coupling(link), link.site);
      const WordAddress address =
          lattice_.is_graph() ? graph_multispin_address(i) : multispin_address(lattice_, lattice_.coordinates(i));
      const auto place = static_cast<std::uint32_t>(chain_.place_of(replica_, static_cast<int>(slot_)));
      const RandomBlock words = random_block(chain_.key, Stream::multispin, realization_ / multispin_group, place,
                                             colour_sweep(lattice_, sweep, colour), address.block);
      if (multispin_word(words.word[address.word], realization_) >= threshold[m]) {
        set_site(i, static_cast<Site>(1 - site(i)));
      }
    }
  }

  /// The same where lanes are copies: see CopyLevels.
  void copy_update(std::int64_t i, std::uint64_t sweep, int colour) {
    if constexpr (M::discrete) {
      const auto slots = static_cast<std::uint32_t>(chain_.slots());
      const ReferenceCopy random(chain_, realization_, replica_ / slots, static_cast<std::uint32_t>(slot_),
                                 half_sweep(sweep, colour), lattice_.coordinates(i));
      if (chain_.protocol.multispin == MultispinRule::heat_bath) set_site(i, static_cast<Site>(random.spin()));
      int unsatisfied = 0;
      for (const LatticeTable::Link& link : table_->links(i)) {
        unsatisfied += exact::is_satisfied(coupling(link), site(i), site(link.site)) ? 0 : 1;
      }
      if (unsatisfied + random.level(levels_[slot_]) >= lattice_.owned()) set_site(i, static_cast<Site>(1 - site(i)));
    }
  }

  /// What an update of SiteUpdates sees of a site.
  struct UpdateContext {
    const ReferenceSweeps& sweeps;
    const SweepConstants& of_sweep;
    std::int64_t site;
    int colour;
    Site spin;
    typename M::Neighbours known;

    [[nodiscard]] const Site& here() const { return spin; }
    [[nodiscard]] const SweepConstants& constants() const { return of_sweep; }
    [[nodiscard]] std::int64_t sites() const { return sweeps.lattice_.sites(); }
    [[nodiscard]] std::int64_t index() const { return site; }
    [[nodiscard]] float gain(const Site& s) const {
      return site_gain<M>(known, of_sweep.model, s, sweeps.anisotropy(site, s));
    }
    [[nodiscard]] std::int64_t energy(const Site& s) const { return sweeps.energy(site, s); }
    [[nodiscard]] RandomBlock words(int k) const { return block(colour, update_block(site, sites(), k)); }
    [[nodiscard]] RandomBlock sweep_words() const { return block(0, sweep_block); }
    [[nodiscard]] float width() const {
      return sweeps.layout_.widths > 0 ? width_of(sweeps.beside_[sweeps.slot_]) : 1.0F;
    }
    [[nodiscard]] std::int64_t& reserve(std::int64_t j) const {
      return sweeps.beside_[sweeps.layout_.reserves_of(sweeps.replica_) + j];
    }
    [[nodiscard]] RandomBlock block(int of_colour, std::uint32_t index) const {
      return random_block(sweeps.chain_.key, sweeps.kind_.local_stream, sweeps.realization_, sweeps.replica_,
                          colour_sweep(sweeps.lattice_, of_sweep.sweep, of_colour), index);
    }
  };

  void site_update(std::int64_t i, const SweepConstants& constants, int colour) {
    if constexpr (!M::free_modulus) {
      for_site_update(chain_.protocol.local, [&](auto update) {
        const SiteMove<M> move =
            decltype(update)::template move<M>(UpdateContext{*this, constants, i, colour, site(i), neighbours(i)});
        set_site(i, move.spin);
        accepted_ += move.accepted ? 1 : 0;
      });
    }
  }

  void local_update(std::int64_t i, const SweepConstants& constants, int colour) {
    if (chain_.has_copy_lanes()) return copy_update(i, constants.sweep, colour);
    if (is_multispin()) return multispin_update(i, constants.sweep, colour);
    if (chain_.protocol.local != SiteRule::heat_bath) return site_update(i, constants, colour);
    const HeatBathAddress address = table_->address(i);
    const std::uint32_t index = M::free_modulus ? static_cast<std::uint32_t>(i) : address.cell;
    const RandomBlock words = random_block(chain_.key, kind_.local_stream, realization_, replica_,
                                           colour_sweep(lattice_, constants.sweep, colour), index);
    if constexpr (M::free_modulus) {
      const auto move = M::local_update(site(i), neighbours(i), constants, words);
      set_site(i, move.phi);
      if (move.accepted) ++accepted_;
      too_large_ = too_large_ || move.too_large;
    } else {
      propose(i, M::local_update(site(i), neighbours(i), constants, words.word[2 * address.member],
                                 words.word[2 * address.member + 1]));
    }
  }

  const Chain& chain_;
  const Lattice lattice_;
  std::shared_ptr<const LatticeTable> table_;
  const Disorder& disorder_;
  const BondView bonds_;
  const VectorChain kind_;
  std::uint32_t realization_, replica_;
  SiteArray<Site> sites_;
  std::int64_t* beside_;
  const BesideLayout layout_;
  exact::Phi4Weight phi4_;
  std::vector<std::vector<std::uint32_t>> thresholds_;  ///< of multi-spin coding [slot][bit of the spin][m]
  std::vector<std::vector<std::vector<std::uint32_t>>> thresholds_by_degree_;  ///< the same of a graph [slot][degree]
  std::vector<CopyLevels> levels_;  ///< the same where lanes are copies [slot]
  std::size_t slot_ = 0;
  std::uint64_t sweep_ = 0;  ///< sweeps of both kinds done before this one
  std::uint64_t accepted_ = 0;
  bool too_large_ = false;
};

}}  // namespace glassworks::reference
