// Finds the exact error in a line that the fast reader has refused.
#include <charconv>

#include "core/io/mm_chunk.hpp"
#include "core/io/mm_number.hpp"
#include "core/io/words.hpp"

namespace warpspy {
namespace {

std::string shape_of(const MmHeader& h) {
  const bool coordinate = h.format == MmFormat::coordinate;
  std::string index = coordinate ? "ROW COLUMN" : "";
  if (h.field == MmField::pattern) return index;
  return index + (coordinate ? " " : "") + (h.field == MmField::complex ? "REAL IMAGINARY" : "VALUE");
}

MmComplaint explain_index(const std::string& word, index_t limit, const char* what) {
  const std::string range = "expected 1 to " + std::to_string(limit);
  index_t n = 0;
  const char* end = word.data() + word.size();
  const auto [at, status] = std::from_chars(word.data(), end, n);
  if (status == std::errc::result_out_of_range && at == end)
    return {std::string(what) + " " + in_quotes(word) + " does not fit in 64 bits", range};
  if (status != std::errc() || at != end)
    return {std::string(what) + " " + in_quotes(word) + " is not a whole number", range};
  if (n == 0) return {std::string(what) + " 0: the file seems to count from 0, but Matrix Market counts from 1", range};
  if (n < 0) return {std::string(what) + " " + word + " is negative", range};
  if (n > limit)
    return {std::string(what) + " " + word + " is out of range: the header promises " + std::to_string(limit), range};
  return {};
}

MmComplaint explain_integer(const std::string& word, bool is_unsigned) {
  if (is_unsigned && word.starts_with('-')) return {"value " + in_quotes(word) + " is negative", "expected 0 or more"};
  std::string_view digits = word;
  if (digits.starts_with('-') || digits.starts_with('+')) digits.remove_prefix(1);
  const bool whole = !digits.empty() && digits.find_first_not_of("0123456789") == std::string_view::npos;
  if (!whole) return {"value " + in_quotes(word) + " is not a whole number", "expected an integer, as the banner says"};
  double value = 0;
  std::int64_t rounded = 0;
  if (!parse_integer((word + "\n").c_str(), value, rounded))
    return {"value " + in_quotes(word) + " does not fit in 64 bits", "expected an integer of 64 bits"};
  return {};
}

MmComplaint explain_real(const std::string& word) {
  double value = 0;
  const std::string closed = word + "\n";
  if (parse_real(closed.data(), closed.data() + closed.size(), value)) return {};
  const bool number = word.find_first_not_of("+-0123456789.eEdD") == std::string::npos &&
                      word.find_first_of("0123456789") != std::string::npos;
  double ignored = 0;
  std::string plain = word;
  for (char& c : plain)
    if (c == 'd' || c == 'D') c = 'e';
  const char* begin = plain.data() + (plain.starts_with('+') ? 1 : 0);
  const char* end = plain.data() + plain.size();
  const auto [at, status] = std::from_chars(begin, end, ignored);
  if (number && at == end && status == std::errc::result_out_of_range)
    return {"value " + in_quotes(word) + " does not fit in a double", "expected at most 1.8e308"};
  return {"value " + in_quotes(word) + " is not a number", "expected a number"};
}

}  // namespace

MmComplaint explain_line(const MmHeader& h, std::string_view line) {
  const auto views = words_of(line);
  const std::vector<std::string> words(views.begin(), views.end());
  const bool coordinate = h.format == MmFormat::coordinate;
  const std::size_t first_value = coordinate ? 2 : 0;
  const std::size_t values = h.field == MmField::complex ? 2 : h.field == MmField::pattern ? 0 : 1;

  // A wrong index is a better message than a wrong number of fields.
  if (coordinate && words.size() >= 2) {
    if (auto c = explain_index(words[0], h.rows, "row"); !c.reason.empty()) return c;
    if (auto c = explain_index(words[1], h.cols, "column"); !c.reason.empty()) return c;
  }
  if (words.size() != first_value + values) {
    const std::string kind = words.size() < first_value + values ? "too few" : "too many";
    return {kind + " fields in " + in_quotes(line), "expected " + shape_of(h)};
  }
  for (std::size_t k = first_value; k < words.size(); ++k) {
    const bool integer = h.field == MmField::integer || h.field == MmField::unsigned_integer;
    const auto c = integer ? explain_integer(words[k], h.field == MmField::unsigned_integer) : explain_real(words[k]);
    if (!c.reason.empty()) return c;
  }
  return {"the line " + in_quotes(line) + " cannot be read", "expected " + shape_of(h)};
}

}  // namespace warpspy
