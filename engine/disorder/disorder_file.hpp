#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "kernels/core/lattice.hpp"

namespace glassworks { inline namespace engine {

/// Values of a coupling or field file and the digest of its bytes.
struct DisorderFile {
  std::vector<float> values;  ///< couplings[site][axis] or fields[site][component]; 0 where the file says nothing
  std::string digest;         ///< XXH3-128, 32 hexadecimal digits
};

/// Throws InputError where the content of a file is not the one that the campaign began with.
///
/// expected  digest; empty: any content
void require_unchanged(const std::filesystem::path& file, const std::string& digest, const std::string& expected);

/// Reads couplings, one bond per line: `site axis J`; the bond joins `site` and its neighbour at +axis.
///
/// `#` starts a comment; blank lines are skipped. J = 0 or 1e-6 <= |J| <= 1e6.
/// Throws InputError with file and line for anything else, for a bond that is given twice, and for a file without any.
[[nodiscard]] DisorderFile read_couplings_file(const std::filesystem::path& file, const Lattice& lattice);

/// The same values as they stand there [site][axis].
[[nodiscard]] std::vector<double> given_couplings(const std::filesystem::path& file, const Lattice& lattice);

/// The digest of a file of couplings, whatever it says.
[[nodiscard]] std::string couplings_file_digest(const std::filesystem::path& file, const Lattice& lattice);

/// The text of couplings in this form, with digits enough to read back the same numbers; bonds with J = 0 are left out.
[[nodiscard]] std::string couplings_text(const std::vector<double>& couplings, const Lattice& lattice);

/// Reads site fields of 1 to 8 components, one site per line: `site Hx Hy Hz`, with the same rules for each line and
/// for |H|.
[[nodiscard]] DisorderFile read_field_file(const std::filesystem::path& file, const Lattice& lattice, int components);

/// The same values as they stand there [site][component].
[[nodiscard]] std::vector<double> given_fields(const std::filesystem::path& file, const Lattice& lattice,
                                               int components);

}}  // namespace glassworks::engine
