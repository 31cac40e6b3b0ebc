// bench: compares our best kernel with a library's best, for each matrix.
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <chrono>
#include <cstdio>
#include <iostream>

#include "app/cli/command.hpp"
#include "app/cli/interruptible.hpp"
#include "app/cli/keep_folder.hpp"
#include "app/cli/request_options.hpp"
#include "app/cli/run_output.hpp"
#include "app/cli/terminal.hpp"
#include "app/wiring.hpp"
#include "core/base/target.hpp"
#include "core/run/choices.hpp"
#include "kernels/device/device.hpp"
#include "profiling/bench/bench.hpp"

namespace warpspy::cli {
namespace {

struct BenchArguments {
  std::vector<std::string> files, precisions = {"f32", "f64"};
  std::string out, state;
  bool cold = false, warm = false, both = false, forget = false;
  std::vector<std::string> engines;
  BenchOptions bench;
  KeepFolder keep;

  void add(CLI::App& app) {
    app.add_option("FILE", files, "Matrix files, or gen:NAME")->required();
    app.add_option("--against", bench.against, "The library to compare with: cusparse")->capture_default_str();
    app.add_option("--precision", precisions, "f32, f64, or both: f32,f64")
        ->delimiter(',')
        ->check(CLI::IsMember({"f32", "f64"}))
        ->capture_default_str();
    app.add_option("--kernels", bench.kernels, "Kernels of ours to try (default: all), by id, with commas between")
        ->delimiter(',');
    auto* only_cold = app.add_flag("--cold", cold, "L2 has no data of the product when it begins");
    auto* only_warm = app.add_flag("--warm", warm, "One product after another (the default)");
    auto* twice = app.add_flag("--both", both, "Warm, then cold");
    only_cold->excludes(only_warm)->excludes(twice);
    only_warm->excludes(twice);
    app.add_flag("--in-order", bench.in_order,
                 "Each product begins when the one before has ended, as in a solver: none of ours overlap");
    app.add_flag("!--no-compact", bench.compact,
                 "Leave out formats that hold the same numbers in fewer bytes (fewer bits for columns and values)");
    app.add_flag("--forget", forget, "Search as if nothing had been found before, and keep nothing in the history");
    app.add_option("--budget", bench.budget_s,
                   "Seconds of search for each side, for each matrix, precision and operation")
        ->check(CLI::Range(0.1, 86400.0))
        ->capture_default_str();
    app.add_option("--most-memory", bench.most_memory,
                   "What a product of ours may need, with what its kernel makes beside the format: so many times CSR")
        ->check(CLI::Range(1.0, 1000.0))
        ->capture_default_str();
    app.add_flag("--trials", bench.trials, "Write every trial of ours into the JSON file, in turn");
    app.add_option("--device", bench.device,
                   "cuda or cuda:N; sim:ID: what the model of that GPU says, where no library's code can run")
        ->capture_default_str();
    add_engines(app, engines);
    app.add_option("--seed", bench.seed, "Seed of the input vector")->capture_default_str();
    keep.add(app);
    app.add_option("-o,--output", out, "The JSON file to write");
  }

  BenchOptions chosen() const {
    BenchOptions b = bench;
    b.precisions.clear();
    for (const std::string& p : precisions) b.precisions.push_back(p == "f64" ? Precision::f64 : Precision::f32);
    if (both) b.states = {CacheState::warm, CacheState::cold};
    if (cold) b.states = {CacheState::cold};
    return b;
  }
};

void write(const BenchReport& report, const std::string& file) {
  if (file.empty()) return;
  write_file(file, to_json(report) + "\n");
}

std::string headline(const BenchReport& report) {
  if (report.device.simulated)
    return report.device.name + ", modelled: a library's code cannot be emulated, so there are no ratios";
  char text[300];
  std::snprintf(text, sizeof text, "%s, against %s %s; a copy within its memory reaches %.0f GB/s",
                report.device.name.c_str(), report.against.c_str(), report.library_version.c_str(),
                report.copy ? report.copy->gbs : 0);
  return text;
}
std::string footnote(const BenchReport& report) {
  return report.device.simulated ? "" : "ratio = time of " + report.against + " / time of ours, measured in turn\n";
}

// A product takes milliseconds, so not each one is reported.
void tell_progress(const Case& now) {
  static const bool terminal = ::isatty(STDERR_FILENO) != 0;
  static std::chrono::steady_clock::time_point told;
  if (!terminal || std::chrono::steady_clock::now() - told < std::chrono::milliseconds(100)) return;
  show_progress(now.label);
  told = std::chrono::steady_clock::now();
}
void clear_progress_of_terminal() {
  if (::isatty(STDERR_FILENO) != 0) clear_progress();
}

}  // namespace

int bench(CLI::App& app, std::vector<std::string> args) {
  BenchArguments options;
  options.add(app);
  app.parse(std::move(args));
  BenchOptions chosen = options.chosen();
  if (chosen.against.empty()) throw Error("no library to compare with", "--against", "known: cusparse");
  check_options(chosen);
  Progress progress;
  const Interruptible interruptible(progress);
  Services services = make_services(options.engines);
  BenchReport report = begin_bench(chosen, services.catalog.devices, *services.engine, progress);
  const std::unique_ptr<History> history = options.forget ? nullptr : open_history();
  if (chosen.history = history.get(); history)
    if (const auto told = take_over_choices(choices_path(), *history)) std::cerr << "warpspy: " << *told << "\n";
  ExecutorOptions kept{.history = history.get(), .limits = Diagnose::bounds};
  options.keep.open(kept, KeepFolder::plan_of(options.files, chosen.kernels), services.catalog);
  chosen.history_until = options.keep.began();
  Executor executor(*services.engine, services.catalog, kept);
  std::printf("%s\n%s\n", headline(report).c_str(), table_head().c_str());
  for (const std::string& file : options.files) {
    const auto say = [&](const BenchRow& row) {
      clear_progress_of_terminal();
      std::printf("%s\n", table_line(row, report).c_str());
      if (const std::string stored = stored_line(row); !stored.empty()) std::printf("%s\n", stored.c_str());
      std::fflush(stdout);
      write(report, options.out);  // a matrix of hundreds of millions of entries takes minutes
    };
    try {
      bench_matrix(open_with_progress(file), file, chosen, executor, report, progress, say, tell_progress);
    } catch (const Error& e) {
      clear_progress_of_terminal();
      if (options.files.size() == 1 || dynamic_cast<const DeviceLost*>(&e)) throw;
      report_failure(e, file);
    } catch (const Cancelled&) {
      clear_progress_of_terminal();
      if (history) tell_problems(*history);
      options.keep.close();
      std::fprintf(stderr, "warpspy: stopped; %s\n",
                   options.keep.given() ? "the same command goes on" : "what was found until then stands above");
      return stopped;
    }
  }
  options.keep.close();
  write(report, options.out);
  if (history) tell_problems(*history);
  std::printf("\n%s%s", footnote(report).c_str(), summary(report).c_str());
  return 0;
}

}  // namespace warpspy::cli
