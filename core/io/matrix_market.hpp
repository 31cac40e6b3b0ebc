// Reading Matrix Market text (Boisvert, Pozo, Remington: "The Matrix Market Exchange Formats", NISTIR 5935, 1996), with
// the field types that later tools added (double, unsigned-integer).
#pragma once

#include <cstdint>
#include <string>

#include "core/io/text.hpp"
#include "core/jobs/progress.hpp"
#include "core/matrix/csr.hpp"

namespace warpspy {

enum class MmFormat : std::uint8_t { coordinate, array };
enum class MmField : std::uint8_t { real, integer, unsigned_integer, complex, pattern };
enum class MmSymmetry : std::uint8_t { general, symmetric, skew_symmetric, hermitian };

const char* name_of(MmSymmetry s);
const char* name_of(MmField f);  // as SourceFacts::field: unsigned integers are integers

struct MmHeader {
  MmFormat format = MmFormat::coordinate;
  MmField field = MmField::real;
  MmSymmetry symmetry = MmSymmetry::general;
  index_t rows = 0, cols = 0;
  index_t entries = 0;  // numbers or data lines that follow
  std::vector<std::string> warnings;
};
// Banner, comments and the size line. Throws Error with the line.
MmHeader read_mm_header(TextStream& text);

// The entries as they stand in the file, mirrored where the symmetry says so (each mirror right after its entry).
struct MmEntries {
  Coo coo;
  std::vector<std::string> warnings;
};
struct MmLimits {
  std::uint64_t memory;  // bytes; a header that promises more is refused before anything is allocated
};
// Reads, in parallel, all that follows the header. Throws Error with the line, and Cancelled.
MmEntries read_mm_entries(TextStream& text, const MmHeader& header, const MmLimits& limits, Progress& progress);

// Header, entries, CSR. `location` as the user gave it. Runs in the caller's TBB arena.
Matrix read_matrix_market(Source& source, const std::string& location, const MmLimits& limits, Progress& progress);

}  // namespace warpspy
