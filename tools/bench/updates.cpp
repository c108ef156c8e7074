#include "tools/bench/updates.hpp"

#include <deque>
#include <memory>

#include "engine/config/config.hpp"
#include "kernels/cpu/cpu_backend.hpp"
#include "kernels/cpu/lanes/cpu_bundle.hpp"
#include "tools/bench/fma.hpp"
#include "tools/bench/operations.hpp"
#include "tools/bench/plain_heisenberg.hpp"

namespace glassworks { inline namespace tools {
namespace {

constexpr int warm_up_steps = 30;
constexpr double beta = 1.0 / bench_temperature;

Chain bench_chain(int L, int overrelaxation, int heatbath) {
  Chain chain;
  chain.lattice = {3, L};
  chain.copies = 1;
  chain.beta.assign(bundle_lanes, static_cast<float>(beta));
  chain.protocol.overrelaxation = overrelaxation;
  chain.protocol.heatbath = heatbath;
  chain.key = size_key(1, 3, L);
  return chain;
}

/// One bundle under one protocol, ready to be timed.
class BundleJob {
 public:
  BundleJob(const Chain& chain, const Disorder& disorder, const ChainState& state, const SweepPlan& plan)
      : chain_(chain), plan_(plan), slot_(state.slot), bundle_(chain_, disorder, 0, 0) {
    bundle_.load(state);
    timed.units = (chain.protocol.overrelaxation + chain.protocol.heatbath) * static_cast<double>(bundle_lanes) *
                  static_cast<double>(chain.lattice.sites());
    timed.work = [this] { step(); };
  }
  BundleJob(const BundleJob&) = delete;
  BundleJob& operator=(const BundleJob&) = delete;

  void step() { bundle_.sweep(plan_, step_++, slot_.data(), energy_); }
  void store(ChainState& state) const { bundle_.store(state); }

  Timed timed;

 private:
  Chain chain_;
  SweepPlan plan_;
  std::vector<std::uint16_t> slot_;
  CpuBundle bundle_;
  std::uint64_t step_ = 0;
  std::int64_t energy_[bundle_lanes] = {};
};

/// The three protocols of one instruction set. Over-relaxation alone runs 40 sweeps to a step, so that the pass for the
/// energies, which come for free with a heat bath, is about one percent of it.
struct SetJobs {
  SetJobs(int L, const Disorder& disorder, const ChainState& state, const SweepPlan& plan, InstructionSet isa)
      : kernels(*plan.kernels),
        over_relaxation(bench_chain(L, 40, 0), disorder, state, with_float_reflections(plan)),
        heat_bath(bench_chain(L, 0, 1), disorder, state, plan),
        mix(bench_chain(L, 10, 1), disorder, state, plan),
        peak(fma_loop(isa)) {
    fma.work = peak.run;
    fma.units = static_cast<double>(FmaLoop::instructions);
  }

  /// A protocol without a heat bath uses the reflection in double precision; this replaces it by the usual one,
  /// which is to be measured.
  SweepPlan with_float_reflections(SweepPlan plan) {
    SweepTable& sweeps = kernels.sweeps[2];  // of three components
    sweeps.over_relax_conserving = sweeps.over_relax;
    plan.kernels = &kernels;
    return plan;
  }

  KernelTable kernels;
  BundleJob over_relaxation, heat_bath, mix;
  FmaLoop peak;
  Timed fma;
};

void set_floors(UpdateResult& r, int lanes) {
  const UpdateOperations operations = count_operations(3);
  const double per_lane = r.fma.median / lanes;
  r.over_relaxation_floor = operations.over_relaxation.multiply * per_lane;
  r.heat_bath_floor = operations.heat_bath.multiply * per_lane;
  r.mix_floor = (10.0 * r.over_relaxation_floor + r.heat_bath_floor) / 11.0;
}

}  // namespace

std::vector<UpdateResult> bench_updates(const BenchOptions& options, int L) {
  const Chain chain = bench_chain(L, 10, 1);
  const Disorder disorder = make_disorder(Config{}, chain.lattice, 0);
  const CpuLattice lattice(chain.lattice);
  const int depth = choose_wavefront_depth(chain.lattice, second_level_cache_bytes());
  const auto plan = [&](InstructionSet isa) { return SweepPlan{&kernels_of(isa), &lattice, nullptr, depth}; };

  ChainState state = initial_state(chain, 0);
  {
    BundleJob warm_up(chain, disorder, state, plan(available_instruction_sets().back()));
    for (int i = 0; i < warm_up_steps; ++i) warm_up.step();
    warm_up.store(state);
  }
  ScalarSpinGlass scalar(chain.lattice, disorder, 1);
  double scalar_energy = 0.0;
  const auto scalar_mix_step = [&] {
    for (int i = 0; i < 10; ++i) scalar.over_relax_sweep();
    scalar.heat_bath_sweep(beta);
    scalar_energy += scalar.energy();
  };
  for (int i = 0; i < warm_up_steps; ++i) scalar_mix_step();

  const double sites = static_cast<double>(chain.lattice.sites());
  Timed scalar_over_relaxation{[&] { scalar.over_relax_sweep(); }, sites, {}};
  Timed scalar_heat_bath{[&] { scalar.heat_bath_sweep(beta); }, sites, {}};
  Timed scalar_energies{[&] { scalar_energy += scalar.energy(); }, sites, {}};
  Timed scalar_mix{scalar_mix_step, 11.0 * sites, {}};
  std::vector<Timed*> jobs{&scalar_over_relaxation, &scalar_heat_bath, &scalar_energies, &scalar_mix};
  std::deque<SetJobs> sets;
  for (const InstructionSet isa : options.sets) {
    SetJobs& s = sets.emplace_back(L, disorder, state, plan(isa), isa);
    jobs.insert(jobs.end(), {&s.over_relaxation.timed, &s.heat_bath.timed, &s.mix.timed});
    if (s.fma.work) jobs.push_back(&s.fma);
  }
  time_in_turn(jobs, options.repeats, options.seconds, Clock::thread);

  std::vector<UpdateResult> results;
  for (std::size_t i = 0; i < sets.size(); ++i) {
    UpdateResult r;
    r.L = L;
    r.isa = options.sets[i];
    r.wavefront_depth = depth;
    r.over_relaxation = sets[i].over_relaxation.timed.nanoseconds_per_unit;
    r.heat_bath = sets[i].heat_bath.timed.nanoseconds_per_unit;
    r.mix = sets[i].mix.timed.nanoseconds_per_unit;
    r.scalar_over_relaxation = scalar_over_relaxation.nanoseconds_per_unit;
    r.scalar_heat_bath = scalar_heat_bath.nanoseconds_per_unit;
    r.scalar_mix = scalar_mix.nanoseconds_per_unit;
    r.mix_over_parts = mix_over_parts(
        sets[i].mix.timed, {{&sets[i].over_relaxation.timed, 10.0 / 11.0}, {&sets[i].heat_bath.timed, 1.0 / 11.0}});
    r.scalar_mix_over_parts = mix_over_parts(
        scalar_mix,
        {{&scalar_over_relaxation, 10.0 / 11.0}, {&scalar_heat_bath, 1.0 / 11.0}, {&scalar_energies, 1.0 / 11.0}});
    r.fma = sets[i].fma.nanoseconds_per_unit;
    set_floors(r, sets[i].peak.lanes);
    results.push_back(r);
  }
  return results;
}

}}  // namespace glassworks::tools
