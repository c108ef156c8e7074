#pragma once

#include <functional>
#include <span>
#include <vector>

#include "analysis/basics/campaign_set.hpp"

namespace glassworks { inline namespace analysis {

/// Second part of a visit, which runs in the order of the realizations; may be empty.
using Keep = std::function<void()>;

/// Visits one realization with its history. Visitors run concurrently, one thread each, so they must not change shared
/// data. The functions that they return may: these are called one at a time, on the calling thread and in the order of
/// the realizations. Row and rounds stay valid until then.
using RealizationVisitor = std::function<Keep(const RealizationRow& row, std::span<const RoundRow> rounds)>;

struct PassOptions {
  int threads = 0;  ///< 0: one for each processor, at most 8
  RoundSamples samples = RoundSamples::skip;
  /// Which realizations are read; empty: all. Those without a committed round never are.
  std::function<bool(const RealizationRow&)> wanted;
  /// Called in order after each realization of the size, read or not; may be empty.
  std::function<void(int L, int done, int total)> progress;
};

/// Reads the histories of the realizations of one size, each once, and hands them to a visitor. Results do not depend
/// on the number of threads. Each thread has a read-only connection of its own; what is committed while the pass runs
/// is left out: every history ends where its row of the beginning says. No more than three histories for each thread
/// are in memory.
///
/// returns  the rows of the size as they were at the beginning
/// Throws what reading, visitor or keep throw, of the realization that comes first.
std::vector<RealizationRow> for_each_realization(const CampaignSet& campaigns, int L, const RealizationVisitor& visitor,
                                                 const PassOptions& options = {});

}}  // namespace glassworks::analysis
