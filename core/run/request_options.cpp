#include "core/run/request_options.hpp"

#include <algorithm>

#include "core/base/cases.hpp"
#include "core/base/csv.hpp"
#include "core/base/number_text.hpp"
#include "core/base/numbers.hpp"

namespace warpspy {
namespace {

// An enumeration whose values have names, from 0 to `last` without a gap.
template <auto member, auto last>
RequestOption::Choice choice() {
  using Enum = decltype(last);
  RequestOption::Choice c;
  for (int k = 0; k <= static_cast<int>(last); ++k) c.words.push_back(name_of(static_cast<Enum>(k)));
  c.get = [](const RunRequest& r) { return static_cast<int>(r.*member); };
  c.set = [](RunRequest& r, int k) { r.*member = static_cast<Enum>(k); };
  return c;
}

[[noreturn]] void refuse(const RequestOption& option, const std::string& text, const std::string& remedy) {
  throw Error(std::string("unknown value \"") + text + "\"", option.id, remedy);
}

std::string device_told(const RunRecord& r) { return r.device_name.empty() ? r.device : r.device_name; }
std::string depth_told(const RunRecord& r) {
  return r.provenance == Provenance::modelled ? name_of(r.request.depth) : "on the GPU";
}

}  // namespace

// Each row sets only the members that it needs.
// NOLINTNEXTLINE(readability-function-size): a table
const std::vector<RequestOption>& request_options() {
  static const std::vector<RequestOption> table = {
      {.id = "precision",
       .value = choice<&RunRequest::precision, Precision::f64>(),
       .flag = "--precision",
       .help = "f32 or f64",
       .label = "Precision",
       .column = "precision"},
      {.id = "cache_state",
       .value = choice<&RunRequest::cache_state, CacheState::cold>(),
       .flag = "--cold",
       .help = "L2 has no data of the product when it begins",
       .bare = true,
       .label = "Caches before",
       .column = "caches",
       .absent = "warm"},
      {.id = "view",
       .value = choice<&RunRequest::view, RealView::modulus>(),
       .flag = "--view",
       .help = "Real numbers of a complex matrix, whose imaginary parts are not used: real or modulus",
       .has_default = false,  // imaginary parts are never dropped unasked
       .label = "Complex as",
       .column = "view"},
      {.id = "device",
       .value = &RunRequest::device,
       .flag = "--device",
       .help = "auto, cuda, cuda:N or sim:ID (see warpspy devices); with --parts also several together: cuda:0+cuda:1",
       .label = "Device",
       .told = device_told},
      {.id = "depth",
       .value = choice<&RunRequest::depth, Depth::whole>(),
       .flag = "--depth",
       .help = "How much of a product the emulator runs, the same on every machine: quick, medium and full run a "
               "sample of the blocks where all of them would be more; whole runs all",
       .label = "Depth",
       .told = depth_told,
       .column = "depth",
       .absent = "full",
       .of_product = false},
      {.id = "budget_s",
       .value = RequestOption::Number{&RunRequest::budget_s, 0.001, 86400},
       .flag = "--budget",
       .help = "Seconds that a product may be timed on a real GPU",
       .of_product = false},
      {.id = "live", .value = &RunRequest::live, .absent = "off", .of_product = false},
      {.id = "seed",
       .value = &RunRequest::seed,
       .flag = "--seed",
       .help = "Seed of the input vectors",
       .label = "Seed"},
      {.id = "alpha",
       .value = RequestOption::Number{&RunRequest::alpha},
       .flag = "--alpha",
       .help = "y = alpha A x + beta y",
       .label = "alpha",
       .absent = "1"},
      {.id = "beta",
       .value = RequestOption::Number{&RunRequest::beta},
       .flag = "--beta",
       .help = "y = alpha A x + beta y; 0: y is not read",
       .label = "beta",
       .absent = "0"},
      {.id = "host_memory_bytes",
       .value = RequestOption::Limit{&MemoryBudget::host_bytes},
       .flag = "--host-memory",
       .help = "Memory of this machine that a format may take, such as 4GiB (default: what is free)",
       .absent = "none"},
      {.id = "device_memory_bytes",
       .value = RequestOption::Limit{&MemoryBudget::device_bytes},
       .flag = "--device-memory",
       .help = "Memory of the device that a format may take, such as 16GiB (default: what the device has)",
       .absent = "none"},
      {.id = "counters",
       .value = &RunRequest::counters,
       .flag = "--counters",
       .help = "What is read from a real GPU's counters: none, quick, roofline or full (see warpspy metrics)",
       .absent = "none",
       .of_product = false},
      {.id = "lines",
       .value = &RunRequest::lines,
       .flag = "--lines",
       .help = "Also traffic per source line of the kernel; on a real GPU its instructions are counted for that",
       .absent = "off",
       .of_product = false},
      {.id = "parts",
       .value = &RunRequest::parts,
       .flag = "--parts",
       .help =
           "Over how many GPUs the matrix is divided: simulated ones like the device, or cuda:N and those behind it",
       .label = "Parts",
       .absent = "1",
       .seldom = true},
      {.id = "split",
       .value = choice<&RunRequest::split, Split::metis>(),
       .flag = "--split",
       .help = "How --parts divides the rows: blocks of equally many rows, blocks of equally many entries, or parts by "
               "METIS",
       .label = "Split",
       .absent = "rows",
       .seldom = true},
      {.id = "solver",
       .value = choice<&RunRequest::solver, Solver::gmres>(),
       .flag = "--solver",
       .help = "cg and pipelined_cg for symmetric positive definite matrices, bicgstab and gmres for others",
       .label = "Solver",
       .absent = "none",
       .of_solve = true},
      {.id = "precond",
       .value = choice<&RunRequest::preconditioner, Preconditioner::chebyshev>(),
       .flag = "--precond",
       .help =
           "What an iteration multiplies the residual by: nothing, the inverse of the diagonal or of its blocks, or "
           "a Chebyshev polynomial of the matrix",
       .label = "Preconditioner",
       .absent = "none",
       .of_solve = true},
      {.id = "block_rows",
       .value = &RunRequest::block_rows,
       .flag = "--block-rows",
       .help = "Rows of a block of block Jacobi: 8, 16 or 32",
       .label = "Rows of a block",
       .absent = "8",
       .of_solve = true},
      {.id = "degree",
       .value = &RunRequest::degree,
       .flag = "--degree",
       .help = "Degree of the Chebyshev polynomial: 1 to 16, a product each",
       .label = "Degree",
       .absent = "4",
       .of_solve = true},
      {.id = "tolerance",
       .value = RequestOption::Number{&RunRequest::tolerance, 1e-300, 1},
       .flag = "--tol",
       .help = "The solve ends when |r| is at most this share of |b|",
       .label = "Tolerance",
       .absent = "1e-08",
       .of_solve = true},
      {.id = "max_iterations",
       .value = &RunRequest::most_iterations,
       .flag = "--max-iterations",
       .help = "The solve ends after so many iterations",
       .label = "Iterations at most",
       .absent = "1000",
       .of_solve = true},
      {.id = "restart",
       .value = &RunRequest::restart,
       .flag = "--restart",
       .help = "Iterations of GMRES between restarts",
       .label = "Restart",
       .absent = "30",
       .of_solve = true},
      {.id = "deterministic",
       .value = &RunRequest::deterministic,
       .flag = "--deterministic",
       .help = "Every solve has the same bits: products that add by atomics are refused",
       .label = "Deterministic",
       .absent = "off",
       .of_solve = true},
      {.id = "refine",
       .value = &RunRequest::refine,
       .flag = "--refine",
       .help = "In f32: iterations inside steps in f64, which reach what f32 alone cannot",
       .label = "Refinement",
       .absent = "off",
       .of_solve = true},
      {.id = "rhs",
       .value = &RunRequest::rhs,
       .flag = "--rhs",
       .help = "The right-hand side b: ones, random (of the seed), or a .npy or .mtx file",
       .label = "Right-hand side",
       .absent = "ones",
       .of_solve = true},
      {.id = "x0",
       .value = &RunRequest::x0,
       .flag = "--x0",
       .help = "Where the solve begins: zeros, ones, random (of the seed), or a .npy or .mtx file",
       .label = "Start",
       .absent = "zeros",
       .of_solve = true},
      {.id = "newton_steps",
       .value = &RunRequest::newton_steps,
       .flag = "--newton-steps",
       .help = "gen:bratu: Newton's method ends after so many steps; 0: its first linear system alone, with --rhs",
       .label = "Steps of Newton's method at most",
       .absent = "50",
       .of_solve = true},
      {.id = "newton_tolerance",
       .value = RequestOption::Number{&RunRequest::newton_tolerance, 1e-300, 1},
       .flag = "--newton-tol",
       .help = "gen:bratu: Newton's method ends when |F| is at most this share of |F| at the start",
       .label = "Tolerance of Newton's method",
       .absent = "1e-08",
       .of_solve = true},
      {.id = "solution",
       .value = &RunRequest::solution,
       .flag = "--solution",
       .help = "The .npy or .mtx file that gets the solution x",
       .absent = "",
       .of_product = false,
       .of_solve = true},
  };
  return table;
}

const RequestOption& request_option(const std::string& id) {
  for (const RequestOption& o : request_options())
    if (o.id == id) return o;
  throw Error("a run has no option " + id);
}

std::string text_of(const RequestOption& option, const RunRequest& r) {
  return std::visit(
      Cases{[&](bool RunRequest::* m) { return std::string(r.*m ? "on" : "off"); },
            [&](std::uint64_t RunRequest::* m) { return std::to_string(r.*m); },
            [&](std::string RunRequest::* m) { return r.*m; },
            [&](const RequestOption::Number& n) { return csv::number(r.*n.member); },
            [&](const RequestOption::Limit& l) {
              const auto& bytes = r.memory.*l.member;
              return bytes ? std::to_string(*bytes) : std::string("none");
            },
            [&](const RequestOption::Choice& c) { return std::string(c.words[static_cast<std::size_t>(c.get(r))]); }},
      option.value);
}

void set_text(const RequestOption& option, RunRequest& r, const std::string& text) {
  std::visit(Cases{[&](bool RunRequest::* m) {
                     if (text != "on" && text != "off") refuse(option, text, "known: on, off");
                     r.*m = text == "on";
                   },
                   [&](std::uint64_t RunRequest::* m) {
                     const auto n = number_from<std::uint64_t>(text);
                     if (!n) refuse(option, text, "write a whole number of 0 or more, of at most 64 bits");
                     r.*m = *n;
                   },
                   [&](std::string RunRequest::* m) { r.*m = text; },
                   [&](const RequestOption::Number& n) {
                     const auto v = number_from<double>(text);
                     if (!v) refuse(option, text, "write a number");
                     r.*n.member = *v;
                   },
                   [&](const RequestOption::Limit& l) {
                     r.memory.*l.member =
                         text == "none" ? std::nullopt
                                        : std::optional(bytes_from_text(text, option.flag ? option.flag : option.id));
                   },
                   [&](const RequestOption::Choice& c) {
                     const auto at = std::find(c.words.begin(), c.words.end(), text);
                     std::string known;
                     for (const char* word : c.words) known += (known.empty() ? "" : ", ") + std::string(word);
                     if (at == c.words.end()) refuse(option, text, "known: " + known);
                     c.set(r, static_cast<int>(at - c.words.begin()));
                   }},
             option.value);
}

std::string told_of(const RequestOption& option, const RunRecord& r) {
  return option.told ? option.told(r) : text_of(option, r.request);
}

RunRequest product_of(const RunRequest& r) {
  RunRequest p = r;
  const RunRequest defaults;
  for (const RequestOption& o : request_options())
    if (!o.of_product) set_text(o, p, text_of(o, defaults));
  return p;
}

}  // namespace warpspy
