// Makes text from outside safe for a terminal or a shell: names, notes and recipes come from files.
#pragma once

#include <string>
#include <string_view>

namespace warpspy {

// The result cannot control a terminal or reverse the order of letters: control characters, bidirectional marks, line
// separators and invalid UTF-8 are spelled out, "\u001b", "\xff". New lines and tabs stay, since the program's own text
// has them. JSON keeps its meaning.
std::string harmless(std::string_view text);

// The length of the text up to its last complete character: text that arrives in pieces is cut there.
std::size_t whole_characters(std::string_view text);

// The text as one word of a shell, quoted if necessary.
std::string shell_quoted(const std::string& word);

// The text for Markdown: no part of it is markup, a link, or the beginning of a block.
std::string markdown_escaped(const std::string& text);

}  // namespace warpspy
