#include "tools/tune/tuned_config.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "base/text.hpp"

namespace glassworks { inline namespace tools {
namespace {

/// Reads lines as load_config does, and says which key each one sets; empty if none.
class KeyOfLine {
 public:
  std::string operator()(std::string_view line) {
    const std::string_view content = trimmed(line.substr(0, line.find('#')));
    if (content.size() >= 2 && content.front() == '[' && content.back() == ']') {
      const std::string_view section = trimmed(content.substr(1, content.size() - 2));
      prefix_ = section.empty() || section.back() == '.' ? std::string(section) : std::string(section) + '.';
      return {};
    }
    const std::size_t equals = content.find('=');
    return equals == content.npos ? std::string() : prefix_ + std::string(trimmed(content.substr(0, equals)));
  }

 private:
  std::string prefix_;
};

}  // namespace

std::map<std::string, std::string> recommended_keys(const Config& config, const std::vector<TuneResult>& results) {
  std::map<std::string, std::string> keys;
  if (results.empty()) return keys;
  Config changed = config;
  for (const TuneResult& result : results) {
    ProtocolChoice choice = result.rows[result.recommendation.chosen].choice;
    changed = with_choice(changed, result.size_index, choice);
  }
  const ProtocolChoice before = configured_choice(config, results.back().size_index);
  const ProtocolChoice after = configured_choice(changed, results.back().size_index);
  for (const TuneKey key : tune_keys()) {
    if (key == TuneKey::slots || before.at(key) == after.at(key)) continue;
    keys[std::string(key_of(key))] = std::to_string(after.at(key));
  }
  if (changed.ladder.slots != config.ladder.slots) {
    keys[std::string(key_of(TuneKey::slots))] = fmt::format("{}", fmt::join(changed.ladder.slots, ", "));
  }
  return keys;
}

std::string edited_configuration(std::string_view text, const std::map<std::string, std::string>& values,
                                 const std::vector<std::string>& comments) {
  std::string edited;
  for (const std::string& comment : comments) edited += "# " + comment + "\n";
  for (const auto& [key, value] : values) edited += fmt::format("{} = {}\n", key, value);
  if (!edited.empty()) edited += '\n';
  KeyOfLine key_of_line;
  while (!text.empty()) {
    const std::size_t length = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, length);
    text.remove_prefix(std::min(length + 1, text.size()));
    const std::string key = key_of_line(line);
    const bool replaced = key == "campaign.directory" || values.contains(key);
    edited += (replaced ? "# " : "") + std::string(line) + '\n';
  }
  return edited;
}

}}  // namespace glassworks::tools
