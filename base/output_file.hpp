#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace glassworks { inline namespace base {

/// Whether an output may take the place of a regular file.
enum class Existing { refuse, replace };

/// What exists at an output path that the user gave.
struct OutputPlace {
  enum class Kind {
    free,      ///< nothing stands there
    regular,   ///< a regular file
    link,      ///< a symbolic link to a regular file, or a dangling one: the link is replaced, its target is not
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

/// The only writer of files that users name. A regular file appears complete, or the old one stays; a replaced file
/// keeps its permissions. Streams are written through; a FIFO must get a reader within `fifo_reader_timeout`. Only
/// regular files and links are ever replaced.
///
/// Throws InputError for a place that is unusable or holds a file that may not be replaced, FileError where the system
/// refuses (full disk, closed reader).
void write_output(const std::filesystem::path& file, std::string_view text, Existing existing);

/// How long to wait for a reader of a FIFO [s].
inline constexpr int fifo_reader_timeout = 10;

}}  // namespace glassworks::base
