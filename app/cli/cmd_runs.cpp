// runs: the history of all runs.
#include <CLI/CLI.hpp>
#include <cstdio>
#include <filesystem>
#include <iostream>
#include <nlohmann/json.hpp>

#include "app/cli/command.hpp"
#include "app/cli/figure_options.hpp"
#include "app/cli/run_output.hpp"
#include "app/wiring.hpp"
#include "core/base/csv.hpp"
#include "core/base/json_text.hpp"
#include "core/base/target.hpp"
#include "core/plot/figures.hpp"
#include "core/run/compare.hpp"

namespace warpspy::cli {
namespace {

using Json = nlohmann::ordered_json;
using Ids = std::vector<std::uint64_t>;

std::string number(double v, const char* format = "%.5g") {
  char text[48];
  std::snprintf(text, sizeof text, format, v);
  return text;
}
std::string params_of(const RunRecord& r) {
  std::string s;
  for (const ParamSet* set : {&r.request.params, &r.request.format_params})
    for (const auto& [id, value] : *set) s += (s.empty() ? "" : " ") + id + "=" + csv::number(value);
  return s;
}
std::string noise_text(const RunRecord& r) {
  const auto noise = noise_of_time(r);
  return !noise ? "unknown" : *noise == 0 ? "none" : number(*noise, "%.2g") + " %";
}

KeptRun need(const History& history, std::uint64_t id) {
  if (auto kept = history.get(id)) return *kept;
  throw Error("there is no run " + std::to_string(id), {}, "warpspy runs lists those that there are");
}

void print_list(const HistoryPage& page) {
  const auto row = [](const std::string& id, const std::string& started, const std::string& matrix,
                      const std::string& kernel, const std::string& precision, const std::string& device,
                      const std::string& time, const std::string& speed, const std::string& noise,
                      const std::string& rest) {
    std::printf("%6s  %-16s  %-20s %-14s %-4s %-14s %10s %9s %8s  %s\n", id.c_str(), started.c_str(),
                matrix.substr(0, 20).c_str(), kernel.c_str(), precision.c_str(), device.c_str(), time.c_str(),
                speed.c_str(), noise.c_str(), rest.c_str());
  };
  row("run", "started (UTC)", "matrix", "kernel", "", "device", "time/us", "GFLOP/s", "noise", "parameters; note");
  for (const KeptRun& k : page.runs) {
    const RunRecord& r = *k.record;
    const bool ok = r.status == RunStatus::ok;
    std::string started = r.started.substr(0, 16);
    if (started.size() > 10) started[10] = ' ';
    std::string rest = ok ? params_of(r) : r.error;
    if (!k.note.empty()) rest += "; " + k.note;
    row(std::to_string(r.id), started, r.matrix_name, r.request.kernel, name_of(r.request.precision), r.device,
        ok ? number(r.time.value) : name_of(r.status), ok ? number(r.gflops.value, "%.4g") : "",
        ok ? noise_text(r) : "", rest);
  }
  if (page.total > page.runs.size()) std::printf("%zu of %zu runs; --limit shows more\n", page.runs.size(), page.total);
}

Json json_of(const KeptRun& k) {
  const RunRecord& r = *k.record;
  const bool ok = r.status == RunStatus::ok;
  const auto noise = noise_of_time(r);
  return {{"id", r.id},
          {"started", r.started},
          {"matrix", r.matrix_name},
          {"source", r.request.matrix},
          {"kernel", r.request.kernel},
          {"params", params_of(r)},
          {"precision", name_of(r.request.precision)},
          {"caches", name_of(r.request.cache_state)},
          {"view", name_of(r.request.view)},
          {"depth", name_of(r.request.depth)},
          {"device", r.device},
          {"status", name_of(r.status)},
          {"time_us", ok ? Json(r.time.value) : Json()},
          {"gflops", ok ? Json(r.gflops.value) : Json()},
          {"noise_percent", ok && noise ? Json(*noise) : Json()},
          {"provenance", name_of(r.provenance)},
          {"note", k.note},
          {"session", k.session}};
}
std::string dumped(const Json& j) { return json_text(j) + "\n"; }

std::string csv_of(const HistoryPage& page) {
  std::string out;
  csv::add_line(out, {"run", "started", "matrix", "source", "kernel", "params", "precision", "caches", "view", "depth",
                      "device", "status", "time_us", "gflops", "noise_percent", "provenance", "note"});
  for (const KeptRun& k : page.runs) {
    const RunRecord& r = *k.record;
    const bool ok = r.status == RunStatus::ok;
    const auto noise = noise_of_time(r);
    csv::add_line(out, {std::to_string(r.id), r.started, r.matrix_name, r.request.matrix, r.request.kernel,
                        params_of(r), name_of(r.request.precision), name_of(r.request.cache_state),
                        name_of(r.request.view), name_of(r.request.depth), r.device, name_of(r.status),
                        ok ? csv::number(r.time.value) : "", ok ? csv::number(r.gflops.value) : "",
                        ok && noise ? csv::number(*noise) : "", name_of(r.provenance), k.note});
  }
  return out;
}

void print(const RunComparison& c) {
  const auto cell = [](const std::string& s, int width) { std::printf(" %*s", width, s.c_str()); };
  const std::string base = "run " + std::to_string(c.ids[0]);
  if (!c.differences.empty()) {
    std::printf("  %-26s", "what differs");
    for (const auto id : c.ids) cell("run " + std::to_string(id), 22);
    std::printf("\n");
    for (const Difference& d : c.differences) {
      std::printf("  %-26s", d.label.c_str());
      for (const std::string& s : d.runs) cell(s.empty() ? "-" : s, 22);
      std::printf("\n");
    }
    std::printf("\n");
  }
  std::printf("  %-26s %-8s %12s", "quantity", "unit", base.c_str());
  for (std::size_t k = 1; k < c.ids.size(); ++k) {
    cell("run " + std::to_string(c.ids[k]), 12), cell("change", 10);
    std::printf(" %-14s", "");
  }
  std::printf("\n");
  const auto value = [](const Delta& d) { return d.value ? number(*d.value, "%.6g") : std::string("-"); };
  for (const DeltaRow& row : c.rows) {
    std::printf("  %-26s %-8s %12s", row.label.c_str(), row.unit.c_str(), value(row.runs[0]).c_str());
    for (std::size_t k = 1; k < row.runs.size(); ++k) {
      const Delta& d = row.runs[k];
      const std::string change = change_text(d, row.unit);
      cell(value(d), 12), cell(change.empty() ? "-" : change, 10);
      std::printf(" %-14s", name_of(d.verdict));
    }
    std::printf("\n");
    if (row.id != "time") continue;
    const auto noise = [](const Delta& d) { return d.noise ? number(*d.noise, "%.2g") : std::string("unknown"); };
    std::printf("  %-26s %-8s %12s", "  noise", "%", noise(row.runs[0]).c_str());
    for (std::size_t k = 1; k < row.runs.size(); ++k) {
      cell(noise(row.runs[k]), 12), cell("", 10);
      std::printf(" %-14s", "");
    }
    std::printf("\n");
  }
  for (const DeltaRow& row : c.rows)
    for (std::size_t k = 0; k < row.runs.size(); ++k)
      if (!row.runs[k].value)
        std::printf("  %s of run %llu is unavailable: %s\n", row.label.c_str(),
                    static_cast<unsigned long long>(c.ids[k]), row.runs[k].reason.c_str());
  for (const std::string& w : c.warnings) std::printf("  note: %s\n", w.c_str());
}

bool ends_with(const std::string& path, const char* ending) {
  return std::filesystem::path(path).extension() == ending;
}

// Numbers as .csv or .json, else the roofline of the baseline's device with arrows.
void write_comparison(const RunComparison& c, const std::vector<std::shared_ptr<const RunRecord>>& runs,
                      const Services& services, const FigureOptions& figure) {
  if (ends_with(figure.out, ".csv") || ends_with(figure.out, ".json")) {
    return write_file(figure.out, ends_with(figure.out, ".csv") ? to_csv(c) : to_json(c) + "\n");
  }
  const RunRecord& base = *runs.front();
  const DeviceInfo* device = services.catalog.device(base.device);
  const auto measured = services.engine->kept_roofs(base.device);
  const auto roofs =
      device ? roofs_of(device->spec, base.request.precision, measured ? &*measured : nullptr) : std::vector<Roof>{};
  plot::RooflineStyle style;
  style.compared = c.ids;
  figure.write(plot::roofline_figure(roofs, base.device_name, runs, style, figure.theme()));
}

RunRecord repeat(const KeptRun& kept, Services& services) {
  const RunRecord& old = *kept.record;
  const std::string what = "run " + std::to_string(old.id) + " cannot be repeated";
  const RunRequest request = repeat_request(old);
  const auto open = [&] {
    try {
      return open_with_progress(request.matrix);
    } catch (const Error& e) {
      throw Error(what + ": " + e.reason, e.where, e.remedy);
    }
  };
  const Matrix m = open();
  const std::string other = why_not_the_same(old, m.csr->rows(), m.csr->cols(), m.csr->nnz());
  if (!other.empty()) throw Error(what + ": " + other, request.matrix, "use warpspy run for the matrix as it is now");
  Progress progress;
  return services.engine->run(request, m, progress);
}

}  // namespace

int runs(CLI::App& app, std::vector<std::string> args) {
  HistoryQuery query;
  std::string precision, text;
  bool as_json = false, as_csv = false;
  query.limit = 40;
  app.add_option("--matrix", query.matrix, "Only of matrices with this in their name or path");
  app.add_option("--kernel", query.kernel, "Only of this kernel");
  app.add_option("--device", query.device, "Only on this device: an id, or part of the name");
  app.add_option("--precision", precision, "Only f32 or f64")->check(CLI::IsMember({"f32", "f64"}));
  app.add_option("--text", query.text, "Only those with these words anywhere, notes included");
  app.add_option("--since", query.since, "Only runs started then or later, such as 2026-11 or 2026-11-21T12:00 (UTC)");
  app.add_option("--limit", query.limit, "The newest so many")->check(CLI::Range(1, 1000000))->capture_default_str();
  app.add_flag("--json", as_json, "Print JSON");
  app.add_flag("--csv", as_csv, "Print CSV")->excludes("--json");
  app.require_subcommand(0, 1);

  std::uint64_t id = 0;
  Ids ids;
  FigureOptions figure;
  auto* show = app.add_subcommand("show", "Every number of one run");
  show->add_option("ID", id, "Number of the run")->required();
  show->add_flag("--json", as_json, "Print JSON");
  auto* compare = app.add_subcommand("compare", "Two or more runs against the first, and against their noise");
  compare->add_option("ID", ids, "Numbers of the runs, baseline first")->required()->expected(2, 8);
  compare->add_flag("--json", as_json, "Print JSON");
  compare->add_option("-o,--output", figure.out,
                      "File to write: the roofline with arrows as .svg .pdf .png, or the table as .csv .json");
  compare->add_option("--size", figure.size, "WIDTHxHEIGHT in pixels")->capture_default_str();
  compare->add_flag("--dark", figure.dark, "Dark ground");
  auto* note = app.add_subcommand("note", "Write a note to a run; an empty one removes it");
  note->add_option("ID", id, "Number of the run")->required();
  note->add_option("TEXT", text, "The note")->required();
  auto* again = app.add_subcommand("repeat", "Run again exactly what was run, on the same matrix and device");
  again->add_option("ID", id, "Number of the run")->required();
  again->add_flag("--json", as_json, "Print JSON");
  auto* remove = app.add_subcommand("remove", "Remove runs for good");
  remove->add_option("ID", ids, "Numbers of the runs")->required()->expected(1, 1000000);
  app.parse(std::move(args));
  if (!precision.empty()) query.precision = precision == "f64" ? Precision::f64 : Precision::f32;

  const std::string path = history_path();
  if (path.empty())
    throw Error("the history of runs is off", {}, "let WARPSPY_RUNS name a file, or unset it, and set HOME");
  History history(path);
  const bool in_memory = history.path().empty();
  tell_problems(history);
  if (in_memory) return 1;

  if (*show) {
    const KeptRun kept = need(history, id);
    if (as_json) {
      Json j = Json::parse(to_json(*kept.record));
      j["note"] = kept.note, j["session"] = kept.session;
      std::cout << dumped(j);
      return 0;
    }
    const Services services = make_services();
    const RunRecord& r = *kept.record;
    if (r.status != RunStatus::ok) std::printf("%s: %s\n", name_of(r.status), r.error.c_str());
    print_run(r, services.catalog);
    std::printf("  %-26s %s\n  %-26s %s\n", "started", r.started.c_str(), "matrix", r.request.matrix.c_str());
    if (const std::string params = params_of(r); !params.empty())
      std::printf("  %-26s %s\n", "parameters", params.c_str());
    if (!kept.note.empty()) std::printf("  %-26s %s\n", "your note", kept.note.c_str());
    return 0;
  }
  if (*compare) {
    std::vector<std::shared_ptr<const RunRecord>> records;
    for (const std::uint64_t one : ids) records.push_back(need(history, one).record);
    const Services services = make_services();
    const RunComparison c = compare_runs(records, services.catalog);
    if (!figure.out.empty()) write_comparison(c, records, services, figure);
    if (as_json)
      std::cout << to_json(c) << "\n";
    else if (figure.out.empty())
      print(c);
    return 0;
  }
  if (*note) return history.set_note(id, text), 0;
  if (*remove) {
    for (const std::uint64_t one : ids) need(history, one);  // all or none
    history.remove(ids);
    return 0;
  }
  if (*again) {
    const KeptRun kept = need(history, id);
    Services services = make_services();
    RunRecord record = repeat(kept, services);
    history.add(record);
    tell_problems(history);
    if (record.status == RunStatus::ok && as_json) std::cout << to_json(record) << "\n";
    if (record.status == RunStatus::ok && !as_json) {
      print_run(record, services.catalog);
      if (kept.record->status == RunStatus::ok)
        print(compare_runs({kept.record, std::make_shared<const RunRecord>(record)}, services.catalog));
    }
    require_good(record);
    return 0;
  }
  const HistoryPage page = history.find(query);
  if (as_json) {
    Json list = Json::array();
    for (const KeptRun& k : page.runs) list.push_back(json_of(k));
    std::cout << dumped(list);
  } else if (as_csv) {
    std::cout << csv_of(page);
  } else {
    print_list(page);
  }
  return 0;
}

}  // namespace warpspy::cli
