#include "tools/glassworks/given_config.hpp"

#include <fmt/format.h>

#include <system_error>

#include "tools/glassworks/open_campaign.hpp"

namespace glassworks { inline namespace tools {

namespace fs = std::filesystem;

Config given_config(const ParsedArguments& parsed) {
  const fs::path operand = parsed.operand;
  std::error_code error;
  if (!fs::is_directory(operand, error)) return load_config(operand, parsed.keys);
  if (!fs::exists(operand / database_file_name, error)) {
    throw InputError(
        InputFault::missing, (operand / database_file_name).string(),
        fmt::format("there is no campaign in {} (it holds no {}). Give the directory of a campaign, or a configuration "
                    "file to begin one with.",
                    operand.string(), database_file_name));
  }
  return load_stored_config(open_for_viewing(operand).database.config_text(), operand, parsed.keys);
}

}}  // namespace glassworks::tools
