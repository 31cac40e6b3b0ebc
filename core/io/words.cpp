#include "core/io/words.hpp"

namespace warpspy {
namespace {

// Not std::isspace: the locale of the user has no say here.
bool is_space(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

}  // namespace

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

std::string quoted(std::string_view text) {
  std::string result = "'";
  for (const char c : text.substr(0, 60)) result += c >= ' ' && c <= '~' ? c : '?';
  return result + (text.size() > 60 ? "...'" : "'");
}

}  // namespace warpspy
