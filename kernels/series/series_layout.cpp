#include "kernels/series/series_layout.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "kernels/models/model_facts.hpp"
#include "kernels/series/lag_directions.hpp"
#include "kernels/series/series_pairs.hpp"

namespace glassworks { inline namespace series {
namespace {

constexpr const char* series_texts[] = {GLASSWORKS_SERIES_QUANTITIES(GLASSWORKS_TEXT)};
constexpr int most_series_copies = 512;

std::string call_of(const std::string& name, const std::string& argument) { return name + "(" + argument + ")"; }

/// Largest |q_x q_{x+r}| as the integers have it.
double largest_term(const SpinModel& model) {
  switch (order_parameter_of(model)) {
    case OrderParameter::number:
      return 1.0;
    case OrderParameter::densities:
      return (model.states - 1.0) * (model.states - 1.0);
    case OrderParameter::vector:
      break;
  }
  return 0x1.01p26;
}

bool is_possible(const Lattice& lattice) {
  if (lattice.dim < 1 || lattice.dim > Lattice::max_dim || lattice.sites() < 1) return false;
  for (int axis = 0; axis < lattice.dim; ++axis) {
    if (lattice.length(axis) < 1) return false;
  }
  if (lattice.is_graph()) return true;
  return lattice.longest() == lattice.L && (lattice.is_hypercubic() || lattice.dim == bonds_of(lattice.kind).dim);
}

}  // namespace

bool has_k_min(const Lattice& lattice) { return !lattice.is_graph() || lattice.longest() > 1; }

// A ring is left out: those of power-law bonds are so long that C_4(r) would be most of what a campaign stores. So are
// graphs from files, whose label L is the number of sites: their positions may be a grid in any order.
bool has_lags(const Lattice& lattice) {
  if (!lattice.is_graph()) return true;
  return lattice.dim > 1 && lattice.longest() == lattice.L && lattice.rows() * lattice.length(0) == lattice.sites();
}

bool has_diagonal_lags(const Lattice& lattice) {
  if (!lattice.is_graph()) return lattice.is_hypercubic();
  Lattice hypercubic = lattice;
  hypercubic.kind = LatticeKind::hypercubic;
  return has_lags(lattice) && hypercubic.bonds() == lattice.bonds();
}

SeriesChirality chirality_of(const SpinModel& model, const Lattice& lattice) {
  if (model.is_discrete() || !lattice.is_hypercubic()) return SeriesChirality::none;
  if (components_of(model) == 3) return SeriesChirality::along_axes;
  return components_of(model) == 2 && lattice.dim > 1 ? SeriesChirality::of_plaquettes : SeriesChirality::none;
}

std::string series_problem(const SeriesShape& shape) {
  if (std::string problem = problem_of(shape.model); !problem.empty()) return problem;
  const Lattice& lattice = shape.lattice;
  if (!is_possible(lattice)) {
    return "Series cannot be measured on this lattice (it has 1 to 4 axes, the longest one of length L). Choose other "
           "lengths.";
  }
  if (has_free_modulus(shape.model)) {
    return "Series cannot be measured with phi4 at finite lambda (their sums have room for vectors of length 1). Set "
           "lambda to infinity.";
  }
  if (shape.copies < 1 || shape.copies > most_series_copies) {
    return "Series cannot be measured with " + std::to_string(shape.copies) +
           " copies (there is room for 512). Use 1 to 512 copies.";
  }
  if (shape.pairs < 0 || shape.pairs > shape.copies * (shape.copies - 1) / 2) {
    return "Series cannot use " + std::to_string(shape.pairs) + " pairs of copies (" + std::to_string(shape.copies) +
           " copies have " + std::to_string(shape.copies * (shape.copies - 1) / 2) + "). Use fewer, or 0.";
  }
  if (std::ranges::adjacent_find(shape.references, std::greater_equal<>{}) != shape.references.end()) {
    return "Series cannot be measured with these reference times (they ascend). Sort them and name each of them once.";
  }
  const auto pairs = static_cast<double>(series_pairs(shape.copies, shape.pairs).size());
  const double directions = std::max(1.0 * lattice.dim * lattice.dim, lattice.bonds_per_site());
  if (static_cast<double>(lattice.sites()) * std::max(pairs, 1.0 * shape.copies) * directions *
          largest_term(shape.model) >=
      0x1p62) {
    return "Series cannot be measured on this lattice (a sum over all pairs of copies exceeds 64 bits). Use fewer "
           "pairs.";
  }
  return {};
}

SeriesLayout::SeriesLayout(SeriesShape shape) : shape_(std::move(shape)) {
  if (const std::string problem = series_problem(shape_); !problem.empty()) throw std::runtime_error(problem);
  using Q = SeriesQuantity;
  const SpinModel& model = shape_.model;
  const OrderParameter order = order_parameter_of(model);
  const bool pairs = shape_.copies > 1;
  add(Q::energy);
  add(Q::energy_squared);
  if (order != OrderParameter::densities) add(Q::magnetization, components_of(model));
  add(Q::magnetization_2);
  if (order != OrderParameter::densities && has_k_min(shape_.lattice)) add(Q::magnetization_along_kmin);
  if (pairs) {
    add(Q::overlap_2);
    if (has_k_min(shape_.lattice)) add(Q::overlap_kmin);
    add(Q::link_overlap);
    if (lags() > 0) add(Q::c4_axis, lags());
    if (!lag_diagonals(shape_.lattice).empty()) add(Q::c4_diagonal, lags());
  }
  if (const SeriesChirality chirality = chirality_of(model, shape_.lattice);
      pairs && chirality != SeriesChirality::none) {
    const ChiralDirections of(chirality, shape_.lattice);
    add(Q::chiral_2);
    if (of.parallel > 0) add(Q::chiral_kmin_parallel);
    if (of.perpendicular > 0) add(Q::chiral_kmin_perpendicular);
    if (of.parallel > 0) add(Q::chiral_axis_parallel, lags());
    if (of.perpendicular > 0) add(Q::chiral_axis_perpendicular, lags());
  }
  const int before = size();
  for (const std::uint64_t t : shape_.references) {
    const std::string time = std::to_string(t);
    const bool first = t == shape_.references.front();
    for (const Q q : {Q::correlation, Q::link_correlation, Q::correlation_kmin, Q::c22_axis}) {
      const int n = q == Q::c22_axis ? lags() : q == Q::correlation_kmin && !has_k_min(shape_.lattice) ? 0 : 1;
      if (first) columns_[static_cast<std::size_t>(q)] = {size(), n};
      const std::string name = series_texts[static_cast<std::size_t>(q)];
      for (int r = 0; r < n; ++r)
        names_.push_back(call_of(name, q == Q::c22_axis ? time + "," + std::to_string(r) : time));
    }
    if (first) of_reference_ = size() - before;
  }
}

void SeriesLayout::add(SeriesQuantity q, int count) {
  columns_[static_cast<std::size_t>(q)] = {size(), count};
  const std::string name = series_texts[static_cast<std::size_t>(q)];
  const bool of_lags = q == SeriesQuantity::c4_axis || q == SeriesQuantity::c4_diagonal ||
                       q == SeriesQuantity::chiral_axis_parallel || q == SeriesQuantity::chiral_axis_perpendicular;
  const bool of_components =
      q == SeriesQuantity::magnetization && order_parameter_of(shape_.model) == OrderParameter::vector;
  for (int i = 0; i < count; ++i) {
    names_.push_back(of_lags || of_components ? call_of(name, std::to_string(of_lags ? i : i + 1)) : name);
  }
}

std::optional<int> SeriesLayout::column(std::string_view name) const {
  const auto found = std::ranges::find(names_, name);
  if (found == names_.end()) return std::nullopt;
  return static_cast<int>(found - names_.begin());
}

}}  // namespace glassworks::series
