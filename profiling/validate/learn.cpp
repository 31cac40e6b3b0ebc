#include "profiling/validate/learn.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <map>
#include <numeric>

#include "profiling/simulated/time_model.hpp"
#include "profiling/timing/samples.hpp"

namespace warpspy {
namespace {

constexpr double ridge = 0.3;
constexpr double most_wanted = 0.6;   // a factor further from 1 says that something else is wrong
constexpr double least_share = 0.05;  // of the bounds in the time

double detail(const RunRecord& r, const char* id, std::optional<double> otherwise = {}) {
  for (const Detail& d : r.details)
    if (d.id == id) return d.quantity.value;
  if (otherwise) return *otherwise;
  throw Error("the model does not tell " + std::string(id), r.request.kernel, "this is an error of Warpspy");
}

double distance_squared(const ProductTraits& a, const ProductTraits& b) {
  double sum = 0;
  for (std::size_t k = 0; k < product_traits; ++k) sum += (a[k] - b[k]) * (a[k] - b[k]);
  return sum;
}

// x of A x = b, A symmetric and positive: Cholesky's way, in place. Row i of A has its first i + 1 numbers.
std::vector<double> solve(std::vector<std::vector<double>> a, std::vector<double> b) {
  const std::size_t n = b.size();
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j <= i; ++j) {
      const double rest =
          a[i][j] - std::inner_product(a[i].begin(), a[i].begin() + static_cast<std::ptrdiff_t>(j), a[j].begin(), 0.0);
      a[i][j] = i == j ? std::sqrt(rest) : rest / a[j][j];
    }
    b[i] =
        (b[i] - std::inner_product(b.begin(), b.begin() + static_cast<std::ptrdiff_t>(i), a[i].begin(), 0.0)) / a[i][i];
  }
  for (std::size_t i = n; i-- > 0;) {
    b[i] /= a[i][i];
    for (std::size_t k = 0; k < i; ++k) b[k] -= a[i][k] * b[i];
  }
  return b;
}

}  // namespace

std::optional<Lesson> lesson_of(const RunRecord& measured, const RunRecord& modelled) {
  if (measured.time.provenance != Provenance::measured || !(measured.time.value > 0)) return {};
  if (modelled.status != RunStatus::ok) return {};
  TimeEstimate t;
  t.dram = detail(modelled, "bound_dram"), t.l2 = detail(modelled, "bound_l2");
  t.requests = detail(modelled, "bound_requests"), t.l1 = detail(modelled, "bound_l1");
  t.issue = detail(modelled, "bound_issue"), t.latency = detail(modelled, "bound_latency");
  t.atomics = detail(modelled, "bound_atomics"), t.launch = detail(modelled, "bound_launch");
  t.waves = detail(modelled, "waves");
  t.block_wait = detail(modelled, "block_wait"), t.longest_wait = detail(modelled, "longest_wait");
  Lesson lesson{modelled.matrix_name, modelled.request.kernel, measured.time.value, t.launch, 0, {}};
  lesson.bounds_us = (detail(modelled, "bound_total") - t.launch) / detail(modelled, "learnt", 1);
  if (!(lesson.bounds_us > 0)) return {};
  t.total = lesson.launch_us + lesson.bounds_us;
  lesson.traits = traits_of(t);
  return lesson;
}

std::vector<double> learnt_weights(const std::vector<Lesson>& lessons) {
  const auto error_of = [](const Lesson& l) { return (l.launch_us + l.bounds_us) / l.measured_us - 1; };
  std::map<std::string, std::vector<double>> errors;
  for (const Lesson& l : lessons) errors[l.matrix].push_back(error_of(l));
  std::map<std::string, double> common;
  for (const auto& [matrix, of_matrix] : errors) common[matrix] = median(of_matrix);
  std::vector<std::vector<double>> likenesses;
  std::vector<double> wanted;
  for (std::size_t i = 0; i < lessons.size(); ++i) {
    const Lesson& l = lessons[i];
    const double share = std::clamp(l.bounds_us / l.measured_us, least_share, 1.0);
    wanted.push_back(
        std::clamp((common.at(l.matrix) - error_of(l)) * l.measured_us / l.bounds_us, -most_wanted, most_wanted));
    std::vector<double>& row = likenesses.emplace_back();
    for (std::size_t j = 0; j <= i; ++j)
      row.push_back(likeness(l.kernel == lessons[j].kernel, distance_squared(l.traits, lessons[j].traits)));
    row[i] += ridge / (share * share);
  }
  return solve(std::move(likenesses), std::move(wanted));
}

std::string source_of(const std::vector<Lesson>& lessons, const std::vector<double>& weights) {
  std::string source;
  for (std::size_t i = 0; i < lessons.size(); ++i) {
    source += "{\"" + lessons[i].kernel + "\", {";
    char text[32];
    for (std::size_t k = 0; k < product_traits; ++k) {
      std::snprintf(text, sizeof text, "%s%.4fF", k == 0 ? "" : ", ", lessons[i].traits[k] + 0.0);
      source += text;
    }
    std::snprintf(text, sizeof text, "}, %.5fF},\n", weights[i]);
    source += text;
  }
  return source;
}

}  // namespace warpspy
