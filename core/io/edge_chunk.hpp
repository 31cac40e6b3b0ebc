// Parses one chunk (some whole lines) of a list of edges.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace warpspy {

// Tells how the lines of a list are written.
struct EdgeShape {
  char separator = ' ';  // ',' or ';'; ' ': any blanks
  int fields = 2;
  bool weights = false;  // the third field is a number to keep
  bool braces = false;   // the third field is networkx' empty dictionary {}
};

struct EdgeChunk {
  std::vector<char> text;  // whole lines; the last byte is '\n'
  std::vector<std::int64_t> from, to;
  std::vector<double> weight;  // with EdgeShape::weights
  std::int64_t skipped = 0;    // blank lines and comments
  std::int64_t least = INT64_MAX, most_from = -1, most_to = -1;
  std::int64_t not_finite = 0;
  bool whole = true;  // every weight is an integer
  // The first line that cannot be read, if any: its number within the chunk (from 0), and why.
  std::int64_t bad_line = -1;
  std::string reason, expected;
};

// Whether a line that begins with this character is a comment: '#' or '%'.
inline bool begins_comment(char c) { return c == '#' || c == '%'; }
// The fields of a line, without the blanks around them.
std::vector<std::string_view> edge_fields(std::string_view line, char separator);
// Parses chunk.text and fills the other members.
void parse_edges(const EdgeShape& shape, EdgeChunk& chunk);

}  // namespace warpspy
