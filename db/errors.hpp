#pragma once

#include <SQLiteCpp/SQLiteCpp.h>

#include <filesystem>
#include <string>
#include <string_view>

namespace glassworks { inline namespace db {

/// A text of SQLite or of a damaged file as a part of a sentence: no control characters, and not long.
[[nodiscard]] std::string in_one_line(std::string text);

/// Throws std::runtime_error with one sentence for an error of SQLite.
[[noreturn]] void throw_translated(const std::filesystem::path& file, const SQLite::Exception& error);

/// Throws std::runtime_error: the database is damaged, a checksum does not match at `where`.
[[noreturn]] void throw_damaged(const std::filesystem::path& file, std::string_view where);
/// The same for what no checksum tells: "Database FILE is damaged (REASON)."
[[noreturn]] void throw_damage(const std::filesystem::path& file, std::string_view reason);

/// Runs a function; errors of SQLite leave as one sentence with the name of the file.
template <typename Function>
decltype(auto) translated(const std::filesystem::path& file, Function&& function) {
  try {
    return function();
  } catch (const SQLite::Exception& error) {
    throw_translated(file, error);
  }
}

}}  // namespace glassworks::db
