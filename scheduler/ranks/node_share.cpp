#include "scheduler/ranks/node_share.hpp"

#include <fmt/format.h>
#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <set>
#include <utility>

#include "scheduler/campaign/process.hpp"
#include "scheduler/devices/worker_backends.hpp"

namespace glassworks { inline namespace scheduler {
namespace {

std::vector<int> processors_of_this_process() {
  for (int largest = 1024;; largest *= 4) {  // the kernel refuses a mask that is too short
    cpu_set_t* mask = CPU_ALLOC(static_cast<std::size_t>(largest));
    const std::size_t bytes = CPU_ALLOC_SIZE(static_cast<std::size_t>(largest));
    const bool known = sched_getaffinity(0, bytes, mask) == 0;
    std::vector<int> processors;
    for (int i = 0; known && i < largest; ++i) {
      if (CPU_ISSET_S(static_cast<std::size_t>(i), bytes, mask)) processors.push_back(i);
    }
    CPU_FREE(mask);
    if (known || largest > 1 << 20) return processors;
  }
}

/// Assigns each item to the viewer with the fewest items so far (ties: the first one). Items with few viewers are
/// assigned first.
///
/// seen     [who][thing]
/// returns  [who]: indices in seen[who], ascending
template <typename Thing>
std::vector<std::vector<int>> divide(const std::vector<std::vector<Thing>>& seen) {
  std::map<Thing, int> viewers;
  std::vector<Thing> things;  // in the order in which they are seen first
  for (const auto& list : seen) {
    for (const Thing& thing : list) {
      if (viewers[thing]++ == 0) things.push_back(thing);
    }
  }
  std::stable_sort(things.begin(), things.end(),
                   [&](const Thing& a, const Thing& b) { return viewers.at(a) < viewers.at(b); });
  std::vector<std::vector<int>> given(seen.size());
  for (const Thing& thing : things) {
    std::size_t best = seen.size();
    std::ptrdiff_t place = 0;
    for (std::size_t who = 0; who < seen.size(); ++who) {
      const auto found = std::find(seen[who].begin(), seen[who].end(), thing);
      if (found == seen[who].end() || (best < seen.size() && given[best].size() <= given[who].size())) continue;
      best = who;
      place = found - seen[who].begin();
    }
    given[best].push_back(static_cast<int>(place));
  }
  for (auto& indices : given) std::sort(indices.begin(), indices.end());
  return given;
}

using Ranks = std::vector<std::size_t>;

std::map<std::string, Ranks> ranks_by_node(const std::vector<RankPlace>& places, RootRole root) {
  std::map<std::string, Ranks> nodes;
  for (std::size_t rank = root == RootRole::simulates ? 0 : 1; rank < places.size(); ++rank) {
    nodes[places[rank].node].push_back(rank);
  }
  return nodes;
}

/// Puts rank 0 behind the others of its node where there are devices, but not enough.
void order_by_claim(const std::vector<RankPlace>& places, Ranks& ranks) {
  std::set<std::string> devices;
  for (const std::size_t rank : ranks) devices.insert(places[rank].devices.begin(), places[rank].devices.end());
  const bool scarce = !devices.empty() && devices.size() < ranks.size();
  if (ranks.front() == 0 && scarce) std::rotate(ranks.begin(), ranks.begin() + 1, ranks.end());
}

/// Returns whether any of these ranks, which are on one node, got a device.
bool share_devices(const std::vector<RankPlace>& places, const Ranks& ranks, const Config& config,
                   std::vector<RankShare>& shares) {
  std::vector<std::vector<int>> usable;              // number of the device in its rank
  std::vector<std::vector<std::string>> identities;  // the same devices
  for (const std::size_t rank : ranks) {
    const auto& seen = places[rank].devices;
    usable.push_back(chosen_devices(config, static_cast<int>(seen.size()),
                                    fmt::format("rank {} on {} sees no CUDA device", rank, places[rank].node)));
    auto& own = identities.emplace_back();
    for (const int device : usable.back()) own.push_back(seen[static_cast<std::size_t>(device)]);
  }
  const auto given = divide(identities);
  bool any = false;
  for (std::size_t i = 0; i < ranks.size(); ++i) {
    for (const int index : given[i]) shares[ranks[i]].devices.push_back(usable[i][static_cast<std::size_t>(index)]);
    any |= !given[i].empty();
  }
  return any;
}

/// Largest number of threads of one of these ranks, where they may run on more processors than the job was given:
/// clusters that do not bind processes share their nodes all the same.
int limit_of_threads(const std::vector<RankPlace>& places, const Ranks& ranks,
                     const std::vector<std::vector<int>>& given) {
  int all = 0, of_node = 0;
  for (std::size_t i = 0; i < ranks.size(); ++i) {
    all += static_cast<int>(given[i].size());
    of_node = std::max(of_node, places[ranks[i]].processors_of_node);
  }
  if (of_node == 0 || all <= of_node) return std::max(all, 1);
  return std::max(of_node / static_cast<int>(ranks.size()), 1);
}

/// Threads and memory, among those of these ranks that simulate.
void share_processors(const std::vector<RankPlace>& places, const Ranks& ranks, const Config& config,
                      std::vector<RankShare>& shares) {
  Ranks simulating;
  std::vector<std::vector<int>> processors;
  int workers = 0;
  for (const std::size_t rank : ranks) {
    if (!shares[rank].simulates) continue;
    simulating.push_back(rank);
    processors.push_back(places[rank].processors);
    workers += std::max(1, workers_per_device * static_cast<int>(shares[rank].devices.size()));
  }
  const auto given = divide(processors);
  const int most = limit_of_threads(places, simulating, given);
  for (std::size_t i = 0; i < simulating.size(); ++i) {
    RankShare& share = shares[simulating[i]];
    const int own = std::clamp(static_cast<int>(given[i].size()), 1, most);
    share.threads = config.backend.options.threads > 0 ? config.backend.options.threads : own;
    share.sharers = workers;
  }
}

}  // namespace

RankPlace place_of_this_process(const Environment& environment) {
  RankPlace place;
  const auto node = environment.find("SLURMD_NODENAME"), allocated = environment.find("SLURM_CPUS_ON_NODE");
  place.node = node == environment.end() ? host_name() : node->second;
  place.processors = processors_of_this_process();
  place.processors_of_node = allocated == environment.end() ? static_cast<int>(sysconf(_SC_NPROCESSORS_ONLN))
                                                            : std::atoi(allocated->second.c_str());
  for (const CudaDevice& device : cuda_devices()) place.devices.push_back(device.identity);
  return place;
}

std::vector<RankShare> share_nodes(const std::vector<RankPlace>& places, const Config& config, RootRole root) {
  std::vector<RankShare> shares(places.size());
  shares.front().simulates = root == RootRole::simulates;
  std::vector<std::size_t> without;  // ranks of nodes that have no device
  auto nodes = ranks_by_node(places, root);
  for (auto& [node, ranks] : nodes) {
    order_by_claim(places, ranks);
    const bool has_devices = share_devices(places, ranks, config, shares);
    for (const std::size_t rank : ranks) {
      if (!has_devices) without.push_back(rank);
      shares[rank].simulates = shares[rank].devices.empty() ? !has_devices : true;
    }
  }
  if (config.backend.options.kind == BackendKind::cuda && !without.empty()) {
    // Rank 0 may be on a node of another kind, as long as others simulate.
    if (without != std::vector<std::size_t>{0} || places.size() == 1) {
      const std::size_t rank = without.back();
      throw InputError(
          InputFault::unsupported, "backend.kind",
          fmt::format(
              "backend.kind = cuda cannot be used (rank {} on {} sees no CUDA device). Ask the launcher for devices on "
              "every node, or use backend.kind = auto.",
              rank, places[rank].node));
    }
    shares[0].simulates = false;
  }
  for (const auto& [node, ranks] : nodes) share_processors(places, ranks, config, shares);
  return shares;
}

Config config_of_rank(Config config, const RankShare& share) {
  config.backend.options.threads = share.threads;
  config.backend.devices = share.devices;
  if (config.backend.options.kind == BackendKind::automatic) {
    config.backend.options.kind = share.devices.empty() ? BackendKind::cpu : BackendKind::cuda;
  }
  return config;
}

}}  // namespace glassworks::scheduler
