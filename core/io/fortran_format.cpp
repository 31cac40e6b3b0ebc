#include "core/io/fortran_format.hpp"

#include <algorithm>
#include <cmath>

#include "core/base/types.hpp"
#include "core/io/mm_number.hpp"
#include "core/io/words.hpp"

namespace warpspy {
namespace {

// No line holds more numbers, nor wider ones.
constexpr std::size_t kMostFields = 4096, kWidest = 4096;
// Nested groups multiply: (4096(4096(4096(1X)))) would repeat for hours.
constexpr std::size_t kMostSteps = 16 * kMostFields;

class Parser {
 public:
  explicit Parser(std::string_view text) : text_(text) {}

  std::vector<FortranField> parse() {
    if (next() != '(') fail();
    group(0);
    while (next() == ' ') continue;
    if (at_ <= text_.size() || fields_.empty()) fail();
    return std::move(fields_);
  }

 private:
  [[noreturn]] void fail() const {
    throw Error("the Fortran format " + in_quotes(text_) + " is not understood", {},
                "expected repeated I, E, D, F or G fields such as (26I3) or (1P,4D20.13)");
  }
  [[noreturn]] void too_many() const {
    throw Error("the Fortran format " + in_quotes(text_) + " repeats more than a line can hold", {},
                "expected at most " + std::to_string(kMostFields) + " fields, such as (26I3)");
  }
  char peek() const { return at_ < text_.size() ? text_[at_] : '\0'; }
  char next() {
    const char c = peek();
    ++at_;
    return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
  }
  std::size_t number() {
    std::size_t n = 0;
    if (digit_of(peek()) > 9) fail();
    for (; digit_of(peek()) <= 9; ++at_) {
      n = n * 10 + digit_of(peek());
      if (n > kWidest) fail();
    }
    return n;
  }

  // Reads a group, from after '(' to after ')'.
  void group(int depth) {
    if (depth > 4) fail();
    for (;;) {
      if (++steps_ > kMostSteps) too_many();
      const bool minus = peek() == '-';
      if (minus) ++at_;
      const bool counted = digit_of(peek()) <= 9;
      const std::size_t count = counted ? number() : 1;
      const char c = next();
      if (minus && c != 'P') fail();
      switch (c) {
        case ' ':
        case ',':
          if (counted) fail();
          break;
        case ')':
          if (counted) fail();
          return;
        case 'P':
          if (!counted) fail();
          scale_ = static_cast<int>(minus ? -static_cast<std::ptrdiff_t>(count) : static_cast<std::ptrdiff_t>(count));
          break;
        case 'X':
          move(count);
          break;
        case '(':
          repeat(count, depth);
          break;
        case 'I':
        case 'E':
        case 'D':
        case 'F':
        case 'G':
          add(count, c);
          break;
        default:
          fail();
      }
    }
  }

  void repeat(std::size_t count, int depth) {
    const std::size_t start = at_;
    if (count == 0) fail();
    for (std::size_t k = 0; k < count; ++k) {
      at_ = start;
      group(depth + 1);
    }
  }

  void add(std::size_t count, char kind) {
    if (kind == 'E' && (peek() == 'S' || peek() == 'N' || peek() == 's' || peek() == 'n')) ++at_;
    FortranField f;
    f.width = number();
    f.integer = kind == 'I';
    f.scale = f.integer ? 0 : scale_;
    if (peek() == '.') {
      ++at_;
      f.decimals = f.integer ? (number(), 0) : static_cast<int>(number());
    }
    if (peek() == 'E' || peek() == 'e') {  // digits of the exponent, which a reader can ignore
      ++at_;
      number();
    }
    if (count == 0 || f.width == 0) fail();
    for (std::size_t k = 0; k < count; ++k) {
      f.at = column_;
      move(f.width);
      fields_.push_back(f);
      if (fields_.size() > kMostFields) too_many();
    }
  }

  void move(std::size_t width) {
    column_ += width;
    if (column_ > kMostFields * 32) too_many();
  }

  std::string_view text_;
  std::size_t at_ = 0, column_ = 0, steps_ = 0;
  int scale_ = 0;
  std::vector<FortranField> fields_;
};

}  // namespace

std::vector<FortranField> parse_fortran_format(std::string_view text) { return Parser(text).parse(); }

bool parse_fortran_real(std::string_view text, const FortranField& field, double& value, bool& implied) {
  char token[64];
  std::size_t n = 0, digits = 0;
  bool point = false, exponent = false;
  for (const char c : text) {
    if (is_blank(c)) continue;
    if (n + 3 >= sizeof token) return false;
    const bool letter = c == 'e' || c == 'E' || c == 'd' || c == 'D' || c == 'q' || c == 'Q';
    if ((c == '+' || c == '-') && digits > 0 && !exponent) token[n++] = 'e', exponent = true;
    if (letter) exponent = true;
    if (c == '.') point = true;
    if (digit_of(c) <= 9 && !exponent) ++digits;
    token[n++] = letter ? 'e' : c;
  }
  if (n == 0 || (digits == 0 && exponent)) return false;
  token[n] = '\n';
  if (!parse_real(token, token + n + 1, value)) return false;
  int shift = exponent ? 0 : field.scale;
  if (!point && digits > 0 && field.decimals > 0) {
    shift += field.decimals;
    implied = true;
  }
  if (shift == 0) return true;
  // The decimal point is moved in the text, so that the number is rounded only once.
  std::int64_t power = 0;
  std::string_view all(token, n);
  const auto e = all.find('e');
  if (e != std::string_view::npos) {
    std::string_view tail = all.substr(e + 1);
    if (tail.starts_with('+')) tail.remove_prefix(1);
    // If the exponent does not fit, it alone decides. Half the range leaves room for the shift.
    if (std::from_chars(tail.data(), tail.data() + tail.size(), power).ec == std::errc::result_out_of_range)
      power = tail.starts_with('-') ? INT64_MIN / 2 : INT64_MAX / 2;
    power = std::clamp<std::int64_t>(power, INT64_MIN / 2, INT64_MAX / 2);
  }
  std::string moved(all.substr(0, e));
  moved += 'e' + std::to_string(power - shift) + '\n';
  return parse_real(moved.data(), moved.data() + moved.size(), value) != nullptr;
}

}  // namespace warpspy
