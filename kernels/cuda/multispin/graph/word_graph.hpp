#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>
#include <vector>

#include "kernels/core/lattice.hpp"
#include "kernels/core/site_graph.hpp"
#include "kernels/cuda/device_buffer.hpp"
#include "kernels/cuda/staged_copy.hpp"
#include "kernels/models/multispin.hpp"

namespace glassworks { inline namespace cuda {

/// Up to 32 sites of one colour with equally many bonds, which follow each other in the order of a graph for words: a
/// warp takes them, a site each. Their links stand in rows of 32, a row for the first link of every site, then one for
/// the second, ...: those to later places come first.
struct alignas(16) WordChunk {
  std::int32_t first;  ///< place of the first site
  std::int32_t row;    ///< of the first links
  std::uint8_t count, degree;
  std::uint8_t later;        ///< the most links of a site that lead to later places: each bond is one of them once
  std::uint8_t room;         ///< for so many bonds the code of a site is made: 4, 6, 8 or 16
  std::uint16_t thresholds;  ///< where those of its degree begin among the thresholds of a slot

  [[nodiscard]] GLASSWORKS_HD std::int64_t link(int k, int lane) const { return (std::int64_t{row} + k) * 32 + lane; }
};

/// Bonds for which the code of a site with so many is made.
[[nodiscard]] constexpr int word_room(int degree) { return degree <= 4 ? 4 : degree <= 6 ? 6 : degree <= 8 ? 8 : 16; }

/// Thresholds of a slot for the sites of one degree: [bit of the spin in a field][m].
[[nodiscard]] constexpr int word_thresholds(MultispinRule rule, bool in_field, int degree) {
  return (in_field ? 2 : 1) * deciding_thresholds(rule, word_room(degree), false, in_field);
}

/// What the choice of a kernel needs to know of a graph.
struct WordGraphSize {
  std::int64_t sites = 0;
  int chunks = 0, colours = 0;
  int largest_colour = 0;  ///< chunks of it
  int thresholds = 0;      ///< of a slot

  /// Of a graph of which only the numbers of sites and bonds are known.
  [[nodiscard]] static WordGraphSize estimated(const Lattice& lattice, MultispinRule rule);
};

/// A graph that all realizations of a batch share, as kernels see it.
struct DeviceWordGraph {
  int colours = 0, chunks = 0, largest_colour = 0;
  int thresholds = 0;                               ///< of a slot
  int planes = 0, largest_plane = 0;                ///< of all axes; sites
  std::int64_t links = 0;                           ///< 32 for each row
  const WordChunk* d_chunks = nullptr;              ///< by colour
  const int* d_first_chunk = nullptr;               ///< [colour], one entry more than colours
  const std::uint32_t* d_neighbour = nullptr;       ///< place [row][32]
  const std::uint16_t* d_near_neighbour = nullptr;  ///< the same where places fit; else null
  const std::uint32_t* d_bond = nullptr;            ///< [row][32]
  const std::uint32_t* d_site = nullptr;            ///< [place]
  const std::uint32_t* d_place = nullptr;           ///< [site]
  const std::int64_t* d_first_in_plane = nullptr;   ///< [plane], one entry more than planes
  const std::uint32_t* d_in_plane = nullptr;        ///< places
};

/// The order of a graph for words, by colour, degree and number of links to later places.
class WordGraphOrder {
 public:
  /// rule, in_field: what thresholds there are
  WordGraphOrder(const Lattice& lattice, const SiteGraph& graph, MultispinRule rule, bool in_field);

  [[nodiscard]] const std::vector<std::uint32_t>& sites() const { return site_; }
  [[nodiscard]] const std::vector<std::uint32_t>& places() const { return place_; }
  [[nodiscard]] const std::vector<WordChunk>& chunks() const { return chunks_; }
  [[nodiscard]] const std::vector<int>& first_chunks() const { return first_chunk_; }
  [[nodiscard]] const std::vector<std::uint32_t>& neighbours() const { return neighbour_; }
  [[nodiscard]] const std::vector<std::uint32_t>& bonds() const { return bond_; }
  [[nodiscard]] const std::vector<std::int64_t>& first_in_planes() const { return first_in_plane_; }
  [[nodiscard]] const std::vector<std::uint32_t>& in_planes() const { return in_plane_; }
  /// Degrees that occur, ascending; their thresholds follow each other.
  [[nodiscard]] const std::vector<int>& degrees() const { return degrees_; }
  [[nodiscard]] WordGraphSize size() const;

 private:
  void order_sites(const SiteGraph& graph);
  void make_chunks(const SiteGraph& graph, MultispinRule rule, bool in_field);
  void add_links(const SiteGraph& graph, const WordChunk& chunk);
  void list_planes(const Lattice& lattice, const SiteGraph& graph);

  std::vector<std::uint32_t> site_, place_, neighbour_, bond_, in_plane_;
  std::vector<int> later_;  ///< links of a site to sites of later colours [site]
  std::vector<WordChunk> chunks_;
  std::vector<int> first_chunk_, degrees_;
  std::vector<std::int64_t> first_in_plane_;
  int thresholds_ = 0;
};

/// Such a graph on the device.
class WordGraphMemory {
 public:
  [[nodiscard]] DeviceWordGraph upload(const WordGraphOrder& order, StagedCopy& staged, cudaStream_t stream);

  /// Bytes on the device.
  [[nodiscard]] static double bytes(const Lattice& lattice) {
    return (8.0 + 4.0 * lattice.dim) * static_cast<double>(lattice.sites()) +
           20.0 * static_cast<double>(lattice.bonds());
  }

 private:
  DeviceBuffer<WordChunk> chunks_;
  DeviceBuffer<int> first_chunk_;
  DeviceBuffer<std::int64_t> first_in_plane_;
  DeviceBuffer<std::uint32_t> neighbour_, bond_, site_, place_, in_plane_;
  DeviceBuffer<std::uint16_t> near_neighbour_;
};

}}  // namespace glassworks::cuda
