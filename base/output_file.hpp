#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace glassworks { inline namespace base {

/// Whether an output may take the place of a regular file.
enum class Existing { refuse, replace };

/// What stands under a name that a person gave for an output.
struct OutputPlace {
  enum class Kind {
    free,      ///< nothing stands there
    regular,   ///< a regular file
    link,      ///< a symbolic link to a regular file or to nothing: replaced like a file, and what it leads to stays
    stream,    ///< a FIFO, a character device, an open descriptor of this process, or a link to one: written through
    unusable,  ///< a directory, a block device, a socket, or no place for a file: `why`, `remedy`
  };
  Kind kind = Kind::free;
  std::filesystem::path file;  ///< that is written: of a stream behind all links
  int descriptor = -1;         ///< of a stream: /dev/stdout, /dev/fd/3
  std::string why, remedy;

  /// Whether nothing is lost by writing there.
  [[nodiscard]] bool is_harmless() const { return kind == Kind::stream || kind == Kind::free; }
};

/// Opens nothing and changes nothing.
[[nodiscard]] OutputPlace output_place(const std::filesystem::path& file);

/// The one writer of files that people name: a regular file appears whole, or what was there before stays; it keeps its
/// permissions where it is replaced. Streams are written through: a FIFO is waited for as long as `reader_patience`.
/// Nothing but a regular file or a link is ever replaced.
///
/// Throws InputError for a place that is unusable or holds a file that may not be replaced, FileError where the system
/// refuses (full disk, closed reader).
void write_output(const std::filesystem::path& file, std::string_view text, Existing existing);

/// For so long a FIFO may have no reader [s].
inline constexpr int reader_patience = 10;

}}  // namespace glassworks::base
