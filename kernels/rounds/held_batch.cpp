#include "kernels/rounds/held_batch.hpp"

#include <stdexcept>

namespace glassworks { inline namespace rounds {

void set_round(Chain& chain, const Conditions& conditions, RoundLength length) {
  chain.beta = conditions.beta;
  chain.protocol.exchanges_per_measurement = length.steps;
  chain.measurements = length.measurements;
}

std::vector<float> scaled_fields(const Disorder& disorder, float factor) {
  if (factor != 1.0F && !disorder.has_fields()) {
    throw std::runtime_error(
        "The field cannot change (these realizations have no site fields). Give the model a field.");
  }
  std::vector<float> fields = disorder.fields;
  if (factor == 1.0F) return fields;
  for (float& field : fields) field = scaled_field(field, factor);
  return fields;
}

}}  // namespace glassworks::rounds
