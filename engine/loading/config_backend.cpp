#include "engine/loading/config_validate.hpp"

namespace glassworks { inline namespace engine {

std::string backend_refusal(const Config& config, BackendKind backend) {
  for (std::size_t i = 0; i < config.model.L.size(); ++i) {
    const Chain chain = make_chain_without_ladder(config, i);
    if (std::string sentence = refusal_of(backend, chain); !sentence.empty()) return sentence;
    if (config.model.field == FieldKind::none) continue;
    std::string sentence = refusal_of(backend, needs_of(chain) | ChainNeeds{Need::fields});
    if (!sentence.empty()) return sentence;
  }
  return {};
}

void choose_backend(Config& config) {
  if (config.backend.options.kind != BackendKind::automatic) return;
  if (config.model.dim < 1 || config.model.dim > most_dim) return;  // refused later
  if (backend_refusal(config, BackendKind::cuda).empty()) return;
  if (!backend_refusal(config, BackendKind::cpu).empty()) return;
  config.backend.options.kind = BackendKind::cpu;
}

void validate_backend(const Config& config) {
  if (config.backend.options.kind == BackendKind::automatic) return;
  const std::string sentence = backend_refusal(config, config.backend.options.kind);
  if (!sentence.empty()) throw InputError(InputFault::conflict, "backend.kind", sentence);
}

}}  // namespace glassworks::engine
