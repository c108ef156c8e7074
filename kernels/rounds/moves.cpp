#include "kernels/rounds/moves.hpp"

#include <algorithm>
#include <stdexcept>

#include "kernels/rounds/chain.hpp"

namespace glassworks { inline namespace rounds {
namespace {

MoveRule local_rule(MultispinRule rule, SiteRule site) {
  if (rule == MultispinRule::off) return move_of(site);
  return rule == MultispinRule::metropolis ? MoveRule::multispin_metropolis : MoveRule::multispin_heat_bath;
}

MoveRule cluster_rule(ProtocolKind kind) {
  if (kind == ProtocolKind::wolff) return MoveRule::wolff;
  return kind == ProtocolKind::few_cluster ? MoveRule::few_cluster : MoveRule::swendsen_wang;
}

/// Whether the numbers of a protocol are those of its list.
bool agrees(const Chain& chain, const MoveList& moves) {
  const Protocol& p = chain.protocol;
  return std::all_of(moves.begin(), moves.end(),
                     [&](const Move& move) {
                       if (move.kind() == MoveKind::local) return move.rule == local_rule(p.multispin, p.local);
                       if (move.kind() == MoveKind::cluster) return move.rule == cluster_rule(p.kind);
                       return true;
                     }) &&
         moves.count(MoveKind::over_relaxation) == chain.overrelaxation() &&
         moves.count(MoveKind::local) == p.heatbath && moves.count(MoveKind::cluster) == chain.cluster_sweeps() &&
         moves.count(MoveKind::isoenergetic) == p.isoenergetic;
}

}  // namespace

void MoveList::add(const Move& move) {
  if (move.count == 0) return;
  if (size_ > 0 && moves_[size() - 1].rule == move.rule) {
    moves_[size() - 1].count += move.count;
    return;
  }
  if (size_ == most) throw std::length_error("MoveList::add: the list is full");
  moves_[size()] = move;
  ++size_;
}

int MoveList::count(MoveKind kind) const {
  int count = 0;
  for (const Move& move : *this) count += move.kind() == kind ? move.count : 0;
  return count;
}

void set_moves(Protocol& p, const MoveList& moves) {
  p.moves = moves;
  if (moves.empty()) return;
  p.overrelaxation = moves.count(MoveKind::over_relaxation);
  p.heatbath = moves.count(MoveKind::local);
  p.cluster_sweeps = moves.count(MoveKind::cluster);
  p.isoenergetic = moves.count(MoveKind::isoenergetic);
  p.kind = ProtocolKind::local;
  p.multispin = MultispinRule::off;
  p.local = SiteRule::heat_bath;
  for (const Move& move : moves) {
    for (const ProtocolKind kind : {ProtocolKind::swendsen_wang, ProtocolKind::wolff, ProtocolKind::few_cluster}) {
      if (move.rule == cluster_rule(kind)) p.kind = kind;
    }
    if (move.kind() == MoveKind::local) p.local = site_rule_of(move.rule);
    for (const MultispinRule rule : {MultispinRule::metropolis, MultispinRule::heat_bath}) {
      if (move.rule == local_rule(rule, p.local)) p.multispin = rule;
    }
  }
}

MoveList short_form(const Chain& chain) {
  const Protocol& p = chain.protocol;
  MoveList moves;
  moves.add({cluster_rule(p.kind), chain.cluster_sweeps()});
  moves.add({MoveRule::over_relaxation, chain.overrelaxation()});
  moves.add({local_rule(p.multispin, p.local), p.heatbath});
  moves.add({MoveRule::isoenergetic, p.isoenergetic});
  return moves;
}

MoveList moves_of(const Chain& chain) {
  return chain.protocol.moves.empty() ? short_form(chain) : chain.protocol.moves;
}

Step::Step(const Chain& chain)
    : repetitions_(chain.protocol.sweeps_per_exchange), tile_repeats_(chain.protocol.tile_repeats) {
  const MoveList list = moves_of(chain);
  if (!chain.protocol.moves.empty() && !agrees(chain, list)) {
    throw std::runtime_error(
        "The list of moves cannot be used (it does not agree with the numbers of its protocol). Set it "
        "with set_moves.");
  }
  for (const Move& move : list) {
    const auto of_kind = [this](MoveKind kind) -> int& { return counts_[static_cast<std::size_t>(kind)]; };
    const int before = of_kind(MoveKind::over_relaxation) + of_kind(MoveKind::local);
    moves_[size_++] = {move.rule, move.count, of_kind(move.kind()), before};
    of_kind(move.kind()) += move.count;
  }
}

NumberedMove Step::sweep_at(int place, std::uint64_t repetition) const {
  const int of_list = std::max(sweeps() / tile_repeats_, 1), u = place / of_list;
  place -= u * of_list;
  for (const PlacedMove& move : moves()) {
    if (move.kind() != MoveKind::over_relaxation && move.kind() != MoveKind::local) continue;
    if (place < move.sweeps + move.count) return numbered(move, place - move.sweeps, u, repetition);
  }
  throw std::out_of_range("Step::sweep_at: no such sweep");
}

bool matches_sweeps(const MoveList& moves) {
  for (const Move& move : moves) {
    if (site_rule_of(move.rule) != SiteRule::heat_bath) return false;
  }
  if (moves.count(MoveKind::cluster) > 0 || moves.count(MoveKind::isoenergetic) > 0) return false;
  return moves.size() < 2 || (moves.size() == 2 && moves.begin()->rule == MoveRule::over_relaxation);
}

}}  // namespace glassworks::rounds
