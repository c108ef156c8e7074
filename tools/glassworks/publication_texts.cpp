#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <ctime>

#include "analysis/campaign/system_words.hpp"
#include "analysis/export/round_digests.hpp"
#include "analysis/report/label.hpp"
#include "analysis/report/safe_text.hpp"
#include "base/json_writer.hpp"
#include "engine/config/config.hpp"
#include "glassworks/version.hpp"
#include "tools/glassworks/publication.hpp"

namespace glassworks { inline namespace tools {
namespace {

std::string title_of(const CampaignSet& campaigns, const PublicationFacts& facts) {
  if (!facts.title.empty()) return facts.title;
  return fmt::format("{}: Monte Carlo data ({})", plain_label(system_words(campaigns.config())),
                     campaign_names(campaigns));
}

/// How the couplings of a realization come about.
std::string disorder_words(const Config& config, bool stored) {
  const ModelConfig& model = config.model;
  std::string text;
  switch (model.couplings) {
    case CouplingKind::gaussian:
    case CouplingKind::bimodal:
      text = fmt::format(
          "{} realization n are drawn by the counter-based generator Philox4x32-10 "
          "from "
          "the seed {} (`campaign.seed`), the lattice size and n, so that the program makes the same ones anywhere. "
          "`kernels/README.md` of the source defines the addresses; `glassworks export --couplings` on a campaign made "
          "from `configuration/` writes them as text.",
          stored ? "`couplings/` holds the couplings, lines `site axis J`: those of"
                 : "Couplings are not stored: those of",
          config.campaign.seed);
      break;
    case CouplingKind::ferromagnet:
      text = "All couplings are 1.";
      break;
    case CouplingKind::weights:
      text = "`couplings/` holds the graph with its weights w; the couplings are J = -w.";
      break;
    case CouplingKind::file:
      text = model.lattice == LatticeChoice::graph
                 ? "`couplings/` holds the graph with its couplings."
                 : "`couplings/` holds the couplings of all realizations, lines `site axis J`.";
      break;
    case CouplingKind::files:
      text = "`couplings/` holds the couplings of each realization, lines `site axis J`.";
      break;
  }
  if (model.bond_dilution > 0.0) text += " Absent bonds are drawn in the same way.";
  if (model.anisotropy != 0.0) text += " Axes of the anisotropy are drawn in the same way.";
  if (model.site_dilution > 0.0) text += " Absent sites are drawn in the same way.";
  if (model.field == FieldKind::file) text += " `fields/` holds the fields.";
  if (!model.graph.positions.empty()) text += " `positions/` holds the positions of the sites, lines `i x y z`.";
  if (config.has_drawn_field()) text += " Random fields are drawn in the same way.";
  return text;
}

/// A scalar of YAML.
std::string yaml_text(std::string_view text) { return json_string(clean_text(text)); }

std::string citation(const CampaignSet& campaigns, const Document& document, const PublicationFacts& facts) {
  std::string text =
      "cff-version: 1.2.0\nmessage: \"If you use these data, please cite them, and the program that made them.\"\n"
      "type: dataset\n";
  text += fmt::format("title: {}\nauthors:\n", yaml_text(title_of(campaigns, facts)));
  for (const std::string& author : facts.authors) {
    const std::size_t comma = author.find(", ");
    if (comma == author.npos) {
      text += fmt::format("  - name: {}\n", yaml_text(author));
    } else {
      text += fmt::format("  - family-names: {}\n    given-names: {}\n", yaml_text(author.substr(0, comma)),
                          yaml_text(author.substr(comma + 2)));
    }
  }
  if (facts.authors.empty()) text += "  - name: \"anonymous\"\n";
  text += fmt::format("license: {}\ndate-released: {:%Y-%m-%d}\nabstract: {}\n", facts.licence,
                      fmt::gmtime(std::time(nullptr)), yaml_text(plain_label(document.headline)));
  text += fmt::format(
      "references:\n  - type: software\n    title: Glassworks\n    version: {}\n    commit: {}\n    authors:\n      - "
      "name: \"The Glassworks developers\"\n",
      yaml_text(version::kVersion), yaml_text(version::kCommit));
  return text;
}

constexpr const char* files_table = R"(| file | content |
|---|---|
| `results.csv` | disorder averages with errors: `L,T,observable,mean,error,realizations` |
| `covariance.csv` | covariances between temperatures: `L,observable,T,T_other,covariance` |
| `numbers/` | the numbers of every figure and table of the report, among them critical parameters, crossings and the covariances of fit parameters |
| `report.html`, `figures/` | the report as one page; its main figures for print, with their gnuplot scripts |
| `campaign.h5`, `alps/` | raw bins of every round of every realization, averages, jackknife samples, all parameters; the same results for ALPS |
| `realizations.csv` | state, rounds, autocorrelation time and digests of every realization |
| `configuration/` | one file for each campaign, as `glassworks run` reads it |
| `temperatures.csv` | the temperatures of each size |
| `digests.csv` | digests of the bins of the first rounds and of all rounds of each realization |
| `manifest.json`, `DIGESTS.xxh128` | every file with its digest (XXH3-128) |
| `CITATION.cff` | how to cite, licence |
)";

/// The same of a campaign with a course.
constexpr const char* course_files_table = R"(| file | content |
|---|---|
| `results.csv` | every quantity against time, averages over realizations with errors: `L,slot,T,t,observable,mean,error,realizations` |
| `covariance.csv` | covariances between times: `L,slot,T,observable,t,t_other,covariance` |
| `numbers/` | the numbers of every figure and table of the report |
| `report.html`, `figures/` | the report as one page; its main figures for print, with their gnuplot scripts |
| `campaign.h5` | what every realization has measured, `/sizes/L*/series/rows` [realization][time][slot][column], averages, covariances, all parameters |
| `realizations.csv` | state, rounds and digests of every realization |
| `configuration/` | one file for each campaign, as `glassworks run` reads it |
| `temperatures.csv` | the temperatures of each size |
| `digests.csv` | digests of what the first rounds and all rounds of each realization have measured |
| `manifest.json`, `DIGESTS.xxh128` | every file with its digest (XXH3-128) |
| `CITATION.cff` | how to cite, licence |
)";

constexpr const char* reuse_in_equilibrium = R"(
    import glassworks                          # Python: raw bins, averages, jackknife samples
    data = glassworks.open("FOLDER")
)";

constexpr const char* reuse_of_course = R"(
    import glassworks                          # Python: series with covariances in time, values of realizations
    data = glassworks.open("FOLDER")
    data.series("energy").to_pandas()
)";

std::string markdown_table(const Table& table) {
  std::string text;
  for (std::size_t i = 0; i < table.rows.size(); ++i) {
    std::string line = "|", rule = "|";
    for (const std::string& cell : table.rows[i]) {
      line += fmt::format(" {} |", plain_label(cell));
      rule += "---|";
    }
    text += line + '\n' + (i == 0 ? rule + '\n' : "");
  }
  return text.empty() ? text : text + '\n';
}

}  // namespace

void publish_texts(const CampaignSet& campaigns, const Document& document, const PublicationFacts& facts,
                   Staging& staging) {
  const Config config = campaigns.config();
  std::string text =
      fmt::format("# {}\n\n{}\n\n## Verdict\n\n", title_of(campaigns, facts), plain_label(document.headline));
  text += markdown_table(document.verdict_table);
  for (const std::string& sentence : document.verdict) text += fmt::format("- {}\n", plain_label(sentence));
  text += "\nErrors in parentheses are standard errors of the last digits, over realizations of the disorder.\n\n";
  text += "## Files\n\n" + std::string(config.course.exists() ? course_files_table : files_table);
  text += "\n## Disorder\n\n" + disorder_words(config, facts.couplings) + "\n\n## Programs\n\n";
  for (const Provenance& p : campaigns.provenances()) {
    text += fmt::format("- rounds: Glassworks {} ({}), {}, backend {}\n", p.version, p.commit, p.compiler, p.backend);
  }
  text += fmt::format("- analysis: Glassworks {} ({}), {}\n", version::kVersion, version::kCommit, version::kCompiler);
  for (const std::string& remark : campaigns.remarks()) text += "- different between the campaigns: " + remark + "\n";
  text += R"(
## Checking

    glassworks verify FOLDER                   # every file against its digest
    glassworks verify FOLDER --recompute 16    # also simulates the first rounds of 16 realizations again, to the bit
    xxhsum -c DIGESTS.xxh128                   # the files, without the program

## Reuse

    glassworks run configuration/NAME.cfg      # the same campaign anew, with the same results to the bit
)";
  text += config.course.exists() ? reuse_of_course : reuse_in_equilibrium;
  text += fmt::format("\n## Licence\n\n{}\n", facts.licence);
  staging.write("README.md", text);
  staging.write("CITATION.cff", citation(campaigns, document, facts));
}

}}  // namespace glassworks::tools
