// Markdown as a list of blocks with their lines. Only text comes out of it: HTML and links are the text that they show.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace warpspy {

struct MarkdownBlock {
  enum class Kind : std::uint8_t { heading, paragraph, quote, code } kind = Kind::paragraph;
  int level = 0;     // of a heading
  std::string info;  // for code: the words after its fence
  std::string text;
  int line = 0;  // line of the file where its text begins, from 1
};

std::vector<MarkdownBlock> markdown_blocks(const std::string& text);

}  // namespace warpspy
