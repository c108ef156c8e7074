#include "tools/tune/tune_plan.hpp"

#include <algorithm>
#include <cmath>

namespace glassworks { inline namespace tools {
namespace {

constexpr double wanted_tau = 24.0, shorter_tau = 14.0, few_batches = 4.0;
constexpr double with_start = 1.2;  // a fifth of a run is left out at its start
constexpr double spare = 1.15;      // what is not simulation
constexpr int shortest_run = 64, longest_run = 1000000, run_without_walk = 300;

}  // namespace

PilotShape choose_shape(const TuneLengths& given, const PilotTrial& trial, int protocols, double seconds,
                        int most_tasks) {
  const double fitting = seconds / (spare * trial.seconds);  // measurements of a batch
  const auto equilibration = [&](double M) { return given.equilibration >= 0 ? given.equilibration : M; };
  const auto batches = [&](double M) { return std::floor(fitting / (equilibration(M) + with_start * protocols * M)); };
  double M = given.measurements;
  if (given.measurements == 0) {
    const double of_all = with_start * protocols + (given.equilibration < 0 ? 1.0 : 0.0);
    const double longest = (fitting - std::max(given.equilibration, 0)) / of_all;
    const bool known = trial.walks && trial.tau_resolved;
    M = known ? wanted_tau * trial.tau : trial.walks ? longest : run_without_walk;
    if (known && batches(M) < few_batches) M = shorter_tau * trial.tau;
    M = std::clamp(std::floor(std::min(M, longest)), double{shortest_run}, double{longest_run});
  }
  PilotShape shape;
  shape.measurements = static_cast<int>(M);
  shape.equilibration = static_cast<int>(equilibration(M));
  const int tasks =
      static_cast<int>(std::min(std::max(batches(M), 1.0) * trial.batch, static_cast<double>(most_tasks)));
  if (given.runs > 0) {
    shape.runs = given.runs;
  } else if (given.realizations > 0) {
    shape.runs = std::clamp(tasks / given.realizations, 2, 64);
  } else {
    shape.runs = tasks < 16 ? 2 : tasks < 256 ? 4 : 8;
  }
  shape.realizations = given.realizations > 0 ? given.realizations : std::max(tasks / shape.runs, 2);
  return shape;
}

}}  // namespace glassworks::tools
