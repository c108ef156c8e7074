#pragma once

namespace glassworks { inline namespace tools {

/// Shows the exception that is being handled in one sentence on stderr; returns the exit status. Texts of the standard
/// library are not shown: they say nothing to people.
int print_failure();

/// What is set up before anything else. Descriptors 0 to 2 that are closed are taken, so that no file of a campaign
/// gets one of them and whatever is printed; a write beyond the limit of file sizes is an error and not the end; an
/// exception that nobody handles ends the program with a sentence.
void prepare_process();

}}  // namespace glassworks::tools
