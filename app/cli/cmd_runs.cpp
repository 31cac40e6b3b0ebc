// runs: the history of all runs.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <iostream>
#include <nlohmann/json.hpp>
#include <utility>

#include "app/cli/figure_options.hpp"
#include "app/cli/history_options.hpp"
#include "app/cli/request_options.hpp"
#include "app/cli/run_output.hpp"
#include "app/cli/subcommands.hpp"
#include "app/wiring.hpp"
#include "core/base/csv.hpp"
#include "core/base/json_text.hpp"
#include "core/base/source_name.hpp"
#include "core/base/target.hpp"
#include "core/experiment/executor.hpp"
#include "core/formats/format.hpp"
#include "core/run/compare.hpp"
#include "core/run/request_options.hpp"
#include "core/run/run_name.hpp"
#include "kernels/table/table.hpp"

namespace warpspy::cli {
namespace {

using Json = nlohmann::ordered_json;

std::string number(double v, const char* format = "%.5g") {
  char text[48];
  std::snprintf(text, sizeof text, format, v);
  return text;
}
// Writes a choice by its name. A choice that this program does not know stays a number.
void add_params(std::string& text, const ParamSet& set, const std::vector<ParamSpec>* specs) {
  for (const auto& [id, value] : set) {
    std::string shown = csv::number(value);
    if (specs)
      for (const ParamSpec& spec : *specs)
        if (spec.id == id && value >= 0 && value < static_cast<double>(spec.choices.size()))
          shown = spec.choices[static_cast<std::size_t>(value)];
    text += (text.empty() ? "" : " ") + id + "=" + shown;
  }
}
std::string params_of(const RunRecord& r) {
  const auto& rows = warpspy::kernels();
  const auto kernel =
      std::find_if(rows.begin(), rows.end(), [&](const auto& k) { return k.info.id == r.request.kernel; });
  const FormatRow* format = nullptr;
  for (const FormatRow& f : warpspy::formats())
    if (kernel != rows.end() && f.info.id == kernel->info.format) format = &f;
  std::string text;
  add_params(text, r.request.params, kernel == rows.end() ? nullptr : &kernel->info.params);
  add_params(text, r.request.format_params, format ? &format->info.params : nullptr);
  return text;
}
// "17"; "t17" of a trial.
std::string number_of(const RunRecord& r) {
  return r.id > kTrials ? "t" + std::to_string(r.id - kTrials) : std::to_string(r.id);
}
std::string noise_text(const RunRecord& r) {
  const auto noise = noise_of_time(r);
  return !noise ? "unknown" : *noise == 0 ? "none" : number(*noise, "%.2g") + " %";
}

// By its number here, or by its name.
SavedRun need(const History& history, const std::string& id) {
  const bool number = id.size() < 19 && id.find_first_not_of("0123456789") == id.npos && !id.empty();
  if (auto kept = number ? history.get(std::stoull(id)) : history.named(id)) return *kept;
  throw Error("there is no run " + id, {}, "warpspy runs lists those that there are");
}

void print_list(const HistoryPage& page) {
  const auto row = [](const std::string& id, const std::string& name, const std::string& started,
                      const std::string& matrix, const std::string& kernel, const std::string& precision,
                      const std::string& device, const std::string& time, const std::string& speed,
                      const std::string& noise, const std::string& rest) {
    std::printf("%6s %-7s  %-16s  %-20s %-22s %-4s %-18s %10s %9s %8s  %s\n", id.c_str(), name.c_str(), started.c_str(),
                matrix.substr(0, 20).c_str(), kernel.c_str(), precision.c_str(), device.c_str(), time.c_str(),
                speed.c_str(), noise.c_str(), rest.c_str());
  };
  row("run", "name", "started (UTC)", "matrix", "kernel", "", "device", "time/us", "GFLOP/s", "noise",
      "parameters; note");
  for (const SavedRun& k : page.runs) {
    const RunRecord& r = *k.record;
    const bool ok = r.status == RunStatus::ok;
    std::string started = r.started.substr(0, 16);
    if (started.size() > 10) started[10] = ' ';
    std::string rest = ok ? params_of(r) : r.error;
    if (!k.note.empty()) rest += "; " + k.note;
    row(number_of(r), run_name(r), started, r.matrix_name, r.request.kernel, name_of(r.request.precision), r.device,
        ok ? number(r.time.value) : name_of(r.status), ok ? number(r.gflops.value, "%.4g") : "",
        ok ? noise_text(r) : "", rest);
  }
  if (page.total > page.runs.size()) std::printf("%zu of %zu runs; --limit shows more\n", page.runs.size(), page.total);
}

// A run as one line of a table for scripts: pairs of column name and value (as JSON).
std::vector<std::pair<std::string, Json>> cells_of(const SavedRun& k) {
  const RunRecord& r = *k.record;
  const bool ok = r.status == RunStatus::ok;
  const auto noise = noise_of_time(r);
  std::vector<std::pair<std::string, Json>> cells = {{"name", run_name(r)},        {"started", r.started},
                                                     {"matrix", r.matrix_name},    {"source", r.request.matrix},
                                                     {"kernel", r.request.kernel}, {"params", params_of(r)}};
  for (const RequestOption& option : request_options())
    if (option.column) cells.emplace_back(option.column, text_of(option, r.request));
  cells.insert(cells.end(), {{"device", r.device},
                             {"status", name_of(r.status)},
                             {"time_us", ok ? Json(r.time.value) : Json()},
                             {"gflops", ok ? Json(r.gflops.value) : Json()},
                             {"noise_percent", ok && noise ? Json(*noise) : Json()},
                             {"provenance", name_of(r.provenance)},
                             {"note", k.note}});
  return cells;
}

Json json_of(const SavedRun& k) {
  Json j = {{"id", k.record->id}};
  for (auto& [name, value] : cells_of(k)) j[name] = std::move(value);
  j["session"] = k.session;
  return j;
}
std::string dumped(const Json& j) { return json_text(j) + "\n"; }

std::string csv_of(const HistoryPage& page) {
  std::vector<std::string> head = {"run"};
  for (const auto& [name, value] : cells_of({std::make_shared<const RunRecord>(), {}, {}})) head.push_back(name);
  std::string out;
  csv::add_line(out, head);
  for (const SavedRun& k : page.runs) {
    std::vector<std::string> line = {number_of(*k.record)};
    for (const auto& [name, value] : cells_of(k))
      line.push_back(value.is_number() ? csv::number(value.get<double>())
                     : value.is_null() ? ""
                                       : value.get<std::string>());
    csv::add_line(out, line);
  }
  return out;
}

void cell(const std::string& text, int width) { std::printf(" %*s", width, text.c_str()); }
std::string run_text(std::uint64_t id) { return "run " + std::to_string(id); }

void print_differences(const RunComparison& c) {
  if (c.differences.empty()) return;
  const auto row = [](const std::string& label, const std::vector<std::string>& texts) {
    std::printf("  %-26s", label.c_str());
    for (const std::string& s : texts) cell(s.empty() ? "-" : s, 22);
    std::printf("\n");
  };
  std::vector<std::string> runs;
  for (const auto id : c.ids) runs.push_back(run_text(id));
  row("what differs", runs);
  for (const Difference& d : c.differences) row(d.label, d.runs);
  std::printf("\n");
}

// One line: the baseline's value, then value, change and verdict of each other run.
struct Compared {
  std::string value, change, verdict;
};
void print_row(const std::string& label, const std::string& unit, const std::string& base,
               const std::vector<Compared>& others) {
  std::printf("  %-26s %-8s %12s", label.c_str(), unit.c_str(), base.c_str());
  for (const Compared& o : others) {
    cell(o.value, 12), cell(o.change, 10);
    std::printf(" %-14s", o.verdict.c_str());
  }
  std::printf("\n");
}

void print_quantities(const RunComparison& c) {
  std::vector<Compared> heads;
  for (std::size_t k = 1; k < c.ids.size(); ++k) heads.push_back({run_text(c.ids[k]), "change", ""});
  print_row("quantity", "unit", run_text(c.ids[0]), heads);
  const auto value = [](const Delta& d) { return d.value ? number(*d.value, "%.6g") : std::string("-"); };
  const auto noise = [](const Delta& d) { return d.noise ? number(*d.noise, "%.2g") : std::string("unknown"); };
  for (const DeltaRow& row : c.rows) {
    std::vector<Compared> others, noises;
    for (std::size_t k = 1; k < row.runs.size(); ++k) {
      const std::string change = change_text(row.runs[k], row.unit);
      others.push_back({value(row.runs[k]), change.empty() ? "-" : change, name_of(row.runs[k].verdict)});
      noises.push_back({noise(row.runs[k]), "", ""});
    }
    print_row(row.label, row.unit, value(row.runs[0]), others);
    if (row.id == "time") print_row("  noise", "%", noise(row.runs[0]), noises);
  }
}

void print(const RunComparison& c) {
  print_differences(c);
  print_quantities(c);
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

// Writes numbers as .csv or .json; any other file gets the roofline of the baseline's device with arrows.
void write_comparison(const RunComparison& c, const std::vector<std::shared_ptr<const RunRecord>>& runs,
                      const Services& services, FigureOptions figure) {
  if (ends_with(figure.out, ".csv") || ends_with(figure.out, ".json")) {
    return write_file(figure.out, ends_with(figure.out, ".csv") ? to_csv(c) : to_json(c) + "\n");
  }
  figure::Subject subject;
  subject.catalog = &services.catalog;
  subject.runs = runs;
  of_device(subject, services, *runs.front());
  figure.chosen.roofline.compared = c.ids;
  figure.write(*figure::row("roofline"), subject, true);
}

RunRecord repeat(const SavedRun& kept, Services& services, History& history) {
  const RunRecord& old = *kept.record;
  const std::string what = "run " + run_title(old) + " cannot be repeated";
  const RunRequest request = repeat_request(old);
  if (request.matrix == kStandardInput)
    throw Error(what + ": its matrix came on standard input", {}, "give the same to warpspy run -");
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
  Executor executor(*services.engine, services.catalog, {.history = &history});
  return *executor.run({request, request.kernel}, old.plan, m, progress).record;
}

// The options of all subcommands.
struct RunsArguments {
  HistoryOptions runs;
  std::string id;
  std::vector<std::string> ids;
  std::string text;
  bool json = false, csv = false;
  std::vector<std::string> engines;
  FigureOptions figure;
};

int show(const RunsArguments& o, History& history) {
  const SavedRun kept = need(history, o.id);
  if (o.json) {
    std::optional<SolveNumbers> solve;
    if (kept.record->solve) solve = solve_numbers(*kept.record, make_services(), &history);
    Json j = Json::parse(json_told(*kept.record, solve));
    j["name"] = run_name(*kept.record), j["note"] = kept.note, j["session"] = kept.session;
    std::cout << dumped(j);
    return 0;
  }
  const Services services = make_services();
  const RunRecord& r = *kept.record;
  if (r.status != RunStatus::ok) std::printf("%s: %s\n", name_of(r.status), r.error.c_str());
  print_run(r, services.catalog, solve_numbers(r, services, &history));
  std::printf("  %-26s %s\n  %-26s %s\n", "started", r.started.c_str(), "matrix", r.request.matrix.c_str());
  if (const std::string params = params_of(r); !params.empty())
    std::printf("  %-26s %s\n", "parameters", params.c_str());
  if (!kept.note.empty()) std::printf("  %-26s %s\n", "your note", kept.note.c_str());
  return 0;
}

// Why one of two runs is faster; "" if one of them has no bounds.
std::string why_faster(const RunRecord& a, const RunRecord& b, const Catalog& catalog) {
  const DeviceInfo *gpu_a = modelled_device(a, catalog), *gpu_b = modelled_device(b, catalog);
  if (!gpu_a || !gpu_b) return {};
  const auto of_a = causes_of(a, gpu_a->spec), of_b = causes_of(b, gpu_b->spec);
  if (!of_a || !of_b) return {};
  const auto d = time_difference(a, *of_a, b, *of_b);
  return d ? d->sentence : std::string();
}

int compare(const RunsArguments& o, History& history) {
  std::vector<std::shared_ptr<const RunRecord>> records;
  for (const std::string& one : o.ids) records.push_back(need(history, one).record);
  const Services services = make_services(o.engines);
  const RunComparison c = compare_runs(records, services.catalog);
  if (!o.figure.out.empty()) write_comparison(c, records, services, o.figure);
  if (o.json)
    std::cout << to_json(c) << "\n";
  else if (o.figure.out.empty())
    print(c);
  if (o.json || !o.figure.out.empty() || records.size() != 2) return 0;
  const RunRecord &a = *records[0], &b = *records[1];
  if (const std::string why = why_faster(a, b, services.catalog); !why.empty()) std::printf("\n%s\n", why.c_str());
  for (const auto& [run, later] : {std::pair{&a, &b}, std::pair{&b, &a}})
    if (const CheckedPrediction kept = prediction_of(*run, *later); !kept.text.empty())
      std::printf("Run %llu %s\n", static_cast<unsigned long long>(run->id), kept.text.c_str());
  return 0;
}

int note(const RunsArguments& o, History& history) {
  return history.set_note(need(history, o.id).record->id, o.text), 0;
}

int remove(const RunsArguments& o, History& history) {
  std::vector<std::uint64_t> numbers;
  for (const std::string& one : o.ids) numbers.push_back(need(history, one).record->id);  // deletes all or none
  history.remove(numbers);
  return 0;
}

int again(const RunsArguments& o, History& history) {
  const SavedRun kept = need(history, o.id);
  Services services = make_services(o.engines);
  const RunRecord record = repeat(kept, services, history);
  tell_problems(history);
  const std::optional<SolveNumbers> solve = solve_numbers(record, services, &history);
  if (record.status == RunStatus::ok && o.json) std::cout << json_told(record, solve) << "\n";
  if (record.status == RunStatus::ok && !o.json) {
    print_run(record, services.catalog, solve);
    if (kept.record->status == RunStatus::ok)
      print(compare_runs({kept.record, std::make_shared<const RunRecord>(record)}, services.catalog));
  }
  require_good(record);
  return 0;
}

int list(const RunsArguments& o, const SavedRuns& kept) {
  const HistoryPage page = kept.find(o.runs.query);
  if (o.json) {
    Json all = Json::array();
    for (const SavedRun& k : page.runs) all.push_back(json_of(k));
    std::cout << dumped(all);
  } else if (o.csv) {
    std::cout << csv_of(page);
  } else {
    print_list(page);
  }
  return 0;
}

void add_filters(CLI::App& app, RunsArguments& o) {
  o.runs.add(app, 40);
  app.add_flag(
      "--trials", o.runs.query.trials,
      "What was run to find or to show something (by tune, bench, analyse, validate, and by asking the model what "
      "would help) instead of what was asked for");
  app.add_flag("--json", o.json, "Print JSON");
  app.add_flag("--csv", o.csv, "Print CSV")->excludes("--json");
}

void add_id(CLI::App& app, RunsArguments& o) { app.add_option("ID", o.id, "Number or name of the run")->required(); }
void add_json(CLI::App& app, RunsArguments& o) { app.add_flag("--json", o.json, "Print JSON"); }

constexpr Subcommand<RunsArguments, History> kRunsCommands[] = {
    {"show", "Every number of one run", [](CLI::App& app, RunsArguments& o) { add_id(app, o), add_json(app, o); },
     show},
    {"compare", "Two or more runs against the first, and against their noise",
     [](CLI::App& app, RunsArguments& o) {
       app.add_option("ID", o.ids, "Numbers or names of the runs, baseline first")->required()->expected(2, 8);
       add_json(app, o);
       app.add_option("-o,--output", o.figure.out,
                      "File to write: the roofline with arrows as .svg .pdf .png, or the table as .csv .json");
       o.figure.add_look(app);
       add_engines(app, o.engines);
     },
     compare},
    {"note", "Write a note to a run; an empty one removes it",
     [](CLI::App& app, RunsArguments& o) {
       add_id(app, o);
       app.add_option("TEXT", o.text, "The note")->required();
     },
     note},
    {"repeat", "Run again exactly what was run, on the same matrix and device",
     [](CLI::App& app, RunsArguments& o) { add_id(app, o), add_json(app, o), add_engines(app, o.engines); }, again},
    {"remove", "Remove runs for good",
     [](CLI::App& app, RunsArguments& o) {
       app.add_option("ID", o.ids, "Numbers or names of the runs")->required()->expected(1, 1000000);
     },
     remove},
};

}  // namespace

int runs(CLI::App& app, std::vector<std::string> args) {
  RunsArguments o;
  add_filters(app, o);
  app.require_subcommand(0, 1);
  for (const auto& s : kRunsCommands) s.add(*app.add_subcommand(s.name, s.help), o);
  app.parse(std::move(args));
  if (!o.runs.from.empty()) {
    if (!app.get_subcommands().empty()) throw Error("the runs of a folder are only listed", "--from");
    return list(o, *o.runs.open());
  }
  History history(need_history_path());
  const bool in_memory = history.path().empty();
  tell_problems(history);
  if (in_memory) return 1;
  for (const auto& s : kRunsCommands)
    if (app.got_subcommand(s.name)) return s.run(o, history);
  return list(o, history);
}

}  // namespace warpspy::cli
