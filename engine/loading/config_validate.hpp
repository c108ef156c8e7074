#pragma once

#include <functional>

#include "engine/config/config.hpp"

namespace glassworks { inline namespace engine {

/// Limits of the ladder: slots of one ladder, and its temperatures. Terms of the energy are multiples of 2^-24 where
/// couplings are small (choose_energy_scale), a ten-thousandth of the lowest temperature; the highest is a thousand
/// times the largest coupling of a file.
constexpr int max_slots = 1024;
constexpr double lowest_temperature = 1e-3, highest_temperature = 1e9;

/// Clears keys that the chosen kinds of ladder, couplings and field do not use, with a note for each. Only where the
/// kind itself was given: a key without its kind is more likely a forgotten kind, which `validate` reports.
///
/// given  whether a key stands in the file or on the command line
void drop_unused(Config& config, const std::function<bool(const char*)>& given);

/// Sets what depends on the model and was not given: copies, couplings, sweeps; turns ladder.kappas into temperatures.
/// Keys of another model or protocol are cleared as by drop_unused. Throws InputError for kappas that cannot be.
///
/// given  as for drop_unused
void apply_model(Config& config, const std::function<bool(const char*)>& given);

/// Takes the size, and couplings and fields that are not given, from the file of model.graph. The file may be missing
/// where its digest is stored. Throws InputError.
void use_graph(Config& config, const std::function<bool(const char*)>& given);

/// The part of validate_values about lattices that are graphs.
void validate_graph(const Config& config);

/// Sets backend.kind = cpu in place of auto where GPUs do not run the campaign and processors do. Of a configuration
/// that apply_model has been through; it need not be valid.
void choose_backend(Config& config);

/// The part of validate_values about backend.kind: throws InputError with its refusal. Needs a valid model and
/// protocol.
void validate_backend(const Config& config);

/// Gives a protocol the numbers of its list of moves. Throws InputError where keys of the short form are given too.
void use_moves(Config& config, const std::function<bool(const char*)>& given);

/// The part of validate_values about protocol.moves: whether model and copies can make them.
void validate_moves(const Config& config);

/// The same of updates of single spins other than heat baths (SiteUpdates), and the default of protocol.adaptation.
void validate_site_update(const Config& config);
void choose_adaptation(Config& config, const std::function<bool(const char*)>& given);

/// Sets what a course decides: no exchanges, one step at a time, temperatures of segments. Throws InputError where
/// something else was given.
void use_course(Config& config, const std::function<bool(const char*)>& given);

/// The numbers of convergence.* of a campaign with a course: its rounds, and nothing else is asked.
void settle_course_rounds(Config& config);
/// Sweeps of a round at most, as given or chosen.
[[nodiscard]] std::uint64_t settled_longest_round(const Config& config);

/// The part of validate_values about course.*; needs a valid model, protocol and ladder.
void validate_course(const Config& config);

/// How messages name the cluster updates of a protocol: "protocol.kind = wolff", or "protocol.moves with wolff"; and
/// what leaves them out.
[[nodiscard]] std::string cluster_setting(const Protocol& protocol);
[[nodiscard]] std::string local_moves_alone(const Protocol& protocol);
/// The same of multi-spin coding: "protocol.multispin = metropolis".
[[nodiscard]] std::string multispin_setting(const Protocol& protocol);

/// The part of validate_values about what fits model.type: copies, couplings, field, protocol.
void validate_model(const Config& config);

/// The part of it about absent sites and random axes.
void validate_sites(const Config& config);

/// Whether every realization has a bond, where few are left on average. Makes the couplings of such sizes.
void validate_bonds(const Config& config);

/// Throws InputError, whose subject is the key: "KEY = VALUE does not fit OTHER (WHY). SUGGESTION."
[[noreturn]] void refuse_pair(const std::string& key_with_value, const std::string& other, const char* why,
                              const std::string& suggestion);

/// All of `validate` that does not depend on the machine. Throws InputError.
void validate_values(const Config& config);

/// The part of validate_values about convergence.*, but for what each key allows by itself.
void validate_convergence(const Config& config);

/// The part of validate_values about ladder.*; needs a valid model.
void validate_ladder(const Config& config);

/// Whether a batch fits (see realization_bytes). Throws InputError that names the need.
///
/// physical_bytes  memory of the machine
void validate_memory(const Config& config, double physical_bytes);

}}  // namespace glassworks::engine
