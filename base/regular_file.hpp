#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "base/file_error.hpp"

namespace glassworks { inline namespace base {

/// An open file of the system, closed with its owner; -1: none.
class Descriptor {
 public:
  explicit Descriptor(int number = -1) : number_(number) {}
  Descriptor(Descriptor&& other) noexcept;
  Descriptor& operator=(Descriptor&& other) noexcept;
  ~Descriptor();

  [[nodiscard]] int get() const { return number_; }

 private:
  int number_;
};

/// Whether symbolic links are followed. Refused for files of a campaign, which Glassworks creates itself.
enum class Links { followed, refused };

/// A regular file, open for reading. A FIFO, device, socket or directory of that name is refused at once, because
/// reading it could block or never end.
class RegularFile {
 public:
  /// name  of the file in messages
  /// Throws FileError.
  RegularFile(const std::filesystem::path& file, Links links, std::string name);
  RegularFile(const std::filesystem::path& file, Links links) : RegularFile(file, links, file.string()) {}

  [[nodiscard]] std::uintmax_t size() const { return size_; }

  /// The next bytes; none at the end. Throws FileError.
  [[nodiscard]] std::span<std::byte> read_some(std::span<std::byte> buffer);

  /// All of it. Throws FileError, before it takes memory, if that is more than `max_bytes`.
  [[nodiscard]] std::vector<std::byte> read_all(std::uintmax_t max_bytes);

 private:
  [[noreturn]] void refuse_size(std::uintmax_t max_bytes) const;

  std::string name_;
  Descriptor descriptor_;
  std::uintmax_t size_ = 0;
};

/// Why a file is not a regular one, "it is a FIFO, not a regular file"; empty for a regular file. mode: status.st_mode.
[[nodiscard]] std::string why_not_regular(unsigned mode);

}}  // namespace glassworks::base
