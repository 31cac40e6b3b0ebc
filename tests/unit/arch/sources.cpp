#include "sources.hpp"

#include <algorithm>
#include <cctype>
#include <fstream>
#include <iterator>

namespace warpspy::arch {
namespace fs = std::filesystem;
namespace {

bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

// Where the piece that begins at `i` ends, if it is a comment or a literal; `i` itself otherwise.
std::size_t end_of_blank(const std::string& text, std::size_t i) {
  const auto after = [&](std::size_t found, std::size_t length) {
    return found == std::string::npos ? text.size() : found + length;
  };
  if (text.compare(i, 2, "//") == 0) return after(text.find('\n', i), 0);
  if (text.compare(i, 2, "/*") == 0) return after(text.find("*/", i + 2), 2);
  if (text.compare(i, 2, "R\"") == 0 && (i == 0 || !is_word(text[i - 1]))) {
    const auto open = text.find('(', i);
    if (open == std::string::npos) return text.size();
    const std::string close = ")" + text.substr(i + 2, open - i - 2) + "\"";
    return after(text.find(close, open), close.size());
  }
  // A quote behind a digit or letter separates digits: 1'000'000.
  const char quote = text[i];
  if (quote != '"' && (quote != '\'' || (i > 0 && is_word(text[i - 1])))) return i;
  for (std::size_t k = i + 1; k < text.size() && text[k] != '\n'; ++k) {
    if (text[k] == quote) return k + 1;
    if (text[k] == '\\') ++k;
  }
  return i + 1;
}

}  // namespace

bool is_source(const fs::path& file) {
  static const std::vector<std::string> kinds = {".cpp", ".hpp", ".cu", ".cuh", ".h"};
  return std::find(kinds.begin(), kinds.end(), file.extension().string()) != kinds.end();
}

std::vector<fs::path> sources_below(const fs::path& folder) {
  std::vector<fs::path> found;
  for (const auto& entry : fs::recursive_directory_iterator(folder))
    if (entry.is_regular_file() && is_source(entry.path())) found.push_back(entry.path());
  std::sort(found.begin(), found.end());
  return found;
}

std::string text_of(const fs::path& file) {
  std::ifstream in(file);
  return {std::istreambuf_iterator<char>(in), {}};
}

std::optional<Include> include_of(const std::string& line) {
  const auto start = line.find_first_not_of(" \t");
  if (start == std::string::npos || line[start] != '#') return std::nullopt;
  const auto word = line.find("include", start);
  const auto open = line.find_first_of("\"<", start);
  if (word == std::string::npos || open == std::string::npos || word > open) return std::nullopt;
  const bool quoted = line[open] == '"';
  const auto close = line.find(quoted ? '"' : '>', open + 1);
  if (close == std::string::npos) return std::nullopt;
  return Include{line.substr(open + 1, close - open - 1), quoted};
}

std::string code_of(const std::string& text) {
  std::string code = text;
  for (std::size_t i = 0; i < text.size();) {
    const std::size_t end = end_of_blank(text, i);
    for (std::size_t k = i; k < end; ++k)
      if (code[k] != '\n') code[k] = ' ';
    i = std::max(end, i + 1);
  }
  return code;
}

}  // namespace warpspy::arch
