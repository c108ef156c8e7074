#include "engine/disorder/disorder_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <system_error>
#include <utility>

#include "base/text_file.hpp"
#include "engine/config/config_value.hpp"
#include "engine/disorder/file_lines.hpp"
#include "kernels/models/spin_model.hpp"

namespace glassworks { inline namespace engine {
namespace {

/// Enough for a line of every entry, and for comments.
std::uintmax_t max_file_bytes(std::int64_t entries) {
  return std::min(std::uintmax_t{1} << 30, (std::uintmax_t{1} << 20) + 256 * static_cast<std::uintmax_t>(entries));
}

constexpr double smallest = smallest_in_file;

using Line = FileLine;

/// What a file says, in single precision or as it stands there, and the digest of its bytes.
template <class Real>
struct Values {
  std::vector<Real> values;
  std::string digest;
};

template <class Real>
Values<Real> read_couplings(const std::filesystem::path& file, const Lattice& lattice) {
  if (std::error_code error; std::filesystem::is_directory(file, error)) {
    throw InputError(InputFault::unusable_file, "model.couplings_file",
                     fmt::format("model.couplings_file = {} is a folder (model.couplings = file reads one file for all "
                                 "realizations). Give a file, or use model.couplings = files.",
                                 file.string()));
  }
  const std::string text = read_text_file(file, "coupling file", max_file_bytes(lattice.bond_places()));
  Values<Real> result{std::vector<Real>(static_cast<std::size_t>(lattice.bond_places())), text_digest(text)};
  std::vector<bool> seen(result.values.size());
  for_each_line(file, text, 3, "site axis J", "it holds no bond, so all spins would be free", [&](const Line& line) {
    const std::int64_t site = line.index(0, "site", lattice.sites());
    const std::int64_t axis = line.index(1, "axis", lattice.owned());
    const double J = line.value(2, "J");
    if (J != 0.0 && std::abs(J) < smallest) throw line.beyond("J", line.text(2));
    if (J != 0.0 && !lattice.has_bond(lattice.coordinates(site), static_cast<int>(axis), +1)) {
      throw line.error(
          InputFault::conflict,
          fmt::format("the bond of site {} along axis {} leads across an open end (see model.boundary). Remove the "
                      "line, or make the axis periodic.",
                      site, axis));
    }
    const auto bond = static_cast<std::size_t>(site * lattice.owned() + axis);
    claim(seen, bond, line, [&] { return fmt::format("the bond of site {} along axis {}", site, axis); });
    result.values[bond] = static_cast<Real>(J);
  });
  return result;
}

template <class Real>
Values<Real> read_fields(const std::filesystem::path& file, const Lattice& lattice, int components) {
  static constexpr std::array<const char*, 1 + max_components> formats = {"",
                                                                          "site H",
                                                                          "site Hx Hy",
                                                                          "site Hx Hy Hz",
                                                                          "site H1 H2 H3 H4",
                                                                          "site H1 H2 H3 H4 H5",
                                                                          "site H1 H2 H3 H4 H5 H6",
                                                                          "site H1 H2 H3 H4 H5 H6 H7",
                                                                          "site H1 H2 H3 H4 H5 H6 H7 H8"};
  const auto n = static_cast<std::size_t>(components);
  const std::string text = read_text_file(file, "field file", max_file_bytes(lattice.sites()));
  Values<Real> result{std::vector<Real>(static_cast<std::size_t>(lattice.sites()) * n), text_digest(text)};
  std::vector<bool> seen(static_cast<std::size_t>(lattice.sites()));
  for_each_line(file, text, n + 1, formats.at(n), "it holds no field", [&](const Line& line) {
    const auto site = static_cast<std::size_t>(line.index(0, "site", lattice.sites()));
    double length = 0.0;
    for (std::size_t component = 0; component < n; ++component) {
      const double H = line.value(component + 1, "H");
      length = std::hypot(length, H);  // squares of the smallest numbers are 0
      result.values[site * n + component] = static_cast<Real>(H);
    }
    if (length != 0.0 && length < smallest) throw line.beyond("|H|", fmt::format("{:.6g}", length));
    claim(seen, site, line, [&] { return fmt::format("the field of site {}", site); });
  });
  return result;
}

}  // namespace

std::string couplings_file_digest(const std::filesystem::path& file, const Lattice& lattice) {
  return text_digest(read_text_file(file, "coupling file", max_file_bytes(lattice.bond_places())));
}

std::string couplings_text(const std::vector<double>& couplings, const Lattice& lattice) {
  std::string text = fmt::format("# site axis J, for L = {} in {} dimensions\n", lattice.L, lattice.dim);
  for (std::size_t bond = 0; bond < couplings.size(); ++bond) {
    const auto owned = static_cast<std::size_t>(lattice.owned());
    if (couplings[bond] != 0.0) text += fmt::format("{} {} {}\n", bond / owned, bond % owned, couplings[bond]);
  }
  return text;
}

void require_unchanged(const std::filesystem::path& file, const std::string& digest, const std::string& expected) {
  if (expected.empty() || digest == expected) return;
  throw InputError(InputFault::changed, file.string(),
                   fmt::format("The file '{}' has changed since the campaign began (its digest is {}, not {}). Restore "
                               "it, or start another campaign.",
                               file.string(), digest, expected));
}

DisorderFile read_couplings_file(const std::filesystem::path& file, const Lattice& lattice) {
  auto [values, digest] = read_couplings<float>(file, lattice);
  return {std::move(values), std::move(digest)};
}

std::vector<double> given_couplings(const std::filesystem::path& file, const Lattice& lattice) {
  return read_couplings<double>(file, lattice).values;
}

DisorderFile read_field_file(const std::filesystem::path& file, const Lattice& lattice, int components) {
  auto [values, digest] = read_fields<float>(file, lattice, components);
  return {std::move(values), std::move(digest)};
}

std::vector<double> given_fields(const std::filesystem::path& file, const Lattice& lattice, int components) {
  return read_fields<double>(file, lattice, components).values;
}

}}  // namespace glassworks::engine
