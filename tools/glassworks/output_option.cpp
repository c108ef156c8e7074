#include "tools/glassworks/output_option.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <system_error>

#include "base/paths.hpp"
#include "engine/config/config.hpp"

namespace glassworks { inline namespace tools {
namespace fs = std::filesystem;
namespace {

[[noreturn]] void refuse(const fs::path& path, const std::string& option, const std::string& why,
                         const std::string& what_to_do) {
  throw InputError(InputFault::unusable_file, "--" + option,
                   fmt::format("--{} cannot be '{}' ({}). {}", option, path.string(), why, what_to_do));
}

}  // namespace

Option force_option() { return {"force", "", "replaces files that exist"}; }

Existing existing_of(const ParsedArguments& parsed) {
  return parsed.has("force") ? Existing::replace : Existing::refuse;
}

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
  const OutputPlace place = output_place(file);
  if (place.kind == OutputPlace::Kind::unusable) refuse(file, option, place.why, place.remedy);
  if (parsed.has("force") || place.is_harmless()) return;
  throw InputError(
      InputFault::unusable_file, file.string(),
      fmt::format("{} exists already (nothing is overwritten unless asked). Add --force to replace it, or choose "
                  "another --{}.",
                  file.string(), option));
}

void require_writable_in(const ParsedArguments& parsed, const fs::path& directory,
                         const std::vector<std::string>& names, const std::string& option) {
  std::error_code error;
  fs::path above = absolute_path(directory).lexically_normal();
  while (!is_there(above) && !fs::is_symlink(fs::symlink_status(above, error))) above = above.parent_path();
  if (!fs::is_directory(above, error)) {
    const bool itself = above == absolute_path(directory).lexically_normal();
    refuse(directory, option, itself ? "it is no directory" : fmt::format("'{}' is no directory", above.string()),
           "Name another one.");
  }
  if (access(above.c_str(), W_OK | X_OK) != 0) {
    refuse(directory, option, fmt::format("{}: {}", above.string(), std::strerror(errno)), "Choose another directory.");
  }
  if (!is_there(directory)) return;
  for (const std::string& name : names) require_writable(parsed, directory / name, option);
}

void require_different(const ParsedArguments& parsed, const std::string& option, const std::string& other) {
  if (!parsed.has(option) || !parsed.has(other)) return;
  const fs::path one = parsed.options.at(option), two = parsed.options.at(other);
  if (output_place(one).kind == OutputPlace::Kind::stream) return;
  std::error_code error;
  if (absolute_path(one).lexically_normal() != absolute_path(two).lexically_normal() &&
      !fs::equivalent(one, two, error)) {
    return;
  }
  throw InputError(InputFault::conflict, fmt::format("--{}, --{}", option, other),
                   fmt::format("--{} and --{} cannot both be '{}' (one would replace the other). Name two files.",
                               option, other, one.string()));
}

void write_output(const ParsedArguments& parsed, const fs::path& file, const std::string& option,
                  std::string_view text) {
  require_writable(parsed, file, option);
  write_output(file, text, existing_of(parsed));
}

}}  // namespace glassworks::tools
