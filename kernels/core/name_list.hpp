#pragma once

/// For lists of names X(first) X(second) ...: their enumerators, and their texts in the same order.
///
///     #define COLOURS(X) X(red) X(green)
///     enum Colour { COLOURS(GLASSWORKS_ENUMERATOR) colour_count };
///     constexpr const char* colour_names[] = {COLOURS(GLASSWORKS_TEXT)};
#define GLASSWORKS_ENUMERATOR(name) name,
#define GLASSWORKS_TEXT(name) #name,
