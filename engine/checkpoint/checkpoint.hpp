#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "base/durable_file.hpp"
#include "engine/checkpoint/checkpoint_identity.hpp"
#include "kernels/rounds/chain.hpp"

namespace glassworks { inline namespace engine {

/// Checkpoint file of one realization (db/FORMAT.md): frame (magic "GLASSWRK", format version, byte order mark,
/// lengths, XXH3-128 digest of header, identity and payload) around a zstd-compressed Boost.Serialization binary
/// archive.

/// XXH3-128 of the state in its canonical byte order (every field, little endian, spins as IEEE bits; discrete states
/// only where there are any), 32 hexadecimal digits. Equal digests mean equal states, whatever file format or
/// compression.
[[nodiscard]] std::string state_digest(const ChainState& state);

/// A state and what it is; files of format version 1 do not state the latter.
struct Checkpoint {
  ChainState state;
  CheckpointIdentity identity;
};

[[nodiscard]] std::vector<std::byte> encode_checkpoint(const ChainState& state,
                                                       const CheckpointIdentity& identity = {});

/// Throws FileError for a damaged, truncated or foreign file, and for one that does not hold the expected state.
[[nodiscard]] Checkpoint decode_checkpoint(const std::vector<std::byte>& bytes,
                                           const CheckpointIdentity& expected = {});

/// The file, written beside its name and to be published. Throws FileError.
[[nodiscard]] DurableFile prepare_checkpoint(const std::filesystem::path& file, const ChainState& state,
                                             const CheckpointIdentity& identity = {});

/// Writes beside the target, syncs, renames, and syncs the directory: the file is whole or absent. Throws FileError
/// (disk full, not writable) and leaves nothing behind.
void write_checkpoint(const std::filesystem::path& file, const ChainState& state,
                      const CheckpointIdentity& identity = {});

/// Of a file that holds a state of this identity [B].
[[nodiscard]] std::uint64_t largest_checkpoint(const CheckpointIdentity& identity);

/// Reads a checkpoint of any campaign whose lattice and kind of spin are those of `sites`, with its own copies and
/// slots, and checks it as read_checkpoint does. Throws FileError.
[[nodiscard]] Checkpoint read_foreign_checkpoint(const std::filesystem::path& file, const CheckpointIdentity& sites);

/// Reads and checks the frame and, where they are given, that the file holds the state of this identity and that the
/// state has this digest. Takes no more memory than that state needs, and follows no link. Throws FileError; what is
/// not the expected state, or none that a chain can be in, counts as damaged.
[[nodiscard]] ChainState read_checkpoint(const std::filesystem::path& file, const std::string& expected_digest,
                                         const CheckpointIdentity& expected = {});

}}  // namespace glassworks::engine
