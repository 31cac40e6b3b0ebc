// best: from all saved runs, the best kernel of each matrix for a number of products, and why.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <iostream>
#include <memory>
#include <string>
#include <vector>

#include "app/cli/command.hpp"
#include "app/cli/history_options.hpp"
#include "app/cli/interruptible.hpp"
#include "app/cli/keep_folder.hpp"
#include "app/cli/request_options.hpp"
#include "app/cli/run_output.hpp"
#include "app/wiring.hpp"
#include "core/base/target.hpp"
#include "core/experiment/executor.hpp"
#include "core/model/best_runs.hpp"
#include "kernels/device/device.hpp"
#include "profiling/bench/best.hpp"
#include "profiling/engine/devices.hpp"

namespace warpspy::cli {
namespace {

constexpr std::size_t kAllRuns = 1'000'000;

std::string text(double v, const char* format) {
  char buffer[48];
  std::snprintf(buffer, sizeof buffer, format, v);
  return buffer;
}

bool is_of(const RunRecord& r, const std::vector<std::string>& files) {
  return files.empty() || std::any_of(files.begin(), files.end(), [&](const std::string& file) {
           return absolute_source(r.request.matrix) == absolute_source(file);
         });
}

std::optional<RoofShare> roof_share_of(const Services& services, const RunRecord& r) {
  const DeviceInfo* device = services.catalog.device(r.device);
  if (!device) return std::nullopt;
  const auto measured = services.engine->saved_roofs(r.device);
  return roof_share(roofline_points(r, roofs_of(device->spec, r.request.precision, measured ? &*measured : nullptr)));
}

void print(const std::vector<BestRun>& all) {
  std::printf("%-24s %-4s %-5s %-4s %-18s %-22s %10s %9s %6s %11s  %-22s %s\n", "matrix", "", "L2", "", "device",
              "best kernel", "time us", "GFLOP/s", "roof", "preparation", "times as fast as", "parameters");
  for (const BestRun& b : all) {
    const RunRecord& r = *b.best;
    const std::string times = b.second ? text(b.times_as_fast(), "%.2f ") + b.second->request.kernel : "-";
    const std::optional<double> prepared = b.preparation_products();
    std::printf("%-24s %-4s %-5s %-4s %-18s %-22s %10s %9s %6s %11s  %-22s %s\n", r.matrix_name.c_str(),
                name_of(r.request.precision), name_of(r.request.cache_state),
                b.operation == Operation::transposed_product ? "A^T" : "A", r.device.c_str(), r.request.kernel.c_str(),
                text(r.time.value, "%.4g").c_str(), text(r.gflops.value, "%.4g").c_str(),
                b.share ? text(100 * b.share->share, "%.0f %%").c_str() : "-",
                prepared ? text(*prepared, "%.1f").c_str() : "-", times.c_str(), b.params.c_str());
    std::printf("    %s\n", cost_text(b).c_str());
    std::printf("    %s%s\n", b.why.c_str(), b.limit.empty() ? "" : ("; what limits it: " + b.limit).c_str());
  }
}

// First searches for the best kernel of each matrix; the runs are saved.
int search(const std::vector<std::string>& files, double budget_s, const HistoryQuery& query,
           const std::vector<std::string>& engines, KeepFolder& keep, History& history) {
  Progress progress;
  const Interruptible interruptible(progress);
  Services services = make_services(engines);
  const auto& devices = services.catalog.devices;
  BestRequest asked{"", *choose_device(query.device.empty() ? "auto" : query.device, devices).device};
  asked.precisions = {Precision::f32, Precision::f64};
  if (query.precision) asked.precisions = {*query.precision};
  asked.budget_s = budget_s;
  ExecutorOptions kept{.history = &history, .limits = Diagnose::bounds};
  keep.open(kept, KeepFolder::plan_of(files, {}), services.catalog);
  asked.history_until = keep.began();
  Executor executor(*services.engine, services.catalog, kept);
  const MakeBest plan_of = best_maker();
  for (const std::string& file : files) try {
      const Matrix matrix = open_with_progress(file);
      asked.source = file;
      const MatrixOf same = [&](const std::string&, Progress&) -> const Matrix& { return matrix; };
      Results results;
      const PlanEnd end = executor.run(*plan_of(matrix, asked, &history), same, progress, results);
      if (end == PlanEnd::cancelled) throw Cancelled();
      if (end == PlanEnd::device_lost) throw DeviceLost(results.back().record->error);
    } catch (const Cancelled&) {
      keep.close();
      std::cerr << "warpspy: stopped" << (keep.given() ? "; the same command goes on" : "") << "\n";
      return stopped;
    } catch (const Error& e) {
      if (files.size() == 1 || dynamic_cast<const DeviceLost*>(&e)) throw;
      report_failure(e, file);
    }
  keep.close();
  return 0;
}

}  // namespace

int best(CLI::App& app, std::vector<std::string> args) {
  HistoryOptions runs;
  std::string out, products = word_of(for_ever);
  std::vector<std::string> files, engines;
  double search_s = 0;
  bool csv = false, json = false;
  runs.add(app, kAllRuns);
  app.add_option("FILE", files, "Matrices; only their runs count (default: all that are kept)");
  auto* searched = app.add_option("--search", search_s,
                                  "First search each FILE's best kernel for so many seconds a precision and operation")
                       ->check(CLI::Range(0.1, 86400.0));
  searched->excludes(app.get_option("--from"));
  KeepFolder keep;
  add_engines(app, engines);
  keep.add(app);
  app.get_option("--keep")->needs(searched);
  app.add_option("--products", products, "N or ever: the best is the one with the least preparation + N x time")
      ->capture_default_str();
  app.add_option("-o,--output", out, "File to write: .csv or .json");
  app.add_flag("--csv", csv, "Print CSV");
  app.add_flag("--json", json, "Print JSON")->excludes("--csv");
  app.parse(std::move(args));
  const std::string ending = std::filesystem::path(out).extension().string();
  if (!out.empty() && ending != ".csv" && ending != ".json")
    throw Error("a table is written as .csv or .json", out, "give the file one of these endings");
  const ProductCount count = products_from_text(products);
  if (searched->count() > 0 && files.empty())
    throw Error("there is no matrix to search", "--search", "name the files, or gen:NAME");
  if (searched->count() > 0) {
    History history(need_history_path());
    tell_problems(history);
    if (!runs.query.device.empty())  // runs have the device's id
      runs.query.device = choose_device(runs.query.device, make_services(engines).catalog.devices).device->id;
    if (const int code = search(files, search_s, runs.query, engines, keep, history); code != 0) return code;
  }
  const std::unique_ptr<SavedRuns> kept = runs.open();
  const HistoryPage page = kept->find(runs.query);
  std::vector<std::shared_ptr<const RunRecord>> records;
  for (auto it = page.runs.rbegin(); it != page.runs.rend(); ++it)
    if (is_of(*it->record, files)) records.push_back(it->record);
  const Services services = make_services(engines);
  const std::vector<BestRun> all =
      best_runs(records, services.catalog, [&](const RunRecord& r) { return roof_share_of(services, r); }, count);
  if (all.empty())
    throw Error("no saved run answers this", kept->path(), "warpspy runs lists them; warpspy run makes more");
  if (!out.empty()) write_file(out, ending == ".csv" ? to_csv(all) : to_json(all));
  if (csv) std::cout << to_csv(all);
  if (json) std::cout << to_json(all);
  if (out.empty() && !csv && !json) print(all);
  return 0;
}

}  // namespace warpspy::cli
