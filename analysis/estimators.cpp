#include "analysis/estimators.hpp"

#include <cmath>
#include <limits>
#include <numbers>
#include <utility>

#include "analysis/cluster_estimators.hpp"

namespace glassworks {
namespace {

using Averages = std::span<const double>;
using Value = std::function<double(Averages)>;
constexpr double nan = std::numeric_limits<double>::quiet_NaN();

double ratio(double a, double b) { return b > 0.0 ? a / b : nan; }

/// scale times the mean of some columns: an average over equivalent wave vectors.
Value mean_of(std::vector<std::size_t> columns, double scale) {
  return [columns = std::move(columns), scale](Averages x) {
    double sum = 0.0;
    for (const std::size_t column : columns) sum += x[column];
    return scale * sum / static_cast<double>(columns.size());
  };
}

class Builder {
 public:
  Builder(const Config& config, int L, const Columns& columns) : config_(config), L_(L), columns_(columns) {
    for (int axis = 0; axis < config.model.dim; ++axis) sites_ *= L;
  }

  std::vector<Estimator> build() {
    energies();
    spin_glass();
    chiral_glass();
    magnetization();
    walk();
    if (columns_.energy_of_copy().size() == 4) four_copies();
    return std::move(estimators_);
  }

 private:
  void add(std::string name, std::function<double(Averages, double)> value, bool of_pair = false) {
    estimators_.push_back({std::move(name), std::move(value), of_pair});
  }
  void add(std::string name, Value value) {
    add(std::move(name), [value = std::move(value)](Averages x, double) { return value(x); });
  }
  void add_stored(const std::string& name) { add(name, stored(name)); }
  void add_binder(const std::string& prefix, const Value& q_2, const Value& q_4, int components) {
    add(prefix + "q4_over_q2sq", Value([=](Averages x) { return ratio(q_4(x), q_2(x) * q_2(x)); }));
    add(prefix + "binder", Value([=](Averages x) { return binder_cumulant(q_2(x), q_4(x), components); }));
  }
  void add_xi_over_L(const std::string& name, const Value& chi_zero, const Value& chi_kmin) {
    add(name, Value([=, L = L_](Averages x) { return correlation_length(chi_zero(x), chi_kmin(x), L) / L; }));
  }

  [[nodiscard]] Value stored(const std::string& name, double scale = 1.0) const {
    return mean_of({columns_[name]}, scale);
  }

  void energies() {
    const std::size_t squared = columns_["energy_squared"], product = columns_[Columns::energy_product];
    add_stored("energy");
    add("specific_heat",
        [=, N = sites_](Averages x, double beta) { return beta * beta * N * (x[squared] - x[product]); });
    const std::size_t bond = columns_["bond_energy"], q_s = columns_["q_s"], q_l = columns_["link_overlap"];
    add_stored("bond_energy");
    add_stored("link_overlap");
    add_stored("q_s");
    if (config_.model.couplings == CouplingKind::gaussian) {
      add("identity_difference", [=, dim = config_.model.dim](Averages x, double beta) {
        return x[bond] + dim * beta * (x[q_s] - x[q_l]);  // z/2 = dim
      });
    }
    if (config_.model.field == FieldKind::none) return;
    const std::size_t field = columns_["field_energy"], q = columns_["overlap"];
    add_stored("field_energy");
    if (config_.model.field == FieldKind::gaussian) {
      add("field_identity_difference", [=, h = config_.model.field_strength](Averages x, double beta) {
        return x[field] + beta * h * h * (1.0 - x[q]);
      });
    }
  }

  void spin_glass() {
    const Value zero = mean_of(columns_.modes("overlap_k", 0), sites_);
    const Value kmin = mean_of(columns_.modes("overlap_k", 1), sites_);
    add_stored("overlap");
    add("chi_sg", zero);
    add("chi_sg_kmin", kmin);
    add("chi_sg_2kmin", mean_of(columns_.modes("overlap_k", 1, 2), sites_));
    if (columns_.dim() >= 2) add("chi_sg_110", mean_of(columns_.modes("overlap_k", 2), sites_));
    if (columns_.dim() >= 3) add("chi_sg_111", mean_of(columns_.modes("overlap_k", 3), sites_));
    add_xi_over_L("xi_over_L", zero, kmin);
    add_binder("", stored("overlap_2"), stored("overlap_4"), 9);
  }

  void chiral_glass() {
    const Value zero = stored("chiral_zero", sites_), parallel = stored("chiral_kmin_parallel", sites_);
    add("chi_cg", zero);
    add("chi_cg_kmin", parallel);
    add_xi_over_L("xi_chiral_over_L", zero, parallel);
    if (columns_.dim() >= 2) {  // a chain has no perpendicular axis
      const Value perpendicular = stored("chiral_kmin_perpendicular", sites_);
      add("chi_cg_kmin_perp", perpendicular);
      add_xi_over_L("xi_chiral_perp_over_L", zero, perpendicular);
    }
    add_binder("chiral_", stored("chiral_zero"), stored("chiral_4"), 1);
  }

  void magnetization() {
    for (const char* name : {"magnetization_x", "magnetization_y", "magnetization_z"}) add_stored(name);
    add_stored("magnetization_2");
    add_stored("magnetization_4");
    add("chi_m", stored("magnetization_2", sites_));
    const Value m_2 = stored("magnetization_2"), m_4 = stored("magnetization_4");
    add("magnetization_binder", Value([=](Averages x) { return binder_cumulant(m_2(x), m_4(x), 3); }));
  }

  void walk() {
    const std::size_t attempts = columns_[Columns::attempts], accepted = columns_[Columns::accepted];
    const std::size_t up = columns_[Columns::walkers_up], down = columns_[Columns::walkers_down];
    add(
        "acceptance", [=](Averages x, double) { return ratio(x[accepted], x[attempts]); }, true);
    add("walk_up_fraction", Value([=](Averages x) { return ratio(x[up], x[up] + x[down]); }));
  }

  void four_copies() {
    Value connected[2];
    for (const int axes : {0, 1}) {
      const std::string suffix = axes == 0 ? "" : "_kmin";
      const Value chi_1 = mean_of(columns_.modes("chi_1", axes), sites_);
      const Value chi_2 = mean_of(columns_.modes("chi_2", axes), sites_);
      const Value chi_3 = mean_of(columns_.modes("chi_3", axes), sites_);
      connected[axes] = [=](Averages x) { return chi_1(x) - 2.0 * chi_2(x) + chi_3(x); };
      add("chi_1" + suffix, chi_1);
      add("chi_2" + suffix, chi_2);
      add("chi_3" + suffix, chi_3);
      add("chi_sg_field" + suffix, connected[axes]);
    }
    add_xi_over_L("xi_field_over_L", connected[0], connected[1]);
  }

  const Config& config_;
  int L_;
  const Columns& columns_;
  double sites_ = 1.0;
  std::vector<Estimator> estimators_;
};

}  // namespace

std::vector<Estimator> make_estimators(const Config& config, int L, const Columns& columns) {
  if (!columns.is_heisenberg()) return make_cluster_estimators(config, L, columns);
  return Builder(config, L, columns).build();
}

double correlation_length(double chi_zero, double chi_kmin, int L) {
  if (!(chi_kmin > 0.0) || !(chi_zero >= chi_kmin)) return nan;
  return std::sqrt(chi_zero / chi_kmin - 1.0) / (2.0 * std::sin(std::numbers::pi / L));
}

double binder_cumulant(double q_2, double q_4, int components) {
  return 0.5 * (components + 2 - components * ratio(q_4, q_2 * q_2));
}

}  // namespace glassworks
