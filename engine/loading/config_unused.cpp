#include <fmt/format.h>

#include "engine/loading/config_validate.hpp"

namespace glassworks { inline namespace engine {

void drop_unused(Config& config, const std::function<bool(const char*)>& given) {
  const Config defaults;
  const auto note = [&](const char* key, const char* kind_key) {
    if (given(key)) config.notes.push_back(fmt::format("{} is not used (see {}).", key, kind_key));
  };
  if (given("ladder.kind")) {
    LadderConfig& ladder = config.ladder;
    if (ladder.kind == LadderKind::list) {
      for (const char* key : {"ladder.T_min", "ladder.T_max", "ladder.slots"}) note(key, "ladder.kind");
      ladder.T_min = ladder.T_max = 0.0;
      ladder.slots.clear();
    } else {
      note("ladder.temperatures", "ladder.kind");
      ladder.temperatures.clear();
    }
  }
  if (config.campaign.start != Start::stored) {
    note("campaign.start_from", "campaign.start");
    config.campaign.start_from.clear();
    config.campaign.start_digest.clear();
  }
  if (config.backend.options.kind == BackendKind::reference || config.backend.options.kind == BackendKind::cpu) {
    note("backend.devices", "backend.kind");
    config.backend.devices.clear();
  }
  ModelConfig& model = config.model;
  if (given("model.couplings") && !model.reads_couplings()) {
    note("model.couplings_file", "model.couplings");
    model.couplings_file.clear();
  }
  if (given("model.field")) {
    if (model.field != FieldKind::file) {
      note("model.field_file", "model.field");
      model.field_file.clear();
    }
    if (model.field == FieldKind::none || model.field == FieldKind::file) {
      note("model.field_strength", "model.field");
      model.field_strength = defaults.model.field_strength;
    }
    if (model.field != FieldKind::constant) {
      note("model.field_direction", "model.field");
      model.field_direction.clear();
    }
  }
}

}}  // namespace glassworks::engine
