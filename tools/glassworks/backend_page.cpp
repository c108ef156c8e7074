#include "tools/glassworks/backend_page.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <vector>

#include "engine/config/config_value.hpp"
#include "kernels/backend_table.hpp"

namespace glassworks { inline namespace tools {
namespace {

using Row = std::vector<std::string>;

std::vector<Row> table_rows() {
  Row head{"model", "update", "lattice"};
  for (const BackendKind backend : table_backends) head.push_back(write_value(backend));
  std::vector<Row> rows{head};
  for (const BackendRow& row : backend_table()) {
    rows.push_back({row.model, row.update, row.lattices});
    rows.back().insert(rows.back().end(), row.kernels.begin(), row.kernels.end());
  }
  return rows;
}

/// A need, and the kernels of a backend that know it.
std::vector<Row> need_rows() {
  std::vector<Row> rows{{"a chain with"}};
  for (const BackendKind backend : table_backends) rows.front().push_back(write_value(backend));
  for (int i = 0; i < static_cast<int>(Need::unknown); ++i) {
    const auto need = static_cast<Need>(i);
    Row row{need_name(need)};
    for (const BackendKind backend : table_backends) {
      std::vector<std::string> names;
      for (const KernelFamily& family : families_of(backend)) {
        if (family.supports.has(need) && std::ranges::find(names, family.name) == names.end())
          names.push_back(family.name);
      }
      std::string known;
      for (const std::string& name : names) known += (known.empty() ? "" : "; ") + name;
      row.push_back(known.empty() ? "-" : known);
    }
    rows.push_back(row);
  }
  return rows;
}

std::string markdown(const std::vector<Row>& rows) {
  std::string text;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    for (const std::string& cell : rows[i]) text += "| " + cell + " ";
    text += "|\n";
    if (i > 0) continue;
    for (std::size_t column = 0; column < rows[i].size(); ++column) text += "|---";
    text += "|\n";
  }
  return text;
}

}  // namespace

std::string backends_page() {
  return "# Models, updates, lattices and backends\n\n"
         "Printed by `glassworks describe backends` from what the backends declare; `glassworks doctor --table` prints "
         "the first table.\nAll backends give bitwise the same results. A backend refuses what it does not support, "
         "with a reason and before anything is simulated, and\n`backend.kind = auto` uses the processor where a GPU "
         "would refuse.\n\n"
         "| kernels | on processors | on GPUs |\n|---|---|---|\n"
         "| plain | one site at a time | one thread for each site; sweeps of vectors on large cubes by colour "
         "([list](gpus.md#kernels)) |\n"
         "| lanes | vectors over the replicas of a realization; `rows` or `plain` with fewer than four replicas, but "
         "for graphs | |\n"
         "| rows | vectors along the rows of a replica | |\n"
         "| bits | multi-spin coding, one bit for each realization | the same |\n"
         "| words of copies | multi-spin coding, one bit for each copy of a realization | |\n"
         "| whole steps | | a step, or the sweeps of a tile, in shared memory where they are compiled for the size "
         "([list](gpus.md#kernels)), else by colour, else plain |\n"
         "| cluster tiles | | updates by tiles in shared memory (ising: where all couplings have one modulus), the one "
         "before a measurement by `clusters` |\n"
         "| clusters | | any cluster update |\n\n"
         "## Which kernels run a chain\n\n"
         "`-`: the backend refuses it. Rows that no backend runs are left out. `local` is heat bath, with "
         "over-relaxation "
         "of vectors; `local, tile`\nhas `protocol.tile` with any `protocol.tile_repeats`; the other updates have "
         "local sweeps between them. 3d shape: "
         "`model.shape` with even lengths along x and y; 3d odd shape:\nothers, with open ends.\n\n" +
         markdown(table_rows()) +
         "\n## What kernels support\n\n"
         "Kernels run a chain if they support everything that it has. `-`: no kernels of this backend support it.\n\n" +
         markdown(need_rows());
}

std::string backends_text() {
  const std::vector<Row> rows = table_rows();
  std::vector<std::size_t> width(rows.front().size());
  for (const Row& row : rows) {
    for (std::size_t i = 0; i < row.size(); ++i) width[i] = std::max(width[i], row[i].size());
  }
  std::string text;
  for (const Row& row : rows) {
    std::string line;
    for (std::size_t i = 0; i < row.size(); ++i) line += fmt::format("{:{}}", row[i], width[i] + 2);
    text += line.substr(0, line.find_last_not_of(' ') + 1) + '\n';
  }
  return text + "\n-: refused. `glassworks describe backends` explains the kernels (docs/manual/backends.md).\n";
}

}}  // namespace glassworks::tools
