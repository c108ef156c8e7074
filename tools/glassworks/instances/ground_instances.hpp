#pragma once

#include <filesystem>
#include <vector>

#include "tools/glassworks/arguments.hpp"

namespace glassworks { inline namespace tools {

/// Options of `ground` for files of graphs.
[[nodiscard]] std::vector<Option> instance_options();

/// Whether `ground` gets a file of a graph, or a folder of such files, in place of a campaign.
[[nodiscard]] bool is_of_instances(const std::filesystem::path& operand);

/// `glassworks ground FILE` or FOLDER: the lowest energies of graphs with Ising spins.
int search_ground_states_of_files(const ParsedArguments& parsed);

}}  // namespace glassworks::tools
