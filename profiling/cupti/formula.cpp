#include "profiling/cupti/formula.hpp"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdlib>

#include "core/base/types.hpp"

namespace warpspy {

// sum := product (('+' | '-') product)*, product := atom (('*' | '/') atom)*, atom := number | name | '(' sum ')'
struct Formula::Parser {
  using Part = std::unique_ptr<Node>;
  const std::string& text;
  std::vector<std::string>& names;
  std::size_t at = 0;

  [[noreturn]] void fail(const std::string& what) const {
    throw Error(what + " at character " + std::to_string(at + 1), "formula \"" + text + "\"");
  }
  char next() {
    while (at < text.size() && text[at] == ' ') ++at;
    return at < text.size() ? text[at] : '\0';
  }
  static bool of_name(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '.'; }

  Part joined(char op, Part left, Part right) {
    auto n = std::make_unique<Node>();
    n->op = op;
    n->left = std::move(left);
    n->right = std::move(right);
    return n;
  }
  Part sum() {
    Part left = product();
    for (char op = next(); op == '+' || op == '-'; op = next()) {
      ++at;
      left = joined(op, std::move(left), product());
    }
    return left;
  }
  Part product() {
    Part left = atom();
    for (char op = next(); op == '*' || op == '/'; op = next()) {
      ++at;
      left = joined(op, std::move(left), atom());
    }
    return left;
  }
  Part atom() {
    const char c = next();
    if (c == '(') {
      ++at;
      Part inner = sum();
      if (next() != ')') fail("a closing parenthesis is missing");
      ++at;
      return inner;
    }
    if (!of_name(c)) fail("a number, a metric or a parenthesis is missing");
    const std::size_t from = at;
    while (at < text.size() && of_name(text[at])) ++at;
    auto n = std::make_unique<Node>();
    const std::string word = text.substr(from, at - from);
    if (!std::isdigit(static_cast<unsigned char>(c))) {
      n->name = word;
      if (std::find(names.begin(), names.end(), word) == names.end()) names.push_back(word);
      return n;
    }
    char* end = nullptr;
    n->number = std::strtod(word.c_str(), &end);
    if (*end) fail("\"" + word + "\" is no number");
    return n;
  }
};

Formula::Formula(const std::string& text) : text_(text) {
  Parser parser{text_, names_};
  tree_ = parser.sum();
  if (parser.next()) parser.fail("something is left over");
}

std::optional<double> Formula::value(const Node& n, const std::map<std::string, double>& of) {
  if (!n.op && n.name.empty()) return n.number;
  if (!n.op) {
    const auto found = of.find(n.name);
    if (found == of.end() || !std::isfinite(found->second)) return std::nullopt;
    return found->second;
  }
  const auto left = value(*n.left, of), right = value(*n.right, of);
  if (!left || !right) return std::nullopt;
  if (n.op == '+') return *left + *right;
  if (n.op == '-') return *left - *right;
  if (n.op == '*') return *left * *right;
  if (*right == 0) return std::nullopt;
  return *left / *right;
}

std::optional<double> Formula::value(const std::map<std::string, double>& of) const { return value(*tree_, of); }

}  // namespace warpspy
