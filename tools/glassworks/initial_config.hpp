#pragma once

#include <string>
#include <vector>

namespace glassworks { inline namespace tools {

/// The values of model.type that there are: for each of them a first configuration can be written.
[[nodiscard]] const std::vector<std::string>& initial_models();

/// A configuration to begin with: a small campaign of a model that runs in minutes. Every key that the campaign has
/// stands there with its meaning and values; those that the program would choose itself are comments.
///
/// model  one of initial_models(); throws InputError for another one
[[nodiscard]] std::string initial_config(const std::string& model);

}}  // namespace glassworks::tools
