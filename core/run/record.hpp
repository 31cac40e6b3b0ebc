// A run as plain data: the request, and the record of its results. Both survive JSON unchanged, so that the engine can
// be in another process or on another machine.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/base/types.hpp"
#include "core/catalog/catalog.hpp"
#include "core/matrix/memory.hpp"
#include "core/partition/part_result.hpp"
#include "core/partition/split.hpp"
#include "core/run/finding.hpp"
#include "core/solve/newton_result.hpp"
#include "core/solve/solver.hpp"

namespace warpspy {

// Tells what a product finds in the L2 cache of a GPU, real or simulated, when it starts. warm: the data that the same
// product left there before. cold: none of its own data.
enum class CacheState : std::uint8_t { warm, cold };
constexpr const char* name_of(CacheState s) { return s == CacheState::warm ? "warm" : "cold"; }

// Tells how much of a product the emulator runs. Each depth has a budget of work: if it is enough, all blocks of
// threads run, otherwise a sample of them. quick is for runs that follow a slider, medium for the many runs of an
// analysis or a search, full for a run that a user asks for. whole runs every block, however long it takes.
enum class Depth : std::uint8_t { quick, medium, full, whole };
constexpr const char* name_of(Depth d) {
  constexpr const char* names[] = {"quick", "medium", "full", "whole"};
  return names[static_cast<int>(d)];
}

struct RunRequest {
  std::string matrix;                 // path or "gen:...", as given
  std::string kernel = "csr_vector";  // the kernel with which most users begin
  ParamSet params;                    // the kernel's; missing ones take their default
  ParamSet format_params;             // the format's
  Precision precision = Precision::f32;
  RealView view = RealView::real_part;  // used only for a complex matrix
  std::string device = "auto";          // auto | cuda | cuda:N | sim:ID
  double budget_s = 1.0;                // of a real GPU: the time that timing may take
  Depth depth = Depth::full;            // of the emulator
  bool live = false;  // a run that follows a slider: a real GPU keeps the product and the counters ready for the next
                      // one
  std::uint64_t seed = 1;      // seed of the input vectors x and y
  double alpha = 1, beta = 0;  // y = alpha A x + beta y
  MemoryBudget memory;         // limits for the format, besides the memory of the machine and the device
  CacheState cache_state = CacheState::warm;
  std::string counters = "roofline";  // set of a real GPU's counters: id of Catalog::counter_sets, or "none"
  bool lines = false;                 // for a real GPU: count traffic per source line too; the emulator always does
  std::uint64_t parts = 1;            // over how many GPUs like `device` the rows are divided
  Split split = Split::rows;          // how; of no matter for one part
  // The next fields are for a solve of A x = b. A run without a solver is one product y = A x, and then the other
  // fields have no meaning.
  Solver solver = Solver::none;
  Preconditioner preconditioner = Preconditioner::none;
  std::uint64_t block_rows = 8;  // of a block of block Jacobi: 8, 16 or 32
  std::uint64_t degree = 4;      // of the Chebyshev polynomial: 1 to 16
  double tolerance = 1e-8;       // stop at |r| <= tolerance |b|
  std::uint64_t most_iterations = 1000;
  std::uint64_t restart = 30;              // GMRES: iterations between restarts
  bool deterministic = false;              // refuse a product that adds by atomics: two solves then have the same bits
  bool refine = false;                     // iterations in f32 inside steps in f64 (iterative refinement)
  std::string rhs = "ones", x0 = "zeros";  // "ones", "zeros", "random" (of `seed`), or a .npy or .mtx file
  // The next fields are for Newton's method. It runs when the matrix is the Jacobian of a nonlinear problem
  // (gen:bratu). With 0 steps only the first linear system is solved.
  std::uint64_t newton_steps = 50;
  double newton_tolerance = 1e-8;  // stop at |F| <= this share of |F| at the start
  std::string solution;            // the file to which x is written; "": none. Only the executor sets it
  bool operator==(const RunRequest&) const = default;
};

struct Quantity {
  double value = 0;
  std::string unit;
  Provenance provenance = Provenance::modelled;
};

// A further number about how a run was measured, such as "spread", "sm_clock" or "setup".
struct Detail {
  std::string id, label;
  Quantity quantity;
};

// A hardware counter of a run, real or modelled. If it has no value, `reason` says why it is unavailable, and `remedy`
// what the user can do.
struct Counter {
  std::string id;
  std::optional<double> value;
  std::string unit;
  Provenance provenance = Provenance::modelled;
  std::string reason, remedy;
};

// Memory traffic between SM and L1 that one array, or one source line of the kernel, causes. A request is one memory
// instruction of a warp; it touches sectors of 32 bytes.
struct Traffic {
  std::string name;                                  // "x", "values"; or "csr_vector.hpp:41"
  double requests = 0, sectors = 0, bytes_used = 0;  // bytes_used: bytes that the lanes requested
  double active_lanes = 0;                           // mean per request, 1..32
  Provenance provenance = Provenance::modelled;  // of requests and sectors; if these are measured, the other numbers
                                                 // are derived
  double bytes_padding = 0;                      // the part of bytes_used that is padding: slots that hold no entry
  std::vector<std::string> arrays = {};          // of a source line: the arrays that it accesses, if known
};

// The comparison of y with a reference in long double. Each element must satisfy |y - ref| <= gamma(n) (|alpha||A||x| +
// |beta||y|). Here n is the number of entries that are summed for the element, and two more with alpha or beta.
struct ErrorCheck {
  double max_abs = 0;       // largest |y_i - ref_i|
  double max_of_bound = 0;  // largest |y_i - ref_i| / bound_i; the result is accepted up to 1
  index_t rows_checked = 0;
  index_t worst_row = -1;
  bool passed = false;
  index_t rows_left_out = 0;  // rows without a bound: their sums have infinities or NaN, or may be too large for the
                              // precision
};

// The verdict in one word.
constexpr const char* verdict_of(const ErrorCheck& c) {
  return !c.passed ? "WRONG" : c.rows_checked > 0 ? "correct" : "not checked";
}

enum class RunStatus : std::uint8_t { ok, failed, cancelled };
constexpr const char* name_of(RunStatus s) {
  constexpr const char* names[] = {"ok", "failed", "cancelled"};
  return names[static_cast<int>(s)];
}

// Tells why a product y = A x was run. A trial is one of the many products that a search or a comparison runs. A single
// trial is of little interest, so lists, heat maps and profiles of runs leave trials out.
enum class Purpose : std::uint8_t {
  asked,       // the user or a command asked for this run
  trial,       // one of the many products of a search or a comparison
  final,       // the best product of a search, timed again
  refinement,  // runs the same request with more work, and replaces the earlier record
};
constexpr const char* name_of(Purpose p) {
  constexpr const char* names[] = {"asked", "trial", "final", "refinement"};
  return names[static_cast<int>(p)];
}

struct RunRecord {
  std::uint64_t id = 0;  // given by the RunStore
  std::string started;   // UTC, ISO 8601
  std::string plan;      // the plan of this product: "sweep", "analyse xrtm"; "": it was asked for alone
  Purpose purpose = Purpose::asked;
  RunRequest request;
  RunStatus status = RunStatus::failed;
  std::string error;  // one line when failed

  std::string matrix_name;
  index_t rows = 0, cols = 0, nnz = 0;
  std::string fingerprint;  // fingerprint of the matrix (fingerprint.hpp); "": unknown
  std::string kernel_label, format;
  std::string code;  // hash of the kernel's code for a GPU (kernels/table/kernel_code.hpp); "": not known, as for a
                     // library
  std::string device, device_name;
  Provenance provenance = Provenance::modelled;
  TrafficSource traffic_source = TrafficSource::simulated;  // where the traffic of this run comes from: counters, times
                                                            // or a model

  Quantity time;         // us: one product; of a solve, one iteration
  std::string time_how;  // "median of 21 graph launches of 20" / "model: max(...)"
  Quantity gflops;       // 2 nnz / time (Reguly & Giles eq. 1)
  // Reguly & Giles eq. 4 with this format's arrays: each array once, except padding that can be skipped.
  Quantity minimum_bytes;
  std::vector<Detail> details;
  double sampled_share = 1;  // share of the blocks that the emulator ran
  // Whether the model could give a better result for this run at full depth.
  bool may_be_refined() const {
    return provenance == Provenance::modelled && status == RunStatus::ok && sampled_share < 1 &&
           request.depth < Depth::full;
  }
  std::optional<ErrorCheck> check;
  std::vector<Counter> counters;
  std::vector<Traffic> arrays, lines;
  std::string source;              // hash of the kernel's source: if it differs, lines may have moved; "": not known
  std::string lines_reason;        // why the requested `lines` are missing, and what to do; one line
  std::vector<std::string> notes;  // sentences: real view used, sampling, fallbacks
  std::vector<Finding> findings;   // what limits the run (core/diagnosis); empty: nothing does, or it was not looked
                                   // for

  // Of a run over several GPUs: each part, in order. Time is that of the slowest part, and counters and traffic are
  // those of all parts together.
  std::vector<PartResult> parts;
  // The result of a solve. For a solve the record's time, counters and traffic are those of one iteration.
  std::optional<SolveResult> solve;
  // The steps of Newton's method. All other numbers of the record are then those of the first step.
  std::optional<NewtonResult> newton;

  const Counter* counter(const std::string& id) const;
  const Quantity* detail(const std::string& id) const;  // nullptr when there is none
};

// The request's choices for a solve, or for Newton's method. Throws Error for numbers that are out of range.
SolveOptions solve_options(const RunRequest& r);
NewtonOptions newton_options(const RunRequest& r);

// The object printed by `warpspy run --json`; and back. from_json throws Error on text that is not such an object.
std::string to_json(const RunRecord& r);
RunRecord record_from_json(const std::string& text);
// Reads what `warpspy run --json` prints (schema "warpspy-runs-1"): one run or several. Throws an Error that names
// `file`.
std::vector<RunRecord> runs_from_json(const std::string& text, const std::string& file);
std::string to_json(const RunRequest& r);
RunRequest request_from_json(const std::string& text);

// The table has one row per run and counter. Its columns are run, matrix, kernel, params, precision, device, quantity,
// value, unit, provenance and reason.
std::string to_csv(const std::vector<RunRecord>& runs);

}  // namespace warpspy
