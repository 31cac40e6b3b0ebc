// Computes a quantity from CUPTI's metrics by a formula: "32 * (a.sum + b.sum)".
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace warpspy {

class Formula {
 public:
  // Parses a formula: + - * / and parentheses over numbers and names (letters, digits, '_' and '.'). Throws Error if
  // the text is no formula.
  explicit Formula(const std::string& text);

  const std::string& text() const { return text_; }
  // The names of the metrics in the formula, each once, in the order of the text.
  const std::vector<std::string>& names() const& { return names_; }
  std::vector<std::string> names() && { return std::move(names_); }  // for a temporary: the names outlive it
  // Whether the formula is a single metric: then its value is measured, not derived.
  bool is_one_metric() const { return !tree_->op && names_.size() == 1; }
  // Computes the formula from the metrics' values. Nothing if a name is missing, a value is not finite, or the formula
  // divides by 0.
  std::optional<double> value(const std::map<std::string, double>& of) const;

 private:
  struct Node {
    char op = 0;  // 0: a number or a name
    double number = 0;
    std::string name;
    std::unique_ptr<Node> left, right;
  };
  struct Parser;
  static std::optional<double> value(const Node& n, const std::map<std::string, double>& of);

  std::string text_;
  std::vector<std::string> names_;
  std::shared_ptr<const Node> tree_;
};

}  // namespace warpspy
