#include "core/io/edge_chunk.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "core/io/mm_number.hpp"
#include "core/io/words.hpp"

namespace warpspy {
namespace {

bool ends_field(char c, char separator) { return ends_number(c) || c == separator; }

// Skips the separator and the blanks around it; nullptr if there is none.
const char* next_field(const char* p, char separator) {
  const char* q = skip_blanks(p);
  if (separator == ' ') return q > p && *q != '\n' ? q : nullptr;
  return *q == separator ? skip_blanks(q + 1) : nullptr;
}

const char* parse_vertex(const char* p, char separator, std::int64_t& vertex) {
  std::uint64_t n = 0;
  p = parse_digits(p, n);
  if (!p || !ends_field(*p, separator) || n >= static_cast<std::uint64_t>(INT64_MAX)) return nullptr;
  vertex = static_cast<std::int64_t>(n);
  return p;
}

const char* parse_weight(const char* p, const char* end, char separator, double& weight) {
  if (separator == ' ') return parse_real(p, end, weight);
  const char* stop = p;
  while (!ends_field(*stop, separator)) ++stop;
  const std::string closed = std::string(p, stop) + "\n";
  return parse_real(closed.data(), closed.data() + closed.size(), weight) ? stop : nullptr;
}

// Parses one line from its first character that is not blank. Returns nullptr if it does not have the form of the first
// line.
const char* parse_line(const EdgeShape& s, const char* p, const char* end, std::int64_t& from, std::int64_t& to,
                       double& weight) {
  p = parse_vertex(p, s.separator, from);
  if (p) p = next_field(p, s.separator);
  if (!p) return nullptr;
  p = parse_vertex(p, s.separator, to);
  for (int field = 2; p && field < s.fields; ++field) {
    p = next_field(p, s.separator);
    if (!p) return nullptr;
    if (field == 2 && s.weights) {
      p = parse_weight(p, end, s.separator, weight);
    } else if (field == 2 && s.braces) {
      p = p[0] == '{' && p[1] == '}' ? p + 2 : nullptr;
    } else {
      while (!ends_field(*p, s.separator)) ++p;
    }
  }
  if (!p) return nullptr;
  p = skip_blanks(p);
  return *p == '\n' ? p + 1 : nullptr;
}

void explain(const EdgeShape& s, std::string_view line, EdgeChunk& c) {
  const auto fields = edge_fields(line, s.separator);
  const std::string shape = s.weights ? "FROM TO WEIGHT" : "FROM TO";
  for (std::size_t k = 0; k < std::min<std::size_t>(fields.size(), 2); ++k) {
    std::int64_t vertex = 0;
    const std::string closed = std::string(fields[k]) + "\n";
    const char* stop = fields[k].empty() ? nullptr : parse_vertex(closed.data(), '\n', vertex);
    if (stop && *stop == '\n') continue;
    c.reason = "vertex " + in_quotes(fields[k]) + " is not a whole number from 0 to 9223372036854775806";
    c.expected = "expected " + shape;
    return;
  }
  if (fields.size() != static_cast<std::size_t>(s.fields)) {
    c.reason = "the line " + in_quotes(line) + " has " + std::to_string(fields.size()) +
               " fields, the first line of numbers has " + std::to_string(s.fields);
    c.expected = "expected the same number in every line";
    return;
  }
  c.reason = (s.weights ? "weight " : "field ") + in_quotes(fields[2]) +
             (s.weights ? " is not a number within a double's range" : " is not {}");
  c.expected = "expected " + shape + (s.weights ? "; FILE?weights=0 leaves the third field out" : "");
}

}  // namespace

std::vector<std::string_view> edge_fields(std::string_view line, char separator) {
  if (separator == ' ') return words_of(line);
  std::vector<std::string_view> fields;
  for (;;) {
    auto field = line.substr(0, line.find(separator));
    const bool last = field.size() == line.size();
    if (!last) line.remove_prefix(field.size() + 1);
    while (!field.empty() && is_blank(field.front())) field.remove_prefix(1);
    while (!field.empty() && is_blank(field.back())) field.remove_suffix(1);
    fields.push_back(field);
    if (last) return fields;
  }
}

void parse_edges(const EdgeShape& shape, EdgeChunk& c) {
  c.from.clear();
  c.to.clear();
  c.weight.clear();
  c.skipped = c.not_finite = 0;
  c.least = INT64_MAX;
  c.most_from = c.most_to = -1;
  c.whole = true;
  c.bad_line = -1;
  const char* p = c.text.data();
  const char* const end = p + c.text.size();
  while (p < end) {
    const char* start = p;
    p = skip_blanks(p);
    if (*p == '\n' || begins_comment(*p)) {
      p = static_cast<const char*>(std::memchr(p, '\n', static_cast<std::size_t>(end - p))) + 1;
      ++c.skipped;
      continue;
    }
    std::int64_t from = 0, to = 0;
    double weight = 1;
    p = parse_line(shape, p, end, from, to, weight);
    if (!p) {
      const auto* stop = static_cast<const char*>(std::memchr(start, '\n', static_cast<std::size_t>(end - start)));
      c.bad_line = static_cast<std::int64_t>(c.from.size()) + c.skipped;
      return explain(shape, {start, static_cast<std::size_t>(stop - start)}, c);
    }
    c.from.push_back(from);
    c.to.push_back(to);
    c.least = std::min({c.least, from, to});
    c.most_from = std::max(c.most_from, from);
    c.most_to = std::max(c.most_to, to);
    if (!shape.weights) continue;
    c.weight.push_back(weight);
    c.not_finite += !std::isfinite(weight);
    c.whole = c.whole && weight == std::floor(weight);
  }
}

}  // namespace warpspy
