#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "analysis/basics/columns.hpp"
#include "analysis/observables/conditions.hpp"
#include "engine/config/config.hpp"

namespace glassworks { inline namespace analysis {

/// A function of the disorder averages at one slot.
///
/// averages[column of Columns], beta = 1/T
using Averages = std::span<const double>;
using AverageFunction = std::function<double(Averages averages, double beta)>;

/// What an estimator is made for: one lattice size of a campaign.
struct ObservableContext {
  ObservableContext(const Config& config, int L, const Columns& columns);

  const Config& config;
  const Columns& columns;
  int L;
  double sites;  ///< N
};

/// How an observable is drawn in the report. `place` orders the figures; 0: it has none.
struct ObservableFigure {
  int place = 0;
  std::string label, title, caption;  ///< in the markup of label.hpp
  bool logarithmic = false;
  bool vanishes = false;  ///< 0 in equilibrium, which a line shows
};

/// A column of the tables that `analyze` prints. `place` orders them; 0: none.
struct ObservableColumn {
  int place = 0;
  std::string heading;
  std::string instead_of = {};  ///< shown where this observable is not there; empty: always
};

/// One observable: the only place that says what it is. Rows of the CSV file, attributes of exported arrays, figures,
/// tables and the page of observables follow from it.
struct Observable {
  std::string name;      ///< as in files
  std::string units;     ///< "J", "k_B", "1" (none), ...
  std::string equation;  ///< in the notation of notation()
  /// Which campaigns have it: those that meet all of these. Of a stored column: where the equation is true.
  std::vector<Condition> holds = {};
  std::vector<Condition> shown = {};  ///< further ones, of its figure and its column
  /// Its value from the averages of a campaign that meets `holds`, nothing if the column is missing. Not set: a stored
  /// column that no derived observable shows under this name.
  std::function<AverageFunction(const ObservableContext&)> estimator = {};
  ObservableFigure figure = {};
  ObservableColumn column = {};
  bool of_pair = false;  ///< belongs to the slots t, t+1, so the last slot has none

  [[nodiscard]] bool holds_for(const Config& config) const { return all_met(holds, config); }
  [[nodiscard]] bool is_shown(const Config& config) const { return holds_for(config) && all_met(shown, config); }

 private:
  [[nodiscard]] static bool all_met(const std::vector<Condition>& conditions, const Config& config);
};

/// All of them, in the order of the CSV file. Families of stored columns ("overlap_k(1,0,0)") are in
/// describe_observable.
[[nodiscard]] const std::vector<Observable>& observables();

/// Those whose place (of the figure, or of the column) is not 0, in the order of these places.
[[nodiscard]] std::vector<const Observable*> observables_by_place(int (*place)(const Observable&));

/// The row of a name; null for names that are not known.
[[nodiscard]] const Observable* find_observable(const std::string& name);

/// Symbol of an observable in figures: "ξ_{L}/L" for xi_over_L; its name if it has no symbol.
[[nodiscard]] std::string observable_label(const std::string& name);

/// The notation that all equations share, and the same in one line.
[[nodiscard]] const std::vector<std::string>& notation_lines();
[[nodiscard]] std::string notation();

/// The page of observables as Markdown, docs/observables.md.
[[nodiscard]] std::string observables_page();

}}  // namespace glassworks::analysis
