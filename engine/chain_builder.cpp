#include "engine/config.hpp"

namespace glassworks {

Chain make_chain(const Config& config, std::size_t size_index) {
  return make_chain(config, size_index, ladder_temperatures(config, size_index));
}

Chain make_chain(const Config& config, std::size_t size_index, const std::vector<double>& temperatures) {
  Chain chain;
  chain.model = config.model.spins;
  if (chain.model.is_discrete()) chain.model.components = 1;
  if (chain.model.kind == ModelKind::phi4) chain.model.components = 4;
  chain.lattice = {config.model.dim, config.model.L.at(size_index)};
  chain.copies = config.copies;
  for (const double T : temperatures) chain.beta.push_back(static_cast<float>(1.0 / T));
  chain.protocol = config.protocol;
  if (chain.protocol.tile == chain.lattice.L) chain.protocol.tile = 0;
  chain.measurements = config.measurements_per_round;
  chain.samples = config.samples();
  chain.key = size_key(config.seed, chain.lattice.dim, chain.lattice.L);
  return chain;
}

}  // namespace glassworks
