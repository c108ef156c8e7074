#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <sstream>
#include <string_view>

#include "scheduler/ranks/messages.hpp"

namespace glassworks { inline namespace scheduler {
namespace {

constexpr std::string_view first_line = "glassworks hello", last_line = "end";
constexpr std::size_t longest = 1 << 20;  ///< [bytes]

/// One line: what would end it becomes a blank.
std::string printable(std::string text) {
  std::replace_if(
      text.begin(), text.end(), [](unsigned char c) { return c < ' ' || c == 127; }, ' ');
  return text;
}

[[noreturn]] void fail(const std::string& why) {
  throw std::runtime_error(fmt::format(
      "the first message of a rank cannot be read ({}). Start Glassworks, and nothing else, on all ranks.", why));
}

template <typename T>
T number(std::string_view text) {
  T value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size()) fail(fmt::format("'{}' is no number", text));
  return value;
}

template <typename Add>
void for_each_word(const std::string& text, const Add& add) {
  std::istringstream words(text);
  for (std::string word; words >> word;) add(word);
}

}  // namespace

std::vector<std::byte> encode(const Handshake& hello) {
  std::string text = fmt::format("{}\n", first_line);
  const auto add = [&](const char* name, const std::string& value) {
    text += fmt::format("{} {}\n", name, printable(value));
  };
  add("version", hello.version);
  add("commit", hello.commit);
  add("compiler", hello.compiler);
  add("host", hello.host);
  add("pid", std::to_string(hello.pid));
  add("node", hello.place.node);
  add("processors", fmt::format("{}", fmt::join(hello.place.processors, " ")));
  add("processors_of_node", std::to_string(hello.place.processors_of_node));
  add("devices", fmt::format("{}", fmt::join(hello.place.devices, " ")));
  text += fmt::format("{}\n", last_line);
  const auto bytes = std::as_bytes(std::span(text));
  return {bytes.begin(), bytes.end()};
}

Handshake decode_handshake(std::span<const std::byte> bytes) {
  if (bytes.size() > longest) fail("it is too long");
  std::istringstream lines(std::string(reinterpret_cast<const char*>(bytes.data()), bytes.size()));
  std::string line;
  if (!std::getline(lines, line) || line != first_line) fail("it is no greeting");
  Handshake hello;
  while (std::getline(lines, line) && line != last_line) {
    const std::size_t blank = std::min(line.find(' '), line.size());
    const std::string name = line.substr(0, blank), value = line.substr(std::min(blank + 1, line.size()));
    if (name == "version") hello.version = value;
    if (name == "commit") hello.commit = value;
    if (name == "compiler") hello.compiler = value;
    if (name == "host") hello.host = value;
    if (name == "pid") hello.pid = number<std::int64_t>(value);
    if (name == "node") hello.place.node = value;
    if (name == "processors") {
      for_each_word(value, [&](const std::string& word) { hello.place.processors.push_back(number<int>(word)); });
    }
    if (name == "processors_of_node") hello.place.processors_of_node = number<int>(value);
    if (name == "devices") {
      for_each_word(value, [&](const std::string& word) { hello.place.devices.push_back(word); });
    }
  }
  if (line != last_line) fail("it has no end");
  return hello;
}

}}  // namespace glassworks::scheduler
