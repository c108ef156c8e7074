#include "base/text_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <span>
#include <string_view>
#include <vector>

#include "base/digest.hpp"
#include "base/input_error.hpp"
#include "base/regular_file.hpp"

namespace glassworks { inline namespace base {
namespace {

constexpr std::size_t piece_bytes = std::size_t{1} << 20;
constexpr std::string_view utf8_mark = "\xEF\xBB\xBF";

bool is_control(unsigned char c) { return (c < 0x20 && c != '\t' && c != '\r' && c != '\n') || c == 0x7F; }

/// Checks a file piece by piece, so that one that is no text ends before it fills memory.
class TextCheck {
 public:
  TextCheck(const std::filesystem::path& file, const std::string& what) : file_(file), what_(what) {}

  void operator()(std::string_view piece) {
    if (line_ == 0) {
      line_ = 1;
      if (piece.starts_with("\xFF\xFE") || piece.starts_with("\xFE\xFF")) {
        throw InputError(
            InputFault::malformed, file_.string(),
            fmt::format("The {} '{}' cannot be used (it is UTF-16 text). Save it as UTF-8.", what_, file_.string()));
      }
    }
    for (const char c : piece) {
      if (c == '\n') ++line_;
      if (!is_control(static_cast<unsigned char>(c))) continue;
      throw InputError(InputFault::malformed, file_.string(),
                       fmt::format("{}:{}: the byte 0x{:02X} is not valid in a text{}. Check that it is the right "
                                   "{}, in UTF-8.",
                                   file_.string(), line_, static_cast<unsigned char>(c),
                                   c == '\0' ? " (binary data, or UTF-16)" : "", what_));
    }
  }

 private:
  const std::filesystem::path& file_;
  const std::string& what_;
  std::uint64_t line_ = 0;
};

}  // namespace

std::string read_text_file(const std::filesystem::path& file, const std::string& what, std::uintmax_t max_bytes,
                           Links links) {
  const auto refuse_size = [&] {
    throw InputError(InputFault::too_large, file.string(),
                     fmt::format("The {} '{}' is too large (more than {} bytes). Check that it is the right file.",
                                 what, file.string(), max_bytes));
  };
  try {
    RegularFile input(file, links, fmt::format("the {} '{}'", what, file.string()));
    if (input.size() > max_bytes) refuse_size();
    TextCheck check(file, what);
    std::vector<std::byte> buffer(piece_bytes);
    std::string text;
    for (;;) {
      const std::span<const std::byte> got = input.read_some(buffer);
      if (got.empty()) break;
      const std::string_view piece(reinterpret_cast<const char*>(got.data()), got.size());
      check(piece);
      text.append(piece);
      if (text.size() > max_bytes) refuse_size();
    }
    if (text.starts_with(utf8_mark)) text.erase(0, utf8_mark.size());
    return text;
  } catch (const FileError& error) {
    const bool missing = error.fault() == FileFault::missing;
    throw InputError(missing ? InputFault::missing : InputFault::unusable_file, file.string(), error.what());
  }
}

std::string system_text(const std::filesystem::path& file) {
  constexpr std::uintmax_t most_bytes = std::uintmax_t{1} << 26;
  try {
    const std::vector<std::byte> bytes = RegularFile(file, Links::followed).read_all(most_bytes);
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
  } catch (const FileError&) {
    return {};
  }
}

std::string text_digest(const std::string& text) { return Digest().bytes(std::as_bytes(std::span(text))).hex(); }

}}  // namespace glassworks::base
