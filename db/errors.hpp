#pragma once

#include <SQLiteCpp/SQLiteCpp.h>

#include <filesystem>
#include <string_view>

namespace glassworks::db {

/// Throws std::runtime_error with one sentence for an error of SQLite.
[[noreturn]] void throw_translated(const std::filesystem::path& file, const SQLite::Exception& error);

/// Throws std::runtime_error: the database holds what no program wrote.
[[noreturn]] void throw_damaged(const std::filesystem::path& file, std::string_view where);

/// Runs a function; errors of SQLite leave as one sentence with the name of the file.
template <typename Function>
decltype(auto) translated(const std::filesystem::path& file, Function&& function) {
  try {
    return function();
  } catch (const SQLite::Exception& error) {
    throw_translated(file, error);
  }
}

}  // namespace glassworks::db
