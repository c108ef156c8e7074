#include "kernels/cuda/cluster/round/device_cluster_round.hpp"

#include <algorithm>
#include <string>

#include "kernels/cuda/cluster/round/cluster_course.hpp"
#include "kernels/cuda/cluster/round/lattice_labelling.hpp"
#include "kernels/cuda/graph/graph_labelling.hpp"
#include "kernels/cuda/round_course.hpp"
#include "kernels/models/activation.hpp"
#include "kernels/models/model_facts.hpp"
#include "kernels/rounds/beside.hpp"
#include "kernels/rounds/cluster_replica.hpp"
#include "kernels/rounds/modulus_scale.hpp"

namespace glassworks { inline namespace cuda {
namespace {

/// Numbers that a site of a realization has: couplings, and the field where the chain may have one.
int numbers_of_disorder(const Chain& chain) {
  const bool fields = chain.cluster_sweeps() == 0 && facts_of(chain.model).has_fields;
  return chain.lattice.owned() + (fields ? components_of(chain.model) : 0);
}

/// Of its graph, which may be its own: lists, couplings, and what its kernels take.
double bytes_of_graph(const Chain& chain) {
  if (!chain.lattice.is_graph()) return 0.0;
  const double clusters =
      chain.protocol.kind == ProtocolKind::swendsen_wang ? DeviceGraphClusters::bytes(chain.lattice) : 0.0;
  return GraphMemory::bytes(chain.lattice) + GraphSweeps::bytes_per_task(chain) +
         4.0 * static_cast<double>(chain.lattice.bonds()) +
         chain.replicas() * (clusters + static_cast<double>(chain.lattice.bonds()) / 8.0);
}

bool has_row_moves(const Chain& chain) { return chain.protocol.isoenergetic > 0 && RowMoves::fit(chain.lattice); }

/// Whether J = 0 for some bond. uniform: J of all, where tasks have no couplings of their own
bool has_absent_bonds(std::span<const HeldTask> tasks, float uniform) {
  return std::ranges::any_of(tasks, [uniform](const HeldTask& task) {
    const std::vector<float>& couplings = task.disorder->couplings;
    return couplings.empty() ? uniform == 0.0F : std::ranges::find(couplings, 0.0F) != couplings.end();
  });
}

/// The steps and measurements of a round in their order.
class DeviceClusterCourse final : public RoundCourse {
 public:
  DeviceClusterCourse(const Chain& chain, ClusterCourse& course) : chain_(chain), course_(course) {}

  bool start_steps(int m, const RoundControl& control) override {
    const int n_A = chain_.protocol.exchanges_per_measurement;
    const auto first = static_cast<std::uint64_t>(m) * static_cast<std::uint64_t>(n_A);
    if (control.stop) return false;
    if (course_.has_whole_steps()) {
      course_.whole_steps(first, n_A);
      return true;
    }
    for (int s = 0; s + 1 < n_A;) {
      if (control.stop) return false;
      s += course_.steps(first + static_cast<std::uint64_t>(s), n_A - 1 - s);
    }
    return true;
  }
  void start_last_step(int m) override {
    observed_step(m);
    course_.empty_absent_sites();
  }
  void start_measurement(int m) override {
    observed_step(m);
    course_.measure(m);
  }
  [[nodiscard]] int ahead() const override { return 4; }

 private:
  void observed_step(int m) {
    const auto n_A = static_cast<std::uint64_t>(chain_.protocol.exchanges_per_measurement);
    if (!course_.has_whole_steps()) course_.step((static_cast<std::uint64_t>(m) + 1) * n_A - 1, true);
  }

  const Chain& chain_;
  ClusterCourse& course_;
};

}  // namespace

RoundOutcome DeviceClusterRounds::run(const Chain& chain, std::span<const HeldTask> tasks,
                                      std::span<RoundRecord> records, RoundControl& control, DevicePlaces& places,
                                      BatchMemory& memory, cudaStream_t stream) {
  const ClusterBatch& batch = batch_;
  const auto systems = static_cast<std::size_t>(batch.systems());
  const CudaPlan plan = choose_cuda_plan(chain, batch.common.d_fields != nullptr, choices_);
  float* d_couplings =
      plan.arranges() ? memory.reserve_arranged_couplings(tasks.size() * plan.coupling_order().count()) : nullptr;
  const std::size_t spins = systems * batch.sites * static_cast<std::size_t>(components_of(chain.model));
  float* d_arranged_spins = plan.arranges() ? arranged_spins_.reserve(spins) : nullptr;
  if (plan.kind == CudaPlan::Kind::colours) {
    d_arranged_spins = arranged_spins_.reserve(plan.colours.spins(chain) * tasks.size());
  }
  {
    const DevicePlaces::Turn turn = places.take_turn(DevicePlaces::Beside::none);
    sweeps_.begin(chain, plan, batch, d_couplings, d_arranged_spins, stream);
    const ClusterForm form(chain, batch);
    ClusterCourse course(
        chain, batch,
        {*labelling_, decomposition_, tiled_.get(), plan, d_couplings, d_arranged_spins,
         last_replica_at_.reserve(systems), results_.reserve(ResultLayout(batch).total), form,
         graph_sweeps_.active() ? &graph_sweeps_ : nullptr, chain.lattice.is_graph() ? &graph_clusters_ : nullptr,
         GrowthChoice::applies(chain) ? &growth_ : nullptr, plan.sweeps_alone ? &sweeps_ : nullptr,
         has_row_moves(chain) ? &row_moves_ : nullptr, staged_},
        stream);
    DeviceClusterCourse of_round(chain, course);
    if (run_round_course(chain, tasks.size(), of_round, control, stream) == RoundOutcome::abandoned) {
      return RoundOutcome::abandoned;
    }
  }
  std::vector<RoundRecord> made = memory.end_round(chain, batch.common, stream);
  std::vector<int> too_large(systems, 0);
  if (has_free_modulus(chain.model)) {
    staged_.to_host(too_large.data(), batch.d_too_large, systems * sizeof(int), stream);
  }
  const auto replicas = static_cast<std::size_t>(chain.replicas());
  for (std::size_t t = 0; t < tasks.size(); ++t) {
    const auto of_task = std::span(too_large).subspan(t * replicas, replicas);
    check_field_range(chain, std::ranges::any_of(of_task, [](int flag) { return flag != 0; }), made[t]);
  }
  std::ranges::move(made, records.begin());
  return RoundOutcome::finished;
}

void DeviceClusterRounds::begin(const Chain& chain, std::span<const HeldTask> tasks, const DeviceBatch& common,
                                cudaStream_t stream) {
  ClusterBatch& batch = batch_ = batch_for_single_spins(chain, common);
  batch.local = chain.local;
  batch.swapping_slots = chain.isoenergetic_slots();
  const bool graph = chain.lattice.is_graph();
  batch.plane_words = graph ? static_cast<std::uint32_t>((chain.lattice.bonds() + 31) / 32) : (batch.sites + 31) / 32;
  batch.fate_stride = (batch.sites + 127) / 128 * 128;
  std::vector<std::uint8_t> uniform;
  std::vector<std::uint32_t> threshold;
  for (const HeldTask& task : tasks) {
    const ClusterSystem system(chain, *task.disorder, task.realization);
    batch.scales = system.scales;
    batch.phi4 = system.phi4;
    batch.minus_factor = system.minus_factor;
    batch.flip_threshold = system.flip_threshold;
    uniform.push_back(system.uniform ? 1 : 0);
    for (std::size_t slot = 0; slot < chain.beta.size(); ++slot) {
      threshold.push_back(system.uniform ? system.threshold[slot] : 0);
    }
  }
  choose_kernels(chain, tasks, batch, std::find(uniform.begin(), uniform.end(), 0) == uniform.end());

  const auto systems = static_cast<std::size_t>(batch.systems()), sites = systems * batch.sites;
  auto* d_uniform = uniform_.reserve(uniform.size());
  auto* d_threshold = threshold_.reserve(threshold.size());
  staged_.to_device(d_uniform, uniform.data(), uniform.size(), stream);
  staged_.to_device(d_threshold, threshold.data(), threshold.size() * sizeof(std::uint32_t), stream);
  batch.d_uniform = d_uniform;
  batch.d_threshold = d_threshold;
  modulus_.clear();
  for (std::size_t t = 0; t < tasks.size(); ++t) {
    modulus_.push_back(uniform[t] != 0 && !tasks[t].disorder->couplings.empty() ? tasks[t].disorder->couplings.front()
                                                                                : 0.0F);
  }
  batch.d_direction = direction_.reserve(4 * systems);
  if (!chain.model.is_discrete()) batch.d_projection = projection_.reserve(sites);
  const std::size_t bond_planes = graph ? 1 : static_cast<std::size_t>(chain.lattice.owned());
  batch.d_bonds = bonds_.reserve(systems * bond_planes * batch.plane_words + 1);
  batch.d_labels = labels_.reserve(sites);
  batch.d_fate = fate_.reserve(systems * batch.fate_stride);
  batch.d_moved = moved_.reserve(systems);
  if (common.beside_count > common.beside_widths) batch.d_reserve = reserve_.reserve(systems);
  if (has_free_modulus(chain.model)) {
    batch.d_too_large = too_large_.reserve(systems);
  }
  batch.d_seed_labels = seed_labels_.reserve(systems);
  triangles_.upload(chain, tasks, batch, staged_, stream);
  graph_multispin_.begin(chain, tasks, batch, staged_, stream);
  const bool decomposes = chain.protocol.kind == ProtocolKind::swendsen_wang;
  if (decomposes && graph) graph_clusters_.prepare(batch, stream);
  if (decomposes && !graph) decomposition_.prepare(batch, stream);
  if (has_row_moves(chain)) row_moves_.begin(batch, has_absent_bonds(tasks, common.coupling), stream);
  if (GrowthChoice::applies(chain)) growth_.begin(chain, batch, choices_, stream);
  graph_sweeps_.leave();
  const CudaPlan plan = choose_cuda_plan(chain, batch.has_fields(), choices_);
  if (plan.kind == CudaPlan::Kind::graph) graph_sweeps_.begin(plan.graph, chain, batch, stream);
}

void DeviceClusterRounds::set_conditions(const Chain& chain, float field, cudaStream_t stream) {
  batch_.scales = scales_of(chain);
  batch_.phi4 = phi4_weight_of(chain);
  graph_multispin_.set_thresholds(chain, field, batch_, staged_, stream);
  if (chain.cluster_sweeps() == 0) return;
  std::vector<std::uint32_t> threshold;
  for (const float modulus : modulus_) {
    for (const float beta : chain.beta) threshold.push_back(bond_threshold(-batch_.minus_factor, beta, modulus));
  }
  staged_.to_device(threshold_.data(), threshold.data(), threshold.size() * sizeof(std::uint32_t), stream);
}

void DeviceClusterRounds::choose_kernels(const Chain& chain, std::span<const HeldTask> tasks, const ClusterBatch& batch,
                                         bool uniform) {
  const Shape shape{chain.model, chain.lattice, chain.protocol.kind, batch.systems(), uniform};
  if (shape != shape_ || chain.lattice.is_graph()) {  // equal lattices may be different graphs
    tiled_.reset();
    labelling_ = chain.lattice.is_graph() ? make_graph_labelling(batch.common)
                 : batch.has_cubes()      ? make_tile_labelling(chain.lattice, static_cast<unsigned>(batch.systems()))
                                          : make_lattice_labelling(chain.lattice);
    tiled_ = make_tiled_updates(chain, batch.systems(), uniform);
    shape_ = shape;
  }
  if (tiled_ != nullptr) tiled_->begin(batch, tasks);
}

double DeviceClusterRounds::bytes_per_task(const Chain& chain) {
  const auto sites = static_cast<double>(chain.lattice.sites());
  const int dim = chain.lattice.dim, n = chain.model.is_discrete() ? 0 : components_of(chain.model);
  const int chiral_columns = BinLayout(chain).has(BinQuantity::chiral_zero) ? plaquette_planes(dim) : 0;
  const double columns =
      plane_columns(chain.model) + 0.5 * (chain.copies - 1) * (pair_columns(chain.model) + chiral_columns);
  const double results = 8.0 * chain.lattice.planes() * columns + 200.0 + 8.0 * local_count(chain.local);
  const double measured = BinLayout(chain).size() * (8.0 + 4.0 * chain.samples) / chain.copies;
  const double kept = n == 0 ? 1.0 : 4.0 * n;  // the states before the round
  const bool has_arranged = chain.has_vector_sweeps_only() || sweeps_between_moves(chain).has_value();
  const double arranged = has_arranged ? 4.0 * std::max(n, 1) : 0.0;  // the same for whole steps
  const double state = kept + arranged + (n == 0 ? 1.0 : 4.0 * (n + 1));
  const Lattice& lattice = chain.lattice;
  const double of_labels = are_cubes(lattice)   ? tile_labelling_bytes(lattice)
                           : lattice.is_graph() ? 0.0
                                                : 8.0 * dim * lattice.owned() * sites / shortest_axis(lattice);
  const int bonds = lattice.is_graph() ? dim : lattice.owned();
  const double system = sites * (state + 5.0 + 0.125 * bonds) + results + measured + of_labels +
                        tiled_update_bytes(chain) + GrowthChoice::bytes(chain);
  const double of_sites = (chain.model.diluted ? 1.0 : 0.0) + (chain.model.anisotropic ? 4.0 * n : 0.0);
  const double beside = 16.0 * static_cast<double>(BesideLayout(chain).size());  // before a round and after it
  return beside + bytes_of_graph(chain) + TriangleLists::bytes(chain) + chain.replicas() * system +
         (4.0 * numbers_of_disorder(chain) + of_sites) * sites +
         (has_row_moves(chain) ? RowMoves::bytes(lattice) : 0.0);
}

std::string DeviceClusterRounds::description(const Chain& chain, const CudaChoices& choices) {
  const CudaPlan plan = choose_cuda_plan(chain, false, choices);
  const char* const moves = !has_row_moves(chain) ? "" : "; moves between copies by rows";
  if (plan.kind != CudaPlan::Kind::plain) return plan.description() + moves;
  if (GrowthChoice::applies(chain)) return "clusters grown from their seeds, large ones by plain cluster kernels";
  const std::string clusters = has_tiled_updates(chain)
                                   ? "cluster updates by tiles (the one before a measurement by plain kernels)"
                                   : "plain cluster kernels";
  return clusters + moves;
}

}}  // namespace glassworks::cuda
