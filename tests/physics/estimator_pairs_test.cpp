#include "tests/physics/estimator_pairs.hpp"

#include <iostream>
#include <optional>
#include <set>

/// Each pair of estimators of one quantity, wherever the table of observables says that both hold: all models, kinds of
/// couplings, ends, updates, fields and dilutions that a configuration accepts, on 4 x 4 sites.
///
/// A comparison fails by chance with probability 1e-8 (Student's t of the jackknife over 24 realizations): one of the
/// part that is run by default below 1e-4, one of all below 1e-3; seeds are fixed.
namespace glassworks::testing { namespace {

struct PairLevel {
  std::string name;
  std::vector<std::string> keys;
};

const std::vector<PairLevel> paired_models = {
    {"heisenberg", {"replicas.copies=4"}},
    {"ising", {"model.type=ising", "replicas.copies=4", "round.observables=axis_modes,field_response"}},
    {"ising of one copy", {"model.type=ising", "replicas.copies=1"}},
    {"potts 2", {"model.type=potts", "model.q=2", "replicas.copies=2", "round.observables=axis_modes"}},
    {"potts 3", {"model.type=potts", "model.q=3", "replicas.copies=2", "round.observables=axis_modes"}},
    {"xy",
     {"model.type=on", "model.n=2", "replicas.copies=4",
      "round.observables=bond_nematic,chiral_overlap,axis_modes,field_response"}},
    {"on 3", {"model.type=on", "model.n=3", "replicas.copies=2", "round.observables=bond_nematic,axis_modes"}},
    {"phi4 inf", {"model.type=phi4", "model.lambda=inf", "replicas.copies=2", "round.observables=axis_modes"}},
    {"phi4", {"model.type=phi4", "model.lambda=0.5", "replicas.copies=2"}},
    {"blume-capel",
     {"model.type=blume-capel", "model.crystal_field=0.6", "replicas.copies=4",
      "round.observables=quadrupole,axis_modes,field_response"}}};
// The highest beta is that of the Nishimori line for p = 3/4.
const std::vector<PairLevel> paired_couplings = {
    {"ferromagnet", {"model.couplings=ferromagnet"}},
    {"antiferromagnet", {"model.couplings=bimodal", "model.bimodal_p=0"}},
    {"+-J", {"model.couplings=bimodal"}},
    {"Nishimori", {"model.couplings=bimodal", "model.bimodal_p=0.75"}},
    {"all +J", {"model.couplings=bimodal", "model.bimodal_p=1"}},
    {"gaussian", {"model.couplings=gaussian"}},
    {"gaussian of mean 0.7", {"model.couplings=gaussian", "model.couplings_mean=0.7"}},
    {"file of both signs", {"model.couplings=file", "model.couplings_file=signs.txt"}},
    {"file of J > 0", {"model.couplings=file", "model.couplings_file=positive.txt"}}};
const std::vector<PairLevel> paired_ends = {{"periodic", {}},
                                            {"antiperiodic", {"model.boundary=antiperiodic,periodic"}},
                                            {"open", {"model.boundary=open,periodic"}}};
const std::vector<PairLevel> paired_updates = {
    {"local", {"protocol.kind=local"}},
    {"swendsen-wang", {"protocol.kind=swendsen-wang"}},
    {"wolff", {"protocol.kind=wolff", "protocol.cluster_sweeps=3", "protocol.heatbath=1"}},
    {"few-cluster",
     {"protocol.kind=few-cluster", "protocol.seed_tile=2", "protocol.p_flip=0.7", "protocol.heatbath=1"}}};
const std::vector<PairLevel> paired_sites = {
    {"plain", {}},
    {"gaussian field", {"model.field=gaussian", "model.field_strength=0.8"}},
    {"constant field", {"model.field=constant", "model.field_strength=0.5"}},
    {"field of fixed length", {"model.field=sphere", "model.field_strength=0.8"}},
    {"diluted bonds", {"model.bond_dilution=0.3"}},
    {"absent sites", {"model.site_dilution=0.2"}},
    {"anisotropy", {"model.anisotropy=1.5"}},
    {"prism", {"model.L=", "model.shape=4x6"}},
    {"triangular lattice", {"model.lattice=triangular"}}};

/// Middle slots are those of beta_1 + i beta_step.
constexpr double beta_step = 0.08;
const double nishimori_beta = 0.5 * std::log(3.0);

class StatisticsOfEstimatorPairs : public ConfigTest {
 protected:
  void SetUp() override {
    ConfigTest::SetUp();
    std::string signs, positive;
    for (int bond = 0; bond < 32; ++bond) {
      const double J = 0.4 + 0.05 * (bond * 7 % 16);
      signs += fmt::format("{} {} {}\n", bond / 2, bond % 2, bond % 3 == 0 ? -J : J);
      positive += fmt::format("{} {} {}\n", bond / 2, bond % 2, J);
    }
    write("signs.txt", signs);
    write("positive.txt", positive);
  }

  /// Nothing if the configuration is refused.
  std::optional<Config> load(const std::vector<const PairLevel*>& levels) {
    std::string T;
    for (int i = 0; i < 3; ++i)
      T += fmt::format("{}{:.17g}", i > 0 ? ", " : "", 1.0 / (nishimori_beta - i * beta_step));
    std::vector<std::string> keys = {
        "campaign.seed=11",         "model.dim=2",      "model.L=4",
        "disorder.realizations=24", "ladder.kind=list", "ladder.temperatures=" + T,
        "round.measurements=30",    "round.samples=0",  "protocol.exchanges_per_measurement=1",
        "backend.kind=cpu",         "backend.threads=1"};
    std::string text;
    for (const PairLevel* level : levels) text += level->name + (level == levels.back() ? "" : ", ");
    if (levels.front()->name == "heisenberg") {
      keys.insert(keys.end(), {"protocol.overrelaxation=1"});
    } else {
      keys.insert(keys.end(), {"protocol.exchange=none"});
    }
    for (const PairLevel* level : levels) keys.insert(keys.end(), level->keys.begin(), level->keys.end());
    name_ = text;
    try {
      return load_config(write("a.cfg", ""), keys);
    } catch (const InputError&) {
      return std::nullopt;
    }
  }

  std::string name_;
};

double of_all(const ShortRun& run, const ShortRun::Value& value) { return std::abs(value(run.means().front())); }

void compare_values(PairComparison& pairs, const ShortRun& run, const ShortRun::Value& one,
                    const ShortRun::Value& other, double factor, const std::string& what) {
  pairs.vanishes(
      run, [&](const ShortRun::Means& x) { return one(x) - factor * other(x); },
      std::max(of_all(run, one), std::abs(factor) * of_all(run, other)), what);
}

/// Two estimators, if the campaign has both.
void compare_observables(PairComparison& pairs, const ShortRun& run, int slot, const char* one, const char* other,
                         double factor = 1.0) {
  if (!run.has(one) || !run.has(other)) return;
  compare_values(pairs, run, run.observable(one, slot), run.observable(other, slot), factor,
                 fmt::format("{} and {}, slot {}", one, other, slot));
}

/// Two stored columns, where the equations of both are true.
void compare_columns(PairComparison& pairs, const ShortRun& run, int slot, const char* one, const char* other) {
  if (!run.has_column(one) || !run.has_column(other)) return;
  compare_values(pairs, run, run.column(one, slot), run.column(other, slot), 1.0,
                 fmt::format("{} and {}, slot {}", one, other, slot));
}

/// The mean of the modes along the axes is that at k_min.
void compare_axes(PairComparison& pairs, const ShortRun& run, int slot, const std::string& column) {
  if (!run.config().model.shapes.empty() || !run.columns().has(column + "_x") || !run.columns().has(column)) return;
  const ShortRun::Value x = run.column(column + "_x", slot), y = run.column(column + "_y", slot);
  compare_values(
      pairs, run, run.column(column, slot), [&](const ShortRun::Means& m) { return 0.5 * (x(m) + y(m)); }, 1.0,
      fmt::format("{} and its axes, slot {}", column, slot));
}

void compare_energies(PairComparison& pairs, const ShortRun& run, int slot) {
  if (!run.has("bond_energy")) return;
  const ShortRun::Value bonds = run.observable("bond_energy", slot);
  const std::optional<ShortRun::Value> field =
      run.has("field_energy") ? std::optional(run.observable("field_energy", slot)) : std::nullopt;
  compare_values(
      pairs, run, run.observable("energy", slot),
      [&](const ShortRun::Means& x) { return bonds(x) + (field ? (*field)(x) : 0.0); }, 1.0,
      fmt::format("energy and its parts, slot {}", slot));
}

/// Identities of integration by parts vanish.
void compare_identities(PairComparison& pairs, const ShortRun& run, int slot) {
  for (const char* name : {"identity_difference", "field_identity_difference"}) {
    if (!run.has(name)) continue;
    pairs.vanishes(run, run.observable(name, slot), of_all(run, run.observable("energy", slot)),
                   fmt::format("{}, slot {}", name, slot));
  }
}

/// e(beta_1) - e(beta_3) = integral of C/beta^2, by Simpson's rule.
void compare_specific_heat(PairComparison& pairs, const ShortRun& run) {
  if (!run.has("specific_heat")) return;
  const auto variance = [&](int slot) {
    return [c = run.observable("specific_heat", slot), beta = run.beta(slot)](const ShortRun::Means& x) {
      return c(x) / (beta * beta);
    };
  };
  const auto v0 = variance(0), v1 = variance(1), v2 = variance(2);
  const double width = 0.5 * (run.beta(0) - run.beta(2));
  const ShortRun::Value cold = run.observable("energy", 0), hot = run.observable("energy", 2);
  compare_values(
      pairs, run, [&](const ShortRun::Means& x) { return hot(x) - cold(x); },
      [&](const ShortRun::Means& x) { return width / 3.0 * (v0(x) + 4.0 * v1(x) + v2(x)); }, 1.0,
      "specific_heat and differences of energies");
  if (!is_one_system(run.config()) || run.config().replicas.copies == 1) return;
  const double factor = run.beta(0) * run.beta(0) * run.sites();
  const ShortRun::Value squares = run.column("energy_squared", 0), mean = run.column("energy", 0);
  compare_values(
      pairs, run, run.observable("specific_heat", 0),
      [&](const ShortRun::Means& x) { return factor * (squares(x) - mean(x) * mean(x)); }, 1.0,
      "specific_heat of copies and of runs");
}

/// Without what breaks rotational symmetry, chi_SG of two copies is n times the connected one of four.
void compare_field_terms(PairComparison& pairs, const ShortRun& run, int slot) {
  const ModelConfig& model = run.config().model;
  if (model.field != FieldKind::none || model.anisotropy != 0.0) return;
  const double n = components_of(model.spins);
  compare_observables(pairs, run, slot, "chi_sg", "chi_sg_field", n);
  compare_observables(pairs, run, slot, "chi_sg_kmin", "chi_sg_field_kmin", n);
}

/// phi . dS/dphi has the mean n at each site: 2 beta e + 2 <phi^2> + 4 lambda (<phi^4> - <phi^2>) = 4.
void compare_modulus(PairComparison& pairs, const ShortRun& run, int slot) {
  if (!run.has("modulus_2")) return;
  const ShortRun::Value e = run.observable("energy", slot), two = run.observable("modulus_2", slot),
                        four = run.observable("modulus_4", slot);
  pairs.vanishes(
      run,
      [&, beta = run.beta(slot), lambda = run.config().model.spins.lambda](const ShortRun::Means& x) {
        return 2.0 * beta * e(x) + 2.0 * two(x) + 4.0 * lambda * (four(x) - two(x)) - 4.0;
      },
      4.0, fmt::format("energy and moments of |phi|, slot {}", slot));
}

/// What `may_magnetize` rests on: the susceptibility is <s^2> at all k where couplings and fields are symmetric about
/// 0, which is 1 of all models but blume-capel.
void compare_with_uncorrelated(PairComparison& pairs, const ShortRun& run, int slot) {
  const ModelConfig& model = run.config().model;
  const bool symmetric = (model.couplings == CouplingKind::gaussian && model.couplings_mean == 0.0) ||
                         (model.couplings == CouplingKind::bimodal && model.bimodal_p == 0.5);
  if (!symmetric || !condition::m_without_mean.met(run.config()) || model.site_dilution != 0.0) return;
  for (const char* name : {"magnetization_2", "magnetization_kmin", "improved_m2", "improved_kmin"}) {
    if (!run.has_column(name) || (std::string(name).starts_with("improved") && !run.has("chi_m_improved"))) continue;
    const ShortRun::Value value = run.column(name, slot);
    const auto square = [&, has_zeros = run.has("quadrupole")](const ShortRun::Means& x) {
      return has_zeros ? run.observable("quadrupole", slot)(x) : 1.0;
    };
    pairs.vanishes(
        run, [&](const ShortRun::Means& x) { return run.sites() * value(x) - square(x); }, 1.0,
        fmt::format("{} without correlations, slot {}", name, slot));
  }
}

/// On the Nishimori line [J_ij <s_i s_j>] = tanh(beta) and [<s_i s_j>^2] = [<s_i s_j>]: Nishimori, Prog. Theor. Phys.
/// 66, 1169 (1981).
void compare_on_nishimori_line(PairComparison& pairs, const ShortRun& run) {
  const ModelConfig& model = run.config().model;
  const bool on_line = model.spins.kind == ModelKind::ising && model.couplings == CouplingKind::bimodal &&
                       model.bimodal_p == 0.75 && model.field == FieldKind::none &&
                       !has_antiperiodic_ends(run.config());
  if (!on_line) return;
  const double bonds = run.config().lattice(model.L.front()).bonds_per_site(),
               there = (1.0 - model.bond_dilution) * (1.0 - model.site_dilution) * (1.0 - model.site_dilution);
  const ShortRun::Value e = run.observable("energy", 0);
  pairs.vanishes(
      run, [&](const ShortRun::Means& x) { return e(x) + bonds * there * std::tanh(run.beta(0)); }, bonds,
      "energy on the Nishimori line");
  if (run.config().replicas.copies == 1) return;
  compare_columns(pairs, run, 0, "overlap_2", "magnetization_2");
  compare_columns(pairs, run, 0, "overlap_kmin", "magnetization_kmin");
}

void compare_all(PairComparison& pairs, const ShortRun& run) {
  for (int slot = 0; slot < run.slots(); ++slot) {
    compare_observables(pairs, run, slot, "chi_m", "chi_m_improved");
    compare_observables(pairs, run, slot, "xi_m_over_L", "xi_m_improved_over_L");
    compare_columns(pairs, run, slot, "magnetization_2", "improved_m2");
    compare_columns(pairs, run, slot, "magnetization_kmin", "improved_kmin");
    if (run.config().model.spins.is_discrete()) {
      compare_observables(pairs, run, slot, "chi_m_improved", "mean_cluster");
    }
    for (const char* column : {"magnetization_kmin", "overlap_kmin"}) compare_axes(pairs, run, slot, column);
    compare_energies(pairs, run, slot);
    compare_identities(pairs, run, slot);
    compare_field_terms(pairs, run, slot);
    compare_modulus(pairs, run, slot);
    compare_with_uncorrelated(pairs, run, slot);
  }
  compare_specific_heat(pairs, run);
  compare_on_nishimori_line(pairs, run);
}

/// Updates of one system: whatever both have, but for what depends on the update itself.
void compare_updates(PairComparison& pairs, const ShortRun& local, const ShortRun& other) {
  const std::set<std::string> of_update = {"local_acceptance"};
  for (const auto& [name, value] : local.estimators()) {
    // Lengths are no numbers in some of the samples.
    if (of_update.contains(name) || name.starts_with("xi") || !other.has(name)) continue;
    const ShortRun::Value a = local.observable(name, 0), b = other.observable(name, 0);
    const bool vanishes = name.ends_with("identity_difference") || name == "overlap";
    const double scale = vanishes ? 1.0 : std::max(of_all(local, a), of_all(other, b));
    pairs.agree(local, other, a, b, scale, name + " of two updates, slot 0");
  }
}

/// What is run by default: Ising spins of one copy with all couplings, what only few combinations have, and one of 53
/// of all.
bool is_default_pair(std::size_t m, std::size_t c, std::size_t b, std::size_t s) {
  const std::size_t number = ((m * paired_couplings.size() + c) * paired_ends.size() + b) * paired_sites.size() + s;
  if (number % 53 == 0) return true;
  const std::string &model = paired_models[m].name, &coupling = paired_couplings[c].name, &site = paired_sites[s].name;
  if (model == "ising of one copy") return site == "plain" && b == c % paired_ends.size();
  return b == 0 && ((model == "ising" && coupling == "Nishimori" && site == "plain") ||
                    (model == "phi4" && coupling == "ferromagnet" && site == "plain") ||
                    (model == "blume-capel" && coupling == "gaussian" && site == "plain") ||
                    (model == "heisenberg" && coupling == "gaussian" && site == "gaussian field"));
}

TEST_F(StatisticsOfEstimatorPairs, AgreeWhereTheTableSaysThatTheyHold) {
  const bool all = test::enough(false, true);
  PairComparison pairs(1e-8);
  int configurations = 0;
  for (std::size_t m = 0; m < paired_models.size(); ++m) {
    for (std::size_t c = 0; c < paired_couplings.size(); ++c) {
      for (std::size_t b = 0; b < paired_ends.size(); ++b) {
        for (std::size_t s = 0; s < paired_sites.size(); ++s) {
          if (!all && !is_default_pair(m, c, b, s)) continue;
          std::unique_ptr<ShortRun> local;
          for (std::size_t u = 0; u < paired_updates.size(); ++u) {
            const std::optional<Config> config =
                load({&paired_models[m], &paired_couplings[c], &paired_ends[b], &paired_sites[s], &paired_updates[u]});
            if (!config) continue;
            ++configurations;
            pairs.begin(name_);
            auto run = std::make_unique<ShortRun>(*config);
            compare_all(pairs, *run);
            if (local) compare_updates(pairs, *local, *run);
            if (u == 0) local = std::move(run);
          }
        }
      }
    }
  }
  std::cout << fmt::format("{} configurations, {} comparisons\n", configurations, pairs.comparisons());
  RecordProperty("comparisons", pairs.comparisons());
  for (const char* pair : {"chi_m and chi_m_improved",
                           "xi_m_over_L and xi_m_improved_over_L",
                           "magnetization_2 and improved_m2",
                           "magnetization_kmin and improved_kmin",
                           "chi_m_improved and mean_cluster",
                           "magnetization_kmin and its axes",
                           "overlap_kmin and its axes",
                           "energy and its parts",
                           "identity_difference",
                           "field_identity_difference",
                           "chi_sg and chi_sg_field",
                           "chi_sg_kmin and chi_sg_field_kmin",
                           "energy and moments of |phi|",
                           "magnetization_kmin without correlations",
                           "specific_heat and differences of energies",
                           "specific_heat of copies and of runs",
                           "energy on the Nishimori line",
                           "chi_m_connected of two updates",
                           "chi_cg of two updates",
                           "overlap_binder of two updates"}) {
    EXPECT_TRUE(pairs.counts().contains(pair)) << "nothing was compared: " << pair;
  }
}

}}  // namespace glassworks::testing
