#include "analysis/cluster_estimators.hpp"

#include <cmath>
#include <limits>
#include <utility>

namespace glassworks {
namespace {

using Averages = std::span<const double>;
using Value = std::function<double(Averages, double)>;

double ratio(double a, double b) { return b > 0.0 ? a / b : std::numeric_limits<double>::quiet_NaN(); }

class Builder {
 public:
  Builder(const Config& config, int L, const Columns& columns)
      : config_(config),
        model_(config.model.spins),
        L_(L),
        columns_(columns),
        sites_(std::pow(L, config.model.dim)),
        components_(order_parameter_components(model_)) {}

  std::vector<Estimator> build() {
    energies();
    magnetization();
    if (config_.protocol.kind == ProtocolKind::swendsen_wang) clusters();
    if (config_.protocol.kind != ProtocolKind::local) add_stored("moved_sites");
    if (model_.kind == ModelKind::phi4 && std::isfinite(model_.lambda)) {
      add_stored("modulus_2");
      add_stored("modulus_4");
      if (columns_.has("local_acceptance")) add_stored("local_acceptance");  // campaigns of earlier versions have none
    }
    if (columns_.energy_of_copy().size() > 1) overlaps();
    if (config_.protocol.exchange != ExchangeSchedule::none) walk();
    return std::move(estimators_);
  }

 private:
  void add(std::string name, Value value, bool of_pair = false) {
    estimators_.push_back({std::move(name), std::move(value), of_pair});
  }
  void add_stored(const std::string& name) { add_scaled(name, name, 1.0); }
  void add_scaled(const std::string& name, const std::string& stored, double scale) {
    add(name, [scale, column = columns_[stored]](Averages x, double) { return scale * x[column]; });
  }
  void add_binder(const std::string& name, const std::string& q_2, const std::string& q_4, int components) {
    add(name, [=, a = columns_[q_2], b = columns_[q_4]](Averages x, double) {
      return binder_cumulant(x[a], x[b], components);
    });
  }
  void add_xi_over_L(const std::string& name, const std::string& zero, const std::string& kmin) {
    add(name, [a = columns_[zero], b = columns_[kmin], L = L_](Averages x, double) {
      return correlation_length(x[a], x[b], L) / L;
    });
  }

  void energies() {
    const std::size_t energy = columns_["energy"], squared = columns_["energy_squared"];
    add_stored("energy");
    if (columns_.energy_of_copy().size() > 1) {
      add("specific_heat", [=, product = columns_[Columns::energy_product], N = sites_](Averages x, double beta) {
        return beta * beta * N * (x[squared] - x[product]);
      });
    } else if (is_one_system(config_)) {
      add("specific_heat",
          [=, N = sites_](Averages x, double beta) { return beta * beta * N * (x[squared] - x[energy] * x[energy]); });
    }
  }

  void magnetization() {
    add_stored("magnetization_abs");
    add_stored("magnetization_2");
    add_stored("magnetization_4");
    add_scaled("chi_m", "magnetization_2", sites_);
    if (is_one_system(config_)) {
      add("chi_m_connected", [a = columns_["magnetization_2"], b = columns_["magnetization_abs"], N = sites_](
                                 Averages x, double) { return N * (x[a] - x[b] * x[b]); });
    }
    add_binder("magnetization_binder", "magnetization_2", "magnetization_4", components_);
    add_xi_over_L("xi_m_over_L", "magnetization_2", "magnetization_kmin");
  }

  void clusters() {
    add_scaled("chi_m_improved", "improved_m2", sites_);
    add_xi_over_L("xi_m_improved_over_L", "improved_m2", "improved_kmin");
    for (const char* name : {"clusters", "largest_cluster", "mean_cluster", "wrapping_any", "wrapping_all"}) {
      add_stored(name);
    }
  }

  void overlaps() {
    const bool tensor = model_.kind == ModelKind::on || model_.kind == ModelKind::phi4;
    add_stored("overlap");
    add_stored("link_overlap");
    add_scaled("chi_sg", "overlap_2", sites_);
    add_scaled("chi_sg_kmin", "overlap_kmin", sites_);
    add_xi_over_L("xi_over_L", "overlap_2", "overlap_kmin");
    add_binder("overlap_binder", "overlap_2", "overlap_4", tensor ? components_ * components_ : 1);
  }

  void walk() {
    add(
        "acceptance",
        [a = columns_[Columns::accepted], b = columns_[Columns::attempts]](Averages x, double) {
          return ratio(x[a], x[b]);
        },
        true);
    add("walk_up_fraction", [up = columns_[Columns::walkers_up], down = columns_[Columns::walkers_down]](
                                Averages x, double) { return ratio(x[up], x[up] + x[down]); });
  }

  const Config& config_;
  SpinModel model_;
  int L_;
  const Columns& columns_;
  double sites_;
  int components_;
  std::vector<Estimator> estimators_;
};

}  // namespace

bool is_one_system(const Config& config) { return config.is_pure() || config.model.couplings == CouplingKind::file; }

int order_parameter_components(const SpinModel& model) {
  switch (model.kind) {
    case ModelKind::ising:
      return 1;
    case ModelKind::potts:
      return model.states - 1;
    case ModelKind::phi4:
      return 4;
    case ModelKind::heisenberg:
    case ModelKind::on:
      break;
  }
  return model.components;
}

std::vector<Estimator> make_cluster_estimators(const Config& config, int L, const Columns& columns) {
  return Builder(config, L, columns).build();
}

}  // namespace glassworks
