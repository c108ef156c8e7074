#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/regular_file.hpp"

namespace glassworks { inline namespace tools {

/// An untrusted folder. Only its regular files are read, each to a stated size; links are not
/// followed, and whatever else lies in it (a FIFO, a device, a socket) is never opened.
class PublishedFolder {
 public:
  /// Looks at every name. Throws InputError where the folder cannot be read.
  explicit PublishedFolder(std::filesystem::path folder);

  [[nodiscard]] const std::filesystem::path& path() const { return folder_; }
  /// Regular files by their names from the folder on, with their sizes [bytes].
  [[nodiscard]] const std::map<std::string, std::uintmax_t>& files() const { return files_; }
  /// Everything that is not a regular file, as clauses: "figures/a.pdf cannot be part of a publication (it is a
  /// symbolic link ...)".
  [[nodiscard]] const std::vector<std::string>& irregular() const { return irregular_; }

  /// Opens a file. Throws FileError where there is no such regular file.
  [[nodiscard]] RegularFile open(const std::string& name) const;
  /// Its text. Throws InputError where it is none, or larger.
  [[nodiscard]] std::string text(const std::string& name, std::uintmax_t max_bytes) const;

 private:
  std::filesystem::path folder_;
  std::map<std::string, std::uintmax_t> files_;
  std::vector<std::string> irregular_;
};

/// A table of such a folder, read row by row (RFC 4180): its heading is known, every row is whole and has as many
/// fields. Throws std::runtime_error with a clause, "digests.csv, line 7: it has 3 fields, not 5", for anything else.
class PublishedTable {
 public:
  PublishedTable(const PublishedFolder& folder, std::string name, std::string_view heading);

  /// Goes to the next row; false at the end.
  bool next();

  [[nodiscard]] const std::string& text(std::size_t column) const { return fields_[column]; }
  /// A field that is one, and not below `smallest`.
  [[nodiscard]] std::int64_t whole_number(std::size_t column, std::int64_t smallest, std::int64_t largest) const;
  [[nodiscard]] double number(std::size_t column) const;
  /// A digest: 32 hexadecimal digits.
  [[nodiscard]] const std::string& digest(std::size_t column) const;

  [[noreturn]] void fail(const std::string& why) const;

 private:
  std::string name_, text_;
  std::string_view left_;
  std::size_t columns_ = 0, line_ = 0, next_line_ = 1;
  std::vector<std::string> fields_;
};

/// Whether a text is a digest as files of a publication write it.
[[nodiscard]] bool is_digest(std::string_view text);

}}  // namespace glassworks::tools
