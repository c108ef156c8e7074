#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "base/output_file.hpp"
#include "tools/glassworks/arguments.hpp"

namespace glassworks { inline namespace tools {

/// --force, for verbs that write files.
[[nodiscard]] Option force_option();
/// Whether it was given.
[[nodiscard]] Existing existing_of(const ParsedArguments& parsed);

/// Where a file or directory goes: the value of an option, or else NAME in the directory of the campaign, which is the
/// operand. Throws InputError where there are several campaigns and the option was not given.
[[nodiscard]] std::filesystem::path output_of(const ParsedArguments& parsed, const std::string& option,
                                              const std::string& name);

/// Before anything is computed: throws InputError where a file cannot be written, or is there without --force.
///
/// option  which names the file, for the message
void require_writable(const ParsedArguments& parsed, const std::filesystem::path& file, const std::string& option);

/// The same for files in a directory, which need not exist yet.
void require_writable_in(const ParsedArguments& parsed, const std::filesystem::path& directory,
                         const std::vector<std::string>& names, const std::string& option);

/// Throws InputError where two options name one file.
void require_different(const ParsedArguments& parsed, const std::string& option, const std::string& other);

/// Writes an output of a verb (write_output); looks first as require_writable does, since a file may have come
/// meanwhile.
void write_output(const ParsedArguments& parsed, const std::filesystem::path& file, const std::string& option,
                  std::string_view text);

}}  // namespace glassworks::tools
