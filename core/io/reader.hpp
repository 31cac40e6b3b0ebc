// The file formats that Warpspy reads: one table, which opening, the open dialog and every refusal use. A format is
// recognised by its content; its extensions only help to find files and members of archives.
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

// Facts about a file that the file itself does not state, given by the user: FILE?base=1&undirected=1. If an option is
// absent, the reader guesses and reports its guess.
struct ReadOptions {
  std::string format = {};  // MatrixReader::id; empty: recognised
  std::optional<int> base = {};
  std::optional<bool> undirected = {}, weights = {}, bipartite = {};
  bool operator==(const ReadOptions&) const = default;
};

struct ReadLimits {
  std::uint64_t memory;      // bytes; a header that promises more is refused before anything is allocated
  ReadOptions options = {};  // options for lists of edges
  // If given, it is raised to what the header promises, since files that are opened at the same time share the free
  // memory.
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
  // Whether files of this format have only numbers, so that they cannot be recognised by their contents. Then a file is
  // read by this reader only if its name has this format's extension, or if the user names the format; `sniff` only
  // checks whether that is possible.
  bool by_name = false;
  std::string_view common_extensions = {};  // further extensions, such as ".txt", which files of all kinds have
  // For file managers: the format's MIME type (empty: a type of our own), how its files begin, and which of
  // `extensions` also belong to other kinds of files.
  std::string_view mime = {}, magic = {}, shared_extensions = {};
};

std::span<const MatrixReader> matrix_readers();
// Returns the first reader that recognises these bytes in a file of this name, or nullptr.
const MatrixReader* recognise(std::string_view head, std::string_view name);
// Returns the reader with this id. Throws an Error that lists all readers.
const MatrixReader& reader_of(const std::string& id);
// Splits FILE?name=value&... Throws Error on an unknown name or value. If a file exists whose name contains the '?',
// that file is meant. A matrix of the collection means its downloaded file, even if that does not exist yet.
struct FilePlace {
  std::string path;
  ReadOptions options;
};
FilePlace place_of(const std::string& location);
// Whether the name ends like one of the formats; any case. io.hpp: has_matrix_name, for packed files too.
bool has_matrix_extension(std::string_view name);
// Whether the name has only a common extension (".txt", compressed or not).
bool has_common_name(std::string_view name);

// "dir/west0479.mtx.gz" -> "west0479".
std::string stem_of(const std::string& path);
// Extensions of compressed files and archives, such as ".gz", ".zip" and ".tar". They follow or replace the extension
// of a format.
std::span<const std::string_view> packed_extensions();

// The next functions are shared by all readers.

// Throws Error, with `place`, if the matrix does not fit into memory. While entries are sorted, they are in memory
// twice; the row pointers come in addition. `stored` counts the mirrored entries of a symmetric file too.
void require_memory(index_t rows, index_t cols, double stored, bool complex, const ReadLimits& limits,
                    const std::string& place);
// Sorts, sums duplicates (with a warning) and names the matrix. `facts`: field, symmetry, entries_in_file, warnings.
Matrix finish_reading(Coo coo, SourceFacts facts, const std::string& location, Progress& progress);
// The check before reading is an estimate, and other programs may take memory meanwhile.
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
