#include "analysis/report/assets.hpp"

#include <cstdint>

// The assembler copies each file as it is: no generator, and no literal of a megabyte for the compiler.
#define GLASSWORKS_ASSET(symbol, file)                                              \
  __asm__(                                                                          \
      ".section .rodata\n"                                                          \
      ".balign 8\n" #symbol "_size: .8byte " #symbol "_end - " #symbol "\n" #symbol \
      ": .incbin \"" GLASSWORKS_REPORT_ASSETS "/" file "\"\n" #symbol               \
      "_end: .byte 0\n"                                                             \
      ".text\n");                                                                   \
  extern "C" const char symbol[];                                                   \
  extern "C" const std::uint64_t symbol##_size

GLASSWORKS_ASSET(glassworks_plotly_js, "plotly-basic.min.js");
GLASSWORKS_ASSET(glassworks_page_js, "page.js");
GLASSWORKS_ASSET(glassworks_page_css, "page.css");
GLASSWORKS_ASSET(glassworks_live_css, "live.css");

namespace glassworks { inline namespace analysis {

std::string_view plotly_script() { return {glassworks_plotly_js, glassworks_plotly_js_size}; }
std::string_view page_script() { return {glassworks_page_js, glassworks_page_js_size}; }
std::string_view page_style() { return {glassworks_page_css, glassworks_page_css_size}; }
std::string_view live_style() { return {glassworks_live_css, glassworks_live_css_size}; }

}}  // namespace glassworks::analysis
