#include "core/base/foreign_text.hpp"

#include <algorithm>
#include <cstdint>
#include <cstdio>

namespace warpspy {
namespace {

struct Character {
  std::size_t bytes = 0;  // 0: no valid UTF-8 character begins here
  std::uint32_t code = 0;
};

// The length of a character in bytes, from its first byte; 0: no character begins with this byte.
std::size_t bytes_of(unsigned char first) {
  if (first < 0x80) return 1;
  if (first >= 0xc2 && first < 0xe0) return 2;
  if (first >= 0xe0 && first < 0xf0) return 3;
  return first >= 0xf0 && first < 0xf5 ? 4 : 0;
}

Character first_of(std::string_view text) {
  constexpr std::uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
  const std::size_t bytes = bytes_of(static_cast<unsigned char>(text[0]));
  if (bytes == 0 || bytes > text.size()) return {};
  std::uint32_t code = static_cast<unsigned char>(text[0]);
  if (bytes > 1) code &= 0x7fu >> bytes;
  for (std::size_t k = 1; k < bytes; ++k) {
    const auto next = static_cast<unsigned char>(text[k]);
    if ((next & 0xc0) != 0x80) return {};
    code = code << 6 | (next & 0x3fu);
  }
  if (code < least[bytes] || code > 0x10ffff || (code >= 0xd800 && code < 0xe000)) return {};
  return {bytes, code};
}

struct Range {
  std::uint32_t first, last;
};
constexpr Range kSteering[] = {
    {0x00, 0x08},     {0x0b, 0x1f},      // C0 but tab and new line
    {0x7f, 0x9f},                        // DEL, C1
    {0x061c, 0x061c}, {0x200e, 0x200f},  // marks of direction
    {0x2028, 0x202e},                    // separators of lines, overrides of direction
    {0x2066, 0x2069},                    // isolates of direction
    {0xfff9, 0xfffb}, {0xe0000, 0xe007f},
};
bool steers(std::uint32_t code) {
  return std::any_of(std::begin(kSteering), std::end(kSteering),
                     [&](const Range& r) { return code >= r.first && code <= r.last; });
}

}  // namespace

std::string harmless(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  char spelled[24];
  while (!text.empty()) {
    const Character c = first_of(text);
    const std::size_t bytes = std::max<std::size_t>(c.bytes, 1);
    if (c.bytes == 0)
      std::snprintf(spelled, sizeof spelled, "\\x%02x", static_cast<unsigned>(static_cast<unsigned char>(text[0])));
    else if (c.code > 0xffff)
      std::snprintf(spelled, sizeof spelled, "\\u%04x\\u%04x", 0xd7c0 + (c.code >> 10), 0xdc00 + (c.code & 0x3ff));
    else
      std::snprintf(spelled, sizeof spelled, "\\u%04x", c.code);
    if (c.bytes == 0 || steers(c.code))
      out += spelled;
    else
      out += text.substr(0, bytes);
    text.remove_prefix(bytes);
  }
  return out;
}

std::size_t whole_characters(std::string_view text) {
  for (std::size_t back = 1; back <= std::min<std::size_t>(3, text.size()); ++back) {
    const auto c = static_cast<unsigned char>(text[text.size() - back]);
    if ((c & 0xc0) == 0x80) continue;
    return bytes_of(c) > back ? text.size() - back : text.size();
  }
  return text.size();
}

std::string shell_quoted(const std::string& word) {
  constexpr std::string_view plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=./:,@%";
  if (!word.empty() && word.find_first_not_of(plain) == std::string::npos) return word;
  std::string out = "'";
  for (const char c : word) c == '\'' ? out += "'\\''" : out += c;
  return out + "'";
}

std::string markdown_escaped(const std::string& text) {
  std::string out;
  const std::string plain = harmless(text);
  for (std::size_t k = 0; k < plain.size(); ++k) {
    const char c = plain[k];
    const std::string_view rest = std::string_view(plain).substr(k);
    // A number or sign that begins a list item.
    const bool number = k > 0 && plain.find_first_not_of("0123456789") == k && rest.starts_with(". ");
    // Many Markdown viewers turn addresses into links, without any markup.
    const bool address = rest.starts_with("://") || (c == '.' && k >= 3 && plain.compare(k - 3, 3, "www") == 0);
    if (std::string_view("\\`*_{}[]()<>#|~!&$@").find(c) != std::string_view::npos || address ||
        (k == 0 && (c == '-' || c == '+' || c == '=')) || number)
      out += '\\';
    out += c == '\n' || c == '\t' ? ' ' : c;
  }
  return out;
}

}  // namespace warpspy
