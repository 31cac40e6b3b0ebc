// Reads text from any Source, line by line or in chunks of whole lines.
#pragma once

#include <string_view>
#include <vector>

#include "core/base/types.hpp"
#include "core/io/source.hpp"

namespace warpspy {

class TextStream {
 public:
  // `chunk_bytes`: the size that chunk() aims at. It is small enough that a chunk and its entries stay in a core's
  // cache.
  explicit TextStream(Source& source, std::size_t chunk_bytes = std::size_t{256} << 10);

  // The bytes in the buffer that were not read yet, for a look at the beginning.
  std::string_view ahead() const { return {buffer_.data() + at_, end_ - at_}; }
  // The next line without its line end (and without a carriage return); false at the end. The view holds until the
  // next call.
  bool line(std::string_view& text);
  // The number of lines returned so far, by line() and in chunks.
  index_t lines() const { return lines_; }
  // Moves the next chunk into `text`, replacing it: whole lines, the last one always closed by '\n' (added when the
  // file lacks it). False at the end. Throws Error on a line of more than 16 MB.
  bool chunk(std::vector<char>& text);

  const Source& source() const { return source_; }

 private:
  bool fill();  // false when nothing is left to read

  Source& source_;
  std::size_t chunk_bytes_;
  std::vector<char> buffer_;
  std::size_t at_ = 0, end_ = 0;
  bool drained_ = false;
  bool returns_to_newlines_ = false;  // a file of the old Macintosh: lines end in a carriage return alone
  index_t lines_ = 0;
};

}  // namespace warpspy
