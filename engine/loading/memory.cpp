#include "engine/loading/memory.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <sstream>

#include "base/input_error.hpp"
#include "base/text_file.hpp"
#include "kernels/models/model_facts.hpp"
#include "kernels/rounds/beside.hpp"

namespace glassworks { inline namespace engine {
namespace {

/// What the local update keeps beside the spins.
double beside_bytes(const Chain& chain) {
  return sizeof(std::int64_t) * static_cast<double>(BesideLayout(chain).size());
}

}  // namespace

double graph_bytes(const Lattice& lattice) {
  if (!lattice.is_graph()) return 0.0;
  constexpr double of_bond = sizeof(GraphBond) + 2.0 * sizeof(SiteGraph::Neighbour) + sizeof(double);
  // Of a term its sites twice, and its place in the lists of each of them.
  constexpr double of_end = 3.0 * sizeof(std::int32_t) + sizeof(std::int64_t);
  return of_bond * static_cast<double>(lattice.graph_bonds) + of_end * static_cast<double>(lattice.graph_more_ends) +
         24.0 * static_cast<double>(lattice.graph_sites);
}

double realization_bytes(const Lattice& lattice, int slots, int copies, const SpinModel& model) {
  if (model.kind != ModelKind::heisenberg) {
    constexpr int of_update = 24;
    const int spin = model.is_discrete() ? 1 : 4 * components_of(model);
    return (static_cast<double>(spin) * slots * copies + of_update) * static_cast<double>(lattice.sites()) +
           4.0 * static_cast<double>(lattice.bond_places()) + graph_bytes(lattice);
  }
  constexpr int lanes = 16, spin_bytes = 12;
  const int replicas = slots * copies, bundled = (replicas + lanes - 1) / lanes * lanes;
  const double per_site = spin_bytes * (static_cast<double>(replicas) + bundled + copies * lanes) + 4.0 * lattice.dim;
  return per_site * static_cast<double>(lattice.sites());
}

double disorder_bytes(const ModelConfig& model, const Lattice& lattice) {
  const double components = components_of(model.spins);
  double site = sizeof(float) * static_cast<double>(lattice.bond_places()) / static_cast<double>(lattice.sites());
  if (model.field != FieldKind::none || model.site_dilution > 0.0) site += sizeof(float) * components;
  if (model.site_dilution > 0.0) site += 1.0;
  if (model.anisotropy != 0.0) site += sizeof(float) * components;
  return site * static_cast<double>(lattice.sites()) + graph_bytes(lattice);
}

MemoryNeed batch_need(const Config& config, const Chain& chain, const Backend& backend) {
  constexpr double records = 6.0;  // of the running round, and of the commits on their way
  const double disorder = disorder_bytes(config.model, chain.lattice);
  const double state =
      site_bytes(chain.model) * static_cast<double>(chain.lattice.sites()) * chain.replicas() + beside_bytes(chain);
  const BinLayout layout(chain);
  const double record = sizeof(double) * static_cast<double>(chain.slots()) * layout.size() +
                        sample_bytes(layout, chain.slots(), chain.samples);
  MemoryNeed need = backend.round_need(chain, disorder);
  need.each = std::max(need.each, state) + disorder + state + records * record;
  if (chain.course != nullptr) {  // a copy of the state before a round, and the reference states
    need.each += state + static_cast<double>(chain.course->references.size()) * state;
  }
  return need;
}

double descent_bytes(const ModelConfig& model, const Chain& chain) {
  const auto sites = static_cast<double>(chain.lattice.sites());
  const double components = components_of(chain.model),
               state = site_bytes(chain.model) * sites * chain.replicas() + beside_bytes(chain);
  constexpr double growth = 2.0;              // of arrays that are filled one by one, and of the text
  double site = sizeof(double) * components;  // spins
  const double bonds = static_cast<double>(chain.lattice.bond_places()) / sites;
  site += growth * 2.0 * bonds * (sizeof(std::int32_t) + sizeof(double));  // neighbours, couplings
  if (model.field != FieldKind::none || model.site_dilution > 0.0) site += sizeof(double) * components;
  if (model.anisotropy != 0.0) site += sizeof(double) * components;
  const bool numbers = order_parameter_of(chain.model) != OrderParameter::vector;
  const double text = numbers ? 12.0 : 8.0 + 20.0 * components;
  return state + checkpoint_bytes(chain) + disorder_bytes(model, chain.lattice) + (site + growth * text) * sites;
}

double sample_bytes(const BinLayout& layout, int slots, int samples) {
  return static_cast<double>(sizeof(float)) * slots * samples * layout.sample_size();
}

double checkpoint_bytes(const Chain& chain) {
  const SpinModel& model = chain.model;
  const double spins = static_cast<double>(chain.lattice.sites()) * chain.replicas();
  if (!model.is_discrete()) {
    constexpr double kept = 0.92;  // mantissas of random directions
    return kept * 4.0 * components_of(model) * spins + beside_bytes(chain);
  }
  const double bits = std::log2(facts_of(model).states) + 0.55;  // the code of zstd
  return bits / 8.0 * spins + beside_bytes(chain);
}

namespace {

/// A number of bytes in a file; infinity for "max", and where there is none.
double limit_in(const std::filesystem::path& file) {
  std::istringstream text(system_text(file));
  double bytes = 0.0;
  return text >> bytes && bytes > 0.0 ? bytes : std::numeric_limits<double>::infinity();
}

}  // namespace

double memory_limit(const std::string& groups, const std::filesystem::path& root) {
  double least = std::numeric_limits<double>::infinity();
  std::istringstream lines(groups);
  for (std::string line; std::getline(lines, line);) {
    const std::size_t first = line.find(':');  // hierarchy:controllers:group
    const std::size_t second = first == std::string::npos ? first : line.find(':', first + 1);
    if (second == std::string::npos) continue;
    const std::string controllers = "," + line.substr(first + 1, second - first - 1) + ",";
    const bool unified = controllers == ",,";
    if (!unified && controllers.find(",memory,") == std::string::npos) continue;
    const std::filesystem::path base = unified ? root : root / "memory";
    const char* const name = unified ? "memory.max" : "memory.limit_in_bytes";
    // A container may see its own group as the root, so that the path leads nowhere; those above still count.
    for (std::filesystem::path group = std::filesystem::path(line.substr(second + 1)).relative_path();;
         group = group.parent_path()) {
      least = std::min(least, limit_in(base / group / name));
      if (group.empty()) break;
    }
  }
  return least;
}

double physical_memory_bytes() {
  static const double limit = memory_limit(system_text("/proc/self/cgroup"), "/sys/fs/cgroup");
  return std::min(static_cast<double>(sysconf(_SC_PHYS_PAGES)) * static_cast<double>(sysconf(_SC_PAGE_SIZE)), limit);
}

double available_memory_bytes() {
  const std::string text = system_text("/proc/meminfo");
  const std::string key = "MemAvailable:";
  const std::size_t at = text.find(key);
  if (at == std::string::npos) return physical_memory_bytes();
  return std::min(1024.0 * std::strtod(text.c_str() + at + key.size(), nullptr), physical_memory_bytes());
}

void require_memory(double bytes, double there, const std::string& subject, const std::string& work,
                    const std::string& advice) {
  if (bytes <= there) return;
  throw InputError(InputFault::too_large, subject,
                   fmt::format("{} needs {:.3g} GB of memory ({:.3g} GB can be used here). {}", work, bytes / 1e9,
                               there / 1e9, advice));
}

}}  // namespace glassworks::engine
