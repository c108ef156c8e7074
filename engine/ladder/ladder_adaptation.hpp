#pragma once

#include <span>
#include <vector>

#include "engine/bins/records.hpp"
#include "engine/config/config.hpp"

namespace glassworks { inline namespace engine {

/// Placement of the temperatures of a ladder by what pilot rounds have shown. Pure functions that use only +, -, *, /
/// and sqrt, so that every machine places the same temperatures to the bit.

/// Sum of stages that share their temperatures: counts are added, `stage` and `checkpoints` are those of the last one.
///
/// stages  at least one
[[nodiscard]] LadderStage sum_of_stages(std::span<const LadderStage> stages);

/// Rejected part r of the exchanges of each pair, over all copies and realizations [pair]; 0 < r < 1, because each pair
/// gets one attempt more with the mean rejection of the ladder: a pair without attempts has that mean, and one that
/// never rejects or never accepts has the r that its number of attempts supports.
[[nodiscard]] std::vector<double> pair_rejections(const LadderStage& statistics);

/// Length l = r / (1 - r)^(1/8) of each pair on the way through the ladder [pair]. It is r for small r, and adds up
/// where intervals are joined, which r does not once it is near 1: for independent Gaussian energies r = erf(x) with x
/// proportional to the spacing, and l = (2/sqrt(pi)) x within 15 % up to r = 0.9999, where l stops. Equal l: equal r.
[[nodiscard]] std::vector<double> pair_lengths(const LadderStage& statistics);

/// Communication barrier Lambda = sum of l over the pairs: the sum of rejections of a ladder with many slots.
/// Source: Syed, Bouchard-Cote, Deligiannidis & Doucet, JRSSB 84, 321 (2022).
[[nodiscard]] double communication_barrier(const LadderStage& statistics);

/// Number of slots that uses replicas best, 2 Lambda + 1, within 2 .. max_slots.
[[nodiscard]] int suggested_slots(double Lambda);

/// Upper bound 1/(2 + 2 Lambda) of the round trips of one copy per exchange step, even-odd schedule, all replicas
/// together and any number of slots. Source: as for communication_barrier.
[[nodiscard]] double round_trip_rate_bound(double Lambda);

/// Equal rejection: beta at equal increments of the cumulative length sum_{j<i} l_j, interpolated monotonically (PCHIP
/// of Fritsch and Butland) between the betas of the statistics. The ends stay.
///
/// slots   of the new ladder, 2 .. max_slots
/// returns temperatures, ascending and distinct as single-precision betas; those of the statistics where `slots`
///         temperatures would not be distinct
[[nodiscard]] std::vector<double> equal_rejection_ladder(const LadderStage& statistics, int slots);

/// Feedback-optimized: with f(T) = up/(up + down) of the replicas' walk, smoothed to a falling curve, the density of
/// temperatures is eta(T) ~ sqrt((1/Delta T) |df/dT|), so that beta stands at equal increments of the cumulative sum of
/// sqrt(|Delta f|). A pair counts at least a hundredth of the mean |Delta f|. Parameters and result as above.
/// Source: Katzgraber, Trebst, Huse & Troyer, J. Stat. Mech. P03018 (2006).
[[nodiscard]] std::vector<double> feedback_ladder(const LadderStage& statistics, int slots);

/// Whether the ladder is placed anew after `stages` of `adapt_rounds` stages. With m = adapt_rounds less a quarter (at
/// least one stage), which keeps the ladder that will be frozen, that is after m, m/2, m/4, ... 1 stages: placements
/// come quickly at first, and the last one sees half of all stages before it.
[[nodiscard]] bool placement_due(int stages, int adapt_rounds);

/// Temperatures of the stage that follows: those of the last stage, or, where a placement is due, new ones from all
/// stages with the temperatures of the last. With ladder.slots = auto the last placement takes the suggested number
/// of slots. Feedback needs replicas that walk: below ten round trips per slot, rejections are used instead.
///
/// stages  all so far, in order, at least one
[[nodiscard]] std::vector<double> next_temperatures(const LadderConfig& ladder, std::span<const LadderStage> stages);

}}  // namespace glassworks::engine
