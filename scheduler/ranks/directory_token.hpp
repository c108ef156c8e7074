#pragma once

#include <filesystem>
#include <string>

namespace glassworks { inline namespace scheduler {

/// A file in a campaign's directory that tells another rank whether the directory that it sees is the same one. Removed
/// at the end of its scope; what a kill leaves is removed when the campaign is opened next.
class DirectoryToken {
 public:
  /// Throws FileError.
  explicit DirectoryToken(const std::filesystem::path& directory);
  DirectoryToken(const DirectoryToken&) = delete;
  DirectoryToken& operator=(const DirectoryToken&) = delete;
  ~DirectoryToken();

  /// Relative to the directory.
  [[nodiscard]] const std::string& file() const { return file_; }
  [[nodiscard]] const std::string& text() const { return text_; }

 private:
  std::filesystem::path directory_;
  std::string file_, text_;
};

/// Whether the directory that this process sees holds the token, and takes files.
[[nodiscard]] bool sees_directory(const std::filesystem::path& directory, const std::string& token_file,
                                  const std::string& token);

}}  // namespace glassworks::scheduler
