#include "base/file_error.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <system_error>

namespace glassworks { inline namespace base {

namespace {

const char* suggestion_for(int error) {
  switch (error) {
    case ENOSPC:
    case EDQUOT:
    case EFBIG:
      return "Free some space or raise the limit, then run again";
    case EMFILE:
    case ENFILE:
      return "Raise the limit of open files, then run again";
    case EACCES:
    case EPERM:
    case EROFS:
      return "Check the permissions of the file and its directory";
    case ENOENT:
    case ENOTDIR:
    case EISDIR:
    case ENAMETOOLONG:
    case ELOOP:
      return "Check the path";
    case EPIPE:
    case ENXIO:
      return "Keep its reader open, then run again";
    default:
      return "Check the disk, then run again";
  }
}

FileFault fault_of(int error) {
  switch (error) {
    case ENOENT:
    case ENOTDIR:
    case ENAMETOOLONG:
      return FileFault::missing;
    case EIO:
    case EISDIR:
    case EINVAL:
    case ELOOP:
      return FileFault::damaged;
    default:
      return FileFault::withheld;
  }
}

}  // namespace

void fail_file(std::string_view action, std::string_view name, int error) {
  throw FileError(fault_of(error),
                  fmt::format("Cannot {} {} ({})", action, name, std::generic_category().message(error)),
                  suggestion_for(error));
}

}}  // namespace glassworks::base
