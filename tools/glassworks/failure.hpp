#pragma once

namespace glassworks {

/// Shows the exception that is being handled in one sentence on stderr; returns the exit status.
int print_failure();

}  // namespace glassworks
