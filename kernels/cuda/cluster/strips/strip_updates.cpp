#include "kernels/cuda/cluster/strips/strip_updates.hpp"

#include <algorithm>
#include <cstdio>
#include <map>
#include <stdexcept>
#include <string>

#include "kernels/cuda/cluster/strips/device_strip.hpp"
#include "kernels/cuda/cluster/strips/seam_sewing.hpp"
#include "kernels/cuda/cuda_devices.hpp"
#include "kernels/cuda/cuda_error.hpp"
#include "kernels/models/activation.hpp"
#include "kernels/models/active_words.hpp"

namespace glassworks { inline namespace cuda {
namespace {

int states_of(const SpinModel& model) { return model.kind == ModelKind::ising ? 2 : model.states; }

/// A satisfied bond is active if its word is below it. Where ends are open, processors find bonds of two moduli, 1 and
/// 0, and decide in float.
std::uint32_t strip_threshold(const StripChain& chain) {
  const float factor = chain.model.kind == ModelKind::ising ? 2.0F : 1.0F;
  if (chain.lattice.open == 0) return bond_threshold(static_cast<double>(factor), chain.beta, 1.0F);
  return active_words(exact::satisfied_exponent(exact::mul(-factor, chain.beta), 1.0F));
}

std::string problem_of(const StripChain& chain) {
  const Lattice& lattice = chain.lattice;
  if (!lattice.is_hypercubic() || lattice.dim != 2) {
    return "The lattice cannot be cut into strips (only square lattices are). Use d = 2.";
  }
  if (chain.model.kind != ModelKind::ising && chain.model.kind != ModelKind::potts) {
    return "This model cannot be updated in strips (they have ising and potts spins). Use one of these models.";
  }
  if (states_of(chain.model) < 2 || states_of(chain.model) > most_strip_states) {
    return "Potts spins of " + std::to_string(chain.model.states) +
           " states cannot be updated in strips (there is room for 2 to 20). Choose another q.";
  }
  if (!(chain.beta >= 0.0F)) {
    return "This temperature cannot be used in strips (couplings are 1, and bonds of negative weight do not exist). "
           "Use beta >= 0.";
  }
  return {};
}

std::string gigabytes(double bytes) {
  char text[32];
  (void)std::snprintf(text, sizeof text, "%.1f GB", 1e-9 * bytes);
  return text;
}

/// A device with a stream; one that is named twice has two.
class PlaceOfStrips {
 public:
  explicit PlaceOfStrips(int ordinal) : ordinal_(ordinal) {
    use();
    check_cuda(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking), "creating a stream");
    for (cudaEvent_t* event : {&labelled_, &moved_, &sewn_}) {
      check_cuda(cudaEventCreateWithFlags(event, cudaEventDisableTiming), "creating an event");
    }
  }
  PlaceOfStrips(const PlaceOfStrips&) = delete;
  PlaceOfStrips& operator=(const PlaceOfStrips&) = delete;
  ~PlaceOfStrips() {
    (void)cudaSetDevice(ordinal_);
    for (const cudaEvent_t event : {labelled_, moved_, sewn_}) {
      if (event != nullptr) (void)cudaEventDestroy(event);
    }
    if (stream_ != nullptr) (void)cudaStreamDestroy(stream_);
  }

  void use() const { check_cuda(cudaSetDevice(ordinal_), "choosing the device"); }
  /// Waits as the current device.
  void wait_for(const PlaceOfStrips& other, cudaEvent_t event) const {
    if (&other != this) check_cuda(cudaStreamWaitEvent(stream_, event, 0), "waiting for a device");
  }
  void record(cudaEvent_t event) const { check_cuda(cudaEventRecord(event, stream_), "recording an event"); }
  void synchronize() const { check_cuda(cudaStreamSynchronize(stream_), "updating strips"); }
  /// Starts a copy to this device, which is the current one.
  void copy(void* to, const void* from, const PlaceOfStrips& there, std::size_t bytes) const {
    if (there.ordinal_ == ordinal_) {
      check_cuda(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToDevice, stream_), "copying between strips");
    } else {
      check_cuda(cudaMemcpyPeerAsync(to, ordinal_, from, there.ordinal_, bytes, stream_), "copying between devices");
    }
  }
  /// Copies from the other device need no detour through the host afterwards, where the machine allows that.
  void open_to(const PlaceOfStrips& other) const {
    int can = 0;
    if (other.ordinal_ == ordinal_) return;
    check_cuda(cudaDeviceCanAccessPeer(&can, ordinal_, other.ordinal_), "querying devices");
    if (can == 0) return;
    use();
    if (cudaDeviceEnablePeerAccess(other.ordinal_, 0) != cudaSuccess) (void)cudaGetLastError();  // or it was open
  }

  [[nodiscard]] int ordinal() const { return ordinal_; }
  [[nodiscard]] cudaStream_t stream() const { return stream_; }
  [[nodiscard]] cudaEvent_t labelled() const { return labelled_; }
  [[nodiscard]] cudaEvent_t moved() const { return moved_; }
  [[nodiscard]] cudaEvent_t sewn() const { return sewn_; }

 private:
  int ordinal_;
  cudaStream_t stream_ = nullptr;
  cudaEvent_t labelled_ = nullptr, moved_ = nullptr, sewn_ = nullptr;
};

class StripsOnDevices final : public StripUpdates {
 public:
  StripsOnDevices(const StripChain& chain, std::span<const int> devices, int strips)
      : chain_(chain),
        width_(static_cast<std::uint32_t>(chain.lattice.length(0))),
        closed_(!chain.lattice.is_open(1)),
        strips_(plan_strips(width_, static_cast<std::uint64_t>(chain.lattice.length(1)),
                            static_cast<int>(devices.size()), strips)),
        bytes_(strip_bytes(strips_, width_, states_of(chain.model))) {
    for (const int device : devices) {
      places_.push_back(std::make_unique<PlaceOfStrips>(cuda_devices().at(static_cast<std::size_t>(device)).ordinal));
    }
    check_memory();
    for (const auto& place : places_) {
      for (const auto& other : places_) place->open_to(*other);
    }
    const std::uint32_t threshold = strip_threshold(chain);
    for (std::size_t s = 0; s < strips_.size(); ++s) {
      place_of(s).use();
      parts_.push_back(make_device_strip(chain, strips_[s], {threshold, !closed_ && s + 1 == strips_.size()}));
    }
    first().use();
    sewing_ = std::make_unique<SeamSewing>(SeamLayout(width_), strips_, closed_);
  }

  ~StripsOnDevices() override {
    for (const auto& place : places_) {
      (void)cudaSetDevice(place->ordinal());
      (void)cudaStreamSynchronize(place->stream());
    }
  }

  void start(StripStart start) override {
    for (std::size_t s = 0; s < strips_.size(); ++s) {
      const PlaceOfStrips& place = place_of(s);
      place.use();
      if (start == StripStart::random) {
        parts_[s]->start_random(place.stream());
        continue;
      }
      const int byte = chain_.model.kind == ModelKind::ising ? 0xFF : 0;
      for (int p = 0; p < parts_[s]->planes(); ++p) {
        check_cuda(cudaMemsetAsync(parts_[s]->spins(p), byte, plane_bytes(s), place.stream()), "starting spins");
      }
    }
    exchange_rows();
  }

  void set_states(std::span<const std::uint8_t> states) override {
    wait();
    for (std::size_t s = 0; s < strips_.size(); ++s) {
      place_of(s).use();
      const std::span<const std::uint8_t> own = states.subspan(first_site(s), sites(s));
      std::vector<std::uint32_t> words(parts_[s]->spin_words());
      for (int p = 0; p < parts_[s]->planes(); ++p) {
        std::fill(words.begin(), words.end(), 0U);
        for (std::size_t i = 0; i < own.size(); ++i) words[i / 32] |= ((own[i] >> p) & 1U) << (i % 32);
        copy_and_wait(parts_[s]->spins(p), words.data(), plane_bytes(s), "copying spins to the device");
      }
    }
    exchange_rows();
  }

  void get_states(std::span<std::uint8_t> states) override {
    wait();
    std::fill(states.begin(), states.end(), std::uint8_t{0});
    for (std::size_t s = 0; s < strips_.size(); ++s) {
      place_of(s).use();
      const std::span<std::uint8_t> own = states.subspan(first_site(s), sites(s));
      std::vector<std::uint32_t> words(parts_[s]->spin_words());
      for (int p = 0; p < parts_[s]->planes(); ++p) {
        check_cuda(cudaMemcpy(words.data(), parts_[s]->spins(p), plane_bytes(s), cudaMemcpyDeviceToHost),
                   "copying spins from the device");
        for (std::size_t i = 0; i < own.size(); ++i) {
          own[i] = static_cast<std::uint8_t>(own[i] | ((words[i / 32] >> (i % 32)) & 1U) << p);
        }
      }
    }
  }

  void enqueue(std::uint64_t sweep) override {
    for (std::size_t s = 0; s < strips_.size(); ++s) {
      place_of(s).use();
      parts_[s]->label(sweep, place_of(s).stream());
    }
    for (const auto& place : places_) {
      place->use();
      place->record(place->labelled());
    }
    sew();
    for (const auto& place : places_) {
      place->use();
      place->wait_for(first(), first().sewn());
    }
    const SeamLayout seam(width_);
    for (std::size_t s = 0; s < strips_.size(); ++s) {
      const PlaceOfStrips& place = place_of(s);
      place.use();
      place.copy(parts_[s]->canonical(), sewing_->canonical_of(s), first(), seam.nodes() * sizeof(unsigned long long));
      parts_[s]->move(place.stream());
    }
    exchange_rows();
  }

  void wait() override {
    for (const auto& place : places_) {
      place->use();
      place->synchronize();
    }
  }

  [[nodiscard]] StripSums sums() override {
    StripSums sums;
    sums.states.assign(static_cast<std::size_t>(states_of(chain_.model)), 0);
    for (std::size_t s = 0; s < strips_.size(); ++s) {
      place_of(s).use();
      parts_[s]->count(place_of(s).stream());
    }
    for (std::size_t s = 0; s < strips_.size(); ++s) {
      const PlaceOfStrips& place = place_of(s);
      place.use();
      StripCounts counts{};
      check_cuda(cudaMemcpyAsync(&counts, parts_[s]->counts(), sizeof counts, cudaMemcpyDeviceToHost, place.stream()),
                 "copying sums from the device");
      place.synchronize();
      sums.satisfied += counts.satisfied;
      sums.digest += counts.digest;
      for (std::size_t k = 0; k < sums.states.size(); ++k) sums.states[k] += counts.state[k];
    }
    return sums;
  }

  [[nodiscard]] std::span<const Strip> strips() const override { return strips_; }
  [[nodiscard]] std::span<const double> bytes() const override { return bytes_; }

 private:
  [[nodiscard]] PlaceOfStrips& place_of(std::size_t strip) const {
    return *places_[static_cast<std::size_t>(strips_[strip].device)];
  }
  /// Where seams are sewn.
  [[nodiscard]] PlaceOfStrips& first() const { return *places_.front(); }
  [[nodiscard]] std::size_t sites(std::size_t strip) const { return std::size_t{width_} * strips_[strip].rows; }
  [[nodiscard]] std::size_t first_site(std::size_t strip) const {
    return static_cast<std::size_t>(strips_[strip].first_row) * width_;
  }
  [[nodiscard]] std::size_t plane_bytes(std::size_t strip) const {
    return parts_[strip]->spin_words() * sizeof(std::uint32_t);
  }

  void check_memory() const {
    std::map<int, double> needed;
    for (std::size_t d = 0; d < places_.size(); ++d) needed[places_[d]->ordinal()] += bytes_[d];
    for (const auto& [ordinal, bytes] : needed) {
      std::size_t free = 0, total = 0;
      check_cuda(cudaSetDevice(ordinal), "choosing the device");
      check_cuda(cudaMemGetInfo(&free, &total), "querying the memory");
      if (bytes <= static_cast<double>(free)) continue;
      throw std::runtime_error("A lattice of " + std::to_string(width_) + " x " +
                               std::to_string(chain_.lattice.length(1)) + " sites does not fit (device " +
                               std::to_string(ordinal) + " has " + gigabytes(static_cast<double>(free)) +
                               " free, its strips need " + gigabytes(bytes) + "). Use more devices, or a smaller L.");
    }
  }

  /// Gathers the rows of all strips, labelled before, on the first device and sews them there.
  void sew() {
    first().use();
    for (const auto& place : places_) first().wait_for(*place, place->labelled());
    const std::size_t bytes = SeamLayout(width_).words() * sizeof(std::uint32_t);
    for (std::size_t s = 0; s < strips_.size(); ++s) {
      first().copy(sewing_->rows_of(s), parts_[s]->rows(), place_of(s), bytes);
    }
    sewing_->enqueue(first().stream());
    first().record(first().sewn());
  }

  /// Gives every strip the first row of the next one, once that stands.
  void exchange_rows() {
    for (const auto& place : places_) {
      place->use();
      place->record(place->moved());
    }
    for (std::size_t s = 0; s < strips_.size(); ++s) {
      if (!closed_ && s + 1 == strips_.size()) continue;
      const std::size_t next = (s + 1) % strips_.size();
      const PlaceOfStrips& place = place_of(s);
      place.use();
      place.wait_for(place_of(next), place_of(next).moved());
      for (int p = 0; p < parts_[s]->planes(); ++p) {
        place.copy(parts_[s]->row_after(p), parts_[next]->spins(p), place_of(next), width_ / 8);
      }
    }
  }

  StripChain chain_;
  std::uint32_t width_;
  bool closed_;
  std::vector<Strip> strips_;
  std::vector<double> bytes_;
  std::vector<std::unique_ptr<PlaceOfStrips>> places_;
  std::vector<std::unique_ptr<DeviceStrip>> parts_;
  std::unique_ptr<SeamSewing> sewing_;
};

}  // namespace

std::vector<double> strip_bytes(std::span<const Strip> strips, std::uint32_t width, int states) {
  std::vector<double> bytes;
  for (const Strip& strip : strips) {
    bytes.resize(std::max(bytes.size(), static_cast<std::size_t>(strip.device) + 1), 0.0);
    bytes[static_cast<std::size_t>(strip.device)] += device_strip_bytes(width, strip.rows, strip_planes(states));
  }
  if (!bytes.empty()) bytes.front() += SeamSewing::bytes(SeamLayout(width), strips.size());
  return bytes;
}

std::unique_ptr<StripUpdates> make_strip_updates(const StripChain& chain, std::span<const int> devices, int strips) {
  if (const std::string problem = problem_of(chain); !problem.empty()) throw std::runtime_error(problem);
  for (const int device : devices) {
    const auto count = static_cast<int>(cuda_devices().size());
    if (device >= 0 && device < count) continue;
    throw std::runtime_error("CUDA device " + std::to_string(device) + " cannot be used (" +
                             (count == 0 ? cuda_unavailable_reason() : "there are " + std::to_string(count)) +
                             "). Choose another one.");
  }
  return std::make_unique<StripsOnDevices>(chain, devices, strips);
}

}}  // namespace glassworks::cuda
