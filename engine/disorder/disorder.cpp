#include <fmt/format.h>

#include <algorithm>
#include <boost/random/normal_distribution.hpp>
#include <boost/random/uniform_01.hpp>
#include <boost/random/uniform_smallint.hpp>
#include <cmath>
#include <span>

#include "engine/config/config.hpp"
#include "engine/disorder/coupling_samples.hpp"
#include "engine/disorder/disorder_file.hpp"
#include "engine/disorder/model_graphs.hpp"
#include "engine/disorder/philox_engine.hpp"
#include "engine/disorder/precision.hpp"
#include "kernels/core/addresses.hpp"
#include "kernels/core/open_ends.hpp"
#include "kernels/models/activation.hpp"
#include "kernels/models/for_model.hpp"
#include "kernels/models/model_facts.hpp"
#include "kernels/rounds/bond_view.hpp"
#include "kernels/rounds/modulus_scale.hpp"

namespace glassworks { inline namespace engine {
namespace {

/// Refuses a file whose content is not the one that the campaign was started with.
std::vector<float> pinned(DisorderFile file, const std::filesystem::path& path, const std::string& digest) {
  require_unchanged(path, file.digest, digest);
  return std::move(file.values);
}

/// Whether a bond that a site owns crosses an odd number of antiperiodic ends.
bool changes_sign(const ModelConfig& model, const Lattice& lattice, std::int64_t site, int bond) {
  bool changes = false;
  for (std::size_t axis = 0; axis < model.boundary.size(); ++axis) {
    const int a = static_cast<int>(axis);
    if (model.boundary[axis] != AxisEnds::antiperiodic) continue;
    changes ^= lattice.crossing(lattice.coordinates(site), bond, +1, a) != 0;
  }
  return changes;
}

/// +1 with probability p.
void draw_signs(PhiloxEngine& random, double p, std::span<float> couplings) {
  boost::random::uniform_smallint<int> coin(0, 1);
  boost::random::uniform_01<double> uniform;
  for (float& J : couplings) {
    const bool positive = p == 0.5 ? coin(random) == 1 : uniform(random) < p;
    J = positive ? 1.0F : -1.0F;
  }
}

/// J = 0 with this probability.
void dilute(PhiloxEngine& random, double probability, std::span<float> couplings) {
  if (probability == 0.0) return;
  boost::random::uniform_01<double> uniform;
  for (float& J : couplings) {
    if (uniform(random) < probability) J = 0.0F;
  }
}

/// Those of the file of a graph.
std::vector<float> couplings_of_file(const ModelConfig& model, const GivenGraph& given) {
  const double sign = model.couplings == CouplingKind::weights ? -1.0 : 1.0;
  std::vector<float> couplings;
  couplings.reserve(given.couplings.size());
  for (const double J : given.couplings) couplings.push_back(static_cast<float>(sign * J));
  return couplings;
}

/// dilution: random numbers for what is absent
std::vector<float> make_couplings(const ModelConfig& model, const Lattice& lattice, const GraphOfRealization& of,
                                  std::uint32_t realization, PhiloxEngine random, PhiloxEngine dilution) {
  if (of.given && model.reads_couplings()) return couplings_of_file(model, *of.given);
  if (model.couplings == CouplingKind::files) {
    const std::filesystem::path file = coupling_sample(model.couplings_file, lattice.L, realization);
    return pinned(read_couplings_file(file, lattice), file,
                  model.samples ? model.samples->of(lattice.L, realization) : std::string());
  }
  if (model.couplings == CouplingKind::file) {
    return pinned(read_couplings_file(model.couplings_file, lattice), model.couplings_file, model.couplings_digest);
  }
  std::vector<float> couplings(static_cast<std::size_t>(lattice.bond_places()), 1.0F);
  if (model.couplings == CouplingKind::gaussian) {
    boost::random::normal_distribution<double> normal;
    for (float& J : couplings) J = static_cast<float>(model.couplings_mean + normal(random));
  } else if (model.couplings == CouplingKind::bimodal) {
    draw_signs(random, model.bimodal_p, couplings);
  }
  if (of.made) {
    const std::vector<double>& weights = of.made->weights;
    for (std::size_t bond = 0; bond < weights.size(); ++bond) {
      couplings[bond] = static_cast<float>(weights[bond] * static_cast<double>(couplings[bond]));
    }
  }
  dilute(dilution, model.bond_dilution, couplings);
  cut_open_ends(lattice, couplings);
  return couplings;
}

/// Normal numbers divided by their norm: uniform on the sphere of radius `strength`, of one component +-strength.
void draw_on_sphere(PhiloxEngine& random, double strength, std::span<float> H) {
  boost::random::normal_distribution<double> normal;
  double v[max_components], norm;
  do {
    double square = 0.0;
    for (std::size_t k = 0; k < H.size(); ++k) {
      v[k] = normal(random);
      square += v[k] * v[k];
    }
    norm = std::sqrt(square);
  } while (norm < 1e-6);
  for (std::size_t k = 0; k < H.size(); ++k) H[k] = static_cast<float>(strength * v[k] / norm);
}

std::vector<float> constant_fields(const ModelConfig& model, std::size_t components, std::size_t sites) {
  const std::vector<double> field = constant_field(model, components);
  std::vector<float> fields(sites * components);
  for (std::size_t i = 0; i < fields.size(); ++i) fields[i] = static_cast<float>(field[i % components]);
  return fields;
}

std::vector<float> make_fields(const ModelConfig& model, const Lattice& lattice, const GraphOfRealization& of,
                               PhiloxEngine random) {
  if (model.field == FieldKind::none) return {};
  const int components = components_of(model.spins);
  if (model.field == FieldKind::file && model.field_file.empty() && of.given) {
    return {of.given->fields.begin(), of.given->fields.end()};
  }
  if (model.field == FieldKind::file) {
    return pinned(read_field_file(model.field_file, lattice, components), model.field_file, model.field_digest);
  }
  const auto n = static_cast<std::size_t>(components);
  if (model.field == FieldKind::constant) return constant_fields(model, n, static_cast<std::size_t>(lattice.sites()));
  std::vector<float> fields(static_cast<std::size_t>(lattice.sites()) * n);
  boost::random::normal_distribution<double> normal;
  boost::random::uniform_01<double> uniform;
  if (model.field == FieldKind::sphere) {
    for (std::size_t i = 0; i < fields.size(); i += n) {
      draw_on_sphere(random, model.field_strength, std::span(fields).subspan(i, n));
    }
  } else if (model.field == FieldKind::gaussian) {
    for (float& H : fields) H = static_cast<float>(model.field_strength * normal(random));
  } else {
    for (float& H : fields) H = static_cast<float>(model.field_strength * (2.0 * uniform(random) - 1.0));
  }
  return fields;
}

/// 1 where a site is absent, by the word of its own address: word site mod 4 of block site / 4 of stream dilution,
/// replica 1.
std::vector<std::uint8_t> make_absent(double probability, const Lattice& lattice, const PhiloxKey& key,
                                      std::uint32_t realization) {
  if (probability == 0.0) return {};
  const std::uint32_t threshold = probability_threshold(probability);
  std::vector<std::uint8_t> absent(static_cast<std::size_t>(lattice.sites()));
  RandomBlock block{};
  for (std::size_t site = 0; site < absent.size(); ++site) {
    if (site % 4 == 0) {
      block = random_block(key, Stream::dilution, realization, 1, 0, static_cast<std::uint32_t>(site / 4));
    }
    absent[site] = block.word[site % 4] < threshold ? 1 : 0;
  }
  return absent;
}

/// A random axis of each site by random_direction, from block `site` of stream fields, replica 1.
std::vector<float> make_axes(const ModelConfig& model, const Lattice& lattice, const PhiloxKey& key,
                             std::uint32_t realization) {
  std::vector<float> axes;
  if (model.anisotropy == 0.0) return axes;
  for_any_model(model.spins, [&](auto m) {
    if constexpr (!decltype(m)::discrete) {
      for (std::int64_t site = 0; site < lattice.sites(); ++site) {
        const auto axis = exact::random_direction<decltype(m)::components>(
            random_block(key, Stream::fields, realization, 1, 0, static_cast<std::uint32_t>(site)));
        axes.insert(axes.end(), std::begin(axis.c), std::end(axis.c));
      }
    }
  });
  return axes;
}

/// J = 0 of all bonds of absent sites, H = 0 there; fields as Disorder::absent has them.
void empty_sites(const ModelConfig& model, const Lattice& lattice, Disorder& disorder) {
  if (disorder.absent.empty()) return;
  disorder.fields.resize(static_cast<std::size_t>(lattice.sites() * components_of(model.spins)), 0.0F);
  for (float& H : disorder.fields) H += 0.0F;  // -0 becomes +0
  const BondView bonds(lattice, disorder.graph.get());
  for (std::int64_t site = 0; site < lattice.sites(); ++site) {
    if (!disorder.is_absent(site)) continue;
    bonds.for_couplings(site,
                        [&](std::int64_t place, int) { disorder.couplings[static_cast<std::size_t>(place)] = 0.0F; });
    const std::size_t n = disorder.fields.size() / static_cast<std::size_t>(lattice.sites());
    std::fill_n(disorder.fields.begin() + static_cast<std::ptrdiff_t>(n) * site, n, 0.0F);
  }
}

FixedScale scale_of(const Config& config, const Lattice& lattice, const Disorder& disorder) {
  const ModelConfig& model = config.model;
  if (has_free_modulus(model.spins)) {
    const double T = coldest_temperature(config);
    return energy_scale_of_modulus(model.spins, lattice, static_cast<double>(static_cast<float>(1.0 / T)));
  }
  const double of_site = std::abs(static_cast<double>(disorder.anisotropy)) + facts_of(model.spins).site_bound;
  FixedScale scale;
  if (lattice.is_graph()) {
    scale = choose_energy_scale(lattice, disorder.couplings, disorder.fields, of_site, disorder.graph.get());
  } else if (model.couplings == CouplingKind::ferromagnet && model.bond_dilution == 0.0 && !config.has_drawn_sites() &&
             !disorder.has_fields() && of_site == 0.0) {  // every site of any size is the same
    const Lattice small{lattice.dim, 4, 0, lattice.kind};
    scale = choose_energy_scale(small, std::vector<float>(static_cast<std::size_t>(small.bond_places()), 1.0F), {});
  } else {
    scale = choose_energy_scale(lattice, disorder.couplings, disorder.fields, of_site);
  }
  return scale;
}

void refuse_no_bonds(const ModelConfig& model, const Lattice& lattice, std::uint32_t realization,
                     const Disorder& disorder) {
  if (disorder.absent.empty()) return;
  if (std::ranges::any_of(disorder.couplings, [](float J) { return J != 0.0F; })) return;
  throw InputError(
      InputFault::conflict, "model.site_dilution",
      fmt::format("model.site_dilution = {} leaves no bond in realization {} of L = {} (no two neighbouring sites are "
                  "occupied, so no spins interact). Lower it, or raise L.",
                  model.site_dilution, realization, lattice.L));
}

/// A file may hold what the model cannot take.
void refuse_negative_couplings(const ModelConfig& model, bool has_clusters, const Disorder& disorder) {
  if (facts_of(model.spins).cluster_move != ClusterMove::new_state || !has_clusters) return;
  if (std::none_of(disorder.couplings.begin(), disorder.couplings.end(), [](float J) { return J < 0.0F; })) return;
  throw InputError(
      InputFault::conflict, model.couplings_file.string(),
      fmt::format("The file '{}' holds J < 0, which does not fit cluster updates of model.type = potts (unequal "
                  "neighbours form no clusters). Use J >= 0, or protocol.kind = local.",
                  model.couplings_file.string()));
}

}  // namespace

std::vector<double> constant_field(const ModelConfig& model, std::size_t components) {
  std::vector<double> field = model.field_direction;
  if (field.empty()) {
    field.resize(components);
    field.back() = 1.0;
  }
  double norm = 0.0;
  for (const double x : field) norm = std::hypot(norm, x);
  for (double& x : field) x = model.field_strength * (x / norm);
  return field;
}

template <class Real>
void change_signs_across_ends(const ModelConfig& model, const Lattice& lattice, std::vector<Real>& couplings) {
  if (lattice.is_graph() || std::ranges::find(model.boundary, AxisEnds::antiperiodic) == model.boundary.end()) return;
  for (std::int64_t site = 0; site < lattice.sites(); ++site) {
    for (int bond = 0; bond < lattice.owned(); ++bond) {
      Real& J = couplings[static_cast<std::size_t>(site * lattice.owned() + bond)];
      if (J != Real{0} && changes_sign(model, lattice, site, bond)) J = -J;
    }
  }
}
template void change_signs_across_ends(const ModelConfig&, const Lattice&, std::vector<float>&);
template void change_signs_across_ends(const ModelConfig&, const Lattice&, std::vector<double>&);

Disorder make_disorder(const Config& config, const Lattice& lattice, std::uint32_t realization) {
  const PhiloxKey key = lattice_key(config.campaign.seed, lattice);
  Disorder disorder;
  GraphOfRealization graph;
  if (lattice.is_graph()) {
    graph = graph_of(config, lattice, realization);
    disorder.graph = graph.graph();
  }
  disorder.couplings = make_couplings(config.model, lattice, graph, realization, {key, Stream::couplings, realization},
                                      {key, Stream::dilution, realization});
  change_signs_across_ends(config.model, lattice, disorder.couplings);
  disorder.fields = make_fields(config.model, lattice, graph, {key, Stream::fields, realization});
  disorder.absent = make_absent(config.model.site_dilution, lattice, key, realization);
  empty_sites(config.model, lattice, disorder);
  disorder.axes = make_axes(config.model, lattice, key, realization);
  disorder.anisotropy = static_cast<float>(config.model.anisotropy);
  refuse_no_bonds(config.model, lattice, realization, disorder);
  refuse_negative_couplings(config.model, config.protocol.kind != ProtocolKind::local, disorder);
  disorder.energy_scale = scale_of(config, lattice, disorder);
  return disorder;
}

}}  // namespace glassworks::engine
