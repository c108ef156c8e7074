#include "tests/faults/preload/fault_plan.hpp"

#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <map>

namespace glassworks::faults {

namespace {

std::string variable(const char* name, const char* otherwise = "") {
  const char* value = std::getenv(name);
  return value != nullptr ? value : otherwise;
}

template <class Value>
Value one_of(const char* name, const char* otherwise, const std::map<std::string, Value>& values) {
  const auto found = values.find(variable(name, otherwise));
  if (found == values.end()) refuse(std::string(name) + " has an unknown value");
  return found->second;
}

}  // namespace

void refuse(const std::string& message) {
  const std::string line = "fault injection: " + message + ".\n";
  if (::write(STDERR_FILENO, line.data(), line.size()) < 0) std::_Exit(98);
  std::_Exit(99);
}

FaultPlan FaultPlan::from_environment() {
  FaultPlan plan;
  plan.directory = variable("GLASSWORKS_FAULT_DIRECTORY");
  plan.log = variable("GLASSWORKS_FAULT_LOG");
  plan.total = variable("GLASSWORKS_FAULT_TOTAL");
  plan.record = variable("GLASSWORKS_FAULT_RECORD");
  plan.side = one_of<Side>("GLASSWORKS_FAULT_SIDE", "changes", {{"changes", Side::changes}, {"reads", Side::reads}});
  plan.action = one_of<Action>("GLASSWORKS_FAULT_ACTION", "count",
                               {{"count", Action::count},
                                {"fail", Action::fail},
                                {"fail-from", Action::fail_from},
                                {"short", Action::short_write},
                                {"kill-before", Action::kill_before},
                                {"kill-after", Action::kill_after}});
  plan.error = one_of<int>("GLASSWORKS_FAULT_ERRNO", "EIO", {{"EIO", EIO}, {"ENOSPC", ENOSPC}, {"EROFS", EROFS}});
  plan.at = std::strtol(variable("GLASSWORKS_FAULT_AT", "0").c_str(), nullptr, 10);
  if (plan.action != Action::count && plan.at < 1) refuse("GLASSWORKS_FAULT_AT is not a number from 1");
  if (!plan.directory.empty() && plan.directory.front() != '/') refuse("GLASSWORKS_FAULT_DIRECTORY is not absolute");
  return plan;
}

bool FaultPlan::covers(const std::string& path) const {
  if (directory.empty() || !path.starts_with(directory)) return false;
  return path.size() == directory.size() || path[directory.size()] == '/';
}

bool FaultPlan::meets(long number) const {
  return action == Action::count || number == at || (action == Action::fail_from && number > at);
}

}  // namespace glassworks::faults
