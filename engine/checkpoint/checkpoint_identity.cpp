#include "engine/checkpoint/checkpoint_identity.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>
#include <span>

#include "kernels/models/model_facts.hpp"
#include "kernels/rounds/beside.hpp"
#include "kernels/rounds/course.hpp"
#include "kernels/rounds/kept_spins.hpp"

namespace glassworks { inline namespace engine {

namespace {

void add_text(Digest& digest, const std::string& text) {
  digest.value(static_cast<std::uint64_t>(text.size())).bytes(std::as_bytes(std::span(text)));
}

/// What only the other models have.
void add_model(Digest& digest, const Chain& chain) {
  const SpinModel& model = chain.model;
  const Protocol& p = chain.protocol;
  for (const int number : {static_cast<int>(model.kind), model.states, model.components, static_cast<int>(p.kind),
                           p.cluster_sweeps, p.isoenergetic, p.seed_tile}) {
    digest.value(static_cast<std::int32_t>(number));
  }
  digest.value(model.lambda).value(p.p_flip);
}

/// Of all that its states follow from; where its rounds end makes no difference to them.
void add_course(Digest& digest, const Course& course) {
  const auto add = [&](const Ramp& ramp) {
    digest.value(ramp.first).value(ramp.last).value(static_cast<std::uint32_t>(ramp.shape));
  };
  digest.value(std::uint32_t{13});
  for (const Segment& segment : course.segments) {
    digest.value(segment.steps).value(segment.stair);
    for (const Ramp& T : segment.temperature) add(T);
    add(segment.field);
  }
  digest.array(course.references);
}

Digest::Bytes origin_of(const ModelConfig& model, const Chain& chain) {
  Digest digest;
  digest.value(chain.key.k0).value(chain.key.k1);
  const Protocol& p = chain.protocol;
  for (const int number : {p.overrelaxation, p.heatbath, p.sweeps_per_exchange, p.exchanges_per_measurement,
                           static_cast<int>(p.exchange), p.tile, chain.measurements}) {
    digest.value(static_cast<std::int32_t>(number));
  }
  digest.array(chain.beta);
  digest.value(static_cast<std::int32_t>(model.couplings));
  // One for all samples would change with every realization that is added.
  add_text(digest, model.couplings == CouplingKind::files ? std::string() : model.couplings_digest);
  digest.value(static_cast<std::int32_t>(model.field)).value(model.field_strength);
  add_text(digest, model.field_digest);
  if (model.bimodal_p != 0.5) digest.value(std::uint32_t{1}).value(model.bimodal_p);
  if (model.couplings_mean != 0.0) digest.value(std::uint32_t{2}).value(model.couplings_mean);
  if (model.bond_dilution != 0.0) digest.value(std::uint32_t{3}).value(model.bond_dilution);
  if (model.site_dilution != 0.0) digest.value(std::uint32_t{6}).value(model.site_dilution);
  if (model.anisotropy != 0.0) digest.value(std::uint32_t{7}).value(model.anisotropy);
  if (model.field == FieldKind::constant) digest.array(model.field_direction);
  if (chain.model.kind != ModelKind::heisenberg) add_model(digest, chain);
  for (const ModelNumber& number : model_numbers) {
    if (number.kind == chain.model.kind) digest.value(std::uint32_t{9}).value(chain.model.*number.value);
  }
  if (chain.lattice.is_graph()) {  // whose tag knows the ends of its axes
    digest.value(std::uint32_t{13}).value(chain.lattice.graph_tag).value(chain.lattice.graph_sites);
    digest.value(static_cast<std::uint32_t>(model.graph.draw));
    add_text(digest, model.graph.digest);
  } else {
    if (chain.lattice.open != 0) digest.value(static_cast<std::uint32_t>(chain.lattice.open));
    if (!chain.lattice.is_cube()) {
      digest.value(std::uint32_t{8});
      for (const int length : chain.lattice.lengths) digest.value(static_cast<std::int32_t>(length));
    }
  }
  if (!chain.lattice.is_hypercubic()) add_text(digest, bonds_of(chain.lattice.kind).name);
  if (p.multispin != MultispinRule::off) digest.value(static_cast<std::int32_t>(p.multispin));
  if (p.lanes != MultispinLanes::realizations)
    digest.value(std::uint32_t{12}).value(static_cast<std::uint32_t>(p.lanes));
  if (p.local != SiteRule::heat_bath) {
    digest.value(std::uint32_t{11}).value(static_cast<std::uint32_t>(p.local));
    digest.value(static_cast<std::int32_t>(p.adaptation));
  }
  if (p.tile_repeats != 1) digest.value(std::uint32_t{14}).value(static_cast<std::int32_t>(p.tile_repeats));
  if (p.isoenergetic_T_max != 0.0) digest.value(std::uint32_t{15}).value(p.isoenergetic_T_max);
  if (!p.moves.empty()) {
    digest.value(std::uint32_t{10});
    for (const Move& move : p.moves) {
      digest.value(static_cast<std::uint32_t>(move.rule)).value(static_cast<std::int32_t>(move.count));
    }
  }
  if (chain.course != nullptr) add_course(digest, *chain.course);
  if (chain.start != Start::random) digest.value(std::uint32_t{4}).value(static_cast<std::uint32_t>(chain.start));
  if (chain.key.generator != Generator::philox4x32) {
    digest.value(std::uint32_t{5}).value(static_cast<std::uint32_t>(chain.key.generator));
  }
  return digest.result();
}

}  // namespace

namespace {

/// Steps from the start to the end of a round.
std::uint64_t steps_after(const Chain& chain, std::uint32_t rounds) {
  if (chain.course == nullptr) {
    return std::uint64_t{rounds} * static_cast<std::uint64_t>(chain.measurements) *
           static_cast<std::uint64_t>(chain.protocol.exchanges_per_measurement);
  }
  const std::vector<CourseRound> all = rounds_of(*chain.course);
  return rounds == 0 || rounds > all.size() ? 0 : all[rounds - 1].to;
}

/// Of a course, those that are kept after so many steps: 0 is among them once there is a round.
std::vector<std::uint64_t> references_until(const Chain& chain, std::uint64_t steps) {
  std::vector<std::uint64_t> times;
  if (chain.course == nullptr || steps == 0) return times;
  std::ranges::copy_if(chain.course->references, std::back_inserter(times),
                       [&](std::uint64_t t) { return t <= steps; });
  return times;
}

}  // namespace

CheckpointIdentity checkpoint_identity(const Config& config, const Chain& chain, std::uint32_t realization,
                                       std::uint32_t rounds) {
  const BesideLayout beside(chain);
  const std::uint64_t steps = steps_after(chain, rounds);
  return {.dim = chain.lattice.dim,
          .L = chain.lattice.L,
          .copies = chain.copies,
          .slots = chain.slots(),
          .realization = realization,
          .rounds = rounds,
          .origin = origin_of(config.model, chain),
          .components = chain.model.is_discrete() ? 0 : chain.model.components,
          .lengths = chain.lattice.lengths,
          .graph_sites = chain.lattice.graph_sites,
          .states = chain.model.is_discrete() ? facts_of(chain.model).states : 2,
          .absent_state = facts_of(chain.model).absent,
          .unit_vectors = !chain.model.is_discrete() && !rules_of(chain.model).has_lambda,
          .may_be_absent = chain.model.diluted,
          .steps = steps,
          .widths = static_cast<std::uint64_t>(beside.widths),
          .reserves = static_cast<std::uint64_t>(beside.reserves),
          .references = references_until(chain, steps),
          .kept_words = kept_words(chain)};
}

std::string describe(const CheckpointIdentity& identity) {
  return fmt::format("L = {}, realization {} after {} {}", identity.L, identity.realization, identity.rounds,
                     identity.rounds == 1 ? "round" : "rounds");
}

std::string difference(const CheckpointIdentity& found, const CheckpointIdentity& expected) {
  if (found == expected) return {};
  const std::string holds = describe(found), wanted = describe(expected);
  if (holds != wanted) return fmt::format("it holds {} instead of {}", holds, wanted);
  if (found.dim != expected.dim || found.copies != expected.copies || found.slots != expected.slots) {
    return fmt::format("it holds d = {}, {} copies and {} slots instead of d = {}, {} copies and {} slots", found.dim,
                       found.copies, found.slots, expected.dim, expected.copies, expected.slots);
  }
  if (found.components != expected.components) return "its sites carry another kind of spin";
  return "it comes from a campaign of another seed, model, ladder or protocol";
}

namespace {

std::string misfit_of_kept(const ChainState& state, const CheckpointIdentity& identity) {
  const auto fits = [&](const KeptSpins& kept, std::uint64_t time) {
    return kept.time == time && kept.bits.size() == identity.kept_words && kept.spins.size() == state.spins.size();
  };
  if (std::ranges::equal(state.kept, identity.references, fits)) return {};
  return fmt::format("its {} reference states are not those of the times {}", state.kept.size(),
                     fmt::join(identity.references, ", "));
}

}  // namespace

std::string misfit(const ChainState& state, const CheckpointIdentity& identity) {
  const auto replicas = static_cast<std::uint64_t>(identity.copies) * static_cast<std::uint64_t>(identity.slots);
  const auto sites = static_cast<std::uint64_t>(identity.sites());
  if (state.slot.size() == replicas && state.heading.size() == replicas && state.round_trips.size() == replicas &&
      state.spins.size() == static_cast<std::uint64_t>(identity.components) * sites * replicas &&
      state.states.size() == (identity.components == 0 ? sites * replicas : 0)) {
    const std::uint64_t beside = identity.widths + identity.reserves;
    if (state.beside.size() == beside) return misfit_of_kept(state, identity);
    return fmt::format("it keeps {} numbers beside the spins instead of {}", state.beside.size(), beside);
  }
  if (identity.components == 0) {
    return fmt::format("its {} replicas with {} discrete spins are not those of {} copies x {} slots at L = {}",
                       state.slot.size(), state.states.size(), identity.copies, identity.slots, identity.L);
  }
  return fmt::format("its {} replicas with {} spin components are not those of {} copies x {} slots at L = {}",
                     state.slot.size(), state.spins.size(), identity.copies, identity.slots, identity.L);
}

}}  // namespace glassworks::engine
