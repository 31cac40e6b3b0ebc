// Opens a matrix from a file or a generator. The window, the command line and the tests all open matrices here.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/jobs/progress.hpp"
#include "core/matrix/csr.hpp"
#include "core/matrix/points.hpp"

namespace warpspy {

// `source` is a path (any format of reader.hpp, plain, packed or in an archive; recognised by content, not by name),
// "gen:NAME?key=value&..." (see core/generate), or "collection:GROUP/NAME" that was fetched (see core/collection); each
// may have orders behind it: "a.mtx | rcm" (see core/reorder). Throws Error (file:line, reason, what was expected) and
// Cancelled; a matrix is never loaded in part. A copy of a large file is stored in the user's cache (cache.hpp).
// threads: 0 = all cores.
Matrix open_matrix(const std::string& source, Progress& progress, int threads = 0);

// Whether a file of this name should be offered for opening: "a.mtx", "a.rb.gz", "a.tar.xz", "a.zip".
bool has_matrix_name(const std::string& name);
// The names of matrix files as patterns for a file dialog: "*.mtx", "*.rb", ..., "*.gz", ..., "*.txt".
std::vector<std::string> matrix_patterns();
// "Matrix Market (.mtx), Harwell-Boeing and Rutherford-Boeing (.rb .rua .rsa ...), ..., also packed (.gz ...)".
std::string readable_formats();
// Only the names of the readable formats: "Matrix Market, Harwell-Boeing and Rutherford-Boeing, ...".
std::string names_of_formats();

struct WriteOptions {
  std::string comment = {};          // written after the banner, line by line
  std::string field = {};            // real, integer, complex or pattern; empty: real or complex, depending on the
                                     // values
  std::string symmetry = "general";  // for any other symmetry only the lower triangle is written
};
// The field and symmetry of the matrix's source, if all values still fit them to the last bit.
WriteOptions options_like(const Matrix& m);
// Writes the matrix in the coordinate form of Matrix Market. Values have the fewest digits that give the same number
// when read. A field and symmetry that are not from options_like() are not checked.
void write_matrix_market(const Csr& a, const std::string& path, const WriteOptions& options = {},
                         Progress* progress = nullptr);

// Returns where the nodes of a mesh lie, in the order of the matrix's rows. `source` must be a generated grid of at
// most `most` rows, reordered or not; otherwise nothing is returned. Throws as open_matrix() does.
std::optional<MeshPoints> points_of(const std::string& source, index_t most, Progress& progress);

}  // namespace warpspy
