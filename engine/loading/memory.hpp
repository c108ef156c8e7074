#pragma once

#include <filesystem>
#include <string>

#include "engine/config/config.hpp"
#include "kernels/core/lattice.hpp"
#include "kernels/rounds/backend.hpp"
#include "kernels/rounds/bin_layout.hpp"

namespace glassworks { inline namespace engine {

/// Least memory that one realization takes while it is simulated, whatever the backend [bytes]: state and bundles of 16
/// replicas at 12 B per spin each, one gathered group of 16 slots per copy for measurements, and the couplings. Models
/// other than heisenberg: the state (1 B of a discrete spin, 4 B of a component), 24 B of a site for one cluster update
/// at a time, the couplings.
/// Of a graph: its bonds and neighbours [bytes]; 0 of a lattice.
[[nodiscard]] double graph_bytes(const Lattice& lattice);

[[nodiscard]] double realization_bytes(const Lattice& lattice, int slots, int copies, const SpinModel& model = {});

/// Couplings, fields, absent sites and axes of one realization [bytes].
[[nodiscard]] double disorder_bytes(const ModelConfig& model, const Lattice& lattice);

/// What a batch takes while a backend simulates it: disorder, states, records and their commits on the way, what the
/// rounds need, and a second copy of the states when some of them leave the batch [bytes].
[[nodiscard]] MemoryNeed batch_need(const Config& config, const Chain& chain, const Backend& backend);

/// Descents from the state of one realization (Quench): the state and its checkpoint, the disorder, spins and bonds in
/// double precision, and the text of the spins [bytes].
[[nodiscard]] double descent_bytes(const ModelConfig& model, const Chain& chain);

/// Samples of one round of one realization, in memory and in the database [bytes].
[[nodiscard]] double sample_bytes(const BinLayout& layout, int slots, int samples);

/// A checkpoint of a state without order: what zstd leaves of it, within a tenth where it has more than 10^4 spins;
/// ordered states of discrete spins take less [bytes].
[[nodiscard]] double checkpoint_bytes(const Chain& chain);

/// Memory that this process may use: of the machine, or less where a control group (a job, a container) limits it
/// [bytes].
[[nodiscard]] double physical_memory_bytes();

/// Least limit of the control groups of a process, of version 1 or 2 and of the groups above them; infinity where there
/// is none [bytes].
///
/// groups  text of /proc/self/cgroup
/// root    where the hierarchies are mounted: /sys/fs/cgroup
[[nodiscard]] double memory_limit(const std::string& groups, const std::filesystem::path& root);

/// Of this machine, what is free or can be freed now; no more than physical_memory_bytes() [bytes].
[[nodiscard]] double available_memory_bytes();

/// Refuses work that needs more memory than there is. Throws InputError (too_large) that begins with `work`.
///
/// subject  key or option that asks for it
/// work     "L = 64", "The page of this campaign"
/// advice   "Lower model.L."
void require_memory(double bytes, double there, const std::string& subject, const std::string& work,
                    const std::string& advice);

}}  // namespace glassworks::engine
