// Opening a matrix: a file, or a generator by name. One entry point for the window, the command line and the tests.
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
// These names as patterns for a file dialog: "*.mtx", "*.rb", ..., "*.gz", ..., "*.txt".
std::vector<std::string> matrix_patterns();
// "Matrix Market (.mtx), Harwell-Boeing and Rutherford-Boeing (.rb .rua .rsa ...), ..., also packed (.gz ...)".
std::string readable_formats();
// "Matrix Market, Harwell-Boeing and Rutherford-Boeing, ...": their names alone.
std::string names_of_formats();

struct WriteOptions {
  std::string comment = {};          // written after the banner, line by line
  std::string field = {};            // real, integer, complex or pattern; empty: real or complex, depending on the
                                     // values
  std::string symmetry = "general";  // for any other symmetry only the lower triangle is written
};
// The field and symmetry of the matrix's source, if all values still fit them to the last bit.
WriteOptions options_like(const Matrix& m);
// Matrix Market coordinate; values with the shortest digits that read back the same. A field and symmetry that are not
// from options_like() are not checked.
void write_matrix_market(const Csr& a, const std::string& path, const WriteOptions& options = {},
                         Progress* progress = nullptr);

// Where the nodes of the mesh of such a source lie, in the order of its rows: of a generated grid of at most `most`
// rows, put into orders or not. Nothing: it is none, or larger. Throws as open_matrix() does.
std::optional<MeshPoints> points_of(const std::string& source, index_t most, Progress& progress);

}  // namespace warpspy
