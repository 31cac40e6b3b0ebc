// The results of `warpspy bench` as plain data, as a table and as JSON.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/run/preparation.hpp"
#include "core/run/record.hpp"
#include "profiling/ceilings/ceilings.hpp"
#include "profiling/timing/timing.hpp"

namespace warpspy {

// The best product of one side: ours, or the library's.
struct BenchSide {
  std::string kernel, label, format;
  ParamSet params, format_params;
  double us = 0;  // of one product
  Provenance from = Provenance::measured;
  std::string how, clock_note;  // of the record
  std::vector<Detail> details;  // how it was timed (profiling/timing)
  double minimum_bytes = 0;     // bytes of this format, x and y, each array once
  double error_of_bound = 0;    // error of the checked result / its bound; accepted up to 1
  PreparationTime preparation;  // time before the first product
};

// A candidate that the search timed in order to rank it.
struct BenchTrial {
  std::string kernel;
  ParamSet params, format_params;
  double us = 0;        // of its product
  double spent_ms = 0;  // of the search's time: also building and copying the format, if that was done for this trial
  Provenance from = Provenance::measured;  // of `us`
};

// A row of the report: the results for one matrix, precision, cache state and operation.
struct BenchRow {
  std::string matrix;
  index_t rows = 0, cols = 0, nnz = 0;
  Precision precision = Precision::f32;
  CacheState state = CacheState::warm;
  Operation operation = Operation::product;
  std::optional<BenchSide> own, library;  // measured in turn, in one run
  std::optional<BenchSide> in_order;      // our product if each waits for the previous one, in the same run
  std::optional<BenchSide> stored;        // for a transposed product: our best kernel with a stored transpose, timed
                                          // alone
  std::optional<BenchSide> csr;           // our fastest kernel that reads CSR: the best itself, or timed alone
  Ratio ratio, ratio_in_order;            // library's time / our time, with quartiles, if there are both
  bool remembered = false;                // our best product was found by an earlier search
  double gathered_bytes = 0;              // bytes of x that the SMs of the device load in one product
                                          // (core/model/bytes.hpp)
  int tried = 0, left_out = 0;            // candidates that were timed, and those for which the budget was too small
  std::vector<BenchTrial> trials;         // trials of our kernels, in their order, if asked for
  std::vector<std::string> notes;         // products that could not run, or were wrong, and why
};

struct BenchReport {
  std::string started;  // UTC
  DeviceInfo device;
  std::string against, library_version;  // version of the library: "" on a modelled device
  int driver_version = 0;
  bool in_order = false;  // BenchOptions
  bool compact = true;    // the same
  std::optional<CopyBandwidth> copy;
  std::optional<L2Bandwidth> l2;
  std::vector<BenchRow> rows;
};

// A lower bound for the time of a side's product, in us. It is the time of its minimum bytes at the bandwidth of a
// copy, or the time in L2 if that is longer. The time in L2 is that of the bytes without x at L2's read bandwidth, and
// of the loaded bytes of x at its gather bandwidth. 0 if the copy bandwidth is not known. Kernels by stripes of x
// gather nothing.
double floor_us(const BenchSide& side, const BenchRow& row, const BenchReport& report);
// The product's bandwidth, (minimum bytes) / time, as a share of the copy bandwidth.
double share_of_copy(const BenchSide& side, const BenchReport& report);

// The preparation time of a side of this row, as a number of products of the best CSR kernel. Nothing if it is not
// known.
std::optional<double> prepared_products(const BenchSide& side, const BenchRow& row);
std::string why_not_prepared(const BenchSide& side, const BenchRow& row);

// A row has our product twice: overlapping with the previous product, and waiting for it. This makes the faster one the
// row's product.
void overlap_where_it_wins(BenchRow& row);

// After how many products a stored transpose, with its preparation, is as cheap as `own`. Nothing if it never is, or if
// a preparation is not known.
std::optional<double> pays_off_after(const BenchSide& stored, const BenchSide& own);

// (The library's time) / (our time) if each of our products waits for the previous one, as in a solver. The library's
// products always wait.
std::optional<double> in_order_ratio(const BenchRow& row);

std::string table_line(const BenchRow& row, const BenchReport& report);
std::string table_head();
// One line on what a stored transpose gains and costs, compared with the row's product; "" if none was timed.
std::string stored_line(const BenchRow& row);
// The ratios' geometric mean, smallest value and number, for each precision, cache state and operation.
std::string summary(const BenchReport& report);
std::string to_json(const BenchReport& report);

}  // namespace warpspy
