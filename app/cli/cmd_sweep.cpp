// sweep: runs many products and keeps them in a folder, so that a stopped sweep can continue.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <iostream>
#include <iterator>
#include <map>
#include <memory>
#include <optional>
#include <utility>

#include "app/cli/figure_options.hpp"
#include "app/cli/interruptible.hpp"
#include "app/cli/request_options.hpp"
#include "app/cli/run_output.hpp"
#include "app/cli/sweep_cells.hpp"
#include "app/cli/sweep_cluster.hpp"
#include "app/cli/sweep_output.hpp"
#include "app/wiring.hpp"
#include "core/base/numbers.hpp"
#include "core/base/target.hpp"
#include "core/io/folder.hpp"
#include "core/io/io.hpp"
#include "core/run/sweep_axes.hpp"
#include "core/sweep/nodes.hpp"
#include "core/sweep/stored.hpp"
#include "core/sweep/tasks.hpp"

namespace warpspy::cli {
namespace {

namespace fs = std::filesystem;

// The command's arguments: a file or a folder, and fields that replace those of the file.
struct SweepOptions {
  std::string file, out, save, ending = "svg", x;
  std::vector<std::string> matrices, orders, kernels, formats, params, engines;
  std::map<std::string, std::vector<std::string>> options;  // by sweep_name()
  std::optional<int> repetitions;
  bool status = false, draw = false, mix = false, retry = false, json = false;
  FigureOptions figure;
  ClusterOptions cluster;

  void add(CLI::App& app) {
    app.add_option("SWEEP", file, "A sweep file (docs/sweeps.md), or the folder of a sweep that goes on");
    app.add_option("-o,--output", out, "Folder for the results (default: beside the file, NAME.sweep)");
    const auto list = [&](const char* name, std::vector<std::string>& values, const char* help) {
      app.add_option(name, values, help)->allow_extra_args(false);
    };
    list("--matrix", matrices,
         "A matrix, a folder of them, '*.mtx', or gen:NAME?n=100:1000:100 for a range; may be repeated");
    list(
        "--order", orders,
        "Run each matrix in this order too: none (as it is), rcm, 'metis parts=64', 'file ORDER.txt'; may be repeated");
    list("--kernel", kernels, "Kernels, with commas between");
    app.get_option("--kernel")->delimiter(',');
    list("--format", formats, "Formats whose kernels all run, with commas between");
    app.get_option("--format")->delimiter(',');
    list("--param", params,
         "NAME=VALUES of kernels or formats: 4,8,16 or a range LEAST:MOST, LEAST:MOST:STEP, LEAST:MOST:*FACTOR; "
         "KERNEL.NAME of one kernel; may be repeated");
    for (const RequestOption& o : request_options())
      if (const std::string name = sweep_name(o); !name.empty())
        app.add_option_function<std::vector<std::string>>(
               "--" + name, [this, name](const std::vector<std::string>& values) { options[name] = values; },
               o.bare ? words_help(o) : std::string(o.help))
            ->delimiter(',')
            ->allow_extra_args(false);
    add_engines(app, engines);
    app.add_option("--repetitions", repetitions, "How often each product is run")->check(CLI::Range(1, 10000));
    app.add_flag("--mix", mix, "Go on although results of another build, device, driver or GPU file are there");
    app.add_flag("--retry", retry, "Run once more what failed");
    app.add_flag("--status", status,
                 "Tell how far the sweep is, and run nothing; ends with 0 when all is done, 1 when some failed, 3 when "
                 "some have yet to run");
    app.add_flag("--json", json,
                 "Print JSON: how many products are done, why others are not, the files that were written");
    app.add_flag("--draw", draw, "Make table and figures anew from the folder, and run nothing")->excludes("--status");
    app.add_option("--save", save, "Write the sweep to this file, and run nothing");
    app.add_option("--as", ending, "Figures as svg, pdf, png or pgf")
        ->check(CLI::IsMember({"svg", "pdf", "png", "pgf"}))
        ->capture_default_str();
    app.add_option("--x", x,
                   "What the line chart is over: a parameter, parts, nnz or rows (default: what was varied most)");
    figure.add_look(app);
    cluster.add(app);
  }

  bool reads_only() const { return status || draw; }

  static std::string words_help(const RequestOption& o) {
    std::string words;
    if (const auto* c = std::get_if<RequestOption::Choice>(&o.value))
      for (const char* word : c->words) words += (words.empty() ? "" : " or ") + std::string(word);
    return words;
  }
};

struct Asked {
  SweepPlan plan;
  std::string folder;
};

void put_options(SweepPlan& plan, const SweepOptions& o) {
  const std::string here = fs::current_path().string();
  if (!o.matrices.empty()) {
    plan.matrices.clear();
    for (const std::string& m : o.matrices) {
      if (is_standard_input(m))
        throw Error("a sweep may go on later, and standard input is gone then", "--matrix -",
                    "write it to a file first");
      plan.matrices.push_back({m.starts_with("gen:") ? m : (fs::path(here) / with_home(m)).string(), ""});
    }
  }
  if (!o.orders.empty()) plan.orders = o.orders;
  if (!o.kernels.empty() || !o.formats.empty()) plan.kernels = o.kernels, plan.formats = o.formats;
  if (!o.params.empty()) plan.params.clear();
  for (const std::string& text : o.params) {
    const auto equals = text.find('=');
    if (equals == std::string::npos || equals == 0 || equals + 1 == text.size())
      throw Error("--param " + text + " is not understood", {}, "write NAME=VALUES, such as coop=2,4,8 or coop=2:32");
    std::string rest = text.substr(equals + 1);
    for (std::size_t comma; (comma = rest.find(',')) != std::string::npos; rest.erase(0, comma + 1))
      SweepPlan::add(plan.params, text.substr(0, equals), rest.substr(0, comma));
    SweepPlan::add(plan.params, text.substr(0, equals), rest);
  }
  for (const auto& [name, values] : o.options) {
    std::erase_if(plan.options, [&, n = &name](const SweepPlan::Axis& a) { return a.id == *n; });
    plan.options.push_back({name, values});
  }
  if (o.repetitions) plan.repetitions = *o.repetitions;
}

// The sweep and its folder. A device name means a device of this machine; the folder records which one it was.
Asked asked_by(const SweepOptions& o, const Catalog& catalog) {
  Asked a;
  a.folder = o.out;
  std::string base = fs::current_path().string();
  if (!o.file.empty() && fs::is_directory(o.file)) {
    if (!o.out.empty()) throw Error("the folder of a sweep has its results already", o.file, "leave -o out");
    a.folder = o.file;
    a.plan = SweepFolder(o.file, SweepFolder::For::reading).plan();
    base = a.folder;
  } else if (!o.file.empty()) {
    const fs::path file = fs::absolute(o.file);
    a.plan = read_sweep_plan(o.file);
    base = file.parent_path().string();
    if (a.folder.empty()) a.folder = (file.parent_path() / file.stem()).string() + ".sweep";
    if (o.cluster.collect) a.plan = SweepFolder(a.folder, SweepFolder::For::reading).plan();
  }
  put_options(a.plan, o);
  if (a.folder.empty() && o.save.empty())
    throw Error("nothing says where the results go", {}, "add -o FOLDER, or name a sweep file");
  if (!o.file.empty() && (o.reads_only() || o.cluster.follows()) && o.matrices.empty() &&
      SweepFolder::is_one(a.folder)) {
    a.plan.matrices = SweepFolder(a.folder, SweepFolder::For::reading).plan().matrices;
  } else {
    a.plan.matrices = matrices_meant(a.plan.matrices, base, a.plan.orders);
  }
  a.plan.orders.clear();
  const auto is_device = [](const SweepPlan::Axis& x) { return x.id == "device"; };
  const auto device = std::find_if(a.plan.options.begin(), a.plan.options.end(), is_device);
  if (o.cluster.slurm &&
      (device == a.plan.options.end() || std::count(device->values.begin(), device->values.end(), "auto")))
    throw Error("the tasks of a cluster run elsewhere, and nothing says on which device", {},
                "add --device cuda:0 for the GPU that each task gets, or a simulated one such as sim:h200");
  if (o.cluster.all_gpus) {
    const auto is_other = [](const std::string& id) { return id.starts_with("cuda:") && id != "cuda:0"; };
    if (device != a.plan.options.end() && std::any_of(device->values.begin(), device->values.end(), is_other))
      throw Error("with --all-gpus each product sees one GPU, which is its cuda:0", "device",
                  "name cuda:0, and in CUDA_VISIBLE_DEVICES the GPUs that take products");
  }
  if (device == a.plan.options.end())
    a.plan.options.push_back({"device", {o.cluster.all_gpus ? "cuda:0" : device_meant("auto", catalog)}});
  else
    for (std::string& id : device->values) id = device_meant(id, catalog);
  check(a.plan, catalog);
  return a;
}

// Prints what the folder already has, and what cannot run, before anything runs.
void tell_begin(const Sweep& sweep, const StoredSweep& stored, SweepFolder& folder) {
  tell_lines(folder.remarks());
  tell_lines(reasons_of(sweep, CellState::skipped));
  if (stored.others > 0)
    std::cerr << "warpspy: " << counted(static_cast<index_t>(stored.others), "result")
              << " of the folder were not asked for; they stay\n";
  const SweepCounts n = sweep.counts();
  if (n.done + n.failed > 0)
    std::cerr << "warpspy: " << n.done + n.failed << " of " << n.all() << " products have run before\n";
}

int read_only(const SweepOptions& o, const Asked& asked, const Services& services) {
  SweepFolder folder(asked.folder, SweepFolder::For::reading);
  Sweep sweep(asked.plan, services.catalog);
  if (tasks_of(folder)) await_nodes(sweep, services.catalog);
  Progress progress;
  const StoredSweep stored = take_in(sweep, folder, progress);
  tell_lines(folder.remarks());
  std::vector<std::string> files;
  if (o.draw) files = write_results(sweep, stored, services, folder.folder(), o.figure, o.ending, o.x);
  print_end(sweep, folder.path(), files, o.json);
  return o.status ? code_of(sweep.counts()) : 0;
}

int run_asked(const SweepOptions& o, const Asked& asked, Services& services) {
  const Maker here = maker_here();
  SweepFolder folder(asked.folder, SweepFolder::For::running);
  Sweep sweep(asked.plan, services.catalog);
  Progress whole;
  const Interruptible interruptible(whole);
  StoredSweep stored = take_in(sweep, folder, whole);
  if (!o.mix) refuse_mixing(sweep, stored, here, services.catalog, folder.path());
  folder.write_plan(asked.plan);
  folder.keep_hashes();
  tell_begin(sweep, stored, folder);
  if (o.retry) sweep.retry();
  if (const SweepCounts n = sweep.counts(); n.skipped == n.all())
    throw Error("none of the " + std::to_string(n.all()) + " products can run here", asked.folder,
                "see the reasons above");
  const std::unique_ptr<History> history = open_history();
  std::optional<Error> ended;
  try {
    run_cells(sweep, stored, services,
              {.history = history.get(), .folder = &folder, .here = here, .limits = Diagnose::bounds}, whole);
  } catch (const Error& e) {
    ended = Error(e.reason, e.where, e.remedy + (e.remedy.empty() ? "" : "; ") + "the same command goes on");
  }
  if (whole.cancelled() || ended) {
    std::cerr << "warpspy: " << progress_text(sweep.counts()) << "; the same command goes on\n";
    if (ended) throw Error(*ended);
    return stopped;
  }
  folder.keep_hashes();
  print_end(sweep, folder.path(), write_results(sweep, stored, services, folder.folder(), o.figure, o.ending, o.x),
            o.json);
  return code_of(sweep.counts());
}

}  // namespace

int sweep(CLI::App& app, std::vector<std::string> args) {
  SweepOptions o;
  o.add(app);
  app.parse(std::move(args));
  o.figure.page();
  Services services = make_services(o.engines);
  const Asked asked = asked_by(o, services.catalog);
  if (!o.save.empty()) {
    write_file(o.save, to_json(asked.plan));
    return 0;
  }
  if (o.reads_only()) return read_only(o, asked, services);
  try {
    if (o.cluster.any()) {
      const auto write = [&](const Sweep& sweep, const StoredSweep& stored, const Folder& folder) {
        return write_results(sweep, stored, services, folder, o.figure, o.ending, o.x);
      };
      return on_cluster(o.cluster, {asked.plan, asked.folder, o.mix, o.retry, o.json, write}, services);
    }
    return run_asked(o, asked, services);
  } catch (const Cancelled&) {  // while the folder was read
    std::cerr << "warpspy: stopped; the same command goes on\n";
    return stopped;
  }
}

}  // namespace warpspy::cli
