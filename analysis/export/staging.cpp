#include "analysis/export/staging.hpp"

#include <fmt/format.h>
#include <signal.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <cstring>
#include <regex>
#include <set>
#include <span>
#include <stdexcept>
#include <system_error>
#include <utility>

#include "base/digest.hpp"
#include "base/durable_file.hpp"
#include "engine/config/config.hpp"

namespace glassworks { inline namespace analysis {
namespace fs = std::filesystem;
namespace {

constexpr std::string_view hidden_prefix = ".export-";

[[noreturn]] void fail(std::string_view action, const fs::path& path, const std::error_code& error) {
  throw std::runtime_error(fmt::format("Cannot {} {} ({}). Check its path, its permissions and the free space.", action,
                                       path.string(), error.message()));
}

[[noreturn]] void refuse(const fs::path& file, std::string_view why) {
  throw InputError(
      InputFault::unusable_file, file.string(),
      fmt::format("Cannot export to {} ({}). Name another directory; `glassworks export --force` replaces its files.",
                  file.string(), why));
}

[[noreturn]] void refuse_kind(const fs::path& file) {
  throw InputError(InputFault::unusable_file, file.string(),
                   fmt::format("Cannot export to {} (it is a link, a device or of another kind than expected, which is "
                               "not replaced). Name another directory.",
                               file.string()));
}

/// Whether a hidden folder was left by a process that is gone.
bool is_left_over(const fs::path& path) {
  const std::string name = path.filename().string();
  if (!name.starts_with(hidden_prefix)) return false;
  pid_t pid = 0;
  const char* end = name.data() + name.size();
  const auto parsed = std::from_chars(name.data() + hidden_prefix.size(), end, pid);
  return parsed.ec == std::errc() && parsed.ptr == end && pid > 0 && ::kill(pid, 0) != 0 && errno == ESRCH;
}

/// Whether an export could have written a file of this name.
bool is_of_an_export(const std::string& name) {
  static const std::regex names(
      R"(campaign\.h5|(results|realizations|covariance|bins)\.csv|alps/L\d+\.task\d+\.out\.h5|(couplings|spins)/L\d+-r\d+\.txt)");
  return std::regex_match(name, names);
}

}  // namespace

Staging::Staging(fs::path directory, Existing existing) : directory_(std::move(directory)), existing_(existing) {
  std::error_code error;
  const fs::file_status status = fs::status(directory_, error);
  if (fs::exists(status) && !fs::is_directory(status)) {
    throw InputError(
        InputFault::unusable_file, directory_.string(),
        fmt::format("Cannot export to {} (it is not a directory). Name another directory.", directory_.string()));
  }
  if (existing_ == Existing::refuse && fs::exists(target(manifest), error)) {
    refuse(directory_, "it holds an export");
  }
  created_ = fs::create_directories(directory_, error);
  if (error) fail("create the directory", directory_, error);
  for (const fs::directory_entry& entry : fs::directory_iterator(directory_, error)) {
    std::error_code ignored;  // one that stays does no harm
    if (is_left_over(entry.path())) fs::remove_all(entry.path(), ignored);
  }
  hidden_ = directory_ / fmt::format("{}{}", hidden_prefix, ::getpid());
  fs::create_directory(hidden_, error);
  if (error) {
    std::error_code ignored;
    if (created_) fs::remove(directory_, ignored);
    fail("write to the directory", directory_, error);
  }
}

Staging::~Staging() {
  std::error_code ignored;
  fs::remove_all(hidden_, ignored);
  if (created_) fs::remove(directory_, ignored);  // does nothing where something was published
}

fs::path Staging::path_of(const std::string& name) {
  std::error_code error;
  const fs::file_status status = fs::symlink_status(target(name), error);
  if (fs::exists(status) && (existing_ == Existing::refuse || !fs::is_regular_file(status))) {
    fs::is_regular_file(status) ? refuse(target(name), "the file exists") : refuse_kind(target(name));
  }
  if (const fs::path folder = target(name).parent_path(); folder != directory_) {
    const fs::file_status above = fs::symlink_status(folder, error);
    if (fs::exists(above) && !fs::is_directory(above)) refuse_kind(folder);
  }
  const fs::path path = hidden_ / name;
  fs::create_directories(path.parent_path(), error);
  if (error) fail("write to the directory", directory_, error);
  return path;
}

void Staging::finished(const std::string& name) {
  const fs::path path = hidden_ / name;
  sync_path(path);
  files_.push_back({name, fs::file_size(path), file_digest(path)});
}

void Staging::write(const std::string& name, std::string_view text) {
  DurableFile file(path_of(name));
  file.append(std::as_bytes(std::span(text)));
  file.publish();
  finished(name);
}

void Staging::publish() {
  std::error_code error;
  const bool replaces = fs::remove(target(manifest), error);
  if (error) fail("replace", target(manifest), error);
  if (replaces) remove_former_files();
  std::set<fs::path> folders{directory_};
  const auto move = [&](const ExportedFile& file) {
    const fs::path to = target(file.name);
    fs::create_directories(to.parent_path(), error);
    if (!error) fs::rename(hidden_ / file.name, to, error);
    if (error) fail("write", to, error);
    folders.insert(to.parent_path());
  };
  const auto sync = [&] {
    for (const fs::path& folder : folders) sync_path(folder);
  };
  for (const ExportedFile& file : files_) {
    if (file.name != manifest) move(file);
  }
  sync();  // the manifest may not be there before them, even after a power failure
  for (const ExportedFile& file : files_) {
    if (file.name == manifest) move(file);
  }
  sync();
}

void Staging::remove_former_files() const {
  std::error_code error;
  std::vector<fs::path> former;
  const fs::path folders[] = {directory_, directory_ / "alps", directory_ / "couplings", directory_ / "spins"};
  for (const fs::path& folder : folders) {
    for (const fs::directory_entry& entry : fs::directory_iterator(folder, error)) {
      const std::string name = entry.path().lexically_relative(directory_).string();
      if (is_of_an_export(name) && fs::is_regular_file(entry.symlink_status(error))) former.push_back(entry.path());
    }
  }
  for (const fs::path& file : former) {
    fs::remove(file, error);
    if (error) fail("replace", file, error);
  }
  for (const fs::path& folder : std::span(folders).subspan(1)) fs::remove(folder, error);  // if nothing else is in it
}

std::string file_digest(const fs::path& file) {
  RegularFile in(file, Links::followed);
  return file_digest(in);
}

std::string file_digest(RegularFile& file) {
  Digest digest;
  std::vector<std::byte> buffer(1 << 20);
  for (;;) {
    const std::span<const std::byte> got = file.read_some(buffer);
    if (got.empty()) return digest.hex();
    digest.bytes(got);
  }
}

}}  // namespace glassworks::analysis
