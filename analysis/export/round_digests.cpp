#include "analysis/export/round_digests.hpp"

#include <fmt/format.h>

#include <bit>

#include "db/bins.hpp"

namespace glassworks { inline namespace analysis {

RoundDigests::RoundDigests(Staging& staging)
    : staging_(staging), text_("L,realization,rounds,bins_digest,state_digest\n") {
  static_cast<void>(staging_.path_of(round_digests_file));
}

void RoundDigests::add(const ExportedRealization& realization, std::span<const RoundRow> rounds) {
  Digest digest;
  const RealizationRow& row = realization.row;
  for (std::uint32_t done = 1; const RoundRow& round : rounds) {
    db::add_to_digest(digest, round.round, round.record);
    const bool last = done == rounds.size();
    if (last || std::has_single_bit(done)) {
      text_ += fmt::format("{},{},{},{},{}\n", row.key.L, row.key.realization, done, digest.hex(),
                           last ? row.state_digest : "");
    }
    ++done;
  }
}

void RoundDigests::finish() { staging_.write(round_digests_file, text_); }

}}  // namespace glassworks::analysis
