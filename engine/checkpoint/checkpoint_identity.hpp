#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "base/digest.hpp"
#include "engine/config/config.hpp"

namespace glassworks { inline namespace engine {

/// Which state a checkpoint holds: written into the file, so that one under a wrong name or from another campaign is
/// recognized. Two states of equal identity are the same bits.
struct CheckpointIdentity {
  int dim = 0, L = 0;  ///< L = 0: not stated, as in files of format version 1
  int copies = 0, slots = 0;
  std::uint32_t realization = 0;
  std::uint32_t rounds = 0;  ///< done since the initial state
  Digest::Bytes origin{};    ///< digest of all else that the state is a function of: seed, model, ladder, protocol
  int components = 3;        ///< of the vector at a site; 0: a discrete state

  /// Lengths of a prism, which the origin tells; not stored.
  std::array<int, Lattice::max_dim> lengths{};
  std::int64_t graph_sites = 0;  ///< of a graph, else 0; not stored

  /// What else is known of its state; not stored, and no part of the identity.
  int states = 0;                              ///< values of a discrete spin; 0: not known
  int absent_state = -1;                       ///< of sites without a discrete spin; -1: there are none
  bool unit_vectors = false;                   ///< whether vectors have length 1
  bool may_be_absent = false;                  ///< whether some may have length 0
  std::uint64_t steps = 0;                     ///< exchanges done; 0: not known
  std::uint64_t widths = 0, reserves = 0;      ///< numbers that the local update keeps beside the spins (BesideLayout)
  std::vector<std::uint64_t> references = {};  ///< times of the states that a course has kept so far
  std::uint64_t kept_words = 0;                ///< 64-bit words of each of them, of discrete spins

  [[nodiscard]] bool operator==(const CheckpointIdentity& other) const {
    return dim == other.dim && L == other.L && copies == other.copies && slots == other.slots &&
           realization == other.realization && rounds == other.rounds && origin == other.origin &&
           components == other.components;
  }
  [[nodiscard]] bool stated() const { return L != 0; }
  /// Number of sites, in floating point: no number from a file overflows.
  [[nodiscard]] double sites() const {
    if (graph_sites > 0) return static_cast<double>(graph_sites);
    double n = 1.0;
    for (int axis = 0; axis < dim; ++axis) n *= lengths[0] == 0 ? L : lengths[static_cast<std::size_t>(axis)];
    return n;
  }
};

/// Identity of the state of a realization after `rounds` rounds of a chain of the campaign.
[[nodiscard]] CheckpointIdentity checkpoint_identity(const Config& config, const Chain& chain,
                                                     std::uint32_t realization, std::uint32_t rounds);

/// "L = 8, realization 3 after 12 rounds", for messages.
[[nodiscard]] std::string describe(const CheckpointIdentity& identity);

/// Why a state is not the expected one: "it holds ... instead of ..."; empty if it is.
[[nodiscard]] std::string difference(const CheckpointIdentity& found, const CheckpointIdentity& expected);

/// Why a state cannot have this identity (its arrays have other lengths); empty if it can.
[[nodiscard]] std::string misfit(const ChainState& state, const CheckpointIdentity& identity);

}}  // namespace glassworks::engine
