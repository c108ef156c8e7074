#include "tools/glassworks/output_file.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <system_error>

#include "engine/config.hpp"
#include "engine/paths.hpp"

namespace glassworks::inline tools {
namespace fs = std::filesystem;
namespace {

/// Devices and descriptors ("/dev/stdout") hold nothing that could be lost.
bool is_device(const fs::path& file) {
  const std::string text = file.string();
  return text.starts_with("/dev/") || text.starts_with("/proc/");
}

[[noreturn]] void refuse(const fs::path& path, const std::string& option, const std::string& why,
                         const std::string& what_to_do) {
  throw InputError(InputFault::unusable_file, "--" + option,
                   fmt::format("--{} cannot be '{}' ({}). {}", option, path.string(), why, what_to_do));
}

void refuse_existing(const ParsedArguments& parsed, const fs::path& file, const std::string& option) {
  std::error_code error;
  if (parsed.has("force") || is_device(file)) return;
  if (!is_there(file) && !fs::is_symlink(fs::symlink_status(file, error))) return;
  throw InputError(
      InputFault::unusable_file, file.string(),
      fmt::format("{} exists already (nothing is overwritten unless asked). Add --force to replace it, or choose "
                  "another --{}.",
                  file.string(), option));
}

}  // namespace

Option force_option() { return {"force", "", "replaces files that exist"}; }

fs::path output_of(const ParsedArguments& parsed, const std::string& option, const std::string& name) {
  if (parsed.has(option)) return parsed.options.at(option);
  if (parsed.operands.size() > 1) {
    throw InputError(InputFault::missing, "--" + option,
                     fmt::format("--{} is missing (of several campaigns none is the place for {}). Say where it goes.",
                                 option, name));
  }
  return fs::path(parsed.operand) / name;
}

void require_writable(const ParsedArguments& parsed, const fs::path& file, const std::string& option) {
  std::error_code error;
  if (!file.has_filename()) refuse(file, option, "it is no name of a file", "Name a file.");
  if (fs::is_directory(file, error)) refuse(file, option, "it is a directory", "Name a file in it.");
  const fs::path folder = absolute_path(file).parent_path();
  if (!fs::is_directory(folder, error)) {
    refuse(file, option, fmt::format("there is no directory '{}'", folder.string()), "Make it, or choose another one.");
  }
  refuse_existing(parsed, file, option);
  if (is_device(file) || access(folder.c_str(), W_OK | X_OK) == 0) return;
  refuse(file, option, fmt::format("{}: {}", folder.string(), std::strerror(errno)), "Choose another directory.");
}

void require_writable_in(const ParsedArguments& parsed, const fs::path& directory,
                         const std::vector<std::string>& names, const std::string& option) {
  std::error_code error;
  if (is_there(directory) && !fs::is_directory(directory, error)) {
    refuse(directory, option, "it is no directory", "Name another one.");
  }
  for (const std::string& name : names) refuse_existing(parsed, directory / name, option);
}

}  // namespace glassworks::inline tools
