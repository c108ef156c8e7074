#include <fmt/format.h>

#include <cmath>
#include <memory>

#include "base/digest.hpp"
#include "engine/config/config.hpp"
#include "tools/glassworks/doctor.hpp"

namespace glassworks { inline namespace tools {
namespace {

/// L = 4 with 6 slots and 2 copies, T = 0.2 to 1, two measurements: a fraction of a second on the reference backend.
Chain small_chain() {
  Chain chain;
  chain.lattice = {3, 4};
  chain.copies = 2;
  for (int k = 0; k < 6; ++k) chain.beta.push_back(static_cast<float>(5.0 * std::pow(0.2, k / 5.0)));
  chain.measurements = 2;
  chain.samples = 1;
  chain.key = size_key(1, 3, 4);
  return chain;
}

/// Digest of the state and the bin after one round.
std::string digest_of(Backend& backend, const Chain& chain) {
  const Disorder disorder = make_disorder(Config{}, chain.lattice, 0);
  ChainState state = initial_state(chain, 0);
  RoundRecord record;
  const RoundTask task{0, &disorder, &state, &record};
  RoundControl control;
  backend.run_round(chain, {&task, 1}, control);
  Digest digest;
  digest.value(state.steps).array(state.slot).array(state.heading).array(state.round_trips).array(state.spins);
  digest.array(record.mean).array(record.exchange_attempts).array(record.exchange_accepted);
  digest.array(record.walk_up).array(record.walk_down).array(record.walk_mean).array(record.round_trips);
  digest.array(record.samples);
  return digest.hex();
}

}  // namespace

SelfTest run_self_test() {
  const Chain chain = small_chain();
  SelfTest result;
  result.reference_digest = digest_of(*make_backend({BackendKind::reference, InstructionSet::automatic, 1}), chain);
  const auto compare = [&](const BackendOptions& options) {
    const std::unique_ptr<Backend> backend = make_backend(options);
    const std::string digest = digest_of(*backend, chain);
    if (digest == result.reference_digest) {
      result.passed.push_back(backend->description());
    } else {
      result.failure +=
          fmt::format("{}Backend {} gives other bits than the reference backend ({}, not {}).",
                      result.failure.empty() ? "" : " ", backend->description(), digest, result.reference_digest);
    }
  };
  for (const InstructionSet isa : available_instruction_sets()) compare({BackendKind::cpu, isa, 1});
  compare({BackendKind::cpu, InstructionSet::automatic, 2});
  for (int device = 0; device < static_cast<int>(cuda_devices().size()); ++device) {
    compare({BackendKind::cuda, InstructionSet::automatic, 1, device});
  }
  return result;
}

}}  // namespace glassworks::tools
