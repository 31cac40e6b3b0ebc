#include "core/run/record.hpp"

#include <algorithm>
#include <utility>

#include "core/base/csv.hpp"
#include "core/run/check_words.hpp"
#include "core/run/request_options.hpp"

namespace warpspy {
namespace {

using csv::add_line;

// Parameters of the kernel, then of its format.
std::string params_text(const RunRequest& r) {
  std::string out;
  for (const ParamSet* params : {&r.params, &r.format_params})
    for (const auto& [id, value] : *params) {
      if (!out.empty()) out += ' ';
      out.append(id).append("=").append(csv::number(value));
    }
  return out;
}

void add_run(std::string& csv, const RunRecord& r) {
  const RunRequest& asked = r.request;
  std::vector<std::string> head = {std::to_string(r.id), r.matrix_name, asked.kernel, params_text(asked)};
  for (const RequestOption& option : request_options())
    if (option.column) head.push_back(text_of(option, asked));
  head.push_back(r.device);
  const auto row = [&](const std::string& quantity, const std::string& value, const std::string& unit,
                       const std::string& provenance, const std::string& reason) {
    auto fields = head;
    fields.insert(fields.end(), {quantity, value, unit, provenance, reason});
    add_line(csv, fields);
  };
  if (r.status != RunStatus::ok) {
    row("status", name_of(r.status), "", "", r.error);
    return;
  }
  const auto quantity = [&](const std::string& id, const Quantity& q) {
    row(id, csv::number(q.value), q.unit, name_of(q.provenance), "");
  };
  quantity("time", r.time);
  quantity("gflops", r.gflops);
  quantity("minimum_bytes", r.minimum_bytes);
  for (const Detail& d : r.details) quantity(d.id, d.quantity);
  quantity("sampled_share", {r.sampled_share, "1", r.provenance});
  if (const std::string why = why_not_checked(r); !why.empty()) {
    for (const char* id : {"error_max_abs", "error_of_bound"}) row(id, "", "1", "unavailable", "not checked: " + why);
  } else if (r.check) {
    quantity("error_max_abs", {r.check->max_abs, "1", Provenance::derived});
    quantity("error_of_bound", {r.check->max_of_bound, "1", Provenance::derived});
  }
  if (r.solve) {
    row("solve_end", name_of(r.solve->end), "", "", r.solve->why);
    const Provenance from = r.provenance == Provenance::measured ? Provenance::measured : Provenance::derived;
    quantity("iterations", {static_cast<double>(r.solve->iterations), "1", from});
    quantity("true_residual", {r.solve->true_residual, "1", Provenance::derived});
  }
  if (r.newton) row("newton_end", name_of(r.newton->end), "", "", r.newton->why);
  for (std::size_t k = 0; k < r.parts.size(); ++k) {
    const PartResult& p = r.parts[k];
    const std::string part = "part_" + std::to_string(k + 1) + "_";
    const auto counted = [&](const char* id, index_t n) {
      quantity(part + id, {static_cast<double>(n), "1", r.provenance});
    };
    counted("rows", p.rows), counted("entries", p.entries);
    counted("halo_in", p.halo_in), counted("halo_out", p.halo_out), counted("messages", p.messages);
    for (const auto& [id, us] :
         {std::pair{"local", p.local_us}, std::pair{"link", p.link_us}, std::pair{"waiting", p.waiting_us},
          std::pair{"halo", p.halo_us}, std::pair{"time", p.time_us}})
      quantity(part + id, {us, "us", r.provenance});
    if (!r.solve) continue;
    for (const auto& [id, us] : {std::pair{"vectors", p.vectors_us}, std::pair{"dots", p.dots_us},
                                 std::pair{"dots_waiting", p.dots_waiting_us}})
      quantity(part + id, {us, "us", r.provenance});
  }
  for (const Counter& c : r.counters)
    row(c.id, c.value ? csv::number(*c.value) : "", c.unit, c.value ? name_of(c.provenance) : "unavailable", c.reason);
}

}  // namespace

SolveOptions solve_options(const RunRequest& r) {
  if (r.block_rows != 8 && r.block_rows != 16 && r.block_rows != 32)
    throw Error("a block of block Jacobi has 8, 16 or 32 rows, not " + std::to_string(r.block_rows), "block_rows");
  if (r.degree < 1 || r.degree > 16)
    throw Error("a Chebyshev polynomial has a degree of 1 to 16, not " + std::to_string(r.degree), "degree");
  if (!(r.tolerance > 0) || !(r.tolerance < 1)) throw Error("the tolerance must lie between 0 and 1", "tolerance");
  if (r.refine && r.precision == Precision::f64)
    throw Error("a solve in f64 has nothing to refine", "refine", "solve in f32, or leave --refine out");
  constexpr std::uint64_t most_iterations = 1'000'000, most_restart = 512;
  if (r.most_iterations < 1 || r.most_iterations > most_iterations)
    throw Error("a solve has 1 to 1000000 iterations", "max_iterations");
  if (r.restart < 1 || r.restart > most_restart) throw Error("GMRES restarts after 1 to 512 iterations", "restart");
  return {.solver = r.solver,
          .preconditioner = r.preconditioner,
          .block = static_cast<int>(r.block_rows),
          .degree = static_cast<int>(r.degree),
          .tolerance = r.tolerance,
          .most_iterations = r.most_iterations,
          .restart = static_cast<int>(r.restart)};
}

NewtonOptions newton_options(const RunRequest& r) {
  constexpr std::uint64_t most_steps = 1000;
  if (r.newton_steps > most_steps) throw Error("Newton's method takes at most 1000 steps", "newton_steps");
  if (!(r.newton_tolerance > 0) || !(r.newton_tolerance < 1))
    throw Error("the tolerance must lie between 0 and 1", "newton_tolerance");
  return {.tolerance = r.newton_tolerance, .most_steps = r.newton_steps};
}

const Counter* RunRecord::counter(const std::string& counter_id) const {
  const auto at = std::find_if(counters.begin(), counters.end(), [&](const Counter& c) { return c.id == counter_id; });
  return at == counters.end() ? nullptr : &*at;
}

const Quantity* RunRecord::detail(const std::string& detail_id) const {
  const auto at = std::find_if(details.begin(), details.end(), [&](const Detail& d) { return d.id == detail_id; });
  return at == details.end() ? nullptr : &at->quantity;
}

std::string to_csv(const std::vector<RunRecord>& runs) {
  std::string csv;
  std::vector<std::string> columns = {"run", "matrix", "kernel", "params"};
  for (const RequestOption& option : request_options())
    if (option.column) columns.emplace_back(option.column);
  columns.insert(columns.end(), {"device", "quantity", "value", "unit", "provenance", "reason"});
  add_line(csv, columns);
  for (const RunRecord& r : runs) add_run(csv, r);
  return csv;
}

}  // namespace warpspy
