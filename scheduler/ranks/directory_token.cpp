#include "scheduler/ranks/directory_token.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <exception>
#include <random>
#include <span>
#include <system_error>
#include <vector>

#include "base/durable_file.hpp"
#include "engine/checkpoint/checkpoint_name.hpp"

namespace glassworks { inline namespace scheduler {
namespace fs = std::filesystem;
namespace {

std::string random_text() {
  std::random_device device;
  return fmt::format("{:08x}{:08x}{:08x}{:08x}", device(), device(), device(), device());
}

}  // namespace

DirectoryToken::DirectoryToken(const fs::path& directory) : directory_(directory), text_(random_text()) {
  file_ = "checkpoints/" + rank_mark_name(text_);
  DurableFile file(directory_ / file_);
  file.append(std::as_bytes(std::span(text_)));
  file.publish();
}

DirectoryToken::~DirectoryToken() {
  try {
    std::error_code ignored;
    fs::remove(directory_ / file_, ignored);
  } catch (const std::exception&) {  // memory is used up; it means nothing to the next run
  }
}

bool sees_directory(const fs::path& directory, const std::string& token_file, const std::string& token) {
  try {
    const std::vector<std::byte> found = read_file(directory / token_file, 1024);
    if (!std::ranges::equal(found, std::as_bytes(std::span(token)))) return false;
    const fs::path trial = directory / rank_trial_name(token_file, random_text());
    DurableFile file(trial);
    file.append(std::as_bytes(std::span(token)));
    file.publish();
    return fs::remove(trial);
  } catch (const FileError&) {
    return false;
  }
}

}}  // namespace glassworks::scheduler
