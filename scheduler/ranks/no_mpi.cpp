#include "scheduler/ranks/mpi_transport.hpp"

namespace glassworks { inline namespace scheduler {

struct MpiSession::Implementation {};

MpiSession::MpiSession() {
  throw std::runtime_error(
      "several ranks cannot work together (this build has no MPI). Configure with GLASSWORKS_MPI=ON.");
}
MpiSession::~MpiSession() = default;

Transport& MpiSession::transport() { throw std::logic_error("no MPI"); }
void MpiSession::abort(int) { throw std::logic_error("no MPI"); }

std::string mpi_library() { return {}; }

}}  // namespace glassworks::scheduler
