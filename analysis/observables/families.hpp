#pragma once

#include <vector>

#include "analysis/observables/observable.hpp"

/// The rows of the table, by what they are about.
namespace glassworks { inline namespace analysis {

[[nodiscard]] std::vector<Observable> energy_observables();
[[nodiscard]] std::vector<Observable> overlap_observables();
[[nodiscard]] std::vector<Observable> chirality_observables();
[[nodiscard]] std::vector<Observable> magnetization_observables();
[[nodiscard]] std::vector<Observable> cluster_observables();
[[nodiscard]] std::vector<Observable> walk_observables();
[[nodiscard]] std::vector<Observable> field_observables();

/// All families in the order of the table, with their titles on the page.
struct ObservableFamily {
  const char* title;
  std::vector<Observable> (*rows)();
};
constexpr ObservableFamily observable_families[] = {{"Energy and links", energy_observables},
                                                    {"Overlap", overlap_observables},
                                                    {"Chirality", chirality_observables},
                                                    {"Magnetization", magnetization_observables},
                                                    {"Clusters", cluster_observables},
                                                    {"Walk through the temperatures", walk_observables},
                                                    {"Connected susceptibility in a field", field_observables}};

}}  // namespace glassworks::analysis
