#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "kernels/core/site_graph.hpp"

namespace glassworks { inline namespace engine {

/// A graph from a file, with the couplings and fields that the file has, of
/// H = - sum_<ij> J_ij s_i s_j - sum_t J_t prod_(i in t) s_i - sum_i H_i s_i + constant, s = +-1.
struct GivenGraph {
  std::shared_ptr<const SiteGraph> graph;
  std::vector<double> couplings;  ///< [bond], then [term]; empty: the file has none
  std::vector<double> fields;     ///< [site]; empty: the file has none
  std::int64_t first = 0;         ///< number of site 0 in the file
  double constant = 0;            ///< added to the energy where a QUBO, or an offset, was turned into J and H
  std::string format;             ///< see read_graph_file
  std::string digest;             ///< XXH3-128 of the text
  std::string positions_digest;   ///< the same of the file of positions, where there is one
};

/// Largest file that is read unless the caller knows better [bytes].
constexpr std::uintmax_t most_graph_bytes = std::uintmax_t{1} << 30;

/// Reads a graph from a text file. Its format is found by its content:
///
/// edges       lines `i j`, perhaps after a header: no couplings
/// couplings   lines `i j J`: J as written
/// max-cut     the same after a header (rudy, Gset, DIMACS torus `.dat`): J as written; J_ij = -w_ij is the caller's
///             affair
/// terms       `terms` or `terms sites lines`, then lines of 1 to 16 sites and J: fields H, bonds and terms in one
/// list,
///             whatever their order; sites without any are counted if the first line says so
/// qubo        `p qubo 0 N diagonals elements`, then `i i a` and `i j b` (qbsolv): s = 2 x - 1 in sum a_i x_i +
///             sum b_ij x_i x_j, so J = -b/4 and H_i = -a_i/2 - sum_j b_ij/4
/// qubo-json   JSON with BINARY variables: the same
/// ising-json  JSON with SPIN variables, energy sum h_i s_i + sum J_ij s_i s_j + offset: their negatives
///
/// Nothing but the line `terms` tells a coupling of three sites from `i j J` and a further site, so that it must be
/// there.
///
/// Lines: words are separated by blanks, tabs or commas; `#`, `%` and `//` begin comments, and a line whose first word
/// is `c` is one. Either all lines have a coupling or none.
///
/// Header `nodes edges` or `nodes edges 0`: the first line, if as many lines follow as it says and no site has a number
/// above its nodes. If it has as many columns as the other lines, its third number must be 0, and one of two that has
/// fewer edges than nodes could be a bond as well, which is refused. (Nothing is lost: a header may always have the
/// third number, which is not used, and a bond may stand on any line.) A first line with the right number of nodes or
/// edges alone is refused too, if it has other columns or, as a bond, would leave sites without any.
///
/// Numbering: from 0 if a site is 0, from 1 otherwise; qubo files from 0. The sites are those up to the largest number
/// or, with a header, its nodes; numbers that no bond has are sites without bonds.
///
/// JSON: what dimod's BinaryQuadraticModel.to_serializable() writes; or `linear` and `quadratic` with `vartype` SPIN or
/// BINARY; or `h` and `J` of SPIN variables; `offset` may be there. Labels are whole numbers. `linear` and `h` are
/// objects {"0": h, ...} or arrays; `quadratic` and `J` are objects {"0,1": J} or {"(0, 1)": J} or {"0": {"1": J}}, or
/// arrays of [0, 1, J]. Other members are not read.
///
/// Refused: bonds of a site with itself (but the diagonal of a QUBO), two bonds between the same sites, terms that have
/// a site twice or are there twice, numbers that are not finite or above 1e30, a site far above the number of bonds,
/// files without bonds or above max_bytes. Throws InputError with file and line.
[[nodiscard]] GivenGraph read_graph_file(const std::filesystem::path& file,
                                         std::uintmax_t max_bytes = most_graph_bytes);

}}  // namespace glassworks::engine
