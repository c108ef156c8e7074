#include "engine/graphs/graph_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <tuple>
#include <utility>

#include "base/input_error.hpp"
#include "base/text_file.hpp"
#include "engine/graphs/graph_lines.hpp"

namespace glassworks { inline namespace engine {
namespace {

[[noreturn]] void refuse_graph(InputFault fault, const std::filesystem::path& file, std::int64_t line,
                               const std::string& sentence) {
  const std::string place = line > 0 ? fmt::format("{}:{}", file.string(), line) : file.string();
  throw InputError(fault, file.string(), fmt::format("{}: {}", place, sentence));
}

[[noreturn]] void refuse_whole_file(InputFault fault, const std::filesystem::path& file, const std::string& why,
                                    const char* suggestion) {
  throw InputError(fault, file.string(),
                   fmt::format("The graph file '{}' cannot be used ({}). {}.", file.string(), why, suggestion));
}

/// Bonds in ascending order of their sites, each there once and none from a site to itself.
void sort_bonds(const std::filesystem::path& file, std::vector<RawGraph::Bond>& bonds) {
  for (RawGraph::Bond& bond : bonds) {
    if (bond.a > bond.b) std::swap(bond.a, bond.b);
    if (bond.a == bond.b) {
      refuse_graph(InputFault::conflict, file, bond.line,
                   fmt::format("a bond leads from site {} to itself (a spin does not interact with itself). Remove it.",
                               bond.a));
    }
  }
  std::ranges::sort(bonds, {}, [](const RawGraph::Bond& b) { return std::tuple(b.a, b.b, b.line); });
  const auto same = [](const RawGraph::Bond& p, const RawGraph::Bond& q) { return p.a == q.a && p.b == q.b; };
  const auto twice = std::ranges::adjacent_find(bonds, same);
  if (twice == bonds.end()) return;
  const std::string where = twice->line > 0 ? fmt::format("line {} has it too", twice->line) : "two entries have it";
  refuse_graph(InputFault::repeated, file, std::next(twice)->line,
               fmt::format("the bond of {} and {} is given a second time ({}). Give the sum of both couplings once.",
                           twice->a, twice->b, where));
}

std::string list_of(const std::vector<std::int32_t>& sites) {
  return fmt::format("{} and {}", fmt::join(sites.begin(), sites.end() - 1, ", "), sites.back());
}

/// Terms in ascending order of their sites, which ascend; each there once.
void sort_terms(const std::filesystem::path& file, std::vector<RawGraph::Term>& terms) {
  std::ranges::sort(terms, {}, [](const RawGraph::Term& t) { return std::tie(t.sites, t.line); });
  const auto twice = std::ranges::adjacent_find(terms, {}, &RawGraph::Term::sites);
  if (twice == terms.end()) return;
  refuse_graph(InputFault::repeated, file, std::next(twice)->line,
               fmt::format("the term of {} is given a second time (line {} has it too). Give the sum of both couplings "
                           "once.",
                           list_of(twice->sites), twice->line));
}

/// A number of the file that the sites do not have.
[[noreturn]] void refuse_range(const std::filesystem::path& file, const RawGraph& raw, std::int32_t largest,
                               std::int32_t first) {
  refuse_graph(InputFault::out_of_range, file, raw.header_line,
               fmt::format("the header has {} nodes, but there is a site {} (they are numbered from {}). Correct the "
                           "header or the site.",
                           *raw.nodes, largest, first));
}

/// A few isolated sites are part of a graph; a number far from all others is a slip, and would cost much memory.
bool is_far_above(std::int64_t sites, std::size_t entries) {
  return sites / 16 > static_cast<std::int64_t>(entries) + (std::int64_t{1} << 16);
}

struct SiteRange {
  std::int32_t first = 0;
  std::int64_t sites = 0;
};

SiteRange sites_of_file(const std::filesystem::path& file, const RawGraph& raw) {
  std::int32_t smallest = std::numeric_limits<std::int32_t>::max(), largest = 0;
  const auto add = [&](std::int32_t site) {
    smallest = std::min(smallest, site);
    largest = std::max(largest, site);
  };
  for (const RawGraph::Bond& bond : raw.bonds) {
    add(bond.a);
    add(bond.b);
  }
  for (const RawGraph::Term& term : raw.terms) {
    for (const std::int32_t site : term.sites) add(site);
  }
  for (const RawGraph::Field& field : raw.fields) add(field.site);
  for (const std::int32_t site : raw.sites) add(site);
  SiteRange range{raw.from_zero || smallest == 0 ? 0 : 1, 0};
  range.sites = raw.nodes ? *raw.nodes : std::int64_t{largest} - range.first + 1;
  if (std::int64_t{largest} - range.first >= range.sites) refuse_range(file, raw, largest, range.first);
  const std::size_t bonds = raw.bonds.size() + raw.terms.size();
  if (const std::size_t entries = bonds + raw.sites.size(); is_far_above(range.sites, entries)) {
    refuse_whole_file(InputFault::out_of_range, file,
                      fmt::format("it has {} sites, but {} bonds only", range.sites, bonds),
                      "Number the sites from 0 or 1 without large gaps");
  }
  return range;
}

/// name: what a field is called in the file
void check_fields(const std::filesystem::path& file, const char* name, std::vector<RawGraph::Field>& fields) {
  std::ranges::stable_sort(fields, {}, [](const RawGraph::Field& f) { return std::tuple(f.site, f.line); });
  const auto same = [](const RawGraph::Field& p, const RawGraph::Field& q) { return p.site == q.site && p.line > 0; };
  const auto twice = std::ranges::adjacent_find(fields, same);
  if (twice == fields.end()) return;
  refuse_graph(InputFault::repeated, file, std::next(twice)->line,
               fmt::format("the {} of {} is given a second time (line {} has it too). Give their sum once.", name,
                           twice->site, twice->line));
}

/// J, H and the constant of H = - sum J s s - sum H s + constant.
void set_energy(RawGraph& raw, GivenGraph& given) {
  const auto sites = static_cast<std::size_t>(given.graph->sites());
  const auto place = [&](std::int32_t site) { return static_cast<std::size_t>(site - given.first); };
  given.constant = raw.constant;
  if (!raw.has_couplings) return;
  const double factor =
      raw.energy == RawGraph::Energy::couplings ? 1 : (raw.energy == RawGraph::Energy::ising ? -1 : -0.25);
  const bool is_binary = raw.energy == RawGraph::Energy::binary;
  bool any_field = false;
  std::vector<double> fields(sites, 0.0);
  for (const RawGraph::Field& field : raw.fields) {
    if (field.field == 0) continue;
    any_field = true;
    fields[place(field.site)] -= is_binary ? field.field / 2 : field.field;
    if (is_binary) given.constant += field.field / 2;
  }
  given.couplings.reserve(raw.bonds.size());
  for (const RawGraph::Bond& bond : raw.bonds) {
    given.couplings.push_back(factor * bond.coupling);
    if (!is_binary) continue;
    any_field = true;
    fields[place(bond.a)] -= bond.coupling / 4;
    fields[place(bond.b)] -= bond.coupling / 4;
    given.constant += bond.coupling / 4;
  }
  for (const RawGraph::Term& term : raw.terms) given.couplings.push_back(factor * term.coupling);
  if (any_field) given.fields = std::move(fields);
}

}  // namespace

GivenGraph read_graph_file(const std::filesystem::path& file, std::uintmax_t max_bytes) {
  const std::string text = read_text_file(file, "graph file", max_bytes);
  const std::size_t begin = text.find_first_not_of(" \t\r\n");
  const bool is_json = begin != text.npos && (text[begin] == '{' || text[begin] == '[');
  RawGraph raw = is_json ? read_quadratic_json(file, text) : read_graph_lines(file, text);
  if (raw.bonds.empty() && raw.terms.empty()) {
    refuse_whole_file(InputFault::missing, file, "it has no bond", "Check that it is the right file");
  }
  sort_bonds(file, raw.bonds);
  sort_terms(file, raw.terms);
  check_fields(file, raw.format == "terms" ? "field" : "diagonal", raw.fields);
  const SiteRange range = sites_of_file(file, raw);
  std::vector<GraphBond> bonds;
  bonds.reserve(raw.bonds.size());
  for (const RawGraph::Bond& bond : raw.bonds) bonds.push_back({bond.a - range.first, bond.b - range.first});
  TermList terms;
  for (const RawGraph::Term& term : raw.terms) {
    std::vector<std::int32_t> sites = term.sites;
    for (std::int32_t& site : sites) site -= range.first;
    terms.add(sites);
  }
  GivenGraph given;
  given.first = range.first;
  given.graph = std::make_shared<const SiteGraph>(range.sites, std::move(bonds), std::vector<GraphAxis>(),
                                                  std::vector<std::int32_t>(), terms);
  given.format = raw.format;
  given.digest = text_digest(text);
  set_energy(raw, given);
  return given;
}

}}  // namespace glassworks::engine
