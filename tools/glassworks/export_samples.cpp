#include "tools/glassworks/export_samples.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>
#include <string>
#include <vector>

#include "engine/config/config.hpp"
#include "engine/disorder/coupling_samples.hpp"
#include "engine/disorder/disorder_file.hpp"
#include "engine/disorder/given_disorder.hpp"
#include "engine/disorder/model_graphs.hpp"
#include "engine/starts/spins_file.hpp"
#include "scheduler/recovery/recovery.hpp"

namespace glassworks { inline namespace tools {
namespace {

/// Calls visit(size index, L) for the sizes wanted.
template <class Visit>
void for_sizes(const Config& config, std::optional<int> L, const Visit& visit) {
  for (std::size_t i = 0; i < config.model.L.size(); ++i) {
    if (!L || config.model.L[i] == *L) visit(i, config.model.L[i]);
  }
}

std::string name_of(const char* folder, int L, std::uint32_t realization) {
  return coupling_sample(folder, L, realization).string();
}

}  // namespace

void export_couplings(const Database& database, const RealizationChoice& choice, Staging& staging,
                      const SampleProgress& progress) {
  Config config = parse_config(database.config_text());
  open_coupling_samples(config);
  for_sizes(config, choice.L, [&](std::size_t i, int size) {
    const Lattice lattice = config.lattice(size);
    const auto numbers = realization_numbers(config, i);
    for (const std::uint32_t realization : numbers) {
      if (!choice.takes({size, realization})) continue;
      const Disorder disorder = make_disorder(config, lattice, realization);
      GivenDisorder given = given_disorder(config, lattice, realization, disorder);
      change_signs_across_ends(config.model, lattice, given.couplings);  // and back, to those of the files
      staging.write(name_of("couplings", size, realization),
                    disorder.graph ? graph_couplings_text(*disorder.graph, given.couplings)
                                   : couplings_text(given.couplings, lattice));
      if (progress)
        progress(size, static_cast<int>(realization - numbers.front()) + 1, static_cast<int>(numbers.size()));
    }
  });
}

void export_spins(const Database& database, const RealizationChoice& choice, Staging& staging,
                  const SampleProgress& progress) {
  const Config config = parse_config(database.config_text());
  const Disorder not_needed;  // nothing is simulated
  const std::filesystem::path checkpoints = database.file().parent_path() / "checkpoints";
  const std::vector<SizeRow> sizes = database.sizes();
  for_sizes(config, choice.L, [&](std::size_t i, int size) {
    const auto& temperatures = std::ranges::find(sizes, size, &SizeRow::L)->temperatures;
    const Chain chain = make_chain(config, i, temperatures);
    const StateSource source{checkpoints, config, chain};
    const std::vector<RealizationRow> rows = database.realizations(size);
    for (std::size_t r = 0; r < rows.size(); ++r) {
      const std::uint32_t realization = rows[r].key.realization;
      if (!rows[r].checkpoint.empty() && choice.takes(rows[r].key)) {
        const Restoration newest = newest_state(source, rows[r], not_needed);
        if (newest.read_rounds == 0) {
          throw std::runtime_error(fmt::format(
              "The spins of realization {} at L = {} cannot be exported ({}). `glassworks run {}` restores them.",
              realization, size, newest.problem, database.file().parent_path().string()));
        }
        staging.write(name_of("spins", size, realization),
                      spins_text(chain, newest.state, temperatures, realization, newest.rounds));
      }
      if (progress) progress(size, static_cast<int>(r) + 1, static_cast<int>(rows.size()));
    }
  });
}

}}  // namespace glassworks::tools
