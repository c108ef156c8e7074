#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>

#include "base/text.hpp"
#include "glassworks/version.hpp"
#include "tools/bench/proposal.hpp"
#include "tools/bench/report.hpp"
#include "tools/glassworks/campaign_means.hpp"
#include "tools/glassworks/doctor_machine.hpp"

namespace glassworks { inline namespace tools {
namespace {

/// "310 core-hours (200 to 480)".
std::string hours_text(const Ranged& hours, const std::string& unit) {
  return fmt::format("{} {} ({} to {})", three_digits(hours.value), unit, three_digits(hours.low),
                     three_digits(hours.high));
}

/// "3.1 GiB (2.2 GiB to 4.5 GiB)".
std::string disk_text(const Ranged& bytes) {
  return fmt::format("{} ({} to {})", bytes_text(bytes.value), bytes_text(bytes.low), bytes_text(bytes.high));
}

/// "tau grows as L^3.1 (2.3 to 4.7), fitted to the pilots of L = 4, 6, 8".
std::string growth_text(const Growth& growth) {
  return fmt::format("tau grows as L^{:.2g} ({:.2g} to {:.2g}), {}", growth.exponent, growth.low, growth.high,
                     growth.sizes.empty()
                         ? "assumed, since pilots of two sizes are needed to fit it"
                         : fmt::format("fitted to the pilots of L = {}", fmt::join(growth.sizes, ", ")));
}

std::string rounds_text(const SizeProposal& r, const Growth& growth) {
  std::string text = fmt::format("{} rounds a realization ({} to {})", three_digits(r.rounds.value),
                                 three_digits(r.rounds.low), three_digits(r.rounds.high));
  switch (r.source) {
    case SizeProposal::Source::pilots:
      text += fmt::format(", measured: {} pilot{}, of which {} ended and the longest {} {:.0f}", r.pilots,
                          r.pilots == 1 ? "" : "s", r.ended, r.ended == r.pilots ? "took" : "is expected to take",
                          r.longest);
      break;
    case SizeProposal::Source::extrapolated:
      text += ", extrapolated: " + growth_text(growth);
      break;
    case SizeProposal::Source::unknown:
      text += ", not known: the range is that from convergence.min_rounds to max_rounds";
      break;
  }
  return text;
}

std::string size_text(const Proposal& p, const SizeProposal& r) {
  return fmt::format(
      "\nL = {}: {} realizations, {} temperatures: {}\n"
      "  {}\n"
      "  a round of {} measurements takes {} {} a realization ({})\n"
      "  memory {}; disk {}\n",
      r.L, r.realizations, r.slots, hours_text(r.hours, p.unit), rounds_text(r, p.growth), r.measurements,
      three_digits(r.round_seconds), p.unit == "GPU-hours" ? "GPU-seconds" : "core-seconds",
      r.smaller_timed ? "measured on a smaller lattice, in proportion to the sites" : "measured", bytes_text(r.memory),
      disk_text(r.disk));
}

std::string wall_text(const Proposal& p) {
  const double seconds = 3600.0 * p.hours().value / p.units;
  const char* kind = p.unit == "GPU-hours" ? "GPU" : "thread";
  return fmt::format("about {} on this machine, if its {:.0f} {}{} {} busy", duration_text(seconds), p.units, kind,
                     p.units == 1.0 ? "" : "s", p.units == 1.0 ? "is" : "are");
}

void write_ranged(JsonWriter& json, const std::string& name, const Ranged& figure) {
  json.key(name).begin_object();
  json.field("value", figure.value).field("low", figure.low).field("high", figure.high).end_object();
}

const char* source_name(SizeProposal::Source source) {
  switch (source) {
    case SizeProposal::Source::pilots:
      return "pilots";
    case SizeProposal::Source::extrapolated:
      return "extrapolated";
    case SizeProposal::Source::unknown:
      break;
  }
  return "unknown";
}

}  // namespace

std::string proposal_text(const ProposalOptions& options, const Proposal& p) {
  std::string text = fmt::format(
      "glassworks {} ({}, {}, {})\n{}, load {:.1f}\n{} from its beginning to its end; timings and pilots of at most "
      "{}. "
      "Nine of ten\ncampaigns should lie between the ends in parentheses.{}\n",
      version::kVersion, version::kCommit, version::kCompiler, version::kBuildType, p.device, this_machine().load,
      options.file, duration_text(options.seconds),
      p.unit == "core-hours" ? " A core-hour is an hour of one thread." : "");
  for (const SizeProposal& size : p.sizes) text += size_text(p, size);
  if (p.sizes.empty()) return text;
  text += fmt::format("\nTogether: {}, {};\nmemory {}, disk {}.\n", hours_text(p.hours(), p.unit), wall_text(p),
                      bytes_text(p.memory()), disk_text(p.disk()));
  for (const std::string& note : p.notes) text += "Note: " + note + "\n";
  return text;
}

std::string proposal_json(const ProposalOptions& options, const Proposal& p) {
  JsonWriter json;
  json.begin_object();
  write_provenance(json);
  json.field("device", p.device).field("config", options.file).field("seconds", options.seconds);
  json.field("unit", p.unit).field("side_by_side", p.units).field("complete", !p.stopped);
  json.key("sizes").begin_array();
  for (const SizeProposal& r : p.sizes) {
    json.begin_object().field("L", r.L).field("realizations", r.realizations).field("slots", r.slots);
    json.field("copies", r.copies).field("measurements", r.measurements).field("rounds_from", source_name(r.source));
    json.field("pilots", r.pilots).field("pilots_ended", r.ended).field("longest_pilot_rounds", r.longest);
    write_ranged(json, "rounds", r.rounds);
    json.field("round_seconds", r.round_seconds).field("smaller_lattice_timed", r.smaller_timed);
    write_ranged(json, "hours", r.hours);
    json.field("memory_bytes", r.memory);
    write_ranged(json, "disk_bytes", r.disk);
    json.end_object();
  }
  json.end_array().key("growth_of_tau").begin_object();
  json.field("exponent", p.growth.exponent).field("low", p.growth.low).field("high", p.growth.high);
  json.key("fitted_to_L").begin_array();
  for (const int L : p.growth.sizes) json.value(L);
  json.end_array().end_object();
  json.key("together").begin_object();
  write_ranged(json, "hours", p.hours());
  json.field("memory_bytes", p.memory());
  write_ranged(json, "disk_bytes", p.disk());
  json.end_object().key("notes").begin_array();
  for (const std::string& note : p.notes) json.value(note);
  return json.end_array().end_object().text();
}

}}  // namespace glassworks::tools
