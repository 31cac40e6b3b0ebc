// The file formats that Warpspy reads: one table, from which opening, the open dialog and every refusal take what they
// know. A format is recognised by its content; its extensions only help to find files and members of archives.
#pragma once

#include <cstdint>
#include <new>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>

#include "core/io/source.hpp"
#include "core/jobs/progress.hpp"
#include "core/matrix/csr.hpp"

namespace warpspy {

class MemoryReservation;

// What the user says of a file that does not say it itself: FILE?base=1&undirected=1. Absent: found out, and told.
struct ReadOptions {
  std::string format = {};  // MatrixReader::id; empty: recognised
  std::optional<int> base = {};
  std::optional<bool> undirected = {}, weights = {}, bipartite = {};
  bool operator==(const ReadOptions&) const = default;
};

struct ReadLimits {
  std::uint64_t memory;      // bytes; a header that promises more is refused before anything is allocated
  ReadOptions options = {};  // of lists of edges
  // Raised to that promise where given: files that are opened at once share what is free.
  MemoryReservation* reservation = nullptr;
};

struct MatrixReader {
  std::string_view id;          // "matrix-market"
  std::string_view label;       // "Matrix Market"
  std::string_view extensions;  // ".mtx", separated by blanks, lower case
  // Whether a file that begins with these bytes (kHeadBytes, or all of a smaller file) is of this format.
  bool (*sniff)(std::string_view head);
  // `location` as the user gave it. Runs in the caller's TBB arena. Throws Error (with line or place) and Cancelled.
  Matrix (*read)(Source& source, const std::string& location, const ReadLimits& limits, Progress& progress);
  // Nothing but numbers, which could be anything: taken only where the name ends so, or the user says so. `sniff` then
  // tells whether they could be.
  bool by_name = false;
  std::string_view common_extensions = {};  // ".txt": further ones, which files of all kinds have
  // For file managers: what others call the format (empty: a name of our own), how its files begin, and which of
  // `extensions` they should not take for a matrix.
  std::string_view mime = {}, magic = {}, shared_extensions = {};
};

std::span<const MatrixReader> matrix_readers();
// The first reader that takes these bytes, in a file of this name, for its own; or nullptr.
const MatrixReader* recognise(std::string_view head, std::string_view name);
// By its id. Throws Error that names all.
const MatrixReader& reader_of(const std::string& id);
// Splits FILE?name=value&... Throws Error on a name or a value that is none. A file whose own name has the '?' is meant
// where there is one. A matrix of the collection is the file that is kept of it, or would be.
struct FilePlace {
  std::string path;
  ReadOptions options;
};
FilePlace place_of(const std::string& location);
// Whether the name ends like one of the formats; any case. io.hpp: has_matrix_name, for packed files too.
bool has_matrix_extension(std::string_view name);
// Whether only a common extension (".txt", packed or not) makes it one.
bool has_common_name(std::string_view name);

// "dir/west0479.mtx.gz" -> "west0479".
std::string stem_of(const std::string& path);
// ".gz" and its like, ".zip", ".tar" and its like: what stands behind or instead of a format's own extension.
std::span<const std::string_view> packed_extensions();

// What all readers share.

// Refuses, at `place`, what does not fit: entries are held twice while they are sorted; then come the row pointers.
// `stored`: with the mirrors of a symmetric file.
void require_memory(index_t rows, index_t cols, double stored, bool complex, const ReadLimits& limits,
                    const std::string& place);
// Sorts, sums duplicates (with a warning) and names the matrix. `facts`: field, symmetry, entries_in_file, warnings.
Matrix finish_reading(Coo coo, SourceFacts facts, const std::string& location, Progress& progress);
// A check before reading is an estimate, and others may take memory meanwhile.
template <class F>
auto with_memory_errors(const std::string& place, F&& read) {
  const auto out_of_memory = [&] {
    return Error("memory ran out while the matrix was read", place,
                 "close other programs or use a machine with more memory");
  };
  try {
    return read();
  } catch (const std::bad_alloc&) {
    throw out_of_memory();
  } catch (const std::length_error&) {
    throw out_of_memory();
  }
}

}  // namespace warpspy
