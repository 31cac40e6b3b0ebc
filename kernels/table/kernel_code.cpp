#include "kernels/table/kernel_code.hpp"

#include <algorithm>
#include <cctype>
#include <map>
#include <set>
#include <vector>

#include "core/base/hash.hpp"
#include "kernels/table/sources.hpp"

namespace warpspy {
namespace {

using TextOf = std::function<std::string_view(std::string_view)>;
using Tokens = std::vector<std::string_view>;

bool begins_word(char c) { return std::isalpha(static_cast<unsigned char>(c)) || c == '_'; }
bool in_word(char c) { return begins_word(c) || std::isdigit(static_cast<unsigned char>(c)); }

// The end of a literal whose opening quote is at `at`.
std::size_t literal_end(std::string_view text, std::size_t at) {
  const char quote = text[at];
  for (++at; at < text.size() && text[at] != quote; ++at)
    if (text[at] == '\\') ++at;
  return std::min(text.size(), at + 1);
}

std::size_t token_end(std::string_view text, std::size_t at) {
  const std::string_view rest = text.substr(at);
  if (rest.starts_with("//")) return std::min(text.size(), text.find('\n', at));
  if (rest.starts_with("/*")) return std::min(text.size() - 2, text.find("*/", at + 2)) + 2;
  if (rest[0] == '"' || rest[0] == '\'') return literal_end(text, at);
  if (!in_word(rest[0])) return at + 1;
  const bool number = !begins_word(rest[0]);
  for (++at; at < text.size(); ++at) {
    const bool sign = number && (text[at] == '+' || text[at] == '-') && (text[at - 1] == 'e' || text[at - 1] == 'E');
    if (!in_word(text[at]) && !sign && !(number && (text[at] == '.' || text[at] == '\''))) break;
  }
  return at;
}

// Without comments and lines of the preprocessor.
Tokens tokens_of(std::string_view text) {
  Tokens tokens;
  bool line_begins = true;
  for (std::size_t at = 0; at < text.size();) {
    if (std::isspace(static_cast<unsigned char>(text[at]))) {
      line_begins |= text[at++] == '\n';
      continue;
    }
    const std::size_t end =
        line_begins && text[at] == '#' ? std::min(text.size(), text.find('\n', at)) : token_end(text, at);
    const std::string_view token = text.substr(at, end - at);
    if (!token.starts_with("//") && !token.starts_with("/*") && !(line_begins && token[0] == '#'))
      tokens.push_back(token);
    line_begins = false;
    at = end;
  }
  return tokens;
}

// A function or a constant.
struct Piece {
  Tokens tokens;
  std::set<std::string_view> names;  // names under which it may be called
};

// From `begin` to the end of a function's body or of a statement.
std::size_t piece_end(const Tokens& t, std::size_t begin) {
  int depth = 0;
  bool value = false;  // braces after = do not begin a body
  for (std::size_t i = begin; i < t.size(); ++i) {
    const char c = t[i].size() == 1 ? t[i][0] : ' ';
    if (c == '=' && depth == 0) value = true;
    if (c == '(' || c == '[' || c == '{') ++depth;
    if (c == ')' || c == ']' || c == '}') --depth;
    if (depth == 0 && (c == ';' || (c == '}' && !value))) return i + 1;
  }
  return t.size();
}

// The name that is defined: of a function the word before its first parenthesis, of constants the words before their
// values.
std::set<std::string_view> names_of(const Tokens& t) {
  std::set<std::string_view> names;
  int depth = 0;
  bool value = false;
  for (std::size_t i = 1; i < t.size(); ++i) {
    const bool word = begins_word(t[i - 1][0]);
    if (depth == 0 && t[i] == "(" && names.empty()) return word ? std::set{t[i - 1]} : names;
    if (depth == 0 && word && !value && (t[i] == "=" || t[i] == "{")) names.insert(t[i - 1]);
    if (depth == 0 && (t[i] == "=" || t[i] == ",")) value = t[i] == "=";
    if (t[i] == "(" || t[i] == "[" || t[i] == "{") ++depth;
    if (t[i] == ")" || t[i] == "]" || t[i] == "}") --depth;
  }
  return names;
}

void collect_pieces(std::string_view text, std::vector<Piece>& pieces) {
  const Tokens all = tokens_of(text);
  for (std::size_t i = 0; i < all.size();) {
    const bool of_device = all[i] == "SIMT_DEVICE" || all[i] == "SIMT_ANYWHERE";
    if (!of_device && !(all[i] == "static" && i + 1 < all.size() && all[i + 1] == "constexpr")) {
      ++i;
      continue;
    }
    const std::size_t end = piece_end(all, i);
    Piece piece{{all.begin() + static_cast<std::ptrdiff_t>(i), all.begin() + static_cast<std::ptrdiff_t>(end)}, {}};
    piece.names = names_of(piece.tokens);
    pieces.push_back(std::move(piece));
    i = end;
  }
}

// Included files come first.
void collect_files(std::string_view file, const TextOf& text_of, std::vector<std::string>& files) {
  constexpr std::string_view include = "#include \"kernels/spmv/";
  if (std::find(files.begin(), files.end(), file) != files.end()) return;
  const std::string_view text = text_of(file);
  if (text.empty()) return;
  for (std::size_t at = text.find(include); at != std::string_view::npos; at = text.find(include, at)) {
    at += include.size();
    collect_files(text.substr(at, text.find('"', at) - at), text_of, files);
  }
  files.emplace_back(file);
}

}  // namespace

std::string device_code(std::string_view kernel, const TextOf& text_of) {
  std::vector<std::string> files;
  collect_files(std::string(kernel) + ".hpp", text_of, files);
  std::vector<Piece> pieces;
  for (const std::string& file : files) collect_pieces(text_of(file), pieces);
  // A product is called through its operator; its launch reads the bounds.
  std::set<std::string_view> wanted{"operator", "threads_at_most", "blocks_at_least"};
  std::vector<bool> taken(pieces.size());
  for (bool more = true; more;) {
    more = false;
    for (std::size_t i = 0; i < pieces.size(); ++i) {
      const auto is_wanted = [&](std::string_view name) { return wanted.contains(name); };
      if (taken[i] || std::none_of(pieces[i].names.begin(), pieces[i].names.end(), is_wanted)) continue;
      taken[i] = more = true;
      for (const std::string_view token : pieces[i].tokens)
        if (begins_word(token[0])) wanted.insert(token);
    }
  }
  std::string code;
  for (std::size_t i = 0; i < pieces.size(); ++i)
    if (taken[i])
      for (const std::string_view token : pieces[i].tokens) (code += token) += ' ';
  return code;
}

const std::string& kernel_code(const std::string& kernel) {
  static const std::map<std::string, std::string> codes = [] {
    std::map<std::string, std::string> all;
    for (const std::string_view file : kernel_source_files()) {
      const std::string name(file.substr(0, file.find('.')));
      all[name] = hash_of_text(device_code(name, kernel_source));
    }
    return all;
  }();
  static const std::string none;
  const auto at = codes.find(kernel);
  return at == codes.end() ? none : at->second;
}

}  // namespace warpspy
