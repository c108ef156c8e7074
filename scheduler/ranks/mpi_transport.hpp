#pragma once

#include <memory>
#include <string>

#include "scheduler/ranks/transport.hpp"

namespace glassworks { inline namespace scheduler {

/// Library that carries messages between ranks, for people ("Open MPI 4.1.4"); empty in a build without MPI.
[[nodiscard]] std::string mpi_library();

/// MPI, from its start to its end: once in a process, of which only this thread may then use it. Every rank has to
/// make one, and to end it in order or by `abort`. Throws std::runtime_error if MPI does not start, or if this build is
/// without it.
class MpiSession {
 public:
  MpiSession();
  ~MpiSession();
  MpiSession(const MpiSession&) = delete;
  MpiSession& operator=(const MpiSession&) = delete;

  /// Messages of any length go in pieces of 16 MiB.
  [[nodiscard]] Transport& transport();

  /// Terminates the processes of all ranks. The exit status that the launcher reports may differ from `status`.
  [[noreturn]] void abort(int status);

 private:
  struct Implementation;
  std::unique_ptr<Implementation> implementation_;
};

}}  // namespace glassworks::scheduler
