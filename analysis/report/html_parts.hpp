#pragma once

#include <span>
#include <string>
#include <vector>

#include "analysis/report/figure.hpp"

/// What the whole page and the brief one have in common.
namespace glassworks { inline namespace analysis {

/// From the doctype to the opening tag of the body, which gets the class.
[[nodiscard]] std::string html_head(const Document& document, const std::string& body_class);

/// Title and headline.
[[nodiscard]] std::string html_header(const Document& document);

/// The box with the verdict: the table, if it has rows, above the sentences. Nothing without both.
[[nodiscard]] std::string html_verdict(const Table& table, std::span<const std::string> sentences);

/// Scripts and closing tags.
[[nodiscard]] std::string html_end();

/// Writes figures and tables and numbers them in the order of the calls.
class ItemWriter {
 public:
  enum class Captions { whole, titles };

  explicit ItemWriter(Captions captions) : captions_(captions) {}

  [[nodiscard]] std::string figure(const Figure& picture);
  [[nodiscard]] std::string table(const Table& grid);
  /// Figures that follow each other stand side by side where there is room.
  [[nodiscard]] std::string items(std::span<const Item> items);

 private:
  [[nodiscard]] std::string caption(const std::string& kind, int number, const std::string& title,
                                    const std::string& text, const std::string& id) const;

  Captions captions_;
  int figures_ = 0, tables_ = 0;
};

/// Cells of the longest row.
[[nodiscard]] std::size_t columns_of(const Table& table);

/// The table without the columns behind the first in which no row has anything to show: empty, "–", "nan".
[[nodiscard]] Table without_empty_columns(const Table& table);

/// Rows of a table, the first as its head. Columns of numbers stand right, with a true minus and powers of ten.
[[nodiscard]] std::string html_rows(const Table& table);

}}  // namespace glassworks::analysis
