#include "app/cli/run_output.hpp"

#include <algorithm>
#include <cstdio>
#include <iostream>

#include "core/base/numbers.hpp"
#include "core/diagnosis/diagnose.hpp"
#include "core/run/check_words.hpp"
#include "core/run/history.hpp"
#include "core/run/run_name.hpp"
#include "core/run/solve_launches.hpp"
#include "core/run/time_interval.hpp"
#include "core/solve/newton_table.hpp"

namespace warpspy::cli {
namespace {

std::string value_of(const Counter& c) {
  if (!c.value) return "unavailable: " + c.reason;
  char text[64];
  std::snprintf(text, sizeof text, "%.6g %s", *c.value, c.unit.c_str());
  return text;
}

// One row per source line, whether measured or modelled.
void print_lines(const RunRecord& r) {
  if (!r.lines_reason.empty()) std::printf("  source lines unavailable: %s\n", r.lines_reason.c_str());
  if (r.lines.empty()) return;
  std::printf("  %-28s %14s %14s %12s %8s %8s\n", "source line", "requests", "sectors", "per request", "used", "lanes");
  for (const Traffic& t : r.lines)
    std::printf("  %-28s %14.0f %14.0f %12.3g %6.3g %% %8.3g %s\n", t.name.c_str(), t.requests, t.sectors,
                t.requests > 0 ? t.sectors / t.requests : 0, t.sectors > 0 ? 100 * t.bytes_used / (32 * t.sectors) : 0,
                t.active_lanes, name_of(t.provenance));
}

// One row per step of Newton's method, and one for all; times in ms.
void print_newton(const NewtonResult& n) {
  std::printf("  Newton's method: %s; %s\n", name_of(n.end), n.why.c_str());
  std::printf("  %-12s %12s %10s %11s %12s %10s %10s %9s\n", "step", "|F| before", "iterations", "F, J [ms]",
              "prepare [ms]", "solve [ms]", "products", "of step");
  for (const auto& [name, s] : newton_rows(n))
    std::printf("  %-12s %12.5g %10llu %11.4g %12.4g %10.4g %10.4g %7.3g %%\n", name.c_str(), s.norm,
                static_cast<unsigned long long>(s.iterations), s.assembly_us * 1e-3, s.preparation_us * 1e-3,
                s.solve_us * 1e-3, s.products_us * 1e-3, 100 * share_of_products(s));
}

// One row per part; times in us.
void print_parts(const RunRecord& r) {
  std::printf("  %4s %12s %14s %12s %12s %8s %10s %10s %10s %10s %10s  %s\n", "part", "rows", "entries", "halo in",
              "halo out", "messages", "local [us]", "link [us]", "waits [us]", "halo [us]", "all [us]",
              name_of(r.provenance));
  for (std::size_t k = 0; k < r.parts.size(); ++k) {
    const PartResult& p = r.parts[k];
    std::printf("  %4zu %12lld %14lld %12lld %12lld %8lld %10.4g %10.4g %10.4g %10.4g %10.4g\n", k + 1,
                static_cast<long long>(p.rows), static_cast<long long>(p.entries), static_cast<long long>(p.halo_in),
                static_cast<long long>(p.halo_out), static_cast<long long>(p.messages), p.local_us, p.link_us,
                p.waiting_us, p.halo_us, p.time_us);
  }
  if (!r.solve) return;
  std::printf("  %4s %14s %14s %22s\n", "part", "vectors [us]", "sums [us]", "waits in sums [us]");
  for (std::size_t k = 0; k < r.parts.size(); ++k) {
    const PartResult& p = r.parts[k];
    std::printf("  %4zu %14.4g %14.4g %22.4g\n", k + 1, p.vectors_us, p.dots_us, p.dots_waiting_us);
  }
}

// In one line; "..." for those behind the twelfth, which the JSON and the figure "iteration" have.
void print_launches(const std::vector<SolveLaunch>& launches) {
  constexpr std::size_t most = 12;
  std::printf("  %-26s", "each launch [us]");
  for (std::size_t k = 0; k < std::min(most, launches.size()); ++k)
    std::printf("%s %s %.4g", k > 0 ? "," : "", launches[k].part.c_str(), launches[k].us);
  std::printf("%s\n", launches.size() > most ? ", ..." : "");
}

}  // namespace

void print_run(const RunRecord& r, const Catalog& catalog, const std::optional<SolveNumbers>& solve) {
  std::printf("%s on %s, %s, %s\n", r.kernel_label.c_str(), r.matrix_name.c_str(), name_of(r.request.precision),
              r.device_name.c_str());
  const auto row = [](const std::string& name, const std::string& value, const char* tag) {
    std::printf("  %-26s %-28s %s\n", name.c_str(), value.c_str(), tag);
  };
  const auto quantity = [&](const char* name, const Quantity& q) {
    char text[64];
    std::snprintf(text, sizeof text, "%.6g %s", q.value, q.unit.c_str());
    row(name, text, name_of(q.provenance));
  };
  if (r.newton) print_newton(*r.newton);
  if (!r.parts.empty()) print_parts(r);
  if (r.solve) {
    const SolveResult& s = *r.solve;
    row(r.newton ? "solve of the first step" : "solve", name_of(s.end), "");
    std::printf("  %s\n", s.why.c_str());
    row("iterations", std::to_string(s.iterations), "");
    row("numbers from", s.numbers_from, "");
    char text[64];
    std::snprintf(text, sizeof text, "%.3g of |b|", s.residuals.empty() ? 0 : s.residuals.back());
    row("residual of the method", text, "");
    std::snprintf(text, sizeof text, "%.3g of |b|", s.true_residual);
    row("residual, in long double", text, "");
  }
  row("traffic from", name_of(r.traffic_source), "");
  quantity(r.solve ? "time of an iteration" : "time", r.time);
  if (const std::string interval = interval_text(r); !interval.empty()) row("90 % interval", interval, "");
  quantity("rate", r.gflops);
  quantity("minimum bytes", r.minimum_bytes);
  for (const Detail& d : r.details)
    if (!d.id.starts_with(solve_launch_prefix) && !is_of_interval(d)) quantity(d.label.c_str(), d.quantity);
  if (const auto launches = launches_of(r); !launches.empty()) print_launches(launches);
  if (solve) {
    const CopyShare& c = solve->copy;
    row("bandwidth", copy_share_text(r, c), c.share ? name_of(c.provenance) : "");
    row("break-even", break_even_text(r, solve->break_even),
        solve->break_even.base ? name_of(solve->break_even.provenance) : "");
  }
  for (const Counter& c : r.counters) {
    const MetricInfo* m = catalog.metric(c.id);
    row(m ? m->label : c.id, value_of(c), c.value ? name_of(c.provenance) : "");
  }
  if (r.request.lines) print_lines(r);
  if (const std::string why = why_not_checked(r); !why.empty()) {
    row("error", "not checked, because " + why, "");
  } else if (r.check) {
    char text[128];
    std::snprintf(text, sizeof text, "%.3g of the bound, %lld rows", r.check->max_of_bound,
                  static_cast<long long>(r.check->rows_checked));
    row("error", text, r.check->passed ? "passed" : "FAILED");
  }
  for (const std::string& note : r.notes) std::printf("  note: %s\n", note.c_str());
  if (r.status == RunStatus::ok)
    std::printf("  What limits it:\n%s\n", findings_text(solve ? told_solve(r, *solve) : r, "    ").c_str());
  if (r.id > 0) row("kept as", "run " + run_title(r), "");
}

void print_table(const Matrix& m, double opened_s, const std::vector<RunRecord>& runs) {
  std::printf("\n%s: %lld x %lld, %lld entries, %s; opened in %.3g s\n", m.source.name.c_str(),
              static_cast<long long>(m.csr->rows()), static_cast<long long>(m.csr->cols()),
              static_cast<long long>(m.csr->nnz()), byte_text(static_cast<double>(m.csr->bytes())).c_str(), opened_s);
  std::printf("%-22s %12s %10s %12s %14s  %s\n", "kernel", "time [us]", "GFLOP/s", "min GB/s", "of the bound", "from");
  for (const RunRecord& r : runs) {
    if (r.status != RunStatus::ok) {
      std::printf("%-22s %s\n", r.request.kernel.c_str(), name_of(r.status));
      continue;
    }
    char error[32] = "not checked";
    if (r.check && r.check->rows_checked > 0) std::snprintf(error, sizeof error, "%.3g", r.check->max_of_bound);
    std::printf("%-22s %12.6g %10.4g %12.4g %14s  %s\n", r.request.kernel.c_str(), r.time.value, r.gflops.value,
                r.time.value > 0 ? r.minimum_bytes.value / r.time.value * 1e-3 : 0, error, name_of(r.provenance));
  }
}

void print_json(const std::vector<RunRecord>& runs, const std::vector<std::optional<SolveNumbers>>& solves) {
  std::cout << "{\"schema\": \"warpspy-runs-1\", \"runs\": [";
  for (std::size_t k = 0; k < runs.size(); ++k)
    std::cout << (k > 0 ? ",\n" : "\n") << json_told(runs[k], k < solves.size() ? solves[k] : std::nullopt);
  std::cout << "\n]}\n";
}

int tell_failures(const std::vector<RunRecord>& runs) {
  int failures = 0;
  for (const RunRecord& r : runs) {
    try {
      require_good(r);
    } catch (const Error& e) {
      std::cerr << "warpspy: " << e.what() << "\n";
      ++failures;
    }
  }
  return failures;
}

void require_good(const RunRecord& r) {
  if (r.status != RunStatus::ok) throw Error(r.error.empty() ? "the run was cancelled" : r.error, r.request.kernel);
}

void tell_problems(History& history) {
  for (const Error& e : history.problems()) std::cerr << "warpspy: " << e.what() << "\n";
}

std::unique_ptr<History> open_history() {
  const std::string path = history_path();
  if (path.empty()) return nullptr;
  auto history = std::make_unique<History>(path);
  const bool kept = !history->path().empty();
  tell_problems(*history);
  return kept ? std::move(history) : nullptr;  // a history in memory gives no lasting numbers, so none is returned
}

}  // namespace warpspy::cli
