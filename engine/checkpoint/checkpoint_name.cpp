#include "engine/checkpoint/checkpoint_name.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <stdexcept>
#include <system_error>

#include "engine/config/config_value.hpp"

namespace glassworks { inline namespace engine {

namespace {

constexpr std::size_t digits_of_digest = 16;  // in a name
constexpr std::size_t digits_of_mark = 8, digits_of_trial = 32;
constexpr std::string_view suffix = ".ckpt", unfinished_suffix = ".tmp", rank_mark_prefix = "ranks-";

bool is_hexadecimal(std::string_view text) {
  return std::ranges::all_of(text, [](char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'); });
}

/// Takes a prefix away; false if it is not there.
bool take(std::string_view& text, std::string_view prefix) {
  if (!text.starts_with(prefix)) return false;
  text.remove_prefix(prefix.size());
  return true;
}

/// Takes a number of at least so many digits away, and no more of them than a number of 32 bits has.
bool take_number(std::string_view& text, std::size_t least) {
  constexpr std::size_t most = 10;
  const std::size_t digits = std::min(text.find_first_not_of("0123456789"), text.size());
  if (digits < least || digits > most) return false;
  text.remove_prefix(digits);
  return true;
}

bool take_hexadecimal(std::string_view& text, std::size_t digits) {
  if (text.size() < digits || !is_hexadecimal(text.substr(0, digits))) return false;
  text.remove_prefix(digits);
  return true;
}

/// Takes what stands behind the name of a file that is being written away.
bool take_writer(std::string_view& text) {
  return take(text, ".") && take_number(text, 1) && take(text, "-") && take_number(text, 1) &&
         take(text, unfinished_suffix);
}

/// Takes the name of a finished checkpoint away.
bool take_name(std::string_view& text) {
  const bool pilot = take(text, "pilot-");
  const bool numbered = take(text, "L") && take_number(text, 3) && take(text, pilot ? "-s" : "-") &&
                        take_number(text, pilot ? 3 : 6) && take(text, pilot ? "-r" : "-") &&
                        take_number(text, pilot ? 4 : 6);
  return numbered && take(text, "-") && take_hexadecimal(text, digits_of_digest) && take(text, suffix);
}

[[noreturn]] void refuse_name(const std::filesystem::path& directory, const std::string& name) {
  throw std::runtime_error(
      fmt::format("{} is no file of {} (its name is not that of a checkpoint). Restore the database from a copy.",
                  in_quotes(name), directory.string()));
}

}  // namespace

std::string checkpoint_name(RealizationKey key, std::uint32_t rounds, std::string_view digest) {
  return fmt::format("L{:03}-{:06}-{:06}-{}{}", key.L, key.realization, rounds, digest.substr(0, digits_of_digest),
                     suffix);
}

std::string pilot_checkpoint_name(int L, int stage, std::uint32_t realization, std::string_view digest) {
  return fmt::format("pilot-L{:03}-s{:03}-r{:04}-{}{}", L, stage, realization, digest.substr(0, digits_of_digest),
                     suffix);
}

bool is_digest(std::string_view text) { return text.size() == 2 * digits_of_digest && is_hexadecimal(text); }

bool is_checkpoint_name(std::string_view name) { return take_name(name) && name.empty(); }

std::optional<StateName> state_of_checkpoint(std::string_view name) {
  if (!is_checkpoint_name(name) || name.starts_with("pilot-")) return std::nullopt;
  StateName state;
  std::string_view rest = name.substr(1);  // L
  const auto take_field = [&](auto& number) {
    const std::size_t end = rest.find('-');
    const bool fits = std::from_chars(rest.data(), rest.data() + end, number).ec == std::errc();
    rest.remove_prefix(end + 1);
    return fits;
  };
  if (!take_field(state.key.L) || !take_field(state.key.realization) || !take_field(state.rounds)) return std::nullopt;
  state.digest = rest.substr(0, digits_of_digest);
  return state;
}

std::uint32_t rounds_of_checkpoint(std::string_view name) {
  const std::optional<StateName> state = state_of_checkpoint(name);
  return state ? state->rounds : 0;
}

bool is_unfinished_checkpoint_name(std::string_view name) {
  if (take(name, rank_mark_prefix)) {
    if (!take_hexadecimal(name, digits_of_mark) || !take(name, unfinished_suffix)) return false;
    std::string_view trial = name;
    if (take(trial, ".") && take_hexadecimal(trial, digits_of_trial) && take(trial, unfinished_suffix)) name = trial;
    return name.empty() || (take_writer(name) && name.empty());
  }
  return take_name(name) && take_writer(name) && name.empty();
}

std::string rank_mark_name(std::string_view token) {
  return fmt::format("{}{}{}", rank_mark_prefix, token.substr(0, digits_of_mark), unfinished_suffix);
}

std::string rank_trial_name(std::string_view mark, std::string_view trial) {
  return fmt::format("{}.{}{}", mark, trial.substr(0, digits_of_trial), unfinished_suffix);
}

std::filesystem::path checkpoint_path(const std::filesystem::path& directory, const std::string& name) {
  if (!is_checkpoint_name(name)) refuse_name(directory, name);
  return directory / name;
}

void remove_checkpoint(const std::filesystem::path& directory, const std::string& name) {
  if (!is_checkpoint_name(name) && !is_unfinished_checkpoint_name(name)) refuse_name(directory, name);
  static_cast<void>(::unlink((directory / name).c_str()));  // a link itself, if it is one; no directory
}

}}  // namespace glassworks::engine
