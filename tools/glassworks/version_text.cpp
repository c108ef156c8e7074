#include <fmt/format.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <sstream>

#include "glassworks/version.hpp"
#include "kernels/cpu/cpu_backend.hpp"
#include "scheduler/ranks/mpi_transport.hpp"
#include "tools/glassworks/executable.hpp"

namespace glassworks { inline namespace tools {
namespace {

/// Where a figure for print would find gnuplot: empty if it is in no folder of PATH.
std::string path_of_gnuplot() {
  const char* const path = std::getenv("PATH");
  std::istringstream folders(path != nullptr ? path : "");
  for (std::string folder; std::getline(folders, folder, ':');) {
    const std::filesystem::path program = std::filesystem::path(folder) / "gnuplot";
    std::error_code ignored;
    if (std::filesystem::is_regular_file(program, ignored) && access(program.c_str(), X_OK) == 0) return program;
  }
  return {};
}

std::string fact(const char* name, const std::string& text) { return fmt::format("{:12}{}\n", name, text); }

}  // namespace

std::string version_text() {
  const std::string mpi = mpi_library(), cuda = version::kCuda, hdf5 = version::kHdf5, gnuplot = path_of_gnuplot();
  std::string sets;
  for (const InstructionSet isa : available_instruction_sets()) sets += fmt::format(" {}", to_string(isa));
  return fmt::format("glassworks {} ({}, {}, {})\n", version::kVersion, version::kCommit, version::kCompiler,
                     mpi.empty() ? "no MPI" : mpi) +
         fact("backends", fmt::format("reference, cpu (here{}){}", sets, cuda.empty() ? "" : ", cuda")) +
         fact("cuda", cuda.empty() ? "not in this build" : cuda) +
         fact("mpi", mpi.empty() ? "not in this build" : mpi) +
         fact("hdf5", hdf5.empty() ? "not in this build" : hdf5) +
         fact("gnuplot", gnuplot.empty() ? "not found: figures for print need the package gnuplot-nox" : gnuplot) +
         fact("build", version::kBuildType);
}

}}  // namespace glassworks::tools
