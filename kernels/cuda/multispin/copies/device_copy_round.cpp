#include "kernels/cuda/multispin/copies/device_copy_round.hpp"

#include <algorithm>

#include "kernels/core/addresses.hpp"
#include "kernels/cuda/round_course.hpp"
#include "kernels/cuda/step_end.hpp"
#include "kernels/models/multispin.hpp"

namespace glassworks { inline namespace cuda {
namespace {

constexpr int group = static_cast<int>(CopyAddress::group);

int groups_of(const Chain& chain) { return (chain.copies + group - 1) / group; }

class CopyCourse final : public RoundCourse {
 public:
  CopyCourse(const Chain& chain, const CopyJob& job, cudaStream_t stream) : chain_(chain), job_(job), stream_(stream) {
    pack_copies(job_, stream_);
  }
  void end() { unpack_copies(job_, stream_); }

  bool start_steps(int m, const RoundControl& control) override {
    const int n_A = chain_.protocol.exchanges_per_measurement;
    const auto first = static_cast<std::uint64_t>(m) * static_cast<std::uint64_t>(n_A);
    for (int s = 0; s < n_A; ++s) {
      if (control.stop) return false;
      for (int half = 0; half < 2 * job_.sweeps; ++half) {
        launch_copy_half_sweep(job_, first + static_cast<std::uint64_t>(s), half, stream_);
      }
    }
    // There are no exchanges, but the walk notes who stands at an end of the ladder.
    launch_exchange(job_.common, first + static_cast<std::uint64_t>(n_A - 1), stream_);
    return true;
  }
  void start_measurement(int) override {}
  [[nodiscard]] int ahead() const override { return 4; }

 private:
  const Chain& chain_;
  CopyJob job_;
  cudaStream_t stream_;
};

}  // namespace

void DeviceCopyRounds::begin(const Chain& chain, std::span<const RoundTask> tasks, const DeviceBatch& common,
                             cudaStream_t stream) {
  modulus_ = 0.0F;
  for (const RoundTask& task : tasks) {
    modulus_ = std::max(modulus_, single_modulus(task.disorder->couplings).value_or(0.0F));
  }
  job_ = {};
  job_.common = common;
  job_.groups = groups_of(chain);
  job_.sweeps = chain.protocol.sweeps_per_exchange * chain.protocol.heatbath;
  job_.rows = static_cast<int>(chain.lattice.sites() / chain.lattice.L);
  job_.blocks = multispin_blocks(chain.lattice);
  job_.quads_of_row = SmallDivisor((chain.lattice.L + 3) / 4);
  job_.rows_of_layer = SmallDivisor(job_.rows / chain.lattice.L);
  job_.rule = chain.protocol.multispin;
  upload_rows(chain.lattice, stream);
  set_temperatures(chain, stream);
  const auto sites = static_cast<std::size_t>(chain.lattice.sites());
  job_.d_negative = negative_.reserve(tasks.size() * sites);
  job_.d_spins = spins_.reserve(static_cast<std::size_t>(job_.lattices()) * sites);
  pack_copy_couplings(job_, stream);
}

void DeviceCopyRounds::upload_rows(const Lattice& lattice, cudaStream_t stream) {
  std::vector<int> neighbour;
  std::vector<std::uint8_t> parity;
  const std::int64_t L = lattice.L;
  for (std::int64_t row = 0; row < job_.rows; ++row) {
    const Lattice::Coordinates c = lattice.coordinates(row * L);
    int sum = 0;
    for (int axis = 1; axis < lattice.dim; ++axis) {
      sum += c[static_cast<std::size_t>(axis)];
      for (const int way : {+1, -1}) neighbour.push_back(static_cast<int>(lattice.neighbour(row * L, axis, way) / L));
    }
    parity.push_back(static_cast<std::uint8_t>(sum % 2));
  }
  const auto upload = [&](auto& buffer, const auto& from) {
    auto* d_to = buffer.reserve(from.size());
    staged_.to_device(d_to, from.data(), from.size() * sizeof(from.front()), stream);
    return d_to;
  };
  job_.d_row_neighbour = upload(row_neighbour_, neighbour);
  job_.d_row_parity = upload(row_parity_, parity);
}

void DeviceCopyRounds::set_temperatures(const Chain& chain, cudaStream_t stream) {
  std::vector<CopyLevels> levels;
  for (const float beta : chain.beta) {
    levels.push_back(copy_levels(chain.protocol.multispin, beta, modulus_, 2 * chain.lattice.dim));
  }
  CopyLevels* const d_levels = levels_.reserve(levels.size());
  staged_.to_device(d_levels, levels.data(), levels.size() * sizeof(CopyLevels), stream);
  job_.d_levels = d_levels;
}

RoundOutcome DeviceCopyRounds::run(const Chain& chain, RoundControl& control, cudaStream_t stream) {
  CopyCourse course(chain, job_, stream);
  const RoundOutcome outcome =
      run_round_course(chain, static_cast<std::size_t>(job_.common.tasks), course, control, stream);
  if (outcome == RoundOutcome::finished) course.end();
  return outcome;
}

double DeviceCopyRounds::bytes_per_task(const Chain& chain) {
  const auto sites = static_cast<double>(chain.lattice.sites());
  const double bytes = 2.0 * sites * chain.replicas();  // before a round and after it
  return bytes + 16.0 * sites * groups_of(chain) * chain.slots() + sites + 4.0 * chain.lattice.dim * sites +
         150.0 * chain.replicas();
}

}}  // namespace glassworks::cuda
