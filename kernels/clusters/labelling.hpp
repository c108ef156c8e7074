#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "kernels/clusters/graph.hpp"

namespace glassworks { inline namespace clusters {

/// Ways to find connected components. All of them give the same labels.
enum class LabellingMethod {
  breadth_first,     ///< CPU, any graph: the oracle
  union_find,        ///< CPU, any graph: one pass over the bonds, path halving
  parallel,          ///< CPU, any graph: union-find of all threads with atomic minima
  bfs_relaxation,    ///< GPU, square lattice: tiles by breadth-first search, joined by label relaxation
  bfs_sewing,        ///< GPU, square lattice: ... joined hierarchically
  union_relaxation,  ///< GPU, square lattice: tiles by union-find
  union_sewing,
  self_relaxation,  ///< GPU, square lattice: tiles by self-labelling
  self_sewing,
  label_equivalence,  ///< GPU, any graph: minima over neighbours until nothing changes (Kalentev et al. 2011)
  direct,             ///< GPU, any graph: four steps with atomic minima, no iteration over neighbours (Komura 2016)
  tiles,  ///< GPU, lattices: row segments by ballots, union-find in shared memory, unions across tile borders only
};
[[nodiscard]] const char* to_string(LabellingMethod method);

/// Labels the components of one graph again and again; keeps the memory it needs.
class Labeller {
 public:
  virtual ~Labeller() = default;

  /// labels[i] = smallest site of the component of site i, for the active bonds. labels.size() = sites. Bits of bonds
  /// that do not exist must be 0. Throws std::runtime_error if a device fails.
  virtual void label(const BondSet& bonds, std::span<Site> labels) = 0;

  /// For people: method, threads or device.
  [[nodiscard]] virtual std::string description() const = 0;
};

/// A CPU method; `threads` matters to `parallel` only, 0: one per hardware thread. Keeps a reference to the graph.
[[nodiscard]] std::unique_ptr<Labeller> make_cpu_labeller(const Graph& graph, LabellingMethod method, int threads = 0);

/// A GPU method. Throws std::runtime_error (problem (why). suggestion) where the method does not know the graph, or
/// there is no device.
[[nodiscard]] std::unique_ptr<Labeller> make_cuda_labeller(const Graph& graph, LabellingMethod method, int device = 0);

/// Methods of this processor, or of a CUDA device, that know this graph.
[[nodiscard]] std::vector<LabellingMethod> cpu_labelling_methods(const Graph& graph);
[[nodiscard]] std::vector<LabellingMethod> cuda_labelling_methods(const Graph& graph);

}}  // namespace glassworks::clusters
