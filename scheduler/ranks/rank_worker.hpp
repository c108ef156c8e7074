#pragma once

#include <filesystem>
#include <functional>
#include <vector>

#include "engine/config/config.hpp"
#include "kernels/make_backend.hpp"
#include "scheduler/ranks/messages.hpp"
#include "scheduler/ranks/transport.hpp"
#include "scheduler/work/worker.hpp"

namespace glassworks { inline namespace scheduler {

/// What a rank that is not 0 brings along.
struct RankEquipment {
  Hello self;
  std::function<std::vector<WorkerBackend>(const Config&)> backends;  ///< for the configuration of this rank
  Provenance provenance;                                              ///< without the backend
  std::filesystem::path temporaries;  ///< where states go if it does not see the campaign's directory
};

/// The course of a rank that is not 0: says Hello, waits for the campaign, works on it until there is no more for it,
/// and leaves when rank 0 lets it go. Where `control` asks for a stop, the whole run is asked to. Returns at once when
/// rank 0 refuses the run; it says why. Throws what the transport throws.
void work_for_rank_0(Transport& transport, RoundControl& control, const RankEquipment& equipment);

}}  // namespace glassworks::scheduler
