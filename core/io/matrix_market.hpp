// Reads Matrix Market text (Boisvert, Pozo, Remington: "The Matrix Market Exchange Formats", NISTIR 5935, 1996), with
// the field types that later tools added (double, unsigned-integer).
#pragma once

#include <cstdint>
#include <string>

#include "core/io/reader.hpp"
#include "core/io/text.hpp"

namespace warpspy {

enum class MmFormat : std::uint8_t { coordinate, array };
enum class MmField : std::uint8_t { real, integer, unsigned_integer, complex, pattern };
enum class MmSymmetry : std::uint8_t { general, symmetric, skew_symmetric, hermitian };

const char* name_of(MmSymmetry s);
const char* name_of(MmField f);  // the name as in SourceFacts::field; unsigned integers are integers

struct MmHeader {
  MmFormat format = MmFormat::coordinate;
  MmField field = MmField::real;
  MmSymmetry symmetry = MmSymmetry::general;
  index_t rows = 0, cols = 0;
  index_t entries = 0;  // numbers or data lines that follow
  std::vector<std::string> warnings;
};
// Reads the banner, the comments and the size line. Throws Error with the line.
MmHeader read_mm_header(TextStream& text);

// The entries in the order of the file. If the file has a symmetry, each entry is followed by its mirror.
struct MmEntries {
  Coo coo;
  std::vector<std::string> warnings;
};
// Reads everything after the header, in parallel. Throws Error with the line, and Cancelled.
MmEntries read_mm_entries(TextStream& text, const MmHeader& header, const ReadLimits& limits, Progress& progress);

// Counts of unusual entries of a file, about which the user gets warnings.
struct MmCounts {
  index_t above = 0, below = 0;  // entries off the diagonal; only counted with a symmetry
  index_t rounded = 0;           // integers that a double cannot hold
  index_t not_finite = 0;
  index_t odd_diagonal = 0;  // diagonal values that the symmetry forbids
  index_t jumbled = 0;       // columns whose row numbers do not increase, in a format where they should
};
std::vector<std::string> warnings_of(const MmHeader& header, const MmCounts& counts);

// The banner with which the first line may begin.
constexpr const char* kMmBanner =
    "%%MatrixMarket matrix coordinate|array real|integer|complex|pattern "
    "general|symmetric|skew-symmetric|hermitian";
bool looks_matrix_market(std::string_view head);
// Reads a whole file: header and entries, and makes the CSR. `location` is the path as the user gave it. Runs in the
// caller's TBB arena.
Matrix read_matrix_market(Source& source, const std::string& location, const ReadLimits& limits, Progress& progress);

}  // namespace warpspy
