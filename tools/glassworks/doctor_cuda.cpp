#include "tools/glassworks/doctor_cuda.hpp"

#include <fmt/format.h>

#include <cmath>

#include "kernels/make_backend.hpp"
#include "tools/glassworks/doctor_machine.hpp"

namespace glassworks { inline namespace tools {
namespace {

/// d = 3, 2 copies, 32 slots, the default protocol.
Chain example_chain(int L, int tile) {
  Chain chain;
  chain.lattice = {3, L};
  for (int k = 0; k < 32; ++k) chain.beta.push_back(static_cast<float>(10.0 * std::pow(6.0, -k / 31.0)));
  chain.protocol.tile = tile;
  chain.key = size_key(1, 3, L);
  return chain;
}

std::string device_text(const CudaDevice& d) {
  return fmt::format("{}, compute capability {}.{}, {} multiprocessors at up to {:.2f} GHz, {}", d.name,
                     d.capability_major, d.capability_minor, d.multiprocessors, d.clock_GHz,
                     human_bytes(d.memory_bytes));
}

std::string kernel_table(const CudaDevice& device, int index) {
  BackendOptions options;
  options.kind = BackendKind::cuda;
  options.device = index;
  const std::unique_ptr<Backend> backend = make_backend(options);
  std::string text = fmt::format("\ndevice {} ({}), d = 3, 2 copies, 32 slots:\n{:>6} {:>6} {:>16}   {}\n", index,
                                 device.name, "L", "tile", "preferred batch", "kernel");
  const auto line = [&](int L, int tile) {
    const Chain chain = example_chain(L, tile);
    text += fmt::format("{:6} {:6} {:16}   {}\n", L, tile, backend->preferred_batch(chain),
                        backend->kernel_description(chain));
  };
  for (const int L : {4, 6, 8, 10, 12, 14, 16, 20, 24, 32, 48, 64}) {
    line(L, 0);
    if (L >= 48) line(L, 8);
  }
  return text;
}

bool same_model(const CudaDevice& a, const CudaDevice& b) {
  return a.name == b.name && a.multiprocessors == b.multiprocessors && a.memory_bytes == b.memory_bytes;
}

}  // namespace

std::string describe_cuda() {
  if (const std::string reason = cuda_unavailable_reason(); !reason.empty()) {
    return fmt::format("{:12}not available ({})\n", "cuda", reason);
  }
  const std::vector<CudaDevice>& devices = cuda_devices();
  std::string text;
  for (std::size_t i = 0; i < devices.size(); ++i) {
    text += fmt::format("{:12}device {}: {}\n", i == 0 ? "cuda" : "", i, device_text(devices[i]));
  }
  for (std::size_t i = 0; i < devices.size(); ++i) {
    if (i > 0 && same_model(devices[i], devices[i - 1])) continue;  // the same table again
    text += kernel_table(devices[i], static_cast<int>(i));
  }
  return text + '\n';
}

}}  // namespace glassworks::tools
