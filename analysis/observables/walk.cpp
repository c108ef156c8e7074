#include "analysis/observables/families.hpp"
#include "analysis/observables/observable_formulas.hpp"

namespace glassworks { inline namespace analysis {
namespace {

AverageFunction acceptance(const ObservableContext& c) {
  return [a = c.columns[Columns::accepted], b = c.columns[Columns::attempts]](Averages x, double) {
    return positive_ratio(x[a], x[b]);
  };
}

AverageFunction walk_up_fraction(const ObservableContext& c) {
  return [up = c.columns[Columns::walkers_up], down = c.columns[Columns::walkers_down]](Averages x, double) {
    return positive_ratio(x[up], x[up] + x[down]);
  };
}

}  // namespace

std::vector<Observable> walk_observables() {
  using namespace condition;
  return {
      {.name = "acceptance",
       .units = "1",
       .equation = "accepted part of the exchanges of the slots t, t+1; none at the last slot",
       .holds = {exchanges},
       .estimator = acceptance,
       .column = {150, "acceptance"},
       .of_pair = true},
      {.name = "walk_up_fraction",
       .units = "1",
       .equation = "replicas at T that visited the lowest temperature last, of all that visited an end",
       .holds = {exchanges},
       .estimator = walk_up_fraction},
      {.name = "attempts", .units = "1", .equation = "exchanges of the slots t, t+1 tried per measurement"},
      {.name = "accepted", .units = "1", .equation = "exchanges of the slots t, t+1 accepted per measurement"},
      {.name = "walkers_up",
       .units = "1",
       .equation = "replicas per measurement that visited the lowest temperature last"},
      {.name = "walkers_down",
       .units = "1",
       .equation = "replicas per measurement that visited the highest temperature last"},
  };
}

}}  // namespace glassworks::analysis
