#include "core/study/quantity.hpp"

#include <cmath>
#include <utility>

#include "core/base/number_text.hpp"
#include "core/formats/format.hpp"
#include "core/matrix/stats.hpp"
#include "core/model/analyses.hpp"

namespace warpspy {
namespace {

using Of = StudyQuantity::Of;

struct MatrixCount {
  const char* id;
  double (*of)(const Csr& a);
};
constexpr MatrixCount kMatrixCounts[] = {
    {"rows", [](const Csr& a) { return static_cast<double>(a.rows()); }},
    {"columns", [](const Csr& a) { return static_cast<double>(a.cols()); }},
    {"nnz", [](const Csr& a) { return static_cast<double>(a.nnz()); }},
    {"mean_row", [](const Csr& a) { return row_stats(a).mean; }},
    {"longest_row", [](const Csr& a) { return static_cast<double>(row_stats(a).max); }},
    {"row_deviation", [](const Csr& a) { return std::sqrt(row_stats(a).variance); }},
    {"diagonals", [](const Csr& a) { return static_cast<double>(FormatFacts(a).diagonals().size()); }}};

struct FormatCount {
  const char* id;
  double (*of)(const Estimate& e);
};
constexpr FormatCount kFormatCounts[] = {{"bytes", [](const Estimate& e) { return static_cast<double>(e.bytes()); }},
                                         {"padding", [](const Estimate& e) { return static_cast<double>(e.padding); }}};

// "rows, columns, ..." of a table.
template <class Row, std::size_t n>
std::string ids_of(const Row (&rows)[n]) {
  std::string all;
  for (const Row& r : rows) all += (all.empty() ? "" : ", ") + std::string(r.id);
  return all;
}
template <class Row, std::size_t n>
const Row* row_of(const Row (&rows)[n], const std::string& id) {
  for (const Row& r : rows)
    if (id == r.id) return &r;
  return nullptr;
}

struct Room {
  const char* name;
  Of of;
};
constexpr Room kRooms[] = {{"matrix", Of::matrix}, {"format", Of::format},     {"gpu", Of::gpu},
                           {"run", Of::run},       {"analysis", Of::analysis}, {"tune", Of::tune}};

// The bytes that Bell & Garland's bandwidth counts: matrix, x without a cache, y read and written.
std::optional<double> table1_gbs(const RunRecord& r) {
  const Quantity* bytes = r.detail("table1_bytes");
  if (!bytes || !(r.time.value > 0)) return std::nullopt;
  return (bytes->value + 2.0 * bytes_of(r.request.precision) * static_cast<double>(r.rows)) / r.time.value * 1e-3;
}

}  // namespace

StudyQuantity study_quantity(const std::string& text) {
  const std::size_t dot = text.find('.');
  StudyQuantity q;
  bool known = false;
  for (const Room& r : kRooms)
    if (text.substr(0, dot) == r.name) q.of = r.of, known = true;
  if (!known || dot == std::string::npos || dot + 1 == text.size())
    throw Error("there is no quantity \"" + text + "\"", {},
                "write matrix.ID, format.ID, gpu.ID, run.ID, analysis.ID.SERIES or tune.STRATEGY.PRODUCTS");
  q.id = text.substr(dot + 1);
  if (q.of == Of::matrix && !row_of(kMatrixCounts, q.id))
    throw Error("a matrix has no \"" + q.id + "\"", {}, "known: " + ids_of(kMatrixCounts));
  if (q.of != Of::analysis && q.of != Of::tune) return q;
  const std::size_t second = q.id.find('.');
  q.series = second == std::string::npos ? "" : q.id.substr(second + 1);
  q.id = q.id.substr(0, second);
  if (q.of == Of::tune) {
    q.products = number_from<int>(std::exchange(q.series, {})).value_or(0);
    if (q.products > 0) return q;
    throw Error("\"" + text + "\" does not say after how many products", {},
                "write tune.STRATEGY.PRODUCTS: tune.run_time.5");
  }
  std::string all;
  for (const AnalysisSeries& s : analysis_row(q.id).series) {
    if (q.series == s.id) return q;
    all += (all.empty() ? "" : ", ") + std::string(s.id);
  }
  throw Error("the analysis " + q.id + " has no \"" + q.series + "\"", {}, "known: " + all);
}

Reading count_of_matrix(const StudyQuantity& q, const Matrix& m) {
  return {row_of(kMatrixCounts, q.id)->of(*m.csr), {}, Provenance::derived};
}

Reading count_of_format(const StudyQuantity& q, const std::string& format, Precision precision, const ParamSet& params,
                        const Matrix* m) {
  const FormatRow& row = format_row(format);
  if (q.id == "table1") {
    const double bytes = precision == Precision::f32 ? row.info.table1_f32 : row.info.table1_f64;
    if (bytes > 0) return {bytes, {}, Provenance::derived};
    return {std::nullopt, "Table 1 does not have the format " + format};
  }
  const Estimate e = row.estimate(FormatFacts(*m), precision, params);
  if (const FormatCount* count = row_of(kFormatCounts, q.id)) return {count->of(e), {}, Provenance::derived};
  if (const FormatFact* fact = e.fact(q.id)) return {fact->value, {}, Provenance::derived};
  return {std::nullopt, "the format " + format + " tells no " + q.id + " of this matrix"};
}

Reading figure_of_gpu(const StudyQuantity& q, const GpuSpec& gpu) {
  if (q.id == "threads") return {static_cast<double>(gpu.sm_count) * gpu.max_threads_per_sm, {}, Provenance::modelled};
  if (const auto value = figure_of(gpu, q.id)) return {value, {}, Provenance::modelled};
  return {std::nullopt, "a simulated GPU has no figure " + q.id};
}

Reading reading_of(const StudyQuantity& q, const RunRecord& r) {
  if (r.status != RunStatus::ok) return {std::nullopt, r.error.empty() ? "the run did not end" : r.error};
  if (r.check && !r.check->passed) return {std::nullopt, "the result of the run is wrong"};
  if (q.id == "time") return {r.time.value, {}, r.time.provenance};
  if (q.id == "gflops") return {r.gflops.value, {}, r.gflops.provenance};
  if (q.id == "minimum_bytes") return {r.minimum_bytes.value, {}, r.minimum_bytes.provenance};
  if (q.id == "table1_gbs") {
    if (const auto gbs = table1_gbs(r)) return {gbs, {}, r.gflops.provenance};
    return {std::nullopt, "Table 1 does not have this format"};
  }
  if (const Counter* c = r.counter(q.id)) {
    if (c->value) return {c->value, {}, c->provenance};
    return {std::nullopt, c->reason};
  }
  if (const Quantity* d = r.detail(q.id)) return {d->value, {}, d->provenance};
  return {std::nullopt, "the run tells no " + q.id};
}

}  // namespace warpspy
