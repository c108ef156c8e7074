#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <utility>

#include "base/json_reader.hpp"
#include "base/text.hpp"
#include "engine/graphs/graph_lines.hpp"

namespace glassworks { inline namespace engine {
namespace {

/// A quadratic model of spins or binary variables.
class QuadraticModel {
 public:
  QuadraticModel(const std::filesystem::path& file, const JsonValue& root) : file_(file), root_(root) {}

  RawGraph read() {
    if (root_.object() == nullptr) refuse(InputFault::malformed, "it is no JSON object", members_needed);
    raw_.has_couplings = true;
    if (const JsonValue* offset = root_.find("offset")) raw_.constant = number(*offset, "offset");
    const bool is_serialized = root_.find("quadratic_head") != nullptr;
    const JsonValue *h = root_.find("h"), *j = root_.find("J");
    const JsonValue *linear = root_.find("linear"), *quadratic = root_.find("quadratic");
    if (is_serialized) {
      read_kind(true);
      read_serialized();
    } else if (linear != nullptr || quadratic != nullptr) {
      read_kind(true);
      if (linear != nullptr) read_linear(*linear, "linear");
      if (quadratic != nullptr) read_quadratic(*quadratic, "quadratic");
    } else if (h != nullptr || j != nullptr) {
      read_kind(false);
      if (raw_.energy == RawGraph::Energy::binary) {
        refuse(InputFault::conflict, "'h' and 'J' are of SPIN variables", "Call them 'linear' and 'quadratic'");
      }
      if (h != nullptr) read_linear(*h, "h");
      if (j != nullptr) read_quadratic(*j, "J");
    } else {
      refuse(InputFault::missing, "it has no couplings", members_needed);
    }
    raw_.format = raw_.energy == RawGraph::Energy::binary ? "qubo-json" : "ising-json";
    return std::move(raw_);
  }

 private:
  static constexpr const char* members_needed =
      "Give 'linear', 'quadratic' and 'vartype', or 'h' and 'J', or what dimod's to_serializable() returns";

  [[noreturn]] void refuse(InputFault fault, const std::string& why, const std::string& advice) const {
    throw InputError(fault, file_.string(),
                     fmt::format("The graph file '{}' cannot be used ({}). {}.", file_.string(), why, advice));
  }

  void read_kind(bool needed) {
    raw_.energy = RawGraph::Energy::ising;
    const JsonValue* kind = nullptr;
    for (const char* name : {"vartype", "variable_type", "var_type"}) {
      if (kind == nullptr) kind = root_.find(name);
    }
    if (kind == nullptr) {
      if (needed) refuse(InputFault::missing, "it has no 'vartype'", "Give it: SPIN or BINARY");
      return;
    }
    const std::string name = kind->text() == nullptr ? "" : *kind->text();
    if (name == "BINARY") {
      raw_.energy = RawGraph::Energy::binary;
    } else if (name != "SPIN") {
      refuse(InputFault::unsupported, fmt::format("its 'vartype' {} is neither SPIN nor BINARY", in_quotes(name)),
             "Use one of these");
    }
  }

  double number(const JsonValue& value, const std::string& name) const {
    const double* x = value.number();
    if (x == nullptr) refuse(InputFault::malformed, fmt::format("{} is not a number", name), "Correct it");
    if (!(std::abs(*x) <= largest_in_graph)) {
      refuse(InputFault::out_of_range, fmt::format("{} = {} is above {} in size", name, *x, largest_in_graph),
             "Rescale the values");
    }
    return *x;
  }

  std::int32_t label(std::string_view text) const {
    text = trimmed(text, " '\"");
    std::int32_t value = -1;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size() || value < 0) refuse_label(in_quotes(text));
    return value;
  }
  std::int32_t label(const JsonValue& value) const {
    if (value.text() != nullptr) return label(*value.text());
    const double* x = value.number();
    if (x == nullptr) refuse_label("(neither a number nor a text)");
    if (!(*x >= 0 && *x < 0x1p31) || *x != std::floor(*x)) refuse_label(fmt::format("{}", *x));
    return static_cast<std::int32_t>(*x);
  }
  [[noreturn]] void refuse_label(const std::string& shown) const {
    refuse(InputFault::malformed, fmt::format("the label {} is not a whole number from 0 to 2^31 - 1", shown),
           "Relabel the variables by numbers from 0 or 1");
  }

  void add_linear(std::int32_t site, const JsonValue& value, const char* name) {
    raw_.sites.push_back(site);
    raw_.fields.push_back({site, 0, number(value, fmt::format("'{}' of {}", name, site))});
  }
  void add_pair(std::int32_t a, std::int32_t b, const JsonValue& value, const char* name) {
    const double x = number(value, fmt::format("'{}' of {} and {}", name, a, b));
    if (a == b && raw_.energy == RawGraph::Energy::binary) {  // x^2 = x
      raw_.fields.push_back({a, 0, x});
    } else {
      raw_.bonds.push_back({a, b, 0, x});
    }
  }

  void read_linear(const JsonValue& values, const char* name) {
    if (const auto* members = values.object()) {
      for (const JsonMember& member : *members) {
        add_linear(label(member.name), member.value, name);
      }
    } else if (const auto* items = values.array()) {
      for (std::size_t i = 0; i < items->size(); ++i) add_linear(static_cast<std::int32_t>(i), (*items)[i], name);
    } else {
      refuse(InputFault::malformed, fmt::format("'{}' is neither an object nor an array", name), "Correct it");
    }
    refuse_repeated_sites();
  }

  void refuse_repeated_sites() const {
    std::vector<std::int32_t> sorted = raw_.sites;
    std::ranges::sort(sorted);
    const auto twice = std::ranges::adjacent_find(sorted);
    if (twice == sorted.end()) return;
    refuse(InputFault::repeated, fmt::format("variable {} is there twice", *twice), "Remove one of them");
  }

  void read_quadratic(const JsonValue& values, const char* name) {
    if (const auto* members = values.object()) {
      for (const JsonMember& member : *members) {
        if (const auto* row = member.value.object()) {
          for (const JsonMember& inner : *row) add_pair(label(member.name), label(inner.name), inner.value, name);
          continue;
        }
        const std::string_view pair = trimmed(member.name, " ()[]");
        const std::size_t comma = pair.find_first_of(", ");
        if (comma == pair.npos) {
          refuse(InputFault::malformed, fmt::format("'{}' has {}, which is not a pair", name, in_quotes(member.name)),
                 "Write {\"0,1\": J}");
        }
        add_pair(label(pair.substr(0, comma)), label(trimmed(pair.substr(comma), ", ")), member.value, name);
      }
    } else if (const auto* items = values.array()) {
      for (const JsonValue& item : *items) {
        const auto* triple = item.array();
        if (triple == nullptr || triple->size() != 3) {
          refuse(InputFault::malformed, fmt::format("an entry of '{}' is not of the form [i, j, J]", name),
                 "Correct it");
        }
        add_pair(label((*triple)[0]), label((*triple)[1]), (*triple)[2], name);
      }
    } else {
      refuse(InputFault::malformed, fmt::format("'{}' is neither an object nor an array", name), "Correct it");
    }
  }

  const JsonValue::Array& list(const char* name) const {
    const JsonValue* value = root_.find(name);
    if (value == nullptr || value->array() == nullptr) {
      refuse(InputFault::malformed, fmt::format("'{}' is not an array", name),
             "Write plain lists: to_serializable(use_bytes=False)");
    }
    return *value->array();
  }

  /// dimod's to_serializable(): biases by the place of a variable, and the labels of all places.
  void read_serialized() {
    const JsonValue::Array &linear = list("linear_biases"), &heads = list("quadratic_head"),
                           &tails = list("quadratic_tail"), &biases = list("quadratic_biases");
    std::vector<std::int32_t> labels;
    if (root_.find("variable_labels") != nullptr) {
      for (const JsonValue& value : list("variable_labels")) labels.push_back(label(value));
    } else {
      for (std::size_t i = 0; i < linear.size(); ++i) labels.push_back(static_cast<std::int32_t>(i));
    }
    if (labels.size() != linear.size() || heads.size() != tails.size() || heads.size() != biases.size()) {
      refuse(InputFault::conflict, "its lists differ in length", "Write the file anew");
    }
    const auto place = [&](const JsonValue& value) {
      const auto index = static_cast<std::size_t>(label(value));
      if (index >= labels.size()) {
        refuse(InputFault::out_of_range,
               fmt::format("variable {} of a pair is not there ({} are)", index, labels.size()), "Write the file anew");
      }
      return labels[index];
    };
    for (std::size_t i = 0; i < linear.size(); ++i) add_linear(labels[i], linear[i], "linear_biases");
    refuse_repeated_sites();
    for (std::size_t i = 0; i < heads.size(); ++i)
      add_pair(place(heads[i]), place(tails[i]), biases[i], "quadratic_biases");
  }

  const std::filesystem::path& file_;
  const JsonValue& root_;
  RawGraph raw_;
};

}  // namespace

RawGraph read_quadratic_json(const std::filesystem::path& file, std::string_view text) {
  const JsonValue root = read_json(text, file);
  return QuadraticModel(file, root).read();
}

}}  // namespace glassworks::engine
