#pragma once

#include <string>
#include <vector>

namespace glassworks {

/// Where a rank runs, and what it finds there.
struct RankPlace {
  std::string node;                  ///< name of the node; ranks of one name share what is there
  std::vector<int> processors;       ///< hardware threads that it may use, ascending
  int processors_of_node = 0;        ///< all hardware threads
  std::vector<std::string> devices;  ///< identity of each CUDA device that it sees, in the order of cuda_devices()
  bool operator==(const RankPlace&) const = default;
};

/// The part of its node that a rank works with.
struct RankShare {
  bool simulates = true;     ///< false: it has no device where others have one, or only coordinates
  int threads = 1;           ///< processor threads
  std::vector<int> devices;  ///< index in cuda_devices(); empty: it simulates with its processors
  int sharers = 1;           ///< workers of all ranks of the node, among which its memory is shared out
  bool operator==(const RankShare&) const = default;
};

}  // namespace glassworks
