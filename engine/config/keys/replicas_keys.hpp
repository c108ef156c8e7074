#pragma once

namespace glassworks { inline namespace engine {

struct ReplicasConfig {
  int copies = 2;
};

/// Rows of the keys replicas.*; see KeyRows.
template <class Rows>
void replicas_keys(const Rows& rows) {
  rows.value("replicas.copies", "2 | 4; 1 too of models other than heisenberg; 1 to 512 where copies are lanes",
             &ReplicasConfig::copies, "copies R_O with the same disorder; 4 in a field")
      .with_default("2; 1 of a ferromagnet other than heisenberg");
}

}}  // namespace glassworks::engine
