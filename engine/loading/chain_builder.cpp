#include <algorithm>
#include <utility>

#include "engine/config/config.hpp"
#include "kernels/core/addresses.hpp"

namespace glassworks { inline namespace engine {
namespace {

/// With the numbers that the kind of model has, and none that it has not.
SpinModel model_of(const ModelConfig& config) {
  const SpinModel& given = config.spins;
  const ModelRules& rules = rules_of(given);
  SpinModel model;
  model.kind = given.kind;
  if (rules.has_q) model.states = given.states;
  if (rules.has_n) model.components = given.components;
  if (rules.has_lambda) model.lambda = given.lambda;
  for (const ModelNumber& number : model_numbers) {
    if (number.kind == given.kind) model.*number.value = given.*number.value;
  }
  model.components = components_of(model);
  model.diluted = config.site_dilution != 0.0;
  model.anisotropic = config.anisotropy != 0.0;
  return model;
}

}  // namespace

Lattice Config::lattice(int L) const { return model.lattice_of(L); }

Chain make_chain(const Config& config, std::size_t size_index) {
  return make_chain(config, size_index, ladder_temperatures(config, size_index));
}

Chain make_chain(const Config& config, std::size_t size_index, const std::vector<double>& temperatures) {
  Chain chain = make_chain_without_ladder(config, size_index);
  for (const double T : temperatures) chain.beta.push_back(static_cast<float>(1.0 / T));
  chain.measurements = measurements_of(config, size_index, temperatures.size());
  chain.samples = config.round.samples();
  if (config.course.exists()) chain.course = std::make_shared<const Course>(make_course(config, temperatures));
  return chain;
}

Chain make_chain_without_ladder(const Config& config, std::size_t size_index) {
  Chain chain;
  chain.model = model_of(config.model);
  chain.lattice = config.lattice(config.model.L.at(size_index));
  chain.copies = config.replicas.copies;
  chain.protocol = config.protocol;
  if (chain.protocol.tile == chain.lattice.L) {  // one tile, whose repeats are those of a step
    chain.protocol.tile = 0;
    chain.protocol.sweeps_per_exchange *= std::exchange(chain.protocol.tile_repeats, 1);
  }
  if (chain.protocol.moves == short_form(chain)) chain.protocol.moves = {};  // the same chain
  chain.local = config.round.observables;
  const auto key_of = [&](std::uint32_t history) {
    PhiloxKey key = lattice_key(config.campaign.seed, chain.lattice, history);
    key.generator = config.campaign.generator;
    return key;
  };
  const auto history = static_cast<std::uint32_t>(config.campaign.history);
  chain.start = config.campaign.start;
  if (config.course.exists()) chain.measurements = 0;  // of a backend: it is measured apart
  chain.key = key_of(chain.start == Start::stored ? stored_history + history : history);
  if (chain.start == Start::annealed) chain.cooling_key = key_of(cooling_history + history);
  return chain;
}

}}  // namespace glassworks::engine
