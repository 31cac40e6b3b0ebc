// Text of others on its way to a terminal or a shell: names, notes and recipes come out of files.
#pragma once

#include <string>
#include <string_view>

namespace warpspy {

// Nothing in it steers a terminal or turns the order of letters: controls, bidirectional marks, separators of lines and
// bytes that are no UTF-8 are spelled out, "\u001b", "\xff". New lines and tabs stay, since the program's own text has
// them. JSON that it is done to means what it did.
std::string harmless(std::string_view text);

// How much of the text ends with a whole character: what comes in pieces is cut there.
std::size_t whole_characters(std::string_view text);

// As one word of a shell that means itself: quoted where it has to be.
std::string shell_quoted(const std::string& word);

// In Markdown: nothing in it marks up, links or begins a line.
std::string markdown_escaped(const std::string& text);

}  // namespace warpspy
