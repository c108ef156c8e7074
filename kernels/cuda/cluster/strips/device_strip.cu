#include <algorithm>

#include "kernels/cuda/cluster/launch.cuh"
#include "kernels/cuda/cluster/strips/device_strip.hpp"
#include "kernels/cuda/cluster/strips/strip_kernels.cuh"
#include "kernels/cuda/cluster/strips/strip_sums.cuh"
#include "kernels/cuda/device_buffer.hpp"

namespace glassworks { inline namespace cuda {
namespace {

using StripShape = ClusterTileShape<2, false, 4, 64, 1, 1, 32, 1, 1>;

[[nodiscard]] TileLattice tile_lattice(std::uint32_t width, std::uint32_t rows) {
  return StripShape::lattice({static_cast<int>(width), static_cast<int>(rows), 1, 1}, 1);
}

/// Numbers of elements of the arrays of a strip.
struct StripSizes {
  std::size_t spins, fates, bonds, local, parent, roots, rows, nodes;

  StripSizes(const TileLattice& lattice, const SeamLayout& seam, int planes)
      : spins(static_cast<std::size_t>(planes) * words_of_plane(lattice)),
        fates(static_cast<std::size_t>(planes) * lattice.plane_words),
        bonds(std::size_t{lattice.tiles_of_one()} * StripShape::directions * StripShape::segments),
        local(std::size_t{lattice.tiles_of_one()} * StripShape::sites),
        parent(lattice.sites),
        roots(std::size_t{lattice.tiles_of_one()} * 2 * StripShape::segments),
        rows(seam.words()),
        nodes(seam.nodes()) {}

  /// A row more than the strip has.
  [[nodiscard]] static std::uint32_t words_of_plane(const TileLattice& lattice) {
    return lattice.plane_words + static_cast<std::uint32_t>(lattice.extent[0]) / 32;
  }
  [[nodiscard]] double bytes() const {
    return 4.0 * static_cast<double>(spins + fates + bonds + parent + roots + rows) + 2.0 * static_cast<double>(local) +
           8.0 * static_cast<double>(nodes) + static_cast<double>(sizeof(StripCounts));
  }
};

template <class Move>
class StripOfMove final : public DeviceStrip {
 public:
  StripOfMove(const StripChain& chain, const Strip& strip, const DeviceStripOptions& options) {
    const auto width = static_cast<std::uint32_t>(chain.lattice.length(0));
    work_.lattice = tile_lattice(width, strip.rows);
    work_.keys = PhiloxRoundKeys(chain.key);
    work_.seam = SeamLayout(width);
    work_.first_row = strip.first_row;
    work_.first_site = strip.first_row * width;
    work_.spin_words = StripSizes::words_of_plane(work_.lattice);
    work_.fate_words = work_.lattice.plane_words;
    work_.threshold = options.threshold;
    work_.realization = chain.realization;
    work_.replica = chain.replica;
    work_.states = chain.model.kind == ModelKind::ising ? 2U : static_cast<std::uint32_t>(chain.model.states);
    work_.planes = strip_planes(static_cast<int>(work_.states));
    work_.open_x = chain.lattice.is_open(0);
    work_.open_below = options.open_below;
    const StripSizes sizes(work_.lattice, work_.seam, work_.planes);
    work_.spins = spins_.reserve(sizes.spins);
    work_.fates = fates_.reserve(sizes.fates);
    work_.bonds = bonds_.reserve(sizes.bonds);
    work_.local = local_.reserve(sizes.local);
    work_.parent = parent_.reserve(sizes.parent);
    work_.roots = roots_.reserve(sizes.roots);
    clear_and_wait(work_.roots, sizes.roots * sizeof(std::uint32_t));
    separate_sites(work_.parent, work_.lattice);
    work_.rows = rows_.reserve(sizes.rows);
    canonical_.reserve(sizes.nodes);
    counts_.reserve(1);
    clear_and_wait(work_.spins, sizes.spins * sizeof(std::uint32_t));
    clear_and_wait(work_.local, sizes.local * sizeof(std::uint16_t));
    allow_shared_memory(strip_tiles_kernel<StripShape, Move>, StripShape::bytes);
  }

  void start_random(cudaStream_t stream) override {
    work_.sweep = 0;
    launch_kernel("drawing spins", strip_start_kernel, blocks_for(work_.lattice.plane_words, 256), 256, 0, stream,
                  work_);
  }

  void label(std::uint64_t sweep, cudaStream_t stream) override {
    work_.sweep = sweep;
    const TileLattice& lattice = work_.lattice;
    const dim3 tiles(lattice.tiles_of_one());
    check_cuda(cudaMemsetAsync(work_.rows, 0xFF, work_.seam.places() * sizeof(std::uint32_t), stream),
               "clearing seams");
    launch_kernel("activating bonds", strip_tiles_kernel<StripShape, Move>, tiles, StripShape::threads,
                  StripShape::bytes, stream, work_);
    launch_kernel("joining tiles", join_faces_kernel<StripShape>, tiles, FaceItems<StripShape>::threads, 0, stream,
                  lattice, work_.bonds, work_.local, work_.parent, work_.roots);
    launch_kernel("looking at seams", strip_rows_kernel<StripShape>, blocks_for(work_.seam.width, 256), 256, 0, stream,
                  work_);
  }

  void move(cudaStream_t stream) override {
    launch_kernel("taking fates", strip_fates_kernel<Move>, blocks_for(work_.seam.nodes(), 256), 256, 0, stream, work_,
                  canonical_.data());
    launch_kernel("moving clusters", strip_move_kernel<StripShape, Move>, dim3(work_.lattice.tiles_of_one()),
                  StripShape::threads, 0, stream, work_);
  }

  void count(cudaStream_t stream) override {
    check_cuda(cudaMemsetAsync(counts_.data(), 0, sizeof(StripCounts), stream), "clearing sums");
    const unsigned blocks = std::min(4096U, (work_.lattice.plane_words + 255U) / 256U);
    launch_kernel("adding up", strip_sums_kernel<Move>, dim3(blocks), 256, 0, stream, work_, counts_.data());
  }

  [[nodiscard]] int planes() const override { return work_.planes; }
  [[nodiscard]] std::uint32_t* spins(int plane) const override {
    return work_.spins + static_cast<std::size_t>(plane) * work_.spin_words;
  }
  [[nodiscard]] std::size_t spin_words() const override { return work_.lattice.plane_words; }
  [[nodiscard]] std::uint32_t* row_after(int plane) const override { return spins(plane) + work_.lattice.plane_words; }
  [[nodiscard]] const std::uint32_t* rows() const override { return work_.rows; }
  [[nodiscard]] unsigned long long* canonical() const override { return canonical_.data(); }
  [[nodiscard]] const StripCounts* counts() const override { return counts_.data(); }

 private:
  StripWork work_{};
  DeviceBuffer<std::uint32_t> spins_, fates_, bonds_, parent_, roots_, rows_;
  DeviceBuffer<std::uint16_t> local_;
  DeviceBuffer<unsigned long long> canonical_;
  DeviceBuffer<StripCounts> counts_;
};

}  // namespace

std::unique_ptr<DeviceStrip> make_device_strip(const StripChain& chain, const Strip& strip,
                                               const DeviceStripOptions& options) {
  if (chain.model.kind == ModelKind::ising) return std::make_unique<StripOfMove<Reflected>>(chain, strip, options);
  return std::make_unique<StripOfMove<Renewed>>(chain, strip, options);
}

double device_strip_bytes(std::uint32_t width, std::uint32_t rows, int planes) {
  return StripSizes(tile_lattice(width, rows), SeamLayout(width), planes).bytes();
}

}}  // namespace glassworks::cuda
