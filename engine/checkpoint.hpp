#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

#include "kernels/chain.hpp"

namespace glassworks {

/// Checkpoint file of one realization (db/FORMAT.md): frame (magic "GLASSWRK", format version, byte order mark,
/// lengths, XXH3-128 digest of header and payload) around a zstd-compressed Boost.Serialization binary archive.

/// XXH3-128 of the state in its canonical byte order (every field, little endian, spins as IEEE bits), 32 hexadecimal
/// digits. Equal digests mean equal states, whatever file format or compression.
[[nodiscard]] std::string state_digest(const ChainState& state);

[[nodiscard]] std::vector<std::byte> encode_checkpoint(const ChainState& state);

/// Throws std::runtime_error with one sentence for a damaged, truncated or foreign file.
[[nodiscard]] ChainState decode_checkpoint(const std::vector<std::byte>& bytes);

/// Writes beside the target, syncs, renames, and syncs the directory: the file is whole or absent. Throws
/// std::runtime_error (disk full, not writable) and leaves nothing behind.
void write_checkpoint(const std::filesystem::path& file, const ChainState& state);

/// Reads and checks the frame and, if given, that the state has this digest.
[[nodiscard]] ChainState read_checkpoint(const std::filesystem::path& file, const std::string& expected_digest);

}  // namespace glassworks
