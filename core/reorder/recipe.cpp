#include "core/reorder/recipe.hpp"

#include <charconv>
#include <cstdio>
#include <filesystem>
#include <system_error>

#include "core/reorder/reorder.hpp"

namespace warpspy {
namespace {

double value_of(const ParamSpec& spec, const std::string& text) {
  for (std::size_t k = 0; k < spec.choices.size(); ++k)
    if (spec.choices[k] == text) return static_cast<double>(k);
  double value = 0;
  const auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (failed != std::errc{} || end != text.data() + text.size())
    throw Error("'" + text + "' is no value of " + spec.id, {}, spec.help);
  return value;
}

void read_param(const ReorderInfo& info, const std::string& word, ParamSet& params) {
  const auto equals = word.find('=');
  const std::string name = word.substr(0, equals);
  std::string known;
  for (const ParamSpec& spec : info.params) {
    if (spec.id == name && equals != std::string::npos) {
      params[name] = value_of(spec, word.substr(equals + 1));
      return;
    }
    known += (known.empty() ? "known: " : ", ") + spec.id;
  }
  throw Error("the order " + info.id + " has no parameter '" + word + "'", {},
              known.empty() ? "it has none" : known + ", as NAME=VALUE");
}

}  // namespace

std::string ReorderStep::text() const {
  std::string all = id;
  for (const auto& [name, value] : params) {
    char number[40];
    std::snprintf(number, sizeof number, "%.9g", value);
    all += " " + name + "=" + number;
  }
  return file.empty() ? all : all + " " + file;
}

ReorderStep step_of(const std::string& text) {
  const auto space = text.find(' ');
  ReorderStep step = {text.substr(0, space)};
  const ReorderInfo& info = reorder_row(step.id).info;
  std::string rest = space == std::string::npos ? "" : text.substr(space + 1);
  if (info.takes_file) {
    step.file = rest;
    return step;
  }
  while (!rest.empty()) {
    const auto end = rest.find(' ');
    if (end != 0) read_param(info, rest.substr(0, end), step.params);
    rest = end == std::string::npos ? "" : rest.substr(end + 1);
  }
  return step;
}

MatrixRecipe MatrixRecipe::before() const {
  MatrixRecipe r = *this;
  if (!r.steps.empty()) r.steps.pop_back();
  return r;
}

std::string MatrixRecipe::text() const {
  std::string all = source;
  for (const ReorderStep& step : steps) all.append(kThenOrdered) += step.text();
  return all;
}

MatrixRecipe recipe_of(const std::string& text) {
  std::error_code failed;
  auto bar = text.find(kThenOrdered);
  if (bar == std::string::npos || std::filesystem::exists(text, failed)) return {text, {}};
  MatrixRecipe recipe = {text.substr(0, bar), {}};
  while (bar != std::string::npos) {
    const auto from = bar + kThenOrdered.size();
    bar = text.find(kThenOrdered, from);
    recipe.steps.push_back(step_of(text.substr(from, bar == std::string::npos ? bar : bar - from)));
  }
  return recipe;
}

std::string in_order(const std::string& source, const std::string& order) {
  if (order == "none") return source;
  MatrixRecipe recipe = recipe_of(source);
  recipe.steps.push_back(step_of(order));
  return recipe.text();
}

std::string order_label(const std::string& id) {
  const ReorderInfo& info = reorder_row(id).info;
  if (info.takes_file) return "permuted";
  if (id == "length") return "by length";
  if (id == "shuffle") return "shuffled";
  std::string s = id;  // an acronym
  for (char& c : s) c = static_cast<char>(c >= 'a' && c <= 'z' ? c - 'a' + 'A' : c);
  return s;
}

std::string name_in_order(const std::string& name, const std::vector<ReorderStep>& steps) {
  std::string all = name;
  for (const ReorderStep& step : steps) all += " (" + order_label(step.id) + ")";
  return all;
}

}  // namespace warpspy
