#pragma once

namespace glassworks { inline namespace tools {

/// Shows the exception that is being handled in one sentence on stderr; returns the exit status. Texts of the standard
/// library are not shown: they mean nothing to users.
int print_failure();

/// Set-up of the process, before anything else. Occupies closed descriptors 0 to 2, so that no file of a campaign can
/// get one of them and receive printed text; turns writes beyond the file size limit into errors instead of a fatal
/// signal; ends the program with a sentence on an unhandled exception.
void prepare_process();

}}  // namespace glassworks::tools
