#include "tools/glassworks/percolation/percolation_request.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <map>
#include <stdexcept>
#include <string_view>

#include "engine/config/config.hpp"
#include "engine/percolation/edge_list_file.hpp"
#include "tools/glassworks/output_option.hpp"
#include "tools/glassworks/print_options.hpp"

namespace glassworks { inline namespace tools {
namespace fs = std::filesystem;
namespace {

constexpr std::size_t most_points = 10000;

template <class Number>
bool read_number(std::string_view text, Number& value) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && end == text.data() + text.size();
}

double probability(const std::string& piece, const std::string& text) {
  double value = 0.0;
  if (!read_number(piece, value) || !(value >= 0.0 && value <= 1.0)) {
    throw InputError(
        InputFault::out_of_range, "--p",
        fmt::format("--p = '{}' cannot be used ('{}' is no number from 0 to 1). Write values and ranges as "
                    "--p 0.3,0.48:0.52:0.002.",
                    text, piece));
  }
  return value;
}

/// Extents of "256" or "64x32".
std::vector<int> extents(const std::string& text, int dim) {
  std::vector<int> sizes;
  for (const std::string& piece : split(text, 'x')) {
    int size = 0;
    if (!read_number(piece, size)) {
      throw InputError(InputFault::malformed, "--size",
                       fmt::format("--size = '{}' cannot be used (it is no edge length). Write --size 256, or --size "
                                   "64x32 for different edges.",
                                   text));
    }
    sizes.push_back(size);
  }
  if (sizes.size() == 1) sizes.resize(static_cast<std::size_t>(dim), sizes[0]);
  if (sizes.size() != static_cast<std::size_t>(dim)) {
    throw InputError(InputFault::conflict, "--size",
                     fmt::format("--size = '{}' cannot be used (this graph has {} dimension{}). Give one edge for "
                                 "each, or one for all.",
                                 text, dim, dim == 1 ? "" : "s"));
  }
  return sizes;
}

/// Lattices by name, with their dimension.
const std::map<std::string, int>& lattice_names() {
  static const std::map<std::string, int> names{{"chain", 1}, {"square", 2},     {"cubic", 3},
                                                {"4d", 4},    {"triangular", 2}, {"honeycomb", 2}};
  return names;
}

Graph lattice(const std::string& name, const std::vector<int>& sizes, Boundary boundary) {
  if (name == "triangular") return Graph::triangular(sizes[0], sizes[1], boundary);
  if (name == "honeycomb") return Graph::honeycomb(sizes[0], sizes[1], boundary);
  return Graph::hypercubic(sizes, boundary);
}

void refuse_for_graph(const ParsedArguments& parsed, const char* option, const std::string& graph, const char* why) {
  if (!parsed.has(option) && !parsed.lists.contains(option)) return;
  throw InputError(InputFault::conflict, fmt::format("--{}", option),
                   fmt::format("--{} cannot be used with {} ({}). Leave it out.", option, graph, why));
}

std::vector<std::string> list_of(const ParsedArguments& parsed, const char* option) {
  const auto found = parsed.lists.find(option);
  std::vector<std::string> all;
  if (found == parsed.lists.end()) return all;
  for (const std::string& given : found->second) {
    for (std::string& piece : split(given, ',')) all.push_back(std::move(piece));
  }
  return all;
}

void add_bethe(const ParsedArguments& parsed, PercolationRequest& request) {
  for (const char* option : {"size", "open"})
    refuse_for_graph(parsed, option, "the Bethe lattice", "it has generations");
  const int z = whole_number(parsed, "z").value_or(3);
  const std::string numbering = parsed.has("numbering") ? parsed.options.at("numbering") : "standard";
  if (numbering != "standard" && numbering != "random") {
    throw InputError(
        InputFault::unknown, "--numbering",
        fmt::format("--numbering = '{}' cannot be used (sites are numbered standard or random). Use one of these.",
                    numbering));
  }
  const std::vector<std::string> given = list_of(parsed, "generations");
  if (given.empty()) {
    throw InputError(InputFault::missing, "--generations",
                     "the Bethe lattice needs --generations (it was not given). For example: --generations 16.");
  }
  for (const std::string& text : given) {
    int generations = 0;
    if (!read_number(text, generations)) {
      throw InputError(InputFault::malformed, "--generations",
                       fmt::format("--generations = '{}' cannot be used (it is no whole number). Give one.", text));
    }
    request.graphs.push_back(
        Graph::bethe(z, generations, numbering == "random" ? Numbering::random : Numbering::standard, request.seed));
    request.names.push_back(fmt::format("{} generations", generations));
  }
}

void add_lattices(const ParsedArguments& parsed, const std::string& name, PercolationRequest& request) {
  for (const char* option : {"z", "generations", "numbering"}) {
    refuse_for_graph(parsed, option, "the graph " + name, "it belongs to the Bethe lattice");
  }
  const std::vector<std::string> given = list_of(parsed, "size");
  if (given.empty()) {
    throw InputError(
        InputFault::missing, "--size",
        fmt::format("the graph {} needs --size (it was not given). For example: --size 64 --size 128.", name));
  }
  for (const std::string& text : given) {
    const std::vector<int> sizes = extents(text, lattice_names().at(name));
    const bool equal = std::all_of(sizes.begin(), sizes.end(), [&](int size) { return size == sizes[0]; });
    request.graphs.push_back(lattice(name, sizes, parsed.has("open") ? Boundary::open : Boundary::periodic));
    request.names.push_back(equal ? fmt::format("L = {}", sizes[0]) : fmt::format("{}", fmt::join(sizes, " x ")));
  }
}

void add_graphs(const ParsedArguments& parsed, PercolationRequest& request) {
  const std::string name = parsed.has("graph") ? parsed.options.at("graph") : "";
  if (parsed.has("edges")) {
    const std::string file = parsed.options.at("edges");
    for (const char* option : {"graph", "size", "open", "z", "generations", "numbering"}) {
      refuse_for_graph(parsed, option, "--edges", "the file holds the whole graph");
    }
    request.graphs.push_back(read_edge_list(file));
    request.names.push_back(fs::path(file).filename().string());
  } else if (name == "bethe") {
    add_bethe(parsed, request);
  } else if (lattice_names().contains(name)) {
    add_lattices(parsed, name, request);
  } else {
    throw InputError(
        InputFault::unknown, "--graph",
        fmt::format("--graph = '{}' cannot be used (graphs are chain, square, cubic, 4d, triangular, honeycomb, "
                    "bethe). Choose one, "
                    "or give --edges FILE.",
                    name));
  }
}

/// Graphs ascend, so that neighbours in the list make pairs for crossings.
void sort_graphs(PercolationRequest& request) {
  std::vector<std::size_t> order(request.graphs.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return request.graphs[a].sites() < request.graphs[b].sites(); });
  PercolationRequest sorted = request;
  for (std::size_t i = 0; i < order.size(); ++i) {
    sorted.graphs[i] = request.graphs[order[i]];
    sorted.names[i] = request.names[order[i]];
    if (i > 0 && sorted.names[i] == sorted.names[i - 1]) {
      throw InputError(
          InputFault::repeated, sorted.names[i],
          fmt::format("{} was given twice (its samples would be the same). Name each size once.", sorted.names[i]));
    }
  }
  request = std::move(sorted);
}

BackendKind backend_of(const std::string& name) {
  if (name == "auto") return BackendKind::automatic;
  if (name == "cpu") return BackendKind::cpu;
  if (name == "cuda") return BackendKind::cuda;
  throw InputError(InputFault::unknown, "--backend",
                   fmt::format("--backend = '{}' cannot be used (it is auto, cpu or cuda). Use one of these.", name));
}

/// A file that cannot be written is found out before the simulation, not after it.
std::string file_of(const ParsedArguments& parsed, const char* option) {
  if (!parsed.has(option)) return "";
  const fs::path file = parsed.options.at(option);
  require_writable(parsed, file, option);
  return file.string();
}

std::string plot_of(const ParsedArguments& parsed) {
  const std::string file = file_of(parsed, "plot");
  const std::string suffix = fs::path(file).extension().string();
  if (!file.empty() && suffix != ".html" && !format_of_suffix(suffix)) {
    throw InputError(
        InputFault::unknown, "--plot",
        fmt::format("--plot = '{}' cannot be used (its suffix is none of .html, .pdf, .svg, .png, .eps). Use "
                    ".html for a page with all figures.",
                    file));
  }
  return file;
}

}  // namespace

std::vector<double> probabilities(const std::string& text) {
  std::vector<double> values;
  for (const std::string& piece : split(text, ',')) {
    const std::vector<std::string> parts = split(piece, ':');
    if (parts.size() == 1) {
      values.push_back(probability(piece, text));
      continue;
    }
    if (parts.size() != 3) {
      throw InputError(InputFault::malformed, "--p",
                       fmt::format("--p = '{}' cannot be used (a range has a begin, an end and a step). Write it as "
                                   "--p 0.48:0.52:0.002.",
                                   text));
    }
    const double begin = probability(parts[0], text), end = probability(parts[1], text),
                 step = probability(parts[2], text);
    if (!(step > 0.0) || end < begin || (end - begin) / step >= static_cast<double>(most_points)) {
      throw InputError(InputFault::out_of_range, "--p",
                       fmt::format("--p = '{}' cannot be used (its step leads nowhere, or to more than {} values). "
                                   "Write a range as --p 0.48:0.52:0.002.",
                                   text, most_points));
    }
    const auto steps = static_cast<int>(std::floor((end - begin) / step + 1e-6));
    // To twelve decimals: 0.48 + 3 * 0.002 is 0.486.
    for (int i = 0; i <= steps; ++i) values.push_back(std::min(1.0, std::round((begin + i * step) * 1e12) / 1e12));
  }
  std::sort(values.begin(), values.end());
  values.erase(std::unique(values.begin(), values.end()), values.end());
  return values;
}

PercolationRequest percolation_request(const ParsedArguments& parsed) {
  PercolationRequest request;
  if (parsed.has("seed")) {
    const std::string& text = parsed.options.at("seed");
    if (!read_number(text, request.seed)) {
      throw InputError(
          InputFault::malformed, "--seed",
          fmt::format("--seed = '{}' cannot be used (it is no whole number from 0 to 2^64 - 1). Give one.", text));
    }
  }
  try {
    add_graphs(parsed, request);
  } catch (const std::invalid_argument& error) {
    throw InputError(InputFault::out_of_range, "--graph", error.what());
  }
  sort_graphs(request);
  request.p = probabilities(parsed.options.at("p"));
  request.samples = static_cast<std::uint32_t>(whole_number(parsed, "samples").value_or(100));
  if (request.samples == 0)
    throw InputError(InputFault::out_of_range, "--samples",
                     "--samples = 0 cannot be used (nothing would be measured). Use 1 or more.");
  request.threads = whole_number(parsed, "threads").value_or(0);
  if (parsed.has("sites")) request.occupation = Occupation::sites;
  request.backend = backend_of(parsed.has("backend") ? parsed.options.at("backend") : "auto");
  if (parsed.has("method")) request.method = parsed.options.at("method");
  request.csv = file_of(parsed, "csv");
  request.plot = plot_of(parsed);
  return request;
}

}}  // namespace glassworks::tools
