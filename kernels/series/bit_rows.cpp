#include "kernels/series/bit_rows.hpp"

#include <algorithm>
#include <bit>
#include <cstring>

#include "kernels/core/bit_sums.hpp"

namespace glassworks { inline namespace series {
namespace {

using Word = std::uint64_t;
using WordSums = BitSums<Word, Word>;

constexpr int bits_of_word = 64;

std::size_t place_of(std::int64_t i) { return static_cast<std::size_t>(i); }

/// 1 in the lowest n bits, 0 <= n <= 64.
Word low_bits(int n) { return n >= bits_of_word ? ~Word{0} : (Word{1} << n) - 1; }

/// 64 bits of a row from bit `from` on, which may be negative; bits outside of the row are 0.
Word bits_at(const Word* row, int words, int from) {
  const int word = from >> 6, shift = from & 63;
  const auto at = [&](int i) { return i >= 0 && i < words ? row[i] : Word{0}; };
  return shift == 0 ? at(word) : at(word) >> shift | at(word + 1) << (bits_of_word - shift);
}

/// Counts of the bits of one word of all rows, for each of its 64 places.
void add_columns_of(const Word* f, std::int64_t rows, int words, std::int64_t* counts) {
  constexpr int slices = 40;
  WordSums::Number<slices> total;
  std::int64_t row = 0;
  for (; row + 8 <= rows; row += 8) {
    const Word* p = f + row * words;
    const Word x[8] = {p[0],         p[words],     p[2 * words], p[3 * words],
                       p[4 * words], p[5 * words], p[6 * words], p[7 * words]};
    const auto eight = WordSums::count(x);
    Word carry = 0;
    for (int k = 0; k < slices && (k < 4 || carry != 0); ++k) {
      const WordSums::Pair sum = WordSums::add(total.bit[k], k < 4 ? eight.bit[k] : Word{0}, carry);
      total.bit[k] = sum.sum;
      carry = sum.carry;
    }
  }
  for (; row < rows; ++row) total.add(f[row * words]);
  const int used = std::min(slices, static_cast<int>(std::bit_width(static_cast<std::uint64_t>(rows))));
  for (int x = 0; x < bits_of_word; ++x) {
    for (int k = 0; k < used; ++k) counts[x] += static_cast<std::int64_t>(total.bit[k] >> x & 1U) << k;
  }
}

}  // namespace

BitRows BitShape::all() const {
  BitRows rows = empty();
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const int word = static_cast<int>(i % place_of(words));
    rows[i] = low_bits(std::min(bits_of_word, lattice.length(0) - word * bits_of_word));
  }
  return rows;
}

BitRows BitShape::shifted(const BitRows& f, int r) const {
  BitRows rows = empty();
  const int length = lattice.length(0);
  const Word last = low_bits(length - (words - 1) * bits_of_word);
  const bool wraps = !lattice.is_open(0);
  if (wraps && words == 1 && r > 0 && r < length) {
    for (std::size_t i = 0; i < rows.size(); ++i) rows[i] = (f[i] >> r | f[i] << (length - r)) & last;
    return rows;
  }
  for (std::int64_t row = 0; row < lattice.rows(); ++row) {
    const Word* from = f.data() + row * words;
    Word* to = rows.data() + row * words;
    for (int word = 0; word < words; ++word) {
      const int first = word * bits_of_word + r;
      if (first + bits_of_word < (words - 1) * bits_of_word) {
        const Word* const p = from + (first >> 6);
        to[word] = (first & 63) == 0 ? p[0] : p[0] >> (first & 63) | p[1] << (bits_of_word - (first & 63));
        continue;
      }
      to[word] = bits_at(from, words, first);
      if (wraps) to[word] |= bits_at(from, words, first - length);
    }
    to[words - 1] &= last;
  }
  return rows;
}

std::vector<std::int64_t> BitShape::planes(const BitRows& f) const {
  std::vector<std::int64_t> sums(place_of(lattice.planes()), 0);
  std::vector<std::int64_t> columns(place_of(words * bits_of_word), 0);
  for (int word = 0; word < words; ++word) {
    add_columns_of(f.data() + word, lattice.rows(), words, columns.data() + word * bits_of_word);
  }
  std::copy_n(columns.begin(), lattice.length(0), sums.begin());
  for (std::int64_t row = 0; row < lattice.rows() && lattice.dim > 1; ++row) {
    std::int64_t count = 0;
    for (int word = 0; word < words; ++word) count += count_bits(f[place_of(row * words + word)]);
    std::int64_t rest = row;
    for (int axis = 1; axis < lattice.dim; ++axis) {
      sums[place_of(lattice.plane(axis, static_cast<int>(rest % lattice.length(axis))))] += count;
      rest /= lattice.length(axis);
    }
  }
  return sums;
}

void pack_bits(const BitShape& shape, const std::uint8_t* bytes, int bit, BitRows& rows) {
  const int length = shape.lattice.length(0);
  const auto eight = [bit](const std::uint8_t* p) {  // as the lowest bits, the first byte in bit 0
    Word word;
    std::memcpy(&word, p, sizeof word);
    if constexpr (std::endian::native == std::endian::big) word = __builtin_bswap64(word);
    return ((word >> bit & 0x0101010101010101U) * 0x0102040810204080U) >> 56;
  };
  Word* to = rows.data();
  for (std::int64_t row = 0; row < shape.lattice.rows(); ++row) {
    for (int left = length; left > 0; left -= bits_of_word, ++to) {
      const int n = std::min(left, bits_of_word);
      Word word = 0;
      int x = 0;
      for (; x + 8 <= n; x += 8) word |= eight(bytes + x) << x;
      for (; x < n; ++x) word |= Word{static_cast<unsigned>(bytes[x]) >> bit & 1U} << x;
      *to = word;
      bytes += n;
    }
  }
}

void unpack_bits(const BitShape& shape, std::span<const std::uint64_t> words, std::int64_t first, BitRows& rows) {
  const int length = shape.lattice.length(0);
  for (std::int64_t row = 0; row < shape.lattice.rows(); ++row, first += length) {
    for (int word = 0; word < shape.words; ++word) {
      const std::int64_t from = first + word * bits_of_word;
      const std::size_t i = place_of(from / bits_of_word);
      const int shift = static_cast<int>(from % bits_of_word);
      Word bits = words[i] >> shift;
      if (shift > 0 && i + 1 < words.size()) bits |= words[i + 1] << (bits_of_word - shift);
      rows[place_of(row * shape.words + word)] = bits & low_bits(std::min(bits_of_word, length - word * bits_of_word));
    }
  }
}

}}  // namespace glassworks::series
