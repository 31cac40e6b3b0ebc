#include "core/io/words.hpp"

#include <algorithm>

namespace warpspy {
std::vector<std::string_view> words_of(std::string_view line) {
  std::vector<std::string_view> words;
  for (std::size_t at = 0; at < line.size();) {
    while (at < line.size() && is_space(line[at])) ++at;
    std::size_t end = at;
    while (end < line.size() && !is_space(line[end])) ++end;
    if (end > at) words.push_back(line.substr(at, end - at));
    at = end;
  }
  return words;
}

bool ends_with_any_case(std::string_view text, std::string_view lower_suffix) {
  return text.size() >= lower_suffix.size() && std::equal(lower_suffix.begin(), lower_suffix.end(),
                                                          text.end() - static_cast<std::ptrdiff_t>(lower_suffix.size()),
                                                          [](char s, char t) { return s == lower_case(t); });
}

std::string printable(std::string_view text) {
  std::string result;
  for (const char c : text.substr(0, 60)) result += c >= ' ' && c <= '~' ? c : '?';
  return text.size() > 60 ? result + "..." : result;
}

std::string legible(std::string_view name) {
  std::string result;
  for (std::size_t k = 0; k < name.size();) {
    const auto c = static_cast<unsigned char>(name[k]);
    const std::size_t more = c < 0x80                ? 0
                             : c >= 0xc2 && c < 0xe0 ? 1
                             : c >= 0xe0 && c < 0xf0 ? 2
                             : c >= 0xf0 && c < 0xf5 ? 3
                                                     : 9;
    bool good = more == 0 ? c >= ' ' && c != 0x7f : more < 9 && k + more < name.size();
    for (std::size_t n = 1; good && n <= more; ++n) good = (static_cast<unsigned char>(name[k + n]) & 0xc0) == 0x80;
    if (!good) {
      result += '?';
      ++k;
      continue;
    }
    result.append(name.substr(k, more + 1));
    k += more + 1;
  }
  return result;
}

std::string in_quotes(std::string_view text) { return "'" + printable(text) + "'"; }

}  // namespace warpspy
