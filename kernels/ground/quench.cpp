#include "kernels/ground/quench.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>

#include "kernels/core/lattice_table.hpp"
#include "kernels/models/model_facts.hpp"
#include "kernels/rounds/bond_view.hpp"

namespace glassworks { inline namespace ground {
namespace {

constexpr int over_relaxations = 10;  ///< sweeps of a cycle
constexpr int most_cycles = 500;
constexpr int most_sweeps = 200000;  ///< of successive over-relaxation
constexpr double least_gain = 1e-5;  ///< of a cycle, relative to the energy
constexpr double weight = 1.85;      ///< w
constexpr double aligned = 1e-10;    ///< largest |s - h/|h||

template <int n>
double dot(const double* a, const double* b) {
  double sum = 0.0;
  for (int k = 0; k < n; ++k) sum += a[k] * b[k];
  return sum;
}

}  // namespace

GivenDisorder as_rounded(const Disorder& disorder) {
  return {{disorder.couplings.begin(), disorder.couplings.end()},
          {disorder.fields.begin(), disorder.fields.end()},
          static_cast<double>(disorder.anisotropy)};
}

Quench::Quench(const SpinModel& model, const Lattice& lattice, const Disorder& disorder, const GivenDisorder& given)
    : model_(model),
      states_(spin_states(model)),
      state_(model.is_discrete() ? static_cast<std::size_t>(lattice.sites()) : 0),
      components_(static_cast<std::size_t>(components_of(model))),
      sites_(static_cast<std::size_t>(lattice.sites())),
      field_(given.fields),
      absent_(disorder.absent),
      axes_(disorder.axes.begin(), disorder.axes.end()),
      anisotropy_(given.anisotropy),
      spins_(sites_ * components_) {
  const LatticeTable table(lattice, disorder.graph.get());
  for (std::int64_t site = 0; site < lattice.sites(); ++site) {
    first_.push_back(neighbour_.size());
    for (const LatticeTable::Link& link : table.links(site)) {
      neighbour_.push_back({link.site, link.owned});
      coupling_.push_back(given.couplings[static_cast<std::size_t>(link.place)]);
    }
  }
  first_.push_back(neighbour_.size());
  if (!lattice.has_terms()) return;
  const BondView bonds(lattice, disorder.graph.get());
  for (std::int64_t site = 0; site < lattice.sites(); ++site) {
    first_term_.push_back(terms_.size());
    bonds.for_terms(site, [&](std::span<const std::int32_t> sites, std::int64_t place) {
      const auto begin = std::ssize(others_);
      std::ranges::copy_if(sites, std::back_inserter(others_), [site](std::int32_t j) { return j != site; });
      terms_.push_back(
          {begin, std::ssize(others_), given.couplings[static_cast<std::size_t>(place)], sites.front() == site});
    });
  }
  first_term_.push_back(terms_.size());
}

std::span<const Quench::Term> Quench::terms_of(std::size_t site) const {
  if (first_term_.empty()) return {};
  return std::span(terms_).subspan(first_term_[site], first_term_[site + 1] - first_term_[site]);
}
double Quench::product_of_others(const Term& term) const {
  double product = 1.0;
  for (auto k = static_cast<std::size_t>(term.begin); k < static_cast<std::size_t>(term.end); ++k) {
    product *= spins_[static_cast<std::size_t>(others_[k])];
  }
  return product;
}

double Quench::product(const double* a, const double* b) const {
  if (order_parameter_of(model_) == OrderParameter::densities) return *a == *b ? 1.0 : 0.0;
  double sum = 0.0;
  for (std::size_t k = 0; k < components_; ++k) sum += a[k] * b[k];
  return sum;
}

double Quench::energy() const {
  // Neumaier, Z. angew. Math. Mech. 54, 39 (1974).
  double sum = 0.0, lost = 0.0;
  const auto subtract = [&](double term) {
    const double next = sum - term;
    lost += std::abs(sum) >= std::abs(term) ? (sum - next) - term : -term - (next - sum);
    sum = next;
  };
  for (std::size_t i = 0; i < sites_; ++i) {
    const double* const s = &spins_[i * components_];
    for (std::size_t place = first_[i]; place < first_[i + 1]; ++place) {
      if (!neighbour_[place].owned) continue;
      subtract(coupling_[place] * product(s, &spins_[static_cast<std::size_t>(neighbour_[place].site) * components_]));
    }
    for (const Term& term : terms_of(i)) {
      if (term.owned) subtract(term.coupling * (*s * product_of_others(term)));
    }
    if (!field_.empty()) {
      const double* const along = along_field(i);
      for (std::size_t k = 0; k < components_; ++k) subtract(along[k] * field_[i * components_ + k]);
    }
    if (!states_.empty()) subtract(-energy_of_state(i));
    if (!axes_.empty()) subtract(anisotropy_ * std::pow(product(s, &axes_[i * components_]), 2));
  }
  return sum + lost;
}

double Quench::energy_of_state(std::size_t site) const {
  return state_[site] < states_.size() ? states_[state_[site]].energy : 0.0;
}

const double* Quench::along_field(std::size_t site) const {
  const bool is_state = !states_.empty() && state_[site] < states_.size();
  return is_state ? states_[state_[site]].in_field.data() : &spins_[site * components_];
}

void Quench::set_state(std::size_t site, std::uint8_t state) {
  state_[site] = state;
  for (std::size_t k = 0; k < components_; ++k) {
    spins_[site * components_ + k] = state < states_.size() ? states_[state].spin[k] : 0.0;
  }
}

template <int n>
void Quench::local_field(std::size_t site, double* h) const {
  for (int k = 0; k < n; ++k) h[k] = field_.empty() ? 0.0 : field_[site * n + static_cast<std::size_t>(k)];
  for (std::size_t place = first_[site]; place < first_[site + 1]; ++place) {
    const double* const s = &spins_[static_cast<std::size_t>(neighbour_[place].site) * n];
    for (int k = 0; k < n; ++k) h[k] += coupling_[place] * s[k];
  }
}

template <int n>
double Quench::axis_energy(std::size_t site, const double* s) const {
  if (axes_.empty()) return 0.0;
  const double along = dot<n>(s, &axes_[site * n]);
  return -anisotropy_ * along * along;
}

template <int n>
void Quench::pull(std::size_t site, double* h) const {
  local_field<n>(site, h);
  if (axes_.empty()) return;
  const double *const s = &spins_[site * n], *const axis = &axes_[site * n];
  const double along = 2.0 * anisotropy_ * dot<n>(axis, s), back = std::max(0.0, -2.0 * anisotropy_);
  for (int k = 0; k < n; ++k) h[k] += along * axis[k] + back * s[k];
}

template <int n>
QuenchEnd Quench::run_vectors() {
  QuenchEnd end;
  double h[n];
  // visit(s, h, |h|) at every site that is pulled
  const auto sweep = [&](const auto& visit) {
    ++end.sweeps;
    for (std::size_t i = 0; i < sites_; ++i) {
      pull<n>(i, h);
      const double norm = std::sqrt(dot<n>(h, h));
      if (norm > 0.0) visit(&spins_[i * n], norm);
    }
  };
  const auto reflect = [&] {
    ++end.sweeps;
    double turned[n];
    for (std::size_t i = 0; i < sites_; ++i) {
      double* const s = &spins_[i * n];
      local_field<n>(i, h);
      const double norm = std::sqrt(dot<n>(h, h));
      if (norm == 0.0) continue;
      const double twice = 2.0 * dot<n>(s, h) / (norm * norm);
      for (int k = 0; k < n; ++k) turned[k] = twice * h[k] - s[k];
      if (axis_energy<n>(i, turned) <= axis_energy<n>(i, s)) std::copy_n(turned, n, s);
    }
  };
  const auto along_field = [&](double* s, double norm) {
    for (int k = 0; k < n; ++k) s[k] = h[k] / norm;
  };
  sweep(along_field);
  double before = energy();
  for (int cycle = 0; cycle < most_cycles; ++cycle) {
    for (int m = 0; m < over_relaxations; ++m) reflect();
    sweep(along_field);
    const double after = energy();
    if (before - after <= least_gain * std::abs(after)) break;
    before = after;
  }
  const double w = axes_.empty() ? weight : 1.0;
  for (int m = 0; m < most_sweeps && !end.settled; ++m) {
    double largest = 0.0;
    sweep([&](double* s, double norm) {
      double away = 0.0, square = 0.0;
      for (int k = 0; k < n; ++k) {
        const double e = h[k] / norm;
        away += (e - s[k]) * (e - s[k]);
        s[k] = w * e - (w - 1.0) * s[k];
        square += s[k] * s[k];
      }
      for (int k = 0; k < n; ++k) s[k] /= std::sqrt(square);
      largest = std::max(largest, away);
    });
    end.settled = largest < aligned * aligned;
  }
  end.energy = energy();
  return end;
}

QuenchEnd Quench::run_discrete() {
  QuenchEnd end;
  while (!end.settled) {
    ++end.sweeps;
    end.settled = true;
    for (std::size_t i = 0; i < sites_; ++i) {
      const auto gain = [&](const SpinState& state) {
        double sum = -state.energy;
        for (std::size_t k = 0; k < components_ && !field_.empty(); ++k) {
          sum += field_[i * components_ + k] * state.in_field[k];
        }
        for (std::size_t place = first_[i]; place < first_[i + 1]; ++place) {
          const std::size_t neighbour = static_cast<std::size_t>(neighbour_[place].site) * components_;
          sum += coupling_[place] * product(state.spin.data(), &spins_[neighbour]);
        }
        for (const Term& term : terms_of(i)) sum += term.coupling * (state.spin[0] * product_of_others(term));
        return sum;
      };
      if (!absent_.empty() && absent_[i] != 0) continue;
      double best = gain(states_[state_[i]]);
      for (std::size_t k = 0; k < states_.size(); ++k) {
        const double other = gain(states_[k]);
        if (other <= best + 1e-12 * std::abs(best)) continue;
        best = other;
        set_state(i, static_cast<std::uint8_t>(k));
        end.settled = false;
      }
    }
  }
  end.energy = energy();
  return end;
}

QuenchEnd Quench::run(std::span<const float> spins, std::span<const std::uint8_t> states) {
  if (model_.is_discrete()) {
    for (std::size_t i = 0; i < sites_; ++i) set_state(i, states[i]);
    return run_discrete();
  }
  for (std::size_t i = 0; i < sites_; ++i) {
    for (std::size_t k = 0; k < components_; ++k) {
      spins_[i * components_ + k] = static_cast<double>(spins[k * sites_ + i]);
    }
  }
  switch (components_) {
    case 2:
      return run_vectors<2>();
    case 3:
      return run_vectors<3>();
    case 4:
      return run_vectors<4>();
    case 5:
      return run_vectors<5>();
    case 6:
      return run_vectors<6>();
    case 7:
      return run_vectors<7>();
    default:
      return run_vectors<8>();
  }
}

}}  // namespace glassworks::ground
