#pragma once

#include <string>
#include <utility>
#include <vector>

#include "kernels/rounds/course_driver.hpp"
#include "kernels/rounds/kept_spins.hpp"
#include "tests/kernels/cluster/multispin_support.hpp"

/// Chains and a course for comparisons of bits, on the host and on devices.
namespace glassworks::test {

struct CourseCase {
  const char* name;
  SpinModel model;
  MoveList moves;
  bool bimodal = false;
  bool in_field = false;
};

inline const CourseCase course_cases[] = {
    {"Heisenberg", {}, {{MoveRule::over_relaxation, 2}, {MoveRule::heat_bath, 1}}, false, true},
    {"HeisenbergEndsWithReflections", {}, {{MoveRule::heat_bath, 1}, {MoveRule::over_relaxation, 3}}},
    {"Ising", ising(), {{MoveRule::heat_bath, 1}}, false, true},
    {"IsingClusters", ising(), {{MoveRule::heat_bath, 1}, {MoveRule::swendsen_wang, 1}}, true},
    {"IsingMultispin", ising(), {{MoveRule::multispin_metropolis, 2}, {MoveRule::isoenergetic, 1}}, true, false},
    {"IsingMultispinInField", ising(), {{MoveRule::multispin_metropolis, 1}}, true, true},
    {"Potts", potts(3), {{MoveRule::heat_bath, 1}, {MoveRule::wolff, 1}}},
    {"BlumeCapel", blume_capel(0.3), {{MoveRule::heat_bath, 1}}},
    {"Xy", on(2), {{MoveRule::over_relaxation, 2}, {MoveRule::heat_bath, 1}}},
    {"Vectors4", on(4), {{MoveRule::heat_bath, 1}, {MoveRule::swendsen_wang, 1}}},
    {"Phi4", phi4(1.5), {{MoveRule::heat_bath, 1}}}};

[[nodiscard]] inline Chain chain_of(const CourseCase& one, const Lattice& lattice) {
  Protocol p{.sweeps_per_exchange = 2};
  set_moves(p, one.moves);
  const double T = has_free_modulus(one.model) ? 4.0 : 1.2;
  return cluster_chain(one.model, lattice, 2, geometric_betas(3, T, 2 * T), p, 2);
}

[[nodiscard]] inline Disorder disorder_of(const CourseCase& one, const Lattice& lattice, std::uint32_t seed) {
  Disorder disorder = one.bimodal ? bimodal(lattice, seed) : gaussian_disorder(lattice, seed);
  if (one.model.kind == ModelKind::potts) {
    for (float& J : disorder.couplings) J = std::fabs(J);
  }
  if (one.in_field && one.bimodal) return test::in_field(lattice, disorder, 0.4F);
  if (!one.in_field) return disorder;
  Source source(seed + 100);
  for (std::int64_t i = 0; i < lattice.sites() * components_of(one.model); ++i) {
    disorder.fields.push_back(static_cast<float>(0.5 * source.normal()));
  }
  disorder.energy_scale = choose_energy_scale(lattice, disorder.couplings, disorder.fields);
  return disorder;
}

/// 19 steps: down to two thirds of the temperature by stairs of two steps, six steps there, and up again step by step,
/// while the field changes its sign and comes back. A cut at 7 or 11 divides steps that are not measured.
[[nodiscard]] inline Course course_of(const CourseCase& one, const Chain& chain) {
  Course course;
  Segment down{.steps = 6, .temperature = {}, .stair = 2}, stay{.steps = 6, .temperature = {}};
  Segment up{.steps = 7, .temperature = {}};
  for (const float beta : chain.beta) {
    const double T = 1.0 / static_cast<double>(beta), cold = T / 1.5;
    down.temperature.push_back({T, cold, RampShape::geometric});
    stay.temperature.push_back(Ramp::constant(cold));
    up.temperature.push_back({cold, T, RampShape::linear});
  }
  if (one.in_field) {
    down.field = {1.0, -0.5, RampShape::linear};
    stay.field = Ramp::constant(0.0);
    up.field = {-0.5, 1.0, RampShape::linear};
  }
  course.segments = {down, stay, up};
  course.measured = {.every = 5, .listed = {1, 2, 4, 8, 13}};
  course.references = {0, 3, 9, 19};
  return course;
}

/// All that a course yields of some realizations.
struct Walked {
  std::vector<std::uint64_t> times;                ///< of measurements
  std::vector<std::vector<RoundRecord>> measured;  ///< [time][task]
  std::vector<KeptSpins> kept;                     ///< [reference time * tasks + task]
  std::vector<ChainState> states;                  ///< at the end [task]
  bool operator==(const Walked&) const = default;
};

/// Along a course in one go, or cut at some times, where the batch is made anew from the states.
[[nodiscard]] inline Walked walk(Backend& backend, const Chain& chain, const std::vector<Disorder>& disorder,
                                 const Course& course, std::vector<std::uint64_t> cuts = {}) {
  Walked walked;
  std::vector<std::uint32_t> numbers;
  for (std::uint32_t i = 0; i < disorder.size(); ++i) {
    numbers.push_back(7 + 2 * i);
    walked.states.push_back(initial_state(chain, numbers.back()));
  }
  CourseVisitor visitor;
  visitor.measured = [&](std::uint64_t time, std::span<RoundRecord> records) {
    walked.times.push_back(time);
    walked.measured.emplace_back(records.begin(), records.end());
  };
  visitor.reference = [&](std::uint64_t, const HeldBatch& batch) {
    for (std::size_t i = 0; i < disorder.size(); ++i) walked.kept.push_back(keep_spins(chain, batch.state(i)));
  };
  cuts.push_back(course.end());
  std::uint64_t from = 0;
  for (const std::uint64_t to : cuts) {
    std::vector<HeldTask> tasks;
    for (std::size_t i = 0; i < disorder.size(); ++i) {
      tasks.push_back({numbers[i], &disorder[i], std::move(walked.states[i])});
    }
    const auto held = backend.hold(chain, std::move(tasks));
    RoundControl control;
    EXPECT_EQ(follow_course(*held, disorder.size(), course, from, to, visitor, control), to);
    for (std::size_t i = 0; i < disorder.size(); ++i) walked.states[i] = held->state(i);
    from = to;
  }
  return walked;
}

/// Every byte, of floats too.
inline void expect_same_walk(const Walked& found, const Walked& expected, const std::string& what) {
  ASSERT_EQ(found.times, expected.times) << what;
  for (std::size_t i = 0; i < expected.states.size(); ++i) {
    EXPECT_TRUE(same_bytes(found.states[i], expected.states[i]) && found.states[i].states == expected.states[i].states)
        << what << ", state " << i;
    for (std::size_t t = 0; t < expected.times.size(); ++t) {
      EXPECT_TRUE(same_bytes(found.measured[t][i], expected.measured[t][i]))
          << what << ", realization " << i << " at time " << expected.times[t];
    }
  }
  EXPECT_EQ(found.kept, expected.kept) << what;
}

}  // namespace glassworks::test
