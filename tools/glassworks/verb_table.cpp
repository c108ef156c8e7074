#include "tools/glassworks/verb_table.hpp"

#include <fmt/format.h>

#include <string_view>

#include "engine/config/config.hpp"
#include "engine/config/config_value.hpp"
#include "engine/config/foreign_words.hpp"
#include "tools/glassworks/verb_report.hpp"
#include "tools/glassworks/verbs.hpp"

namespace glassworks { inline namespace tools {

const std::vector<Verb>& all_verbs() {
  static const std::vector<Verb> all = {
      {&init_syntax(), write_initial_config},
      {&run_syntax(), run_campaign},
      {&submit_syntax(), submit_campaign},
      {&status_syntax(), show_status},
      {&watch_syntax(), watch_campaign},
      {&analyze_syntax(), analyze_campaign},
      {&compare_syntax(), compare_two},
      {&export_syntax(), export_files},
      {&report_syntax(), write_report},
      {&plot_syntax(), plot_figures},
      {&inspect_syntax(), inspect_campaign},
      {&why_syntax(), explain_realization},
      {&verify_syntax(), verify_campaign},
      {&publish_syntax(), publish_campaigns},
      {&validate_syntax(), validate_campaign},
      {&ground_syntax(), search_ground_states},
      {&percolate_syntax(), percolate},
      {&tune_syntax(), tune_protocol},
      {&bench_syntax(), run_bench},
      {&doctor_syntax(), run_doctor},
      {&describe_syntax(), describe},
  };
  return all;
}

const Verb& verb_named(const std::string& name) {
  std::vector<std::string_view> names{"help", "version"};
  for (const Verb& verb : all_verbs()) {
    if (verb.syntax->verb == name) return verb;
    names.emplace_back(verb.syntax->verb);
  }
  throw InputError(InputFault::unknown, name,
                   fmt::format("there is no command {}. {}", in_quotes(name),
                               advice_for(foreign_verb, name, names, "`glassworks --help` lists all commands.")));
}

}}  // namespace glassworks::tools
