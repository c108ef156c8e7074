#include <fmt/format.h>

#include <algorithm>
#include <boost/program_options.hpp>
#include <charconv>
#include <cstdio>
#include <fstream>
#include <iostream>
#include <optional>
#include <thread>

#include "engine/config.hpp"
#include "tools/glassworks/bench_report.hpp"
#include "tools/glassworks/verbs_machine.hpp"

namespace glassworks {
namespace {

namespace po = boost::program_options;

struct BenchCommand {
  BenchOptions options;
  std::string json;
};

int size_of(const std::string& text) {
  int L = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), L);
  if (error != std::errc() || end != text.data() + text.size() || L < 4 || L > 64 || L % 2 != 0) {
    throw InputError(
        fmt::format("--L = '{}' cannot be used (a size is an even number from 4 to 64). Write them as "
                    "--L 8,16,32.",
                    text));
  }
  return L;
}

std::vector<int> sizes_of(const std::string& list) {
  std::vector<int> sizes;
  for (std::size_t begin = 0; begin <= list.size();) {
    const std::size_t end = std::min(list.find(',', begin), list.size());
    sizes.push_back(size_of(list.substr(begin, end - begin)));
    begin = end + 1;
  }
  return sizes;
}

std::vector<InstructionSet> sets_of(const std::string& name) {
  const auto available = available_instruction_sets();
  std::string names;
  for (const InstructionSet isa : available) {
    if (name == to_string(isa)) return {isa};
    names += fmt::format("{}{}", names.empty() ? "" : ", ", to_string(isa));
  }
  if (name == "all") return {available.begin(), available.end()};
  throw InputError(
      fmt::format("--isa = '{}' cannot be used (all or one of {} can be measured here). Use --isa all.", name, names));
}

int positive(const char* name, int value, int largest) {
  if (value >= 1 && value <= largest) return value;
  throw InputError(fmt::format("--{} = {} cannot be used (it lies outside 1 to {}). Choose a value in that range.",
                               name, value, largest));
}

/// Empty if only help was asked for.
std::optional<BenchCommand> parse(const std::vector<std::string>& arguments) {
  po::options_description description("Usage: glassworks bench [options]\nMeasures updates and whole rounds. Options");
  const int hardware = std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
  auto add = description.add_options();
  add("help,h", "this text");
  add("L", po::value<std::string>(), "lattice sizes, a list (8,12,16,24,32; with --quick 8,16)");
  add("isa", po::value<std::string>()->default_value("all"), "all, portable, avx2 or avx512");
  add("threads", po::value<int>()->default_value(hardware), "largest number of threads");
  add("repeats", po::value<int>(), "timed repeats (7; with --quick 3)");
  add("json", po::value<std::string>(), "also write everything to this file");
  add("quick", po::bool_switch(), "short repeats: a first impression in seconds");
  po::variables_map given;
  try {
    po::store(po::command_line_parser(arguments).options(description).positional({}).run(), given);
    po::notify(given);
  } catch (const po::error& error) {
    throw InputError(fmt::format("glassworks bench cannot run ({}). See glassworks bench --help.", error.what()));
  }
  if (given.count("help") != 0) {
    std::cout << description << "\nTable on the standard output; how the figures are taken stands above each table.\n";
    return std::nullopt;
  }
  const bool quick = given["quick"].as<bool>();
  BenchCommand command;
  BenchOptions& options = command.options;
  if (quick) options.sizes = {8, 16};
  if (given.count("L") != 0) options.sizes = sizes_of(given["L"].as<std::string>());
  options.sets = sets_of(given["isa"].as<std::string>());
  options.threads = positive("threads", given["threads"].as<int>(), 4096);
  options.repeats = positive("repeats", given.count("repeats") != 0 ? given["repeats"].as<int>() : quick ? 3 : 7, 1000);
  options.seconds = quick ? 0.01 : 0.1;
  if (given.count("json") != 0) command.json = given["json"].as<std::string>();
  return command;
}

void show(const std::string& text) {
  std::cout << text;
  std::cout.flush();
}

}  // namespace

int run_bench(const std::vector<std::string>& arguments) {
  const std::optional<BenchCommand> command = parse(arguments);
  if (!command) return 0;
  const BenchOptions& options = command->options;
  std::ofstream json;
  if (!command->json.empty()) {
    json.open(command->json);
    if (!json) {
      throw InputError(
          fmt::format("The file '{}' cannot be written (opening it failed). Choose another --json.", command->json));
    }
  }
  const auto for_all_sizes = [&options](auto bench, auto& results) {
    for (const int L : options.sizes) {
      for (auto& r : bench(options, L)) results.push_back(r);
    }
  };
  BenchResults results;
  show(bench_header(options));
  for_all_sizes(bench_updates, results.updates);
  show(update_table(results.updates));
  for_all_sizes(bench_threads, results.threads);
  show(thread_table(results.threads));
  for_all_sizes(bench_shares, results.shares);
  show(share_table(results.shares));
  if (json.is_open()) {
    json << bench_json(options, results);
    json.close();
    if (!json) throw std::runtime_error(fmt::format("The file '{}' could not be written.", command->json));
  }
  return 0;
}

}  // namespace glassworks
