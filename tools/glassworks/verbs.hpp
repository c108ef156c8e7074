#pragma once

#include <filesystem>

#include "db/database.hpp"
#include "kernels/cuda/cuda_choices.hpp"
#include "tools/glassworks/arguments.hpp"

namespace glassworks { inline namespace tools {

/// The verbs of the command line. Each returns the exit status; problems are thrown as exceptions with one sentence.
int run_campaign(const Arguments& arguments);
/// The same with devices and kernels that are prescribed, for tests.
int run_campaign(const Arguments& arguments, const CudaChoices& choices);
/// A configuration to begin with.
int write_initial_config(const Arguments& arguments);
int submit_campaign(const Arguments& arguments);
int show_status(const Arguments& arguments);
int watch_campaign(const Arguments& arguments);
int explain_realization(const Arguments& arguments);
int analyze_campaign(const Arguments& arguments);
/// Two campaigns, or one and published values: 0 if they agree, 1 if not.
int compare_two(const Arguments& arguments);
int export_files(const Arguments& arguments);
/// What a reader needs to check and reuse the results of campaigns.
int publish_campaigns(const Arguments& arguments);
int inspect_campaign(const Arguments& arguments);
int verify_campaign(const Arguments& arguments);
/// Lowest energies by descents from the coldest slots.
int search_ground_states(const Arguments& arguments);
/// Realizations simulated again, longer and with other random numbers, and compared with the campaign.
int validate_campaign(const Arguments& arguments);
int percolate(const Arguments& arguments);
int describe(const Arguments& arguments);
/// Speed of the updates and of whole rounds on this machine.
int run_bench(const Arguments& arguments);
/// Protocols compared by pilot runs on this machine, and a recommendation.
int tune_protocol(const Arguments& arguments);
/// What this machine offers and what would be used; 1 if the self test fails.
int run_doctor(const Arguments& arguments);

/// What each of them accepts.
[[nodiscard]] const VerbSyntax& run_syntax();
[[nodiscard]] const VerbSyntax& init_syntax();
[[nodiscard]] const VerbSyntax& submit_syntax();
[[nodiscard]] const VerbSyntax& status_syntax();
[[nodiscard]] const VerbSyntax& watch_syntax();
[[nodiscard]] const VerbSyntax& why_syntax();
[[nodiscard]] const VerbSyntax& analyze_syntax();
[[nodiscard]] const VerbSyntax& compare_syntax();
[[nodiscard]] const VerbSyntax& export_syntax();
[[nodiscard]] const VerbSyntax& publish_syntax();
[[nodiscard]] const VerbSyntax& inspect_syntax();
[[nodiscard]] const VerbSyntax& verify_syntax();
[[nodiscard]] const VerbSyntax& ground_syntax();
[[nodiscard]] const VerbSyntax& validate_syntax();
[[nodiscard]] const VerbSyntax& percolate_syntax();
[[nodiscard]] const VerbSyntax& describe_syntax();
[[nodiscard]] const VerbSyntax& bench_syntax();
[[nodiscard]] const VerbSyntax& tune_syntax();
[[nodiscard]] const VerbSyntax& doctor_syntax();

/// Exit statuses besides 0 (done), 1 (an error; of `compare`: not compatible) and 2 (input that cannot be used).
constexpr int status_time_limit = 75;  ///< EX_TEMPFAIL: the same command continues
constexpr int status_signal = 130;     ///< ended by SIGINT or SIGTERM

}}  // namespace glassworks::tools
