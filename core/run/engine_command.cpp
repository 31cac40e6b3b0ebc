#include "core/run/engine_command.hpp"

#include <algorithm>
#include <cstddef>

#include "core/base/types.hpp"

namespace warpspy {
namespace {

constexpr auto kExample = "such as: ssh HOST warpspy engine";

std::vector<std::string> shell_words(const std::string& text) {
  std::vector<std::string> words;
  std::string word;
  bool begun = false;
  char quote = 0;
  for (std::size_t k = 0; k < text.size(); ++k) {
    const char c = text[k];
    if (quote != 0) {
      if (c == quote)
        quote = 0;
      else
        word += c;
    } else if (c == '\'' || c == '"') {
      quote = c, begun = true;
    } else if (c == '\\' && k + 1 < text.size()) {
      word += text[++k], begun = true;
    } else if (c == ' ' || c == '\t' || c == '\n') {
      if (begun) words.push_back(word);
      word.clear(), begun = false;
    } else {
      word += c, begun = true;
    }
  }
  if (quote != 0) throw Error("a quote is open in the command of an engine", text, "close it");
  if (begun) words.push_back(word);
  return words;
}

std::string name_of_file(const std::string& path) { return path.substr(path.rfind('/') + 1); }

}  // namespace

EngineCommand engine_command(const std::string& text) {
  EngineCommand c;
  c.words = shell_words(text);
  if (c.words.empty() || c.words.front().empty()) throw Error("the command of an engine is empty", {}, kExample);
  const auto program =
      std::find_if(c.words.begin() + 1, c.words.end(), [](const auto& w) { return name_of_file(w) == "warpspy"; });
  c.host = program == c.words.end() ? c.words.front() : program[-1];
  c.host = name_of_file(c.host.substr(c.host.rfind('@') + 1));
  if (name_of_file(c.words.front()) == "ssh")
    c.words.insert(c.words.begin() + 1, {"-o", "BatchMode=yes", "-o", "ConnectTimeout=20"});
  return c;
}

}  // namespace warpspy
