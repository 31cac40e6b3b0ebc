#include "profiling/validate/findings.hpp"

#include <algorithm>
#include <cstdio>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "core/base/json_text.hpp"

namespace warpspy {

std::vector<PredictionCheck> check_predictions(RunRecord& run, const Matrix& matrix, const RowStats& rows,
                                               Executor& executor, ModelAnswers& answers, const RunChange& change,
                                               Progress& progress) {
  executor.find_limits(run, matrix, rows, progress, &answers);
  std::vector<PredictionCheck> checks;
  for (const Finding& f : run.findings) {
    if (f.changes.empty() || !f.gain || f.gain->from != Gain::From::model) continue;
    const auto later = change(run, f.changes.front());
    const auto actual = later ? actual_gain(f, run, *later) : std::nullopt;
    if (!actual) continue;
    checks.push_back({.matrix = run.matrix_name,
                      .kernel = run.request.kernel,
                      .rule = f.rule,
                      .change = f.changes.front().text,
                      .first = checks.empty(),
                      .before_us = run.time.value,
                      .after_us = actual->us,
                      .gain = *f.gain,
                      .inside = actual->inside,
                      .kept_aside = false});
  }
  return checks;
}

void keep_half_aside(std::vector<PredictionCheck>& checks) {
  std::set<std::string> names;
  for (const PredictionCheck& c : checks) names.insert(c.matrix);
  std::size_t k = 0;
  std::set<std::string> aside;
  for (const std::string& name : names)
    if (k++ >= (names.size() + 1) / 2) aside.insert(name);
  for (PredictionCheck& c : checks) c.kept_aside = aside.contains(c.matrix);
}

std::vector<PredictionSummary> summarise(const std::vector<PredictionCheck>& checks) {
  PredictionSummary all{.name = "all"}, tuned{.name = "tuned"}, aside{.name = "kept aside"};
  std::map<std::string, PredictionSummary> by_rule;
  const auto add = [](PredictionSummary& s, const PredictionCheck& c) {
    ++s.checks;
    s.inside += c.inside;
    s.faster += c.after_us < c.before_us;
  };
  for (const PredictionCheck& c : checks) {
    if (c.first) add(all, c), add(c.kept_aside ? aside : tuned, c);
    PredictionSummary& rule = by_rule[c.rule];
    rule.name = c.rule;
    add(rule, c);
  }
  std::vector<PredictionSummary> list = {all, tuned, aside};
  for (auto& [id, rule] : by_rule) list.push_back(std::move(rule));
  return list;
}

std::string prediction_head() {
  char text[200];
  std::snprintf(text, sizeof text, "%-20s %-14s %-14s %-34s %9s %20s %9s", "matrix", "kernel", "rule", "change",
                "before us", "should take us", "took us");
  return text;
}

std::string prediction_line(const PredictionCheck& c) {
  char text[300], interval[48];
  std::snprintf(interval, sizeof interval, "%.4g to %.4g", c.gain.least_us, c.gain.most_us);
  std::snprintf(text, sizeof text, "%-20.20s %-14.14s %-14.14s %-34.34s %9.4g %20s %9.4g%s", c.matrix.c_str(),
                c.kernel.c_str(), c.rule.c_str(), c.change.c_str(), c.before_us, interval, c.after_us,
                c.inside ? "" : " !");
  return text;
}

std::string to_json(const std::vector<PredictionCheck>& checks, const std::string& device) {
  using Json = nlohmann::ordered_json;
  Json list = Json::array(), sums = Json::array();
  for (const PredictionCheck& c : checks)
    list.push_back({{"matrix", c.matrix},
                    {"kernel", c.kernel},
                    {"rule", c.rule},
                    {"change", c.change},
                    {"first", c.first},
                    {"kept_aside", c.kept_aside},
                    {"before_us", c.before_us},
                    {"least_us", c.gain.least_us},
                    {"most_us", c.gain.most_us},
                    {"after_us", c.after_us},
                    {"inside", c.inside}});
  for (const PredictionSummary& s : summarise(checks))
    sums.push_back({{"name", s.name}, {"checks", s.checks}, {"inside", s.inside}, {"faster", s.faster}});
  return json_text(
      nlohmann::ordered_json({{"device", device}, {"checks", std::move(list)}, {"summary", std::move(sums)}}));
}

}  // namespace warpspy
