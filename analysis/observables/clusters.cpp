#include "analysis/observables/families.hpp"
#include "analysis/observables/formulas.hpp"

namespace glassworks::inline analysis {
namespace {

MakeEstimator of_swendsen_wang(MakeEstimator make) {
  return [make = std::move(make)](const ObservableContext& c) {
    return c.config.protocol.kind == ProtocolKind::swendsen_wang ? make(c) : AverageFunction{};
  };
}

AverageFunction moved_sites(const ObservableContext& c) {
  return c.config.protocol.kind == ProtocolKind::local ? AverageFunction{} : stored("moved_sites")(c);
}

}  // namespace

std::vector<Observable> cluster_observables() {
  const std::string swendsen_wang = "Swendsen-Wang";
  return {
      {.name = "improved_m2", .units = "1", .equation = "[<m^2>] from the clusters"},
      {.name = "improved_kmin", .units = "1", .equation = "[<|m(k_min)|^2>] from the clusters"},
      {.name = "chi_m_improved",
       .units = "1",
       .equation = "N [<m^2>] from the clusters",
       .where = swendsen_wang,
       .estimator = of_swendsen_wang(stored("improved_m2", Scale::times_N)),
       .figure = {150, "χ_{m} (clusters)", "Magnetic susceptibility from clusters",
                  "N [⟨m^{2}⟩] by its improved estimator, which has smaller errors above the transition.", true},
       .column = {40, "chi (clusters)"}},
      {.name = "xi_m_improved_over_L",
       .units = "1",
       .equation = "xi/L from the clusters",
       .where = swendsen_wang,
       .estimator = of_swendsen_wang(xi_over_L(stored("improved_m2"), stored("improved_kmin"))),
       .figure = {120, "ξ_{m}/L (clusters)", "Correlation length from clusters",
                  "The same from the improved estimators of Swendsen-Wang clusters."}},
      {.name = "clusters",
       .units = "1",
       .equation = "number of clusters over N",
       .where = swendsen_wang,
       .estimator = of_swendsen_wang(stored("clusters")),
       .figure = {200, "n_{cl}", "Clusters per site", "Number of Swendsen-Wang clusters over N."}},
      {.name = "largest_cluster",
       .units = "1",
       .equation = "sites of the largest cluster over N",
       .where = swendsen_wang,
       .estimator = of_swendsen_wang(stored("largest_cluster")),
       .figure = {210, "P_{max}", "Largest cluster", "Part of the sites in the largest Swendsen-Wang cluster."}},
      {.name = "mean_cluster",
       .units = "1",
       .equation = "sum_c n_c^2/N over the clusters",
       .where = swendsen_wang,
       .estimator = of_swendsen_wang(stored("mean_cluster")),
       .figure = {220, "S", "Mean size of the cluster of a site", "Σ n_{c}^{2}/N over Swendsen-Wang clusters.", true}},
      {.name = "wrapping_any",
       .units = "1",
       .equation = "probability that a cluster wraps along at least one axis",
       .where = swendsen_wang,
       .estimator = of_swendsen_wang(stored("wrapping_any")),
       .figure = {230, "R_{any}", "Wrapping along some axis",
                  "Probability that a Swendsen-Wang cluster wraps around the lattice along at least one axis."}},
      {.name = "wrapping_all",
       .units = "1",
       .equation = "probability that one cluster wraps along every axis",
       .where = swendsen_wang,
       .estimator = of_swendsen_wang(stored("wrapping_all")),
       .figure = {240, "R_{all}", "Wrapping along every axis", "Probability that one cluster wraps along every axis."}},
      {.name = "moved_sites",
       .units = "1",
       .equation = "sites moved by a cluster update over N",
       .where = "cluster updates",
       .estimator = moved_sites},
  };
}

}  // namespace glassworks::inline analysis
