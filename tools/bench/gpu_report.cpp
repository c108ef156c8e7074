#include <fmt/format.h>

#include "glassworks/version.hpp"
#include "tools/bench/gpu.hpp"
#include "tools/bench/report.hpp"
#include "tools/glassworks/doctor_machine.hpp"
#if defined(GLASSWORKS_HAVE_CUDA)
#include <cuda_runtime_api.h>
#endif

namespace glassworks { inline namespace tools {
namespace {

/// "13.0"; empty if the build has no CUDA.
std::string cuda_version([[maybe_unused]] bool of_driver) {
#if defined(GLASSWORKS_HAVE_CUDA)
  int version = 0;
  const cudaError_t status = of_driver ? cudaDriverGetVersion(&version) : cudaRuntimeGetVersion(&version);
  if (status == cudaSuccess) return fmt::format("{}.{}", version / 1000, version % 1000 / 10);
#endif
  return "";
}

std::string percent_of(const Spread& s) { return fmt::format("{:.1f} %", 100.0 * s.median); }

void write_device(JsonWriter& json, const CudaDevice& d) {
  json.begin_object().field("name", d.name).field("multiprocessors", d.multiprocessors);
  json.field("capability", fmt::format("{}.{}", d.capability_major, d.capability_minor));
  json.field("memory_bytes", d.memory_bytes).field("clock_GHz", d.clock_GHz);
  json.field("shared_memory_per_block_bytes", d.shared_memory_per_block_bytes).end_object();
}

std::string name_of(LatticeChoice lattice) {
  return std::string(enum_names(lattice)[static_cast<std::size_t>(lattice)]);
}

/// "d = 3", "random-regular with z = 6".
std::string system_of(const GpuBenchOptions& options) {
  if (options.lattice == LatticeChoice::hypercubic) return "d = 3";
  return name_of(options.lattice) + (options.has_degree() ? fmt::format(" with z = {:g}", options.degree) : "");
}

void write_gpu_settings(JsonWriter& json, const GpuBenchOptions& options) {
  json.key("settings").begin_object();
  json.field("device", options.device).field("repeats", options.repeats).field("seconds_of_a_round", options.seconds);
  json.field("model", options.components == 0 ? "heisenberg" : options.components == 1 ? "ising" : "on");
  if (options.components > 1) json.field("components", options.components);
  json.field("dim", 3).field("lattice", name_of(options.lattice));
  if (options.has_degree()) json.field("degree", options.degree);
  json.field("couplings", "gaussian").field("T_min", 0.1).field("T_max", 0.6);
  json.field("heatbath", options.heatbath).field("overrelaxation", options.overrelaxation);
  json.field("sweeps_per_exchange", options.sweeps_per_exchange).field("exchanges_per_measurement", 10);
  json.field("exchange", "even-odd").field("time_unit", "ps per spin update");
  json.field("spread", "low and high are the smallest and the largest repeat");
  json.field("device_time", "wall time between the ends of two measurements of a round over the updates between them");
  json.field("wall_time", "wall time of a round with its transfers over its updates");
  json.field("sweeps", "device time extrapolated to no measurements, from two values of exchanges_per_measurement");
  json.field("limit", "4 warp instructions per clock and multiprocessor");
  json.field("over_relaxation_instructions", over_relaxation_instructions);
  json.field("heat_bath_instructions", heat_bath_instructions).end_object();
}

void write_result(JsonWriter& json, const GpuResult& r) {
  json.begin_object().field("L", r.chain.lattice.L).field("slots", r.chain.slots()).field("copies", r.chain.copies);
  json.field("tile", r.chain.protocol.tile).field("realizations", r.batch).field("replicas", r.replicas());
  json.field("measurements", r.chain.measurements).field("first_measurement", r.first_measurement);
  json.field("kernel", r.kernel);
  write_spread(json, "device", r.device);
  write_spread(json, "wall", r.wall);
  write_spread(json, "sweeps", r.sweeps);
  write_spread(json, "measurement_share", r.measurement_share);
  json.field("issue_limit", r.limit).field("share_of_issue_limit", r.share_of_limit());
  if (r.devices > 0) {
    json.field("devices", r.devices);
    write_spread(json, "aggregate", r.aggregate);
    write_spread(json, "speed_up", r.speed_up);
  }
  json.end_object();
}

}  // namespace

std::string gpu_header(const GpuBenchOptions& options) {
  const CudaDevice& d = cuda_devices().at(static_cast<std::size_t>(options.device));
  std::string text = fmt::format(
      "glassworks {} ({}, {}, {})\ndevice {}: {}, {} multiprocessors at up to {:.2f} GHz, {}; CUDA driver {}, runtime "
      "{}\n",
      version::kVersion, version::kCommit, version::kCompiler, version::kBuildType, options.device, d.name,
      d.multiprocessors, d.clock_GHz, human_bytes(d.memory_bytes), cuda_version(true), cuda_version(false));
  text += fmt::format(
      "Whole rounds: {}{}, Gaussian couplings, T = 0.1 to 0.6, {} heat bath + {} over-relaxation{} per exchange, "
      "n_A "
      "= "
      "10.\n"
      "Medians of {} repeats in ps per spin update; +- is half of their range. device: without the transfers of a "
      "round;\n"
      "wall: a round of about {:.1f} s with them; measuring: part of the device time; limit: {:.0f} (over-relaxation) "
      "and\n"
      "{:.0f} (heat bath) instructions at four warps per clock.\n\n",
      options.components == 0   ? ""
      : options.components == 1 ? "ising, "
                                : fmt::format("on with n = {}, ", options.components),
      system_of(options), options.heatbath, options.overrelaxation,
      options.sweeps_per_exchange > 1 ? fmt::format(", {} times", options.sweeps_per_exchange) : "", options.repeats,
      options.seconds, over_relaxation_instructions, heat_bath_instructions);
  text += fmt::format("{:>4} {:>5} {:>6} {:>4} {:>6} {:>9} {:>13} {:>7} {:>9} {:>6} {:>6}  {}\n", "L", "slots",
                      "copies", "tile", "batch", "replicas", "device", "wall", "measuring", "limit", "share", "kernel");
  return text;
}

std::string gpu_table_line(const GpuResult& r) {
  std::string text =
      fmt::format("{:4} {:5} {:6} {:4} {:6} {:9.0f} {:>13} {:7.2f} {:>9} {:6.2f} {:5.0f}%  {}\n", r.chain.lattice.L,
                  r.chain.slots(), r.chain.copies, r.chain.protocol.tile, r.batch, r.replicas(),
                  fmt::format("{:.3f} +-{:2.0f}%", r.device.median, 50.0 * r.device.relative()), r.wall.median,
                  percent_of(r.measurement_share), r.limit, 100.0 * r.share_of_limit(), r.kernel);
  if (r.devices > 0) {
    text += fmt::format("{:4} on {} devices at once: {:.3f} +-{:2.0f}% together, {:.2f} times one device\n", "",
                        r.devices, r.aggregate.median, 50.0 * r.aggregate.relative(), r.speed_up.median);
  }
  return text;
}

std::string gpu_json(const GpuBenchOptions& options, const std::vector<GpuResult>& results) {
  JsonWriter json;
  json.begin_object();
  write_provenance(json);
  json.key("cuda").begin_object();
  json.field("driver", cuda_version(true)).field("runtime", cuda_version(false)).key("devices").begin_array();
  for (const CudaDevice& d : cuda_devices()) write_device(json, d);
  json.end_array().end_object();
  write_gpu_settings(json, options);
  json.key("rounds").begin_array();
  for (const GpuResult& r : results) write_result(json, r);
  return json.end_array().end_object().text();
}

}}  // namespace glassworks::tools
