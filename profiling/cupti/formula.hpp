// A quantity as a formula of CUPTI's metrics: "32 * (a.sum + b.sum)".
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
  // + - * / and parentheses over numbers and names (letters, digits, '_' and '.'). Throws Error at what is not one.
  explicit Formula(const std::string& text);

  const std::string& text() const { return text_; }
  // Each once, in the order of the text.
  const std::vector<std::string>& names() const& { return names_; }
  std::vector<std::string> names() && { return std::move(names_); }  // of a temporary: outlives it
  // Whether it is one metric and nothing else: then its value is what was measured, and not derived.
  bool is_one_metric() const { return !tree_->op && names_.size() == 1; }
  // Nothing when a name is missing, a value is no finite number, or something is divided by 0.
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
