#include "scheduler/ranks/launch.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <charconv>
#include <string_view>

namespace glassworks { inline namespace scheduler {
namespace {

std::string text_of(const Environment& environment, const std::string& name) {
  const auto found = environment.find(name);
  return found == environment.end() ? "" : found->second;
}

/// A variable as a number; -1 if it is none or is not there.
int number_of(const Environment& environment, const std::string& name) {
  const std::string text = text_of(environment, name);
  int value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc{} && end == text.data() + text.size() && value >= 0 ? value : -1;
}

struct Variables {
  const char *size, *rank, *launcher;
};

Launch read(const Environment& environment, const Variables& variables) {
  Launch launch{number_of(environment, variables.size), number_of(environment, variables.rank), variables.launcher, ""};
  if (launch.ranks <= 1 || launch.rank < 0 || launch.rank >= launch.ranks) return {};
  return launch;
}

/// Whether Slurm itself has set the PMI variables, and no other launcher inside a job.
bool is_pmi_of_slurm(const Environment& environment) {
  const std::string type = text_of(environment, "SLURM_MPI_TYPE");
  return type.starts_with("pmi2") || type.starts_with("cray");
}

std::string wrong_srun(const Environment& environment, int ranks, bool is_open_mpi) {
  const std::string type = text_of(environment, "SLURM_MPI_TYPE");
  return fmt::format(
      "the {} tasks that srun has started do not find each other (srun --mpi={}, but {}). Use `srun --mpi={}`{}.",
      ranks, type.empty() ? "none" : type, is_open_mpi ? "Open MPI needs PMIx" : "this MPI needs PMI-2",
      is_open_mpi ? "pmix" : "pmi2", is_open_mpi ? ", or mpirun" : "");
}

std::string foreign_launcher(const Launch& launch, const char* made_by, const std::string& mpi_library) {
  return fmt::format(
      "the {} processes that {} has started do not find each other ({} belongs to {}, but Glassworks is built with "
      "{}). Use the launcher of that library.",
      launch.ranks, launch.launcher, launch.launcher, made_by, mpi_library);
}

}  // namespace

Environment this_environment() {
  Environment environment;
  for (char** variable = environ; variable != nullptr && *variable != nullptr; ++variable) {
    const std::string_view text(*variable);
    const std::size_t equals = text.find('=');
    if (equals != std::string_view::npos) environment.emplace(text.substr(0, equals), text.substr(equals + 1));
  }
  return environment;
}

Launch launch_of(const Environment& environment, const std::string& mpi_library) {
  const bool is_open_mpi = mpi_library.starts_with("Open MPI");
  // The variables of a job and of an outer step are there as well, so the innermost launcher comes first.
  Launch launch;
  if (environment.contains("OMPI_COMM_WORLD_SIZE")) {
    launch = read(environment, {"OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_RANK", "mpirun"});
    if (launch.ranks > 1 && !is_open_mpi) launch.problem = foreign_launcher(launch, "Open MPI", mpi_library);
  } else if (environment.contains("PMI_SIZE") && !is_pmi_of_slurm(environment)) {
    launch = read(environment, {"PMI_SIZE", "PMI_RANK", "mpiexec"});
    if (launch.ranks > 1 && is_open_mpi) launch.problem = foreign_launcher(launch, "another MPI", mpi_library);
  } else {
    launch = read(environment, {"SLURM_STEP_NUM_TASKS", "SLURM_PROCID", "srun"});
    const bool finds_others = environment.contains("PMIX_RANK") || (!is_open_mpi && is_pmi_of_slurm(environment));
    if (launch.ranks > 1 && !finds_others) launch.problem = wrong_srun(environment, launch.ranks, is_open_mpi);
  }
  if (launch.ranks > 1 && mpi_library.empty()) {
    launch.problem = fmt::format(
        "the {} processes that {} has started cannot work together (this build of Glassworks has no MPI). Start a "
        "single one, or configure the build with -DGLASSWORKS_MPI=ON.",
        launch.ranks, launch.launcher);
  }
  return launch;
}

std::string world_problem(const Launch& launch, int world_size) {
  if (world_size == launch.ranks) return {};
  return fmt::format(
      "{} has started {} processes, but MPI counts {} (the launcher and the MPI library do not fit together). Use "
      "the "
      "launcher that belongs to the library, with Slurm `srun --mpi=pmix`.",
      launch.launcher, launch.ranks, world_size);
}

}}  // namespace glassworks::scheduler
