#include <stdexcept>

#include "kernels/cuda/cluster/device_labelling.hpp"
#include "kernels/cuda/cluster/tile_labelling.hpp"
#include "kernels/cuda/cuda_devices.hpp"
#include "kernels/cuda/device_buffer.hpp"

namespace glassworks { inline namespace cuda {

std::unique_ptr<DeviceLabelling> make_device_labelling(const Graph& graph, LabellingMethod method) {
  std::unique_ptr<DeviceLabelling> labelling;
  if (method == LabellingMethod::direct) {
    labelling = make_direct_labelling(graph);
  } else if (method == LabellingMethod::tiles) {
    labelling = make_tile_labelling(graph, 0);
  } else if (method == LabellingMethod::label_equivalence) {
    labelling = make_equivalence_labelling(graph);
  } else {
    labelling = make_square_labelling(graph, method);
  }
  if (labelling == nullptr) {
    throw std::runtime_error(std::string("Labelling method ") + to_string(method) + " cannot be used on a GPU for " +
                             graph.description() + " (it does not support this graph). Use the method direct.");
  }
  return labelling;
}

namespace {

class CudaLabeller final : public Labeller {
 public:
  CudaLabeller(const Graph& graph, LabellingMethod method, int device) : method_(method), device_(device) {
    use_device();
    words_ = device_bond_words(graph);
    bonds_.reserve(words_);
    labels_.reserve(graph.sites());
    labelling_ = make_device_labelling(graph, method);
  }

  void label(const BondSet& bonds, std::span<Site> labels) override {
    if (bonds.words().size() + 1 != words_) {
      throw std::runtime_error(
          "These bonds cannot be labelled (they belong to another graph). Make a labeller for it.");
    }
    use_device();
    const std::size_t bytes = bonds.words().size() * sizeof(std::uint32_t);
    check_cuda(cudaMemcpy(bonds_.data(), bonds.words().data(), bytes, cudaMemcpyHostToDevice),
               "copying bonds to the device");
    labelling_->enqueue(bonds_.data(), labels_.data(), nullptr);
    check_cuda(cudaMemcpy(labels.data(), labels_.data(), labels.size_bytes(), cudaMemcpyDeviceToHost),
               "copying labels from the device");
  }

  [[nodiscard]] std::string description() const override {
    return std::string(to_string(method_)) + ", cuda (device " + std::to_string(device_) + ", " + device().name + ")";
  }

 private:
  [[nodiscard]] const CudaDevice& device() const { return cuda_devices()[static_cast<std::size_t>(device_)]; }
  void use_device() const { check_cuda(cudaSetDevice(device().ordinal), "choosing the device"); }

  LabellingMethod method_;
  int device_;
  std::size_t words_ = 0;
  DeviceBuffer<std::uint32_t> bonds_;
  DeviceBuffer<Site> labels_;
  std::unique_ptr<DeviceLabelling> labelling_;
};

}  // namespace
}}  // namespace glassworks::cuda

namespace glassworks { inline namespace clusters {

std::vector<LabellingMethod> cuda_labelling_methods(const Graph& graph) {
  using M = LabellingMethod;
  std::vector<M> methods{M::direct, M::label_equivalence};
  if (graph.is_lattice()) methods.push_back(M::tiles);
  if (graph.kind() == GraphKind::hypercubic && graph.dim() == 2) {
    methods.insert(methods.end(), {M::bfs_relaxation, M::bfs_sewing, M::union_relaxation, M::union_sewing,
                                   M::self_relaxation, M::self_sewing});
  }
  return methods;
}

std::unique_ptr<Labeller> make_cuda_labeller(const Graph& graph, LabellingMethod method, int device) {
  const auto count = static_cast<int>(cuda_devices().size());
  if (device < 0 || device >= count) {
    throw std::runtime_error("CUDA device " + std::to_string(device) + " cannot be used (" +
                             (count == 0 ? cuda_unavailable_reason() : "there are " + std::to_string(count)) +
                             "). Choose another one, or label on the CPU.");
  }
  return std::make_unique<CudaLabeller>(graph, method, device);
}

}}  // namespace glassworks::clusters
