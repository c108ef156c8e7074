#include "tools/glassworks/published_folder.hpp"

#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <stdexcept>
#include <system_error>

#include "base/input_error.hpp"
#include "base/text_file.hpp"
#include "engine/config/config_value.hpp"

namespace glassworks { inline namespace tools {
namespace fs = std::filesystem;
namespace {

constexpr std::uintmax_t most_table_bytes = std::uintmax_t{1} << 30;
constexpr std::size_t digest_length = 32;

}  // namespace

PublishedFolder::PublishedFolder(fs::path folder) : folder_(std::move(folder)) {
  std::error_code error;
  const auto refuse = [&] {
    throw InputError(InputFault::unusable_file, folder_.string(),
                     fmt::format("{} cannot be read ({}). Check its permissions and those of its folders.",
                                 folder_.string(), error.message()));
  };
  fs::recursive_directory_iterator entry(folder_, error);  // does not enter links
  if (error) refuse();
  for (const fs::recursive_directory_iterator end; entry != end; entry.increment(error)) {
    if (error) refuse();
    const std::string name = entry->path().lexically_relative(folder_).generic_string();
    struct stat status {};
    if (::lstat(entry->path().c_str(), &status) != 0) {
      error = {errno, std::generic_category()};
      refuse();
    }
    if (S_ISDIR(status.st_mode)) continue;
    if (const std::string reason = why_not_regular(status.st_mode); !reason.empty()) {
      irregular_.push_back(fmt::format("{} cannot be part of a publication ({})", name, reason));
    } else {
      files_.emplace(name, static_cast<std::uintmax_t>(status.st_size));
    }
  }
  if (error) refuse();
}

RegularFile PublishedFolder::open(const std::string& name) const {
  if (!files_.contains(name)) {
    throw FileError(FileFault::missing, fmt::format("Cannot read {} (there is no such regular file)", name),
                    "Get a complete copy of the folder");
  }
  return RegularFile(folder_ / name, Links::refused, name);
}

std::string PublishedFolder::text(const std::string& name, std::uintmax_t max_bytes) const {
  static_cast<void>(open(name));
  return read_text_file(folder_ / name, "file", max_bytes, Links::refused);
}

bool is_digest(std::string_view text) {
  return text.size() == digest_length &&
         std::ranges::all_of(text, [](char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'); });
}

PublishedTable::PublishedTable(const PublishedFolder& folder, std::string name, std::string_view heading)
    : name_(std::move(name)),
      text_(folder.text(name_, most_table_bytes)),
      left_(text_),
      columns_(1 + static_cast<std::size_t>(std::ranges::count(heading, ','))) {
  const std::size_t end = std::min(left_.find('\n'), left_.size());
  line_ = 1;
  if (left_.substr(0, end) != heading) fail(fmt::format("its heading is not '{}'", heading));
  left_.remove_prefix(std::min(end + 1, left_.size()));
  next_line_ = 2;
}

bool PublishedTable::next() {
  if (left_.empty()) return false;
  line_ = next_line_;
  fields_.assign(1, {});
  bool quoted = false;
  for (std::size_t i = 0; i < left_.size(); ++i) {
    const char c = left_[i];
    if (c == '\n') ++next_line_;
    if (c == '"') {
      const bool twice = quoted && i + 1 < left_.size() && left_[i + 1] == '"';
      if (twice) fields_.back() += left_[++i];
      quoted = twice || !quoted;
    } else if (c == '\n' && !quoted) {
      left_.remove_prefix(i + 1);
      if (fields_.size() != columns_) {
        fail(fmt::format("it has {} {}, not {}", fields_.size(), fields_.size() == 1 ? "field" : "fields", columns_));
      }
      return true;
    } else if (c == ',' && !quoted) {
      if (fields_.size() == columns_) fail(fmt::format("it has more than {} fields", columns_));
      fields_.emplace_back();
    } else {
      fields_.back() += c;
    }
  }
  fail("it has no end");
}

std::int64_t PublishedTable::whole_number(std::size_t column, std::int64_t smallest, std::int64_t largest) const {
  const std::string& field = text(column);
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(field.data(), field.data() + field.size(), value);
  if (error != std::errc() || end != field.data() + field.size() || value < smallest || value > largest) {
    fail(fmt::format("{} is no whole number from {} to {}", in_quotes(field), smallest, largest));
  }
  return value;
}

double PublishedTable::number(std::size_t column) const {
  const std::string& field = text(column);
  double value = 0.0;
  const auto [end, error] = std::from_chars(field.data(), field.data() + field.size(), value);
  if (error != std::errc() || end != field.data() + field.size() || !std::isfinite(value)) {
    fail(fmt::format("{} is no number", in_quotes(field)));
  }
  return value;
}

const std::string& PublishedTable::digest(std::size_t column) const {
  if (!is_digest(text(column))) fail(fmt::format("{} is no digest", in_quotes(text(column))));
  return text(column);
}

void PublishedTable::fail(const std::string& why) const {
  throw std::runtime_error(fmt::format("{}, line {}: {}", name_, line_, why));
}

}}  // namespace glassworks::tools
