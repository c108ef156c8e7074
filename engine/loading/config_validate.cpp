#include "engine/loading/config_validate.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>

#include "engine/config/config_table.hpp"
#include "engine/config/config_value.hpp"
#include "engine/disorder/precision.hpp"
#include "engine/loading/memory.hpp"

namespace glassworks { inline namespace engine {
namespace {

/// Of the samples of a round, which is one row of the database and is read as a whole.
constexpr double most_sample_bytes = 1e8;
constexpr int smallest_L = 3;

static_assert(4 * max_slots <= static_cast<int>(max_replicas_per_realization));

/// Keys whose rows have a range.
void validate_ranges(const Config& config) {
  for (const KeyBinding& binding : key_bindings()) {
    if (!binding.range || (binding.exists && !binding.exists(config))) continue;
    const KeyRange& range = *binding.range;
    if (range.used != nullptr && !range.used(config)) continue;
    for (const double value : binding.numbers(config)) {
      if (value >= range.low && value <= range.high) continue;
      throw InputError(InputFault::out_of_range, binding.key.name,
                       fmt::format("{} = {} is out of range ({}). Choose a value in this range.", binding.key.name,
                                   value, range.text()));
    }
  }
}

/// Lengths of prisms along their axes.
void validate_lengths(const ModelConfig& model, int limit) {
  constexpr int longest = (1 << 16) - 1;  // keys of random numbers hold lengths in 16 bits
  for (const LatticeShape& shape : model.shapes) {
    double sites = 1.0;
    for (std::size_t axis = 0; axis < shape.lengths.size(); ++axis) {
      const int length = shape.lengths[axis];
      const bool open = !model.boundary.empty() && model.boundary[axis] == AxisEnds::open;
      const auto reject = [&](const char* problem, const char* suggestion) {
        return InputError(InputFault::out_of_range, "model.shape",
                          fmt::format("model.shape = {} has length {} along {}, which is {}. {}", write_value(shape),
                                      length, "xyzwuv"[axis], problem, suggestion));
      };
      if (!open && length < smallest_L) {
        throw reject("too short for a closed axis (both neighbours would be the same site)",
                     "Use 3 or more (even lengths are faster), or model.boundary = open along it.");
      }
      if (length < 2) throw reject("too short (it has no bonds)", "Use 2 or more, or a lattice of lower dimension.");
      if (length > longest) throw reject("too long (at most 65535)", "Use a shorter one.");
      sites *= length;
    }
    if (sites <= std::pow(limit, model.dim)) continue;
    throw InputError(InputFault::too_large, "model.shape",
                     fmt::format("model.shape = {} has {:.0f} sites, too many (at most {}^{}). Use a smaller one.",
                                 write_value(shape), sites, limit, model.dim));
  }
}

/// Where axes are open, a lattice with such lengths may be had as a shape: "16x16x5".
std::string suggested_shape(const ModelConfig& model, int L) {
  if (std::ranges::find(model.boundary, AxisEnds::open) == model.boundary.end() || L < 2) return {};
  if (!model.is_hypercubic()) return {};
  LatticeShape shape;
  for (const AxisEnds ends : model.boundary) {
    shape.lengths.push_back(ends == AxisEnds::open ? L : std::max(4, L + L % 2));
  }
  return fmt::format("model.shape = {}{}", write_value(shape),
                     rules_of(model.spins).other_lattices ? "" : " with model.type = on and model.n = 3");
}

void validate_sizes(const ModelConfig& model) {
  const bool is_other_graph = model.lattice >= LatticeChoice::graph;  // problem_of(recipe) knows its sizes
  const int limit = is_other_graph ? std::numeric_limits<int>::max()
                                   : rules_of(model.spins).largest_L[static_cast<std::size_t>(model.dim)];
  const bool takes_graphs = rules_of(model.spins).other_lattices;
  const int smallest = is_other_graph ? 1 : takes_graphs ? smallest_L : 4;
  if (limit == 0) {
    throw InputError(InputFault::conflict, "model.dim",
                     fmt::format("model.dim = {} does not fit model.type = {} (it has at most 4). Use model.type = on "
                                 "with model.n = 3.",
                                 model.dim, write_value(model.spins.kind)));
  }
  const std::string suggestion =
      fmt::format("Use {} number from {} to {}.", takes_graphs ? "a" : "an even", smallest, limit);
  if (model.L.empty())
    throw InputError(InputFault::missing, "model.L",
                     "model.L is missing (there is no size to simulate). " + suggestion);
  if (!model.shapes.empty()) return validate_lengths(model, limit);
  const auto reject = [&](int L, const std::string& problem) {
    const std::string shape = L > limit ? std::string() : suggested_shape(model, L);
    return InputError(InputFault::out_of_range, "model.L",
                      shape.empty()
                          ? fmt::format("model.L = {} is {}. {}", L, problem, suggestion)
                          : fmt::format("model.L = {} is {}. Use {} in its place (lengths along open axes may be odd).",
                                        L, problem, shape));
  };
  for (auto L = model.L.begin(); L != model.L.end(); ++L) {
    if (*L < smallest) throw reject(*L, "too small (at L = 2 both neighbours along an axis are the same site)");
    if (*L % 2 != 0 && !takes_graphs) {
      throw reject(*L, "odd (the checkerboard of this model needs two equal sublattices)");
    }
    if (*L > limit) throw reject(*L, fmt::format("too large (the limit for model.dim = {} is {})", model.dim, limit));
    if (std::find(model.L.begin(), L, *L) != L) {
      throw InputError(InputFault::repeated, "model.L",
                       fmt::format("model.L holds {} twice (each size is simulated once). Remove one of them.", *L));
    }
  }
}

/// Keys that have one value for all sizes, or one for each.
void validate_lists(const Config& config) {
  const std::size_t sizes = config.model.L.size();
  for (const KeyBinding& binding : key_bindings()) {
    if (!binding.per_size) continue;
    const std::size_t entries = binding.per_size.get(config).size();
    if (entries == 0 && binding.required != nullptr) {
      throw InputError(InputFault::missing, binding.key.name,
                       fmt::format("{} has no value (there is nothing after '='). Give a number, or one per size.",
                                   binding.key.name));
    }
    if (entries <= 1 || entries == sizes) continue;
    throw InputError(
        InputFault::conflict, binding.key.name,
        fmt::format("{} holds {} entries for the {} of model.L (each size needs its own). Give one number{}.",
                    binding.key.name, entries, sizes,
                    binding.required != nullptr ? ", or one per size" : ", one per size, or auto"));
  }
}

/// A kind that reads a file needs the path and one size; another kind has no use for it.
void validate_file(const char* kind_key, const char* file_key, bool is_file, const std::filesystem::path& file,
                   std::size_t sizes) {
  if (!is_file && !file.empty()) {
    throw InputError(InputFault::conflict, file_key,
                     fmt::format("{} is given without use ({} is not file). Remove it or set {} = file.", file_key,
                                 kind_key, kind_key));
  }
  if (!is_file) return;
  if (file.empty()) {
    throw InputError(InputFault::missing, file_key,
                     fmt::format("{0} is missing ({1} = file needs it). Add {0} = <path>.", file_key, kind_key));
  }
  if (sizes != 1) {
    throw InputError(
        InputFault::conflict, kind_key,
        fmt::format("{} = file does not fit {} sizes in model.L (a file describes one lattice). Give one L.", kind_key,
                    sizes));
  }
}

void validate_field(const Config& config) {
  const ModelConfig& model = config.model;
  if (!config.has_field_strength() && model.field_strength != 0.0) {
    throw InputError(InputFault::conflict, "model.field_strength",
                     fmt::format("model.field_strength = {} is given without use (model.field is none or file). "
                                 "Remove it or set model.field = constant, sphere, gaussian or box.",
                                 model.field_strength));
  }
  const std::vector<double>& direction = model.field_direction;
  if (direction.empty()) return;
  const std::string key = "model.field_direction = " + write_value(direction);
  if (model.field != FieldKind::constant) {
    throw InputError(
        InputFault::conflict, "model.field_direction",
        key +
            " is given without use (only a constant field has a direction). Remove it or set model.field = "
            "constant.");
  }
  if (std::ssize(direction) != components_of(model.spins)) {
    throw InputError(InputFault::conflict, "model.field_direction",
                     fmt::format("{} has {} numbers (a spin has {} components). Give one number for each component.",
                                 key, direction.size(), components_of(model.spins)));
  }
  double norm = 0.0;
  for (const double x : direction) norm = std::hypot(norm, x);
  if (!(norm > 0.0) || !std::isfinite(norm)) {
    throw InputError(InputFault::out_of_range, "model.field_direction",
                     key + " is no direction (its length is 0 or infinite). Give a vector such as 0, 0, 1.");
  }
}

/// The stored text has `#` for comments and drops blanks at the ends of a value.
void validate_path(const char* key, const std::filesystem::path& path) {
  const std::string text = path.string();
  if (fits_a_line(text) && (text.empty() || (text.front() != ' ' && text.back() != ' '))) {
    return;
  }
  throw InputError(InputFault::malformed, key,
                   fmt::format("{} = '{}' cannot be stored (a path must not hold '#', control characters, or blanks at "
                               "its ends). Rename it.",
                               key, text));
}

void validate_tile(const ModelConfig& model, int tile) {
  const auto fits = [](int L, int t) { return t == 0 || t == L || (t >= 2 && t % 2 == 0 && L % (2 * t) == 0); };
  const auto fits_all = [&](int t) {
    return std::all_of(model.L.begin(), model.L.end(), [&](int L) { return fits(L, t); });
  };
  if (fits_all(tile)) return;
  std::vector<int> tiles = {0};
  for (int t = 2; t <= *std::max_element(model.L.begin(), model.L.end()); t += 2) {
    if (fits_all(t)) tiles.push_back(t);
  }
  const int L = *std::find_if_not(model.L.begin(), model.L.end(), [&](int size) { return fits(size, tile); });
  throw InputError(InputFault::conflict, "protocol.tile",
                   fmt::format("protocol.tile = {} does not fit L = {} (a tile is even and L a multiple of twice its "
                               "edge). Tiles that fit every size of model.L: {}.",
                               tile, L, fmt::join(tiles, ", ")));
}

void validate_protocol(const Config& config) {
  const Protocol& p = config.protocol;
  validate_tile(config.model, p.tile);
  if (p.tile_repeats != 1 && p.tile == 0) {
    throw InputError(InputFault::conflict, "protocol.tile_repeats",
                     fmt::format("protocol.tile_repeats = {} does not fit protocol.tile = 0 (only tiles repeat their "
                                 "sweeps). Give the edge of the tiles, or use protocol.sweeps_per_exchange instead.",
                                 p.tile_repeats));
  }
}

/// Needs a valid ladder.
void validate_rounds(const Config& config) {
  for (const int measurements : config.round.measurements_per_round) {
    if (measurements >= 1 && measurements <= 1'000'000) continue;
    throw InputError(
        InputFault::out_of_range, "round.measurements",
        fmt::format("round.measurements = {} is out of range (1 to 1e6). Choose a value in this range.", measurements));
  }
  const Protocol& p = config.protocol;
  const ConvergenceConfig& c = config.convergence;
  for (std::size_t i = 0; i < config.model.L.size(); ++i) {
    const int measurements = measurements_of(config, i);
    const double exchanges = static_cast<double>(measurements) * p.exchanges_per_measurement;
    if (exchanges >= 0x1p31) {
      throw InputError(
          InputFault::too_large, "round.measurements",
          fmt::format(
              "round.measurements = {} is too many ({:.3g} exchanges in a round; at most 2^31). Lower it: rounds "
              "follow each other.",
              measurements, exchanges));
    }
    // Each has a number of its own: sweeps of one colour, cluster updates, and with an anisotropy sweeps of both kinds.
    const int most = std::max({p.heatbath * config.lattice(config.model.L[i]).colours(), p.overrelaxation + p.heatbath,
                               p.cluster_sweeps, p.isoenergetic, 1});
    const double updates =
        static_cast<double>(c.max_rounds) * exchanges * p.sweeps_per_exchange * p.tile_repeats * most;
    if (updates >= 0x1p48) {
      throw InputError(
          InputFault::too_large, "convergence.max_rounds",
          fmt::format("convergence.max_rounds = {} is too long ({:.3g} updates of one colour per realization; random "
                      "numbers are distinct up to 2^48). Lower it or the sweeps of a round.",
                      c.max_rounds, updates));
    }
  }
}

/// Needs a valid model, ladder and number of measurements.
void validate_samples(const Config& config) {
  const int samples = config.round.samples();
  for (std::size_t i = 0; i < config.model.L.size(); ++i) {
    const int measurements = measurements_of(config, i);
    if (samples >= 0 && samples <= measurements) continue;
    throw InputError(
        InputFault::out_of_range, "round.samples",
        fmt::format("round.samples = {} is out of range (0 to round.measurements = {}). Choose a value in this range.",
                    samples, measurements));
  }
  const bool slots_may_change = config.ladder.adapt != LadderAdaptation::none && config.ladder.slots.empty();
  for (std::size_t i = 0; i < config.model.L.size(); ++i) {
    const auto slots = slots_may_change ? max_slots : static_cast<int>(ladder_temperatures(config, i).size());
    const double bytes = sample_bytes(config.bins(), slots, samples);
    if (bytes <= most_sample_bytes) continue;
    throw InputError(
        InputFault::too_large, "round.samples",
        fmt::format("round.samples = {} is too many ({:.3g} MB in a round of {} slots; at most {:.0f} MB). Lower it.",
                    samples, bytes / 1e6, slots, most_sample_bytes / 1e6));
  }
}

void validate_devices(const std::vector<int>& devices) {
  for (auto device = devices.begin(); device != devices.end(); ++device) {
    if (std::find(devices.begin(), device, *device) == device) continue;
    throw InputError(
        InputFault::repeated, "backend.devices",
        fmt::format("backend.devices holds {} twice (each device is used once). Remove one of them.", *device));
  }
}

}  // namespace

void refuse_pair(const std::string& key_with_value, const std::string& other, const char* why,
                 const std::string& suggestion) {
  throw InputError(InputFault::conflict, key_with_value.substr(0, key_with_value.find(' ')),
                   fmt::format("{} does not fit {} ({}). {}.", key_with_value, other, why, suggestion));
}

void validate_values(const Config& config) {
  const ModelConfig& model = config.model;
  validate_ranges(config);
  validate_path("campaign.directory", config.campaign.directory);
  validate_path("model.couplings_file", model.couplings_file);
  validate_path("model.field_file", model.field_file);
  validate_sizes(model);
  validate_lists(config);
  const bool has_graph_file = model.lattice == LatticeChoice::graph;
  const bool reads_file = model.couplings == CouplingKind::file || model.couplings == CouplingKind::files;
  validate_file("model.couplings", "model.couplings_file", reads_file && !has_graph_file, model.couplings_file,
                model.couplings == CouplingKind::files ? 1 : model.L.size());
  const bool field_of_graph = has_graph_file && model.field_file.empty();
  validate_file("model.field", "model.field_file", model.field == FieldKind::file && !field_of_graph, model.field_file,
                model.L.size());
  validate_field(config);
  validate_moves(config);
  validate_protocol(config);
  validate_convergence(config);
  validate_ladder(config);
  validate_model(config);
  validate_course(config);
  validate_rounds(config);
  validate_samples(config);
  validate_devices(config.backend.devices);
  validate_backend(config);
}

namespace {

void validate_ergodicity(const Config& config) {
  if (config.protocol.kind != ProtocolKind::local || config.protocol.heatbath > 0) return;
  throw InputError(
      InputFault::conflict, "protocol.heatbath",
      "protocol.heatbath = 0 leaves every energy as it is (over-relaxation conserves it, and exchanges only move "
      "temperatures), so that nothing comes to equilibrium. Use 1 or more.");
}

}  // namespace

void validate_memory(const Config& config, double physical_bytes) {
  const int batch = std::max(config.backend.batch, 1);
  for (std::size_t i = 0; i < config.model.L.size(); ++i) {
    const Lattice lattice = config.lattice(config.model.L[i]);
    const auto slots = static_cast<int>(ladder_temperatures(config, i).size());
    const double bytes = batch * (realization_bytes(lattice, slots, config.replicas.copies, config.model.spins) +
                                  sample_bytes(config.bins(), slots, config.round.samples()));
    require_memory(bytes, physical_bytes, "model.L",
                   fmt::format("L = {} ({} realization{} of {} replicas)", lattice.L, batch, batch > 1 ? "s" : "",
                               slots * config.replicas.copies),
                   "Lower model.L, ladder.slots or backend.batch.");
  }
}

void validate(const Config& config) {
  validate_values(config);
  // Campaigns of earlier versions that did not refuse these can still be read.
  validate_precision(config);
  validate_ergodicity(config);
  validate_memory(config, physical_memory_bytes());
}

}}  // namespace glassworks::engine
