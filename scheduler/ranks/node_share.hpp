#pragma once

#include <string>
#include <vector>

#include "engine/config/config.hpp"
#include "scheduler/ranks/launch.hpp"

namespace glassworks { inline namespace scheduler {

/// Where a rank runs, and what it finds there.
struct RankPlace {
  std::string node;                  ///< name of the node; ranks of one name share what is there
  std::vector<int> processors;       ///< hardware threads that it may use, ascending
  int processors_of_node = 0;        ///< that the job was given, else all there are; 0: not known
  std::vector<std::string> devices;  ///< identity of each CUDA device that it sees, in the order of cuda_devices()
  bool operator==(const RankPlace&) const = default;
};

/// The part of its node that a rank works with.
struct RankShare {
  bool simulates = true;     ///< false: it only coordinates, or there are not devices enough for it
  int threads = 1;           ///< processor threads of this rank
  std::vector<int> devices;  ///< index in cuda_devices(); empty: it simulates with its processors
  int sharers = 1;           ///< workers of all ranks of the node, among which its memory is shared out
  bool operator==(const RankShare&) const = default;
};

enum class RootRole { simulates, coordinates };

/// Place of this process. Slurm's name of the node comes before that of the machine: it tells nodes apart that are one
/// machine.
[[nodiscard]] RankPlace place_of_this_process(const Environment& environment);

/// Shares every node out among the ranks on it. A device or a processor goes to one of the ranks that see it, namely
/// to the one that has fewest so far: where the launcher has divided them, every rank keeps its own, and where all
/// ranks see the same ones, they get equal parts. Where a node has devices, only ranks that get one simulate; rank 0 is
/// the last in line if there are not enough. backend.devices chooses among those that a rank sees; backend.threads,
/// where given, are those of each rank.
///
/// places   [rank]
/// root     what rank 0 does
/// returns  [rank]
/// Throws InputError where the devices that the configuration asks for are not there.
[[nodiscard]] std::vector<RankShare> share_nodes(const std::vector<RankPlace>& places, const Config& config,
                                                 RootRole root);

/// Configuration of a rank: that of the campaign with the rank's devices and threads. To be used where it simulates.
[[nodiscard]] Config config_of_rank(Config config, const RankShare& share);

/// One sentence for people: "4 ranks on 2 nodes. n1, n2: 2 ranks with 1 CUDA device and 8 threads."
[[nodiscard]] std::string describe_ranks(const std::vector<RankPlace>& places, const std::vector<RankShare>& shares);

/// What people may want to change about the launch, one sentence each: ranks without a device, processors that no rank
/// may use.
[[nodiscard]] std::vector<std::string> share_notes(const std::vector<RankPlace>& places,
                                                   const std::vector<RankShare>& shares, const Config& config);

}}  // namespace glassworks::scheduler
