#pragma once

namespace glassworks { inline namespace tools { namespace bench {

/// Whole rounds of campaigns on a device, with what the host does: time per spin and sweep, one line each.
void time_cluster_rounds(int scale);
/// Rounds with a measurement after every step: what a measurement costs, with the update that it belongs to.
void time_cluster_measurements(int scale);
/// Few-cluster and Wolff rounds of Ising squares at beta_c, one system and as many as the backend likes, against L.
void time_few_cluster_rounds(int scale);
/// Rounds of Wolff and few-cluster updates by labelling the lattice, by clusters that grow from their seeds, and by
/// what the backend takes, for one system and for many.
void time_single_clusters(int scale);
void time_single_clusters_on_graphs(int scale);

}}}  // namespace glassworks::tools::bench
