#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "scheduler/ranks/node_share.hpp"

namespace glassworks { inline namespace scheduler {
namespace {

std::string counted(std::size_t count, const std::string& what) {
  return fmt::format("{} {}{}", count, what, count == 1 ? "" : "s");
}

/// In the order of the names' first ranks.
std::vector<std::pair<std::string, std::vector<std::size_t>>> nodes_of(const std::vector<RankPlace>& places) {
  std::vector<std::pair<std::string, std::vector<std::size_t>>> nodes;
  std::map<std::string, std::size_t> index;
  for (std::size_t rank = 0; rank < places.size(); ++rank) {
    const auto [entry, is_new] = index.emplace(places[rank].node, nodes.size());
    if (is_new) nodes.emplace_back(places[rank].node, std::vector<std::size_t>{});
    nodes[entry->second].second.push_back(rank);
  }
  return nodes;
}

/// What a rank does; equal for ranks that do the same.
std::string role_of(std::size_t rank, const RankShare& share) {
  if (!share.simulates) return rank == 0 ? "which only coordinates" : "without a part";
  const std::string threads = counted(static_cast<std::size_t>(share.threads), "thread");
  if (share.devices.empty()) return "with " + threads;
  return fmt::format("with {} and {}", counted(share.devices.size(), "CUDA device"), threads);
}

/// "2 ranks with 1 CUDA device and 8 threads, 1 rank without a part".
std::string roles_of(const std::vector<std::size_t>& ranks, const std::vector<RankShare>& shares) {
  std::vector<std::pair<std::string, std::size_t>> roles;
  for (const std::size_t rank : ranks) {
    const std::string role = role_of(rank, shares[rank]);
    const auto known = std::find_if(roles.begin(), roles.end(), [&](const auto& entry) { return entry.first == role; });
    if (known == roles.end()) {
      roles.emplace_back(role, 1);
    } else {
      ++known->second;
    }
  }
  std::string text;
  for (const auto& [role, count] : roles) {
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", counted(count, "rank"), role);
  }
  return text;
}

/// "n1, n2, n3 and 5 more".
std::string some_of(const std::vector<std::string>& names) {
  constexpr std::size_t most = 4;
  if (names.size() <= most) return fmt::format("{}", fmt::join(names, ", "));
  return fmt::format("{} and {} more", fmt::join(names.begin(), names.begin() + most - 1, ", "),
                     names.size() - (most - 1));
}

/// What is equal on several nodes is said once: text, names of the nodes; in the order of first use.
class NodeGroups {
 public:
  void add(const std::string& text, const std::string& node) {
    const auto known =
        std::find_if(groups_.begin(), groups_.end(), [&](const auto& group) { return group.first == text; });
    if (known == groups_.end()) {
      groups_.emplace_back(text, std::vector{node});
    } else {
      known->second.push_back(node);
    }
  }
  /// "n1, n2: text" of each group.
  [[nodiscard]] std::vector<std::string> lines() const {
    std::vector<std::string> lines;
    for (const auto& [text, names] : groups_) lines.push_back(fmt::format("{}: {}", some_of(names), text));
    return lines;
  }

 private:
  std::vector<std::pair<std::string, std::vector<std::string>>> groups_;
};

/// What the ranks of a node have together.
struct NodeSum {
  std::set<int> processors;
  std::set<std::string> devices;
  int processors_of_node = 0, threads = 0, idle = 0;
};

NodeSum sum_of(const std::vector<std::size_t>& ranks, const std::vector<RankPlace>& places,
               const std::vector<RankShare>& shares) {
  NodeSum sum;
  for (const std::size_t rank : ranks) {
    const RankPlace& place = places[rank];
    sum.processors.insert(place.processors.begin(), place.processors.end());
    sum.devices.insert(place.devices.begin(), place.devices.end());
    sum.processors_of_node = std::max(sum.processors_of_node, place.processors_of_node);
    if (shares[rank].simulates) sum.threads += shares[rank].threads;
    if (rank > 0 && !shares[rank].simulates) ++sum.idle;
  }
  return sum;
}

}  // namespace

std::string describe_ranks(const std::vector<RankPlace>& places, const std::vector<RankShare>& shares) {
  const auto nodes = nodes_of(places);
  NodeGroups groups;
  for (const auto& [node, ranks] : nodes) groups.add(roles_of(ranks, shares), node);
  return fmt::format("{} on {}. {}.", counted(places.size(), "rank"), counted(nodes.size(), "node"),
                     fmt::join(groups.lines(), "; "));
}

std::vector<std::string> share_notes(const std::vector<RankPlace>& places, const std::vector<RankShare>& shares,
                                     const Config& config) {
  NodeGroups notes;
  for (const auto& [node, ranks] : nodes_of(places)) {
    const NodeSum sum = sum_of(ranks, places, shares);
    const std::size_t processors = sum.processors.size();
    if (sum.idle > 0) {
      notes.add(
          fmt::format("{} for {}, so {} of them take{} no part (only ranks with a device simulate where there are "
                      "some). Start as many ranks as there are devices.",
                      counted(sum.devices.size(), "CUDA device"), counted(ranks.size(), "rank"), sum.idle,
                      sum.idle == 1 ? "s" : ""),
          node);
    }
    if (sum.threads > static_cast<int>(processors)) {
      notes.add(
          fmt::format("{} threads share {} of {} processors (that is what the launcher lets the ranks use). Start "
                      "fewer ranks, lower backend.threads, or have more processors given to them by `srun "
                      "--cpus-per-task=C` or `mpirun --bind-to none`.",
                      sum.threads, processors, sum.processors_of_node),
          node);
    } else if (config.backend.options.threads == 0 && static_cast<int>(processors) < sum.processors_of_node) {
      notes.add(fmt::format("the ranks use {} of {} processors (the launcher binds them to these). Have more given to "
                            "them by `srun --cpus-per-task=C` or `mpirun --bind-to none`.",
                            processors, sum.processors_of_node),
                node);
    }
  }
  return notes.lines();
}

}}  // namespace glassworks::scheduler
