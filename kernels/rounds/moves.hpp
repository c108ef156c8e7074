#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <string_view>

#include "kernels/models/site_updates.hpp"
#include "kernels/models/spin_model.hpp"

/// A step is a list of moves: which moves a repetition of it makes, in which order, and which random numbers each has.
namespace glassworks { inline namespace rounds {

struct Chain;
struct Protocol;

/// Moves of one kind share random streams, so they are counted together.
enum class MoveKind : std::uint8_t { over_relaxation, local, cluster, isoenergetic };
constexpr std::size_t move_kinds = 4;

/// What a move does; the names are those of protocol.moves. Behind these come the updates of single spins other than
/// heat baths, in the order of SiteUpdates.
enum class MoveRule : std::uint8_t {
  over_relaxation,
  heat_bath,
  multispin_metropolis,
  multispin_heat_bath,
  swendsen_wang,
  wolff,
  few_cluster,
  isoenergetic,
};
constexpr auto move_names =
    std::to_array<std::string_view>({"over-relaxation", "heat-bath", "multispin-metropolis", "multispin-heat-bath",
                                     "swendsen-wang", "wolff", "few-cluster", "isoenergetic"});
constexpr auto enum_names(MoveRule) {
  std::array<std::string_view, move_names.size() + SiteUpdates::size - 1> names{};
  for (std::size_t i = 0; i < names.size(); ++i) {
    names[i] = i < move_names.size() ? move_names[i] : SiteUpdates::names[i - move_names.size() + 1];
  }
  return names;
}

/// The move that updates single spins by a rule, and the rule of such a move.
[[nodiscard]] constexpr MoveRule move_of(SiteRule rule) {
  if (rule == SiteRule::heat_bath) return MoveRule::heat_bath;
  return static_cast<MoveRule>(move_names.size() - 1 + static_cast<std::size_t>(rule));
}
[[nodiscard]] constexpr SiteRule site_rule_of(MoveRule rule) {
  if (rule <= MoveRule::isoenergetic) return SiteRule::heat_bath;
  return static_cast<SiteRule>(static_cast<std::size_t>(rule) - move_names.size() + 1);
}

[[nodiscard]] constexpr MoveKind kind_of(MoveRule rule) {
  if (rule == MoveRule::over_relaxation) return MoveKind::over_relaxation;
  if (rule == MoveRule::isoenergetic) return MoveKind::isoenergetic;
  return rule < MoveRule::swendsen_wang || rule > MoveRule::isoenergetic ? MoveKind::local : MoveKind::cluster;
}

/// `count` moves of one rule after each other: sweeps of the lattice, cluster updates, or moves between copies.
struct Move {
  MoveRule rule = MoveRule::heat_bath;
  int count = 0;

  [[nodiscard]] constexpr MoveKind kind() const { return kind_of(rule); }
  bool operator==(const Move&) const = default;
};

/// The moves of a repetition in their order. Neighbours of one rule are one move, so equal lists are equal chains. A
/// plain value: kernels of devices get it with their batch.
class MoveList {
 public:
  static constexpr int most = 16;

  MoveList() = default;
  /// Throws std::length_error for more than `most` moves.
  MoveList(std::initializer_list<Move> moves) {
    for (const Move& move : moves) add(move);
  }
  /// Appends a move; one with count 0 is none. Throws std::length_error where the list is full.
  void add(const Move& move);

  [[nodiscard]] bool empty() const { return size_ == 0; }
  [[nodiscard]] std::size_t size() const { return static_cast<std::size_t>(size_); }
  [[nodiscard]] const Move* begin() const { return moves_.data(); }
  [[nodiscard]] const Move* end() const { return moves_.data() + size_; }
  /// Moves of a kind in a repetition.
  [[nodiscard]] int count(MoveKind kind) const;
  bool operator==(const MoveList&) const = default;

 private:
  std::array<Move, most> moves_{};
  int size_ = 0;
};

/// Writes a list into a protocol, with the numbers that go with it: kind, multispin, local, and how often a repetition
/// makes moves of each kind. An empty list leaves the numbers as they are: they are the short form of a list.
void set_moves(Protocol& protocol, const MoveList& moves);

/// The list that the numbers of a protocol stand for: cluster_sweeps cluster updates, then overrelaxation sweeps, then
/// heatbath local ones, then isoenergetic moves between copies; what the model does not have is left out.
[[nodiscard]] MoveList short_form(const Chain& chain);

/// The list of a chain: the one that its protocol holds, or the one that its numbers stand for.
[[nodiscard]] MoveList moves_of(const Chain& chain);

/// Whether a list is n_M over-relaxation sweeps, then n_B local ones, and nothing else: the only lists that fused GPU
/// kernels run. n_M or n_B may be 0.
[[nodiscard]] bool matches_sweeps(const MoveList& moves);

/// A move in its place in a repetition.
struct PlacedMove {
  MoveRule rule = MoveRule::heat_bath;
  int count = 0;
  int first = 0;   ///< moves of its kind before it in the repetition
  int sweeps = 0;  ///< sweeps of single spins (over-relaxation and local ones) before it in the repetition

  [[nodiscard]] constexpr MoveKind kind() const { return kind_of(rule); }
};

/// One move, with the numbers at which its random words are.
struct NumberedMove {
  MoveRule rule;
  std::uint64_t number;  ///< of its kind since the start: repetition x count of the kind + place in the repetition
  std::uint64_t sweep;   ///< of a sweep of single spins: its number among those of both kinds since the start
  bool last;             ///< of its kind in the repetition

  [[nodiscard]] constexpr MoveKind kind() const { return kind_of(rule); }
};

/// Consecutive moves: either all of them act between copies, or none does. Replicas are independent during a run
/// without moves between copies.
struct MoveRun {
  bool between_copies;
  std::span<const PlacedMove> moves;
};

/// A step of a chain: `repetitions()` times its moves, then one exchange. The only place that says in which order they
/// come and how they are counted. Repetition t of step s of a realization is number s x repetitions() + t. With
/// Protocol::tile_repeats a repetition has the list of moves so many times, and all its moves are counted on.
class Step {
 public:
  /// Throws std::runtime_error where the list of the protocol does not agree with its numbers, or the model has no such
  /// moves.
  explicit Step(const Chain& chain);

  [[nodiscard]] int repetitions() const { return repetitions_; }
  [[nodiscard]] std::uint64_t repetition(std::uint64_t step, int t) const {
    return step * static_cast<std::uint64_t>(repetitions_) + static_cast<std::uint64_t>(t);
  }
  [[nodiscard]] std::span<const PlacedMove> moves() const { return {moves_.data(), size_}; }
  /// Moves of a kind in a repetition.
  [[nodiscard]] int count(MoveKind kind) const { return tile_repeats_ * counts_[static_cast<std::size_t>(kind)]; }
  /// Sweeps of single spins in a repetition.
  [[nodiscard]] int sweeps() const { return count(MoveKind::over_relaxation) + count(MoveKind::local); }

  /// visit(MoveRun) for the runs of a repetition.
  template <class Visit>
  void for_each_run(const Visit& visit) const {
    for (std::size_t begin = 0, end = 0; begin < size_; begin = end) {
      const bool between_copies = is_between_copies(begin);
      while (end < size_ && is_between_copies(end) == between_copies) ++end;
      visit(MoveRun{between_copies, moves().subspan(begin, end - begin)});
    }
  }
  /// visit(NumberedMove) for moves of this step in a repetition. Chains with tiles have one run of moves.
  template <class Visit>
  void for_each(std::span<const PlacedMove> of_step, std::uint64_t repetition, const Visit& visit) const {
    for (int u = 0; u < tile_repeats_; ++u) {
      for (const PlacedMove& move : of_step) {
        for (int i = 0; i < move.count; ++i) visit(numbered(move, i, u, repetition));
      }
    }
  }
  /// Whether its last moves draw every spin anew: heat baths leave unit vectors at length 1.
  [[nodiscard]] bool ends_with_heat_bath() const {
    return size_ > 0 && moves_[size_ - 1].kind() == MoveKind::local &&
           !traits_of(site_rule_of(moves_[size_ - 1].rule)).rejects;
  }
  /// The sweep of single spins with this number in a repetition: 0 .. sweeps() - 1.
  [[nodiscard]] NumberedMove sweep_at(int place, std::uint64_t repetition) const;

 private:
  [[nodiscard]] bool is_between_copies(std::size_t i) const { return moves_[i].kind() == MoveKind::isoenergetic; }
  /// u: number of the list in the repetition
  [[nodiscard]] NumberedMove numbered(const PlacedMove& move, int i, int u, std::uint64_t repetition) const {
    const int of_kind = count(move.kind()), place = u * (of_kind / tile_repeats_) + move.first + i;
    const int sweep = u * (sweeps() / tile_repeats_) + move.sweeps + i;
    return {move.rule, repetition * static_cast<std::uint64_t>(of_kind) + static_cast<std::uint64_t>(place),
            repetition * static_cast<std::uint64_t>(sweeps()) + static_cast<std::uint64_t>(sweep),
            place + 1 == of_kind};
  }

  std::array<PlacedMove, MoveList::most> moves_{};
  std::size_t size_ = 0;
  std::array<int, move_kinds> counts_{};  ///< of the list
  int repetitions_ = 1, tile_repeats_ = 1;
};

}}  // namespace glassworks::rounds
