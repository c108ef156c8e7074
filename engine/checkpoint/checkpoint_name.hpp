#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "engine/bins/records.hpp"

namespace glassworks { inline namespace engine {

/// Names of the files in checkpoints/. A row of the database names no other file: not one of another realization, and
/// nothing outside of the directory.

/// State of a realization after so many rounds: "L008-000003-000012-0123456789abcdef.ckpt".
[[nodiscard]] std::string checkpoint_name(RealizationKey key, std::uint32_t rounds, std::string_view digest);

/// State of a pilot after a stage of its ladder: "pilot-L008-s003-r0002-0123456789abcdef.ckpt".
[[nodiscard]] std::string pilot_checkpoint_name(int L, int stage, std::uint32_t realization, std::string_view digest);

/// Whether a text is 32 hexadecimal digits.
[[nodiscard]] bool is_digest(std::string_view text);

/// Whether a name has one of the forms above.
[[nodiscard]] bool is_checkpoint_name(std::string_view name);

/// What the name of the state of a realization says.
struct StateName {
  RealizationKey key;
  std::uint32_t rounds = 0;
  std::string digest;  ///< its first 16 digits
};
/// Nothing for a name of another form.
[[nodiscard]] std::optional<StateName> state_of_checkpoint(std::string_view name);

/// After how many rounds the state was, of which this is the name; 0 for a name of another form.
[[nodiscard]] std::uint32_t rounds_of_checkpoint(std::string_view name);

/// Name of the mark by which ranks find out whether they share the directory, "ranks-0123abcd.tmp".
///
/// token  at least 8 hexadecimal digits
[[nodiscard]] std::string rank_mark_name(std::string_view token);

/// Name of what a rank that sees a mark writes beside it, to find out whether it may write there: "MARK.DIGITS.tmp".
///
/// trial  32 hexadecimal digits
[[nodiscard]] std::string rank_trial_name(std::string_view mark, std::string_view trial);

/// Whether a name is that of a file that a killed process has left: the mark or the trial of a rank, or a checkpoint,
/// mark or trial that was being written, "NAME.PID-N.tmp".
[[nodiscard]] bool is_unfinished_checkpoint_name(std::string_view name);

/// Path of a checkpoint. Throws std::runtime_error for a name of any other form.
[[nodiscard]] std::filesystem::path checkpoint_path(const std::filesystem::path& directory, const std::string& name);

/// Removes a checkpoint, finished or not, if it is there: a name of that directory, never what a link leads to. Throws
/// std::runtime_error for a name of any other form. What cannot be removed is an orphan, which the next start removes.
void remove_checkpoint(const std::filesystem::path& directory, const std::string& name);

}}  // namespace glassworks::engine
