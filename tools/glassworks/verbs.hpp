#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "db/database.hpp"

namespace glassworks {

/// Arguments after the verb.
using Arguments = std::vector<std::string>;

/// The verbs of the command line. Each returns the exit status; problems are thrown as exceptions with one sentence.
int run_campaign(const Arguments& arguments);
int show_status(const Arguments& arguments);
int analyze_campaign(const Arguments& arguments);
int inspect_campaign(const Arguments& arguments);
int verify_campaign(const Arguments& arguments);

/// Opens the campaign of a directory for reading. Throws InputError if there is none.
[[nodiscard]] Database open_campaign(const std::filesystem::path& directory);

}  // namespace glassworks
