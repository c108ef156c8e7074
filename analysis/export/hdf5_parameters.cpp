#include "analysis/export/hdf5_parameters.hpp"

#include <charconv>
#include <cmath>
#include <optional>
#include <sstream>
#include <string_view>
#include <system_error>

namespace glassworks { inline namespace analysis {
namespace {

template <typename T>
std::optional<T> parameter_number(std::string_view text) {
  T value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

}  // namespace

void write_parameters(Hdf5Group& group, const std::string& config_text) {
  constexpr std::string_view separator = " = ";
  std::istringstream lines(config_text);
  for (std::string line; std::getline(lines, line);) {
    const std::size_t at = line.find(separator);
    if (at == std::string::npos) continue;
    const std::string name = line.substr(0, at), value = line.substr(at + separator.size());
    if (value.empty()) continue;
    if (const auto whole = parameter_number<std::uint64_t>(value)) {
      group.scalar(name, *whole);
    } else if (const auto real = parameter_number<double>(value); real && std::isfinite(*real)) {
      group.scalar(name, *real);
    } else {
      group.scalar(name, value);
    }
  }
}

}}  // namespace glassworks::analysis
