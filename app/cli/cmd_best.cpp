// best: the fastest kernel of each matrix, of all runs that are kept, and why.
#include <CLI/CLI.hpp>
#include <cstdio>
#include <filesystem>
#include <iostream>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "app/cli/command.hpp"
#include "app/cli/history_options.hpp"
#include "app/cli/request_options.hpp"
#include "app/cli/run_output.hpp"
#include "app/wiring.hpp"
#include "core/base/csv.hpp"
#include "core/base/json_text.hpp"
#include "core/base/target.hpp"
#include "core/model/best_runs.hpp"
#include "core/run/run_name.hpp"

namespace warpspy::cli {
namespace {

using Json = nlohmann::ordered_json;
using Row = std::vector<std::pair<std::string, Json>>;

constexpr std::size_t kAllRuns = 1'000'000;

std::string text(double v, const char* format) {
  char buffer[48];
  std::snprintf(buffer, sizeof buffer, format, v);
  return buffer;
}

std::optional<RoofShare> roof_share_of(const Services& services, const RunRecord& r) {
  const DeviceInfo* device = services.catalog.device(r.device);
  if (!device) return std::nullopt;
  const auto measured = services.engine->kept_roofs(r.device);
  return roof_share(roofline_points(r, roofs_of(device->spec, r.request.precision, measured ? &*measured : nullptr)));
}

// A row for CSV and JSON; a number that is not known is null.
Row row_of(const BestRun& b) {
  const RunRecord& r = *b.best;
  Row cells = {{"matrix", r.matrix_name},
               {"source", r.request.matrix},
               {"rows", r.rows},
               {"cols", r.cols},
               {"nnz", r.nnz},
               {"precision", name_of(r.request.precision)},
               {"operation", name_of(b.operation)},
               {"cache_state", name_of(r.request.cache_state)},
               {"device", r.device},
               {"kernel", r.request.kernel},
               {"kernel_label", r.kernel_label},
               {"params", b.params},
               {"run", run_number(r)},
               {"time_us", r.time.value},
               {"gflops", r.gflops.value},
               {"provenance", name_of(r.time.provenance)},
               {"share_of_roof", b.share ? Json(b.share->share) : Json()},
               {"limit", b.limit}};
  cells.push_back({"second_kernel", b.second ? Json(b.second->request.kernel) : Json()});
  cells.push_back({"second_us", b.second ? Json(b.second->time.value) : Json()});
  cells.push_back({"second_run", b.second ? Json(run_number(*b.second)) : Json()});
  cells.push_back({"times_as_fast", b.second ? Json(b.times_as_fast()) : Json()});
  cells.push_back({"why", b.why});
  cells.push_back({"kernels", b.kernels});
  cells.push_back({"runs", b.runs});
  return cells;
}

std::string json_of(const std::vector<BestRun>& all) {
  Json rows = Json::array();
  for (const BestRun& b : all) {
    Json row = Json::object();
    for (auto& [id, value] : row_of(b)) row[id] = std::move(value);
    rows.push_back(std::move(row));
  }
  return json_text(rows) + "\n";
}

std::string csv_of(const std::vector<BestRun>& all) {
  std::string out;
  for (std::size_t k = 0; k < all.size(); ++k) {
    std::vector<std::string> head, line;
    for (const auto& [id, value] : row_of(all[k])) {
      head.push_back(id);
      line.push_back(value.is_number() ? csv::number(value.get<double>())
                     : value.is_null() ? ""
                                       : value.get<std::string>());
    }
    if (k == 0) csv::add_line(out, head);
    csv::add_line(out, line);
  }
  return out;
}

void print(const std::vector<BestRun>& all) {
  std::printf("%-24s %-4s %-5s %-4s %-14s %-22s %10s %9s %6s  %-22s %s\n", "matrix", "", "L2", "", "device",
              "best kernel", "time us", "GFLOP/s", "roof", "times as fast as", "parameters");
  for (const BestRun& b : all) {
    const RunRecord& r = *b.best;
    const std::string times = b.second ? text(b.times_as_fast(), "%.2f ") + b.second->request.kernel : "-";
    std::printf("%-24s %-4s %-5s %-4s %-14s %-22s %10s %9s %6s  %-22s %s\n", r.matrix_name.c_str(),
                name_of(r.request.precision), name_of(r.request.cache_state),
                b.operation == Operation::transposed_product ? "A^T" : "A", r.device.c_str(), r.request.kernel.c_str(),
                text(r.time.value, "%.4g").c_str(), text(r.gflops.value, "%.4g").c_str(),
                b.share ? text(100 * b.share->share, "%.0f %%").c_str() : "-", times.c_str(), b.params.c_str());
    std::printf("    %s%s\n", b.why.c_str(), b.limit.empty() ? "" : ("; what limits it: " + b.limit).c_str());
  }
}

}  // namespace

int best(CLI::App& app, std::vector<std::string> args) {
  HistoryOptions runs;
  std::vector<std::string> engines;
  std::string out;
  bool csv = false, json = false;
  runs.add(app, kAllRuns);
  add_engines(app, engines);
  app.add_option("-o,--output", out, "File to write: .csv or .json");
  app.add_flag("--csv", csv, "Print CSV");
  app.add_flag("--json", json, "Print JSON")->excludes("--csv");
  app.parse(std::move(args));
  const std::string ending = std::filesystem::path(out).extension().string();
  if (!out.empty() && ending != ".csv" && ending != ".json")
    throw Error("a table is written as .csv or .json", out, "give the file one of these endings");
  History history(need_history_path());
  tell_problems(history);
  const HistoryPage page = history.find(runs.query);
  std::vector<std::shared_ptr<const RunRecord>> records;
  for (auto it = page.runs.rbegin(); it != page.runs.rend(); ++it) records.push_back(it->record);
  const Services services = make_services(engines);
  const std::vector<BestRun> all =
      best_runs(records, services.catalog, [&](const RunRecord& r) { return roof_share_of(services, r); });
  if (all.empty())
    throw Error("no kept run answers this", history.path(), "warpspy runs lists them; warpspy run makes more");
  if (!out.empty()) write_file(out, ending == ".csv" ? csv_of(all) : json_of(all));
  if (csv) std::cout << csv_of(all);
  if (json) std::cout << json_of(all);
  if (out.empty() && !csv && !json) print(all);
  return 0;
}

}  // namespace warpspy::cli
