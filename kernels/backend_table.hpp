#pragma once

#include <array>
#include <string>
#include <vector>

#include "kernels/make_backend.hpp"

namespace glassworks {

/// A model with a way to update it on a lattice, and a chain of a few sites that has them.
struct BackendCell {
  std::string model;
  const char *update, *lattice;
  Chain chain;
};

/// All of them, in the order of the table; without those that cannot be on any backend (problem_of).
[[nodiscard]] std::vector<BackendCell> backend_cells();

/// The backends of the table.
constexpr std::array table_backends{BackendKind::reference, BackendKind::cpu, BackendKind::cuda};

/// A row of the table: lattices on which every backend has the same kernels for a model and an update.
struct BackendRow {
  std::string model, update, lattices;
  std::array<std::string, table_backends.size()> kernels;  ///< "-" of a backend that refuses
};

/// What `glassworks doctor --table` and the page of backends show: made from what backends declare
/// (kernel_families.hpp), without cells that all refuse.
[[nodiscard]] std::vector<BackendRow> backend_table();

}  // namespace glassworks
