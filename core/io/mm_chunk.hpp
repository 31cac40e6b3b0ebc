// Parses one chunk (some whole lines) of Matrix Market data. These are the loops in which the reader spends most of its
// time.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "core/io/matrix_market.hpp"

namespace warpspy {

template <class T>
struct Scratch {
  std::unique_ptr<T[]> data;
  std::size_t room = 0;
  // Makes room for n elements, not initialised; the old elements are lost.
  T* at_least(std::size_t n) {
    if (room < n) data.reset(new T[n]), room = n;
    return data.get();
  }
};

// A value that the symmetry forbids on the diagonal: anything but 0 in a skew-symmetric matrix, an imaginary part in a
// hermitian matrix. Some files have such values; they are kept, with a warning.
inline bool is_odd_diagonal(const MmHeader& h, double re, double im) {
  if (h.symmetry == MmSymmetry::skew_symmetric) return re != 0 || im != 0;
  return h.symmetry == MmSymmetry::hermitian && im != 0;
}

// The entries of a chunk. The arrays are used again for the next chunk, so that their memory stays in the cache.
template <class I>
struct MmArrays {
  Scratch<I> row, col;  // from 0
  Scratch<double> re, im;
};

template <class I>
struct MmChunk {
  std::vector<char> text;        // whole lines; the last byte is '\n'
  MmArrays<I> file;              // the entries as they are in the file
  MmArrays<I> mirrored;          // with each mirror after its entry; only with a symmetry
  index_t entries = 0;           // of the file
  index_t stored = 0;            // number of these entries, mirrors included
  index_t skipped = 0;           // blank lines and comments
  index_t above = 0, below = 0;  // entries off the diagonal; only counted with a symmetry
  index_t rounded = 0;           // integers that a double cannot hold
  index_t not_finite = 0;
  index_t odd_diagonal = 0;  // see is_odd_diagonal

  // The first line that cannot be read, if any: its number within the chunk (from 0), and why.
  index_t bad_line = -1;
  std::string reason, expected;

  const MmArrays<I>& result(const MmHeader& h) const { return h.symmetry == MmSymmetry::general ? file : mirrored; }
};

// Parses chunk.text and fills the rest. A line that cannot be read ends the chunk (bad_line).
template <class I>
void parse_chunk(const MmHeader& header, MmChunk<I>& chunk);

// Returns the line (within the chunk, from 0) of entry t of the chunk.
index_t line_of_entry(const std::vector<char>& text, index_t t);

// Tells why a data line cannot be read.
struct MmComplaint {
  std::string reason, expected;
};
MmComplaint explain_line(const MmHeader& header, std::string_view line);

extern template void parse_chunk(const MmHeader&, MmChunk<std::int32_t>&);
extern template void parse_chunk(const MmHeader&, MmChunk<std::int64_t>&);

}  // namespace warpspy
