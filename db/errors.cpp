#include "db/errors.hpp"

#include <fmt/format.h>
#include <sqlite3.h>

#include <stdexcept>

#include "db/lock_waiting.hpp"
#include "engine/config/config.hpp"

namespace glassworks { inline namespace db {

/// SQLite quotes statements of many lines, and from a damaged file bytes that are no text.
std::string in_one_line(std::string text) {
  for (char& c : text) {
    if (static_cast<unsigned char>(c) < 0x20 || static_cast<unsigned char>(c) > 0x7e) c = ' ';
  }
  if (text.size() > 120) text = text.substr(0, 120) + " ...";
  return text;
}

void throw_translated(const std::filesystem::path& file, const SQLite::Exception& error) {
  const std::string name = file.string();
  const auto sentence = [&]() -> std::string {
    switch (error.getErrorCode() & 0xff) {
      case SQLITE_FULL:
        return fmt::format(
            "Cannot write {} (the disk is full). Free some space and run again; every committed round is safe.", name);
      case SQLITE_READONLY:
      case SQLITE_PERM:
        return fmt::format("Cannot write {} (it or its directory is read-only). Check the permissions, then run again.",
                           name);
      case SQLITE_BUSY:
      case SQLITE_LOCKED:
        return fmt::format(
            "Cannot use {} (it is locked by {}). Wait for that process, resume it or end it, then run again.", name,
            lock_holder(file));
      case SQLITE_NOTADB:
        return fmt::format("Cannot open {} (it is not a database). Check the campaign directory, or restore the file.",
                           name);
      case SQLITE_CORRUPT:
        return fmt::format("Database {} is damaged ({}). Restore it from a copy.", name, in_one_line(error.what()));
      case SQLITE_CANTOPEN:
        return fmt::format(
            "Cannot open {} ({}). Check the permissions and the free space of the file and its directory.", name,
            in_one_line(error.what()));
      case SQLITE_IOERR:
        return fmt::format(
            "Cannot read or write {} ({}). Check the disk and its space, then run again; every committed round is "
            "safe.",
            name, in_one_line(error.what()));
      case SQLITE_NOMEM:
        return fmt::format("Cannot use {} (out of memory). Close other programs, then run again.", name);
      case SQLITE_ERROR:
      case SQLITE_CONSTRAINT:
      case SQLITE_MISMATCH:
      case SQLITE_SCHEMA:
        return fmt::format("Cannot use {} (its content does not fit the schema: {}). Restore it from a copy.", name,
                           in_one_line(error.what()));
      default:
        return fmt::format("Cannot use {} ({}). Check the file and the disk, then run again.", name,
                           in_one_line(error.what()));
    }
  };
  // Another file than a campaign was named.
  if ((error.getErrorCode() & 0xff) == SQLITE_NOTADB) throw InputError(InputFault::unusable_file, name, sentence());
  throw std::runtime_error(sentence());
}

void throw_damaged(const std::filesystem::path& file, std::string_view where) {
  throw_damage(file, fmt::format("{} does not match its checksum", where));
}

void throw_damage(const std::filesystem::path& file, std::string_view reason) {
  throw std::runtime_error(fmt::format("Database {} is damaged ({}). Restore it from a copy.", file.string(), reason));
}

}}  // namespace glassworks::db
