#include <algorithm>
#include <cctype>
#include <charconv>
#include <span>

#include "core/io/matrix_market.hpp"
#include "core/io/sniff.hpp"
#include "core/io/words.hpp"

namespace warpspy {
namespace {

constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";

template <class Enum>
struct Word {
  std::string_view text;
  Enum value;
};
constexpr Word<MmFormat> kFormats[] = {{"coordinate", MmFormat::coordinate}, {"array", MmFormat::array}};
constexpr Word<MmField> kFields[] = {{"real", MmField::real},
                                     {"double", MmField::real},
                                     {"integer", MmField::integer},
                                     {"unsigned-integer", MmField::unsigned_integer},
                                     {"unsigned", MmField::unsigned_integer},
                                     {"complex", MmField::complex},
                                     {"pattern", MmField::pattern}};
constexpr Word<MmSymmetry> kSymmetries[] = {{"general", MmSymmetry::general},
                                            {"symmetric", MmSymmetry::symmetric},
                                            {"skew-symmetric", MmSymmetry::skew_symmetric},
                                            {"hermitian", MmSymmetry::hermitian}};

std::string lower(std::string_view text) {
  std::string result(text);
  std::transform(result.begin(), result.end(), result.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return result;
}

std::string where(const TextStream& text, index_t line) { return text.source().label() + ":" + std::to_string(line); }

template <class Enum>
Enum look_up(const std::string& word, std::span<const Word<Enum>> words, const char* what, const std::string& place) {
  std::string known;
  for (const auto& w : words) {
    if (w.text == word) return w.value;
    known += (known.empty() ? "" : ", ") + std::string(w.text);
  }
  throw Error("unknown " + std::string(what) + " " + in_quotes(word) + " in the banner", place,
              "expected one of " + known);
}

MmHeader read_banner(TextStream& text) {
  if (!looks_matrix_market(text.ahead())) refuse_content(text.ahead(), text.source().label());

  std::string_view line;
  std::vector<std::string_view> words;
  while (words.empty() && text.line(line)) {
    if (line.starts_with(kByteOrderMark)) line.remove_prefix(kByteOrderMark.size());  // it may be a whole line
    words = words_of(line);
  }
  if (words.empty()) refuse_content(text.ahead(), text.source().label());
  const std::string place = where(text, text.lines());
  const std::string magic = lower(words[0]);
  if (magic != "%%matrixmarket" && magic != "%matrixmarket")
    throw Error("wrong banner " + in_quotes(line), place, std::string("expected ") + kMmBanner);
  const auto word = [&](std::size_t i, const char* what) {
    if (i < words.size()) return lower(words[i]);
    throw Error("the banner ends before the " + std::string(what), place, std::string("expected ") + kMmBanner);
  };

  MmHeader h;
  const std::string object = word(1, "object");
  if (object == "vector")
    throw Error("the file holds a vector, not a matrix", place, "expected the object 'matrix' in the banner");
  if (object != "matrix")
    throw Error("unknown object " + in_quotes(object) + " in the banner", place, "expected 'matrix'");
  h.format = look_up<MmFormat>(word(2, "format"), kFormats, "format", place);
  h.field = look_up<MmField>(word(3, "field"), kFields, "field", place);
  h.symmetry = look_up<MmSymmetry>(word(4, "symmetry"), kSymmetries, "symmetry", place);
  if (h.format == MmFormat::array && h.field == MmField::pattern)
    throw Error("an array file cannot have the field 'pattern'", place, "expected real, integer or complex");
  if (h.field == MmField::pattern && h.symmetry != MmSymmetry::general && h.symmetry != MmSymmetry::symmetric)
    throw Error("a pattern cannot be " + std::string(name_of(h.symmetry)), place, "expected general or symmetric");
  if (magic[1] != '%') h.warnings.push_back("The banner begins with one % instead of two.");
  if (words.size() > 5)
    h.warnings.push_back("Words after the symmetry in the banner are ignored: " + in_quotes(words[5]) + ".");
  return h;
}

index_t size_of(std::string_view word, const char* what, const std::string& place) {
  index_t n = 0;
  if (word.starts_with('+')) word.remove_prefix(1);
  const auto [end, status] = std::from_chars(word.data(), word.data() + word.size(), n);
  if (status == std::errc::result_out_of_range)
    throw Error(std::string(what) + " " + in_quotes(word) + " does not fit in 64 bits", place,
                "expected a number up to 9223372036854775807");
  if (status != std::errc() || end != word.data() + word.size())
    throw Error(std::string(what) + " " + in_quotes(word) + " is not a whole number", place, "expected a count");
  if (n < 0) throw Error(std::string(what) + " " + in_quotes(word) + " is negative", place, "expected 0 or more");
  return n;
}

// How many numbers an array file has: all, the lower triangle, or the strictly lower triangle.
index_t array_entries(const MmHeader& h, const std::string& place) {
  __int128 n = static_cast<__int128>(h.rows) * h.cols;
  if (h.symmetry == MmSymmetry::skew_symmetric)
    n = n == 0 ? 0 : static_cast<__int128>(h.rows) * (h.cols - 1) / 2;
  else if (h.symmetry != MmSymmetry::general)
    n = static_cast<__int128>(h.rows) * (h.cols + 1) / 2;
  if (n > INT64_MAX) throw Error("the size does not fit in 64 bits", place, "expected fewer rows and columns");
  return static_cast<index_t>(n);
}

void read_size_line(TextStream& text, MmHeader& h) {
  const bool array = h.format == MmFormat::array;
  const std::string expected = array ? "expected ROWS COLUMNS" : "expected ROWS COLUMNS ENTRIES";
  std::string_view line;
  std::vector<std::string_view> words;
  for (;;) {
    if (!text.line(line)) throw Error("the file ends before the size line", where(text, text.lines()), expected);
    words = words_of(line);
    if (!words.empty() && words[0].front() != '%') break;
  }
  const std::string place = where(text, text.lines());
  const std::size_t want = array ? 2 : 3;
  if (words.size() != want)
    throw Error("the size line " + in_quotes(line) + " has " + std::to_string(words.size()) + " fields", place,
                expected);
  h.rows = size_of(words[0], "the number of rows", place);
  h.cols = size_of(words[1], "the number of columns", place);
  if (h.symmetry != MmSymmetry::general && h.rows != h.cols)
    throw Error("a " + std::string(name_of(h.symmetry)) + " matrix of " + std::to_string(h.rows) + " x " +
                    std::to_string(h.cols) + " is not square",
                place, "expected as many rows as columns");
  h.entries = array ? array_entries(h, place) : size_of(words[2], "the number of entries", place);
}

}  // namespace

const char* name_of(MmSymmetry s) {
  constexpr const char* names[] = {"general", "symmetric", "skew-symmetric", "hermitian"};
  return names[static_cast<int>(s)];
}

const char* name_of(MmField f) {
  constexpr const char* names[] = {"real", "integer", "integer", "complex", "pattern"};
  return names[static_cast<int>(f)];
}

bool looks_matrix_market(std::string_view head) {
  if (head.starts_with(kByteOrderMark)) head.remove_prefix(kByteOrderMark.size());
  while (!head.empty() && is_space(head.front())) head.remove_prefix(1);
  const std::string start = lower(head.substr(0, 14));
  return start == "%%matrixmarket" || start.starts_with("%matrixmarket");
}

MmHeader read_mm_header(TextStream& text) {
  MmHeader h = read_banner(text);
  read_size_line(text, h);
  return h;
}

}  // namespace warpspy
