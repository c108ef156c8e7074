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

/// Whether a symbolic link may stand for a file. Not in a campaign: Glassworks makes its files itself.
enum class Links { followed, refused };

/// A regular file, open for reading. Whatever else stands under its name (a FIFO, a device, a socket, a directory) is
/// refused at once: nobody waits for it, and it has no end.
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

/// What stands in place of a regular file, "it is a FIFO"; empty for a regular file. For status.st_mode.
[[nodiscard]] std::string other_than_regular(unsigned mode);

}}  // namespace glassworks::base
