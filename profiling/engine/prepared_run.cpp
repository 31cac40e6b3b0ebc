#include "profiling/engine/prepared_run.hpp"

#include <algorithm>
#include <cstdio>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/model/bytes.hpp"
#include "core/run/check_words.hpp"
#include "core/run/preparation.hpp"
#include "kernels/device/architectures.hpp"
#include "kernels/device/device.hpp"
#include "kernels/table/table.hpp"
#include "profiling/simulated/coalesce.hpp"

namespace warpspy {

ProductInputs PreparedRun::inputs() const {
  ProductInputs in{format,    request.precision, params, *vectors.x, request.alpha, beta_of(kernel.info, request),
                   *vectors.y};
  in.machine_code = model ? &model->machine_code : nullptr;
  in.kept = kept;
  return in;
}

MakeProduct products_of(const PreparedRun& run, std::shared_ptr<DeviceArrays> kept) {
  return [&run, kept = std::move(kept)]() mutable {
    ProductInputs in = run.inputs();
    in.kept = kept;
    auto product = run.kernel.on_device(in);
    if (kept && run.request.cache_state == CacheState::cold) kept = copied_on_device(*kept);
    return product;
  };
}

double PreparedRun::flops() const {
  if (kernel.info.operation != Operation::axpy) return product_flops(matrix->nnz());
  const index_t stride = kernel.stride_of(params);
  return product_flops((matrix->cols() + stride - 1) / stride);
}

double PreparedRun::minimum_bytes() const {
  const double bytes = bytes_of(request.precision);
  const Operation o = kernel.info.operation;
  const double out = static_cast<double>(output_size(o, matrix->rows(), matrix->cols()));
  const double again = beta_of(kernel.info, request) != 0 ? out * bytes : 0;
  if (o == Operation::axpy) return flops() / 2 * 3 * bytes;
  return static_cast<double>(warpspy::minimum_bytes(kernel, format->size(), *matrix, request.precision)) + again;
}

namespace {

// The row length at which rows are cut, if the rest is in COO and so divided by entries.
std::optional<double> row_cut(const Format& format) {
  const std::vector<FormatFact> facts = format.facts();
  const auto value = [&](const std::string& name) {
    const auto at = std::find_if(facts.begin(), facts.end(), [&](const FormatFact& f) { return f.name == name; });
    return at == facts.end() ? std::optional<double>() : at->value;
  };
  if (value("coo_share").value_or(0) <= 0) return std::nullopt;
  return value(format_row(format.id()).info.cut.id);
}

}  // namespace

void add_counts(const PreparedRun& run, Preparation& preparation, RunRecord& r) {
  const auto add = [&](const char* id, const char* label, double value, const char* unit) {
    r.details.push_back({id, label, {value, unit, Provenance::modelled}});
  };
  const Precision precision = run.request.precision;
  add("executed_flops", "executed flops",
      run.format ? 2.0 * static_cast<double>(run.format->size().stored) : run.flops(), "flop");
  if (const auto cut = run.format ? row_cut(*run.format) : std::nullopt)
    add("row_cut", "entries of a row before COO", *cut, "1");
  if (run.kernel.info.operation != Operation::product) return;
  add("effective_bytes", "effective bytes", effective_bytes(r.rows, r.nnz, precision), "B");
  add("worst_bytes", "worst-case bytes", worst_bytes(r.rows, r.nnz), "B");
  try {
    if (run.kernel.rows_per_block) {
      const index_t rows = std::max<index_t>(1, run.kernel.rows_per_block(run.params));
      add("caching_bytes", "caching bytes", preparation.caching_bytes(run.matrix, rows, precision), "B");
    }
  } catch (const Error& e) {  // no memory to count them; the run continues without
    r.notes.push_back("caching bytes were not counted: " + e.reason);
  }
  if (const auto table1 = table1_bytes_per_flop(format_row(r.format).info, precision))
    add("table1_bytes", "Table 1 bytes", *table1 * run.flops(), "B");
}

void set_time(RunRecord& r, double flops, double us, Provenance from, std::string how) {
  r.provenance = from;
  r.time = {us, "us", from};
  r.time_how = std::move(how);
  const Provenance computed = from == Provenance::measured ? Provenance::derived : from;
  r.gflops = {us > 0 ? flops / us * 1e-3 : 0, "GFLOP/s", computed};
}

void add_total(const PreparedRun& run, RunRecord& r) {
  if (run.kernel.info.operation != Operation::transposed_product) return;
  const bool converts = !format_row(run.kernel.info.format).info.intermediate;
  const double us = r.time.value + preparation_of(r, &format_row(run.kernel.info.format).info).us.value_or(0);
  r.details.push_back({"total",
                       converts ? "conversion, setup and one product" : "setup and one product",
                       {us, "us", Provenance::derived}});
}

void set_check(RunRecord& r, ErrorCheck check) {
  if (check.rows_checked + check.rows_left_out == 0) return;  // blocks of which none completes a row
  r.check = check;
  if (check.rows_left_out > 0)
    r.notes.push_back(std::to_string(check.rows_left_out) +
                      " rows were not checked: their sums hold infinities or NaN, or may be beyond " +
                      name_of(r.request.precision));
  if (check.passed) return;
  char text[128];
  std::snprintf(text, sizeof text, "row %lld is off by %.3g times the error bound",
                static_cast<long long>(check.worst_row), check.max_of_bound);
  throw Error("the kernel's result is wrong: " + std::string(text), r.request.kernel,
              "this is a defect of the kernel, or of the device");
}

void check(const PreparedRun& run, RunRecord& r, const std::vector<double>& y, const std::vector<RowRange>& rows) {
  if (!run.common().is_product())
    return r.notes.push_back(std::string(not_checked_note) + "with constant loads the kernel computes no product");
  if (!rows.empty()) set_check(r, check_result(*run.reference, y, rows, run.request.precision));
}

void note_unheard(const PreparedRun& run, int capability, RunRecord& r) {
  if (capability >= keeps_shares_from) return;
  for (const char* id : run.common().keeping())
    r.notes.push_back(std::string(id) +
                      ": L2 is asked to keep a share from compute capability 8.0 on; loads are plain");
}

}  // namespace warpspy
