#pragma once

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "engine/config/config_table.hpp"

/// Building blocks for the rows in engine/config/keys/. Included only by config_keys.cpp, which collects the rows in a
/// table.
namespace glassworks { inline namespace engine {

/// A row that was just added, and what is special about it. For use before the next row is added.
class KeyRow {
 public:
  explicit KeyRow(KeyBinding& binding) : binding_(binding) {}

  /// What is shown as the default, where it is not the value of the member alone.
  KeyRow with_default(std::string shown) const {
    binding_.key.default_value = std::move(shown);
    return *this;
  }
  /// What is shown as the values.
  KeyRow with_values(std::string shown) const {
    binding_.key.values = std::move(shown);
    return *this;
  }
  /// What is shown behind the values.
  KeyRow with_limit(const std::string& limit) const {
    binding_.key.values += ", " + limit;
    return *this;
  }
  /// Has no default where `condition` holds.
  KeyRow required_if(bool (*condition)(const Config&)) const {
    binding_.required = condition;
    return *this;
  }
  KeyRow required() const {
    return required_if([](const Config&) { return true; }).with_default("required");
  }
  /// Other campaigns have no such key.
  KeyRow only_of(bool (*exists)(const Config&)) const {
    binding_.exists = exists;
    return *this;
  }
  /// May change from run to run.
  KeyRow of_run() const { return with_scope(KeyScope::run); }
  /// May be extended later.
  KeyRow sizes() const { return with_scope(KeyScope::sizes); }
  KeyRow file_path() const { return with_scope(KeyScope::file_path); }
  KeyRow file_content() const { return with_scope(KeyScope::file_content); }
  KeyRow with_scope(KeyScope scope) const {
    binding_.scope = scope;
    return *this;
  }

 private:
  KeyBinding& binding_;
};

/// Adds rows of keys whose values are members of one part of Config. The default shown is that of the member.
template <class Part>
class KeyRows {
 public:
  /// part  maps a Config to a reference to that part
  KeyRows(std::vector<KeyBinding>& bindings, Part part) : bindings_(bindings), part_(std::move(part)) {}

  /// For the members of a member.
  template <class Owner, class T>
  [[nodiscard]] auto in(T Owner::*member) const {
    auto inner = [part = part_, member](auto& config) -> decltype(auto) { return (part(config).*member); };
    return KeyRows<decltype(inner)>(bindings_, inner);
  }

  /// Whatever read_value and write_value know. `values` says for people what it may be.
  template <class Owner, class T>
  KeyRow value(std::string name, std::string values, T Owner::*member, std::string meaning) const {
    return add(
        std::move(name), std::move(values), std::move(meaning),
        [part = part_, member](Config& config, const ConfigEntry& entry) { read_value(entry, part(config).*member); },
        [part = part_, member](const Config& config) { return write_value(part(config).*member); });
  }

  /// One of the names of an enumeration.
  template <class Owner, class Enum>
  KeyRow choice(std::string name, Enum Owner::*member, std::string meaning) const {
    return value(std::move(name), value_names<Enum>(), member, std::move(meaning));
  }

  /// A number, or a list of numbers, with its range.
  template <class Owner, class T>
  KeyRow number(std::string name, KeyRange range, T Owner::*member, std::string meaning) const {
    constexpr bool is_list = std::is_same_v<T, std::vector<int>>;
    const KeyRow row = value(std::move(name), (is_list ? "list, " : "") + range.text(), member, std::move(meaning));
    bindings_.back().range = range;
    bindings_.back().numbers = [part = part_, member](const Config& config) -> std::vector<double> {
      const T& given = part(config).*member;
      if constexpr (is_list) {
        return {given.begin(), given.end()};
      } else {
        return {static_cast<double>(given)};
      }
    };
    return row;
  }

  /// A number, or one for each size, that may be raised later.
  template <class Owner, class T>
  KeyRow threshold(std::string name, KeyRange range, T Owner::*member, std::string meaning) const {
    const KeyRow row = number(std::move(name), range, member, std::move(meaning) + "; may be raised later")
                           .with_scope(KeyScope::threshold);
    if constexpr (std::is_same_v<T, std::vector<int>>) {
      bindings_.back().key.values = "a number, or one per L, " + range.text();
      bindings_.back().per_size = list_of(member);
    }
    return row;
  }

  /// A number with a check of its own, or inf.
  template <class Owner>
  KeyRow number_or_inf(std::string name, std::string values, double Owner::*member, std::string meaning) const {
    return add(
        std::move(name), std::move(values), std::move(meaning),
        [part = part_, member](Config& config, const ConfigEntry& entry) {
          double& number = part(config).*member;
          if (entry.value == "inf") {
            number = std::numeric_limits<double>::infinity();
          } else {
            read_value(entry, number);
          }
        },
        [part = part_, member](const Config& config) { return write_value(part(config).*member); });
  }

  /// The same that may be raised later.
  template <class Owner>
  KeyRow optional_threshold(std::string name, KeyRange range, std::optional<int> Owner::*member,
                            int (Owner::*used)() const, std::string meaning) const {
    return optional_number(std::move(name), range, member, used, std::move(meaning) + "; may be raised later")
        .with_scope(KeyScope::threshold);
  }

  /// A number that may be left out; `used` gives the one that then counts.
  template <class Owner>
  KeyRow optional_number(std::string name, KeyRange range, std::optional<int> Owner::*member,
                         int (Owner::*used)() const, std::string meaning) const {
    const KeyRow row = optional_value(std::move(name), range.text(), member, used, std::move(meaning));
    bindings_.back().range = range;
    bindings_.back().numbers = [part = part_, used](const Config& config) -> std::vector<double> {
      return {static_cast<double>((part(config).*used)())};
    };
    return row;
  }

  /// One number for all sizes, or one for each, with a check of its own; or auto: an empty list.
  ///
  /// suggestion  last sentence of the message for an empty value
  template <class Owner>
  KeyRow per_size_or_auto(std::string name, std::string values, std::vector<int> Owner::*member, std::string meaning,
                          std::string suggestion) const {
    const KeyRow row = add(
        std::move(name), std::move(values), std::move(meaning),
        [part = part_, member, suggestion](Config& config, const ConfigEntry& entry) {
          std::vector<int>& list = part(config).*member;
          list.clear();
          if (entry.value == "auto") return;
          read_value(entry, list);
          if (list.empty()) {
            throw InputError(InputFault::missing, entry.key,
                             fmt::format("{} has no value ({}). {}", entry.key, entry.where, suggestion));
          }
        },
        [part = part_, member](const Config& config) {
          const std::vector<int>& list = part(config).*member;
          return list.empty() ? "auto" : write_value(list);
        });
    bindings_.back().per_size = list_of(member);
    return row;
  }

  /// A list of some of the names that are known; bit i of the member stands for name i.
  template <class Owner>
  KeyRow names(std::string name, const std::vector<std::string>& known, std::uint32_t Owner::*member,
               std::string meaning) const {
    return add(
        std::move(name), fmt::format("list of: {}", fmt::join(known, " | ")), std::move(meaning),
        [part = part_, member, known](Config& config, const ConfigEntry& entry) {
          const std::vector<std::string_view> views(known.begin(), known.end());
          part(config).*member = 0;
          for (const std::string_view token : split_list(entry)) {
            part(config).*member |= 1U << read_name({entry.key, std::string(token), entry.where}, views);
          }
        },
        [part = part_, member, known](const Config& config) {
          std::string text;
          for (std::size_t i = 0; i < known.size(); ++i) {
            if (((part(config).*member >> i) & 1U) != 0U) text.append(text.empty() ? "" : ", ").append(known[i]);
          }
          return text;
        });
  }

  /// A value that may be left out; `used` gives the one that then counts.
  template <class Owner, class T>
  KeyRow optional_value(std::string name, std::string values, std::optional<T> Owner::*member, T (Owner::*used)() const,
                        std::string meaning) const {
    return add(
        std::move(name), std::move(values), std::move(meaning),
        [part = part_, member](Config& config, const ConfigEntry& entry) {
          read_value(entry, (part(config).*member).emplace());
        },
        [part = part_, used](const Config& config) { return write_value((part(config).*used)()); });
  }

 private:
  template <class Owner>
  [[nodiscard]] SizeList list_of(std::vector<int> Owner::*member) const {
    return {[part = part_, member](const Config& config) -> const std::vector<int>& { return part(config).*member; },
            [part = part_, member](Config& config) -> std::vector<int>& { return part(config).*member; }};
  }

  KeyRow add(std::string name, std::string values, std::string meaning,
             std::function<void(Config&, const ConfigEntry&)> read,
             std::function<std::string(const Config&)> write) const {
    std::string shown = write(Config{});
    ConfigKey key{std::move(name), std::move(values), std::move(shown), std::move(meaning)};
    bindings_.push_back({std::move(key), KeyScope::campaign, std::move(read), std::move(write)});
    return KeyRow(bindings_.back());
  }

  std::vector<KeyBinding>& bindings_;
  Part part_;
};

}}  // namespace glassworks::engine
