// Splits lines into words, and makes words safe for messages.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace warpspy {

// These do not use <cctype>, whose functions depend on the user's locale.
inline bool is_space(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }
inline char lower_case(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }
// Returns the words of a line, which white space separates, as views into `line`.
std::vector<std::string_view> words_of(std::string_view line);
// `lower_suffix` in lower case.
bool ends_with_any_case(std::string_view text, std::string_view lower_suffix);
// Shortens a text to 60 characters, and replaces those that are not plain ASCII by '?'.
std::string printable(std::string_view text);
// For names of files and members: valid UTF-8 stays, what would move a terminal's cursor or is no UTF-8 becomes '?'.
std::string legible(std::string_view name);
// Returns printable(text) in single quotes.
std::string in_quotes(std::string_view text);

}  // namespace warpspy
