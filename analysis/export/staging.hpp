#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "base/output_file.hpp"
#include "base/regular_file.hpp"

namespace glassworks { inline namespace analysis {

/// A file of an export, as its manifest lists it.
struct ExportedFile {
  std::string name;  ///< relative to the directory of the export
  std::uint64_t size = 0;
  std::string digest;  ///< XXH3-128 of its bytes, 32 hexadecimal digits
};

/// Files that appear in a directory together. They are written into a hidden folder of that directory, .export-PID,
/// and moved out of it by publish(); without publish() the destructor removes all that was created. Only a killed
/// process leaves such a folder, and the next export to the same directory removes it.
class Staging {
 public:
  /// Name of the file that publish() moves last, and removes first when it replaces others: where it stands, all that
  /// it lists does too.
  static constexpr const char* manifest = "manifest.json";

  /// Creates the directory if there is none. Throws std::runtime_error with one sentence if it cannot be written, or
  /// if there is an export (Existing::refuse).
  Staging(std::filesystem::path directory, Existing existing);
  Staging(const Staging&) = delete;
  Staging& operator=(const Staging&) = delete;
  ~Staging();

  /// Where to write a file; `name` may begin with one folder. Throws if there is such a file and it may not be
  /// replaced, or something else than a file and folders: links are not followed out of the directory.
  [[nodiscard]] std::filesystem::path path_of(const std::string& name);
  /// Call when a file is complete: syncs it and records its size and digest.
  void finished(const std::string& name);
  /// Writes a whole file.
  void write(const std::string& name, std::string_view text);

  /// Those finished so far, in this order.
  [[nodiscard]] const std::vector<ExportedFile>& files() const { return files_; }

  /// Moves all finished files to their places and syncs the directories. An export that is replaced goes first, also
  /// its files that the new one does not have.
  void publish();

 private:
  void remove_former_files() const;
  [[nodiscard]] std::filesystem::path target(const std::string& name) const { return directory_ / name; }

  std::filesystem::path directory_, hidden_;
  Existing existing_;
  bool created_ = false;  ///< the directory
  std::vector<ExportedFile> files_;
};

/// XXH3-128 of a file's bytes, read in pieces. Throws FileError.
[[nodiscard]] std::string file_digest(const std::filesystem::path& file);
/// Of what is left of an open one.
[[nodiscard]] std::string file_digest(RegularFile& file);

}}  // namespace glassworks::analysis
