// What `warpspy bench` found, as plain data, its table and its JSON.
#pragma once

#include <optional>
#include <string>
#include <vector>

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
  double minimum_bytes = 0;     // of this format, x and y: each array once
  double error_of_bound = 0;    // of the checked result, accepted up to 1
  double prepared_us = 0;       // once, before the first product: the format made from CSR, and what the kernel makes
};

// A candidate that the search timed, to rank it.
struct BenchTrial {
  std::string kernel;
  ParamSet params, format_params;
  double us = 0;        // of its product
  double spent_ms = 0;  // of the search: with its format where that was made for it, and what was copied
  Provenance from = Provenance::measured;  // of `us`
};

// One matrix, precision, state of the caches and operation.
struct BenchRow {
  std::string matrix;
  index_t rows = 0, cols = 0, nnz = 0;
  Precision precision = Precision::f32;
  CacheState state = CacheState::warm;
  Operation operation = Operation::product;
  std::optional<BenchSide> own, library;  // measured in turn, in one run
  std::optional<BenchSide> in_order;      // ours where each product waits for the one before, in the same run
  std::optional<BenchSide> stored;        // of a transposed product: ours with a stored transpose, timed alone
  Ratio ratio, ratio_in_order;            // library's time / ours, with quartiles; where there are both
  bool remembered = false;                // an earlier search had found ours
  double gathered_bytes = 0;              // of a product: of x, by the SMs of the device (core/model/bytes.hpp)
  int tried = 0, left_out = 0;            // candidates timed, and not timed for want of budget
  std::vector<BenchTrial> trials;         // of ours, in turn; where they are asked for
  std::vector<std::string> notes;         // what could not run, or was wrong, and why
};

struct BenchReport {
  std::string started;  // UTC
  DeviceInfo device;
  std::string against, library_version;  // its version: "" on a modelled device
  int driver_version = 0;
  bool in_order = false;  // BenchOptions
  bool compact = true;    // the same
  std::optional<CopyBandwidth> copy;
  std::optional<L2Bandwidth> l2;
  std::vector<BenchRow> rows;
};

// Microseconds that a side of the row takes at least: its minimum bytes at the copy bandwidth, or in L2, where that is
// longer, those without x as L2 is read and what is gathered of x as it is gathered there. 0 when the copy is not
// known. Kernels by stripes of x gather nothing.
double floor_us(const BenchSide& side, const BenchRow& row, const BenchReport& report);
// Minimum bytes / time, as a share of the copy bandwidth.
double share_of_copy(const BenchSide& side, const BenchReport& report);

// Products that take as long as the preparation of this side.
double prepared_products(const BenchSide& side);

// Of our two products that were measured in turn the faster one stands as ours, also where it is the one in order.
void overlap_where_it_wins(BenchRow& row);

// Products after which a stored transpose, which takes longer to prepare, has taken less time in all than `own`;
// nothing where it is not faster, 0 where it takes no longer to prepare.
std::optional<double> pays_off_after(const BenchSide& stored, const BenchSide& own);

// The library's time / ours where each product of ours waits for the one before, as in a solver; the library's always
// do.
std::optional<double> in_order_ratio(const BenchRow& row);

std::string table_line(const BenchRow& row, const BenchReport& report);
std::string table_head();
// What a stored transpose brings beside the row's product and what it costs, a line; "" where none was timed.
std::string stored_line(const BenchRow& row);
// Geometric mean, smallest ratio and count by precision, state and operation.
std::string summary(const BenchReport& report);
std::string to_json(const BenchReport& report);

}  // namespace warpspy
