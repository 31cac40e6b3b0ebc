#include "core/plot/wrap.hpp"

#include <utility>

namespace warpspy::plot {
namespace {

bool inside_letter(char c) { return (static_cast<unsigned char>(c) & 0xC0) == 0x80; }

// The longest start of a word that fits: at least one character, whole UTF-8 characters.
std::size_t that_fits(const Canvas& canvas, const std::string& line, const std::string& word, double size, Font font,
                      double width) {
  std::size_t fits = 0;
  for (std::size_t end = 1; end <= word.size(); ++end) {
    if (end < word.size() && inside_letter(word[end])) continue;
    if (fits > 0 && canvas.text_width(line + word.substr(0, end), size, font) > width) break;
    fits = end;
  }
  return fits;
}

}  // namespace

std::vector<std::string> wrapped(const Canvas& canvas, const std::string& s, double size, Font font, double width,
                                 const std::string& indent) {
  std::vector<std::string> lines;
  std::string line;
  bool empty = true;  // the line has nothing but its indent
  const auto end_line = [&] { lines.push_back(std::exchange(line, indent)), empty = true; };
  std::size_t at = 0;
  while (at < s.size()) {
    std::size_t end = s.find(' ', at);
    if (end == std::string::npos) end = s.size();
    std::string word = s.substr(at, end - at);
    if (!empty && canvas.text_width(line + " " + word, size, font) > width) end_line();
    while (canvas.text_width(line + word, size, font) > width) {
      const std::size_t fits = that_fits(canvas, line, word, size, font, width);
      if (fits == word.size()) break;
      line += word.substr(0, fits), word.erase(0, fits);
      end_line();
    }
    line += (empty ? "" : " ") + word;
    empty = false;
    at = end + 1;
  }
  if (!empty) lines.push_back(line);
  return lines;
}

}  // namespace warpspy::plot
