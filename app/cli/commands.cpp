#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <iostream>
#include <nlohmann/json.hpp>
#include <thread>

#include "app/cli/command.hpp"
#include "app/gui.hpp"
#include "core/base/json_text.hpp"
#include "core/base/memory_reserve.hpp"
#include "core/base/numbers.hpp"
#include "core/io/io.hpp"
#include "core/matrix/memory_guard.hpp"

namespace warpspy::cli {

const std::vector<Command>& commands() {
  static const std::vector<Command> table = {
      {"info", "Facts about a matrix: size, row lengths, symmetry, bandwidth", info},
      {"spy", "Draw the sparsity pattern to a file", spy},
      {"histogram", "Draw the row lengths to a file", histogram},
      {"roofline", "Run kernels and draw them on the roofline", roofline},
      {"formats", "What every storage format costs for a matrix, exactly", formats},
      {"layout", "Draw the arrays of a format, or where its padding is, to a file", layout},
      {"figure", "Draw a figure again from the recipe in its file, also for another page", figure},
      {"report", "Every figure and number of a session, with captions, as a folder or a zip archive", warpspy::report},
      {"convert", "Write the arrays of a format to a NumPy .npz file", convert},
      {"run", "Run one kernel on a GPU or in the emulator", run},
      {"bench", "Our best kernel against cuSPARSE, on the GPU of this machine", bench},
      {"tune", "Search for good parameters of a kernel, by several strategies", tune},
      {"sweep", "Run kernels x matrices x parameters into a folder; what was stopped goes on", sweep},
      {"runs", "All runs that were ever made: list, show, compare, repeat, note", runs},
      {"fetch", "Matrices of the SuiteSparse Matrix Collection by name, fetched and kept", fetch},
      {"heatmap", "Draw all kept runs as matrices x kernels, to a file", heatmap},
      {"profile", "Draw the performance profile of all kept runs (Dolan & More), to a file", profile},
      {"analyse", "The papers' analyses of kernels, drawn to a file (--list names them)", analyse},
      {"memory", "Draw what flows between SM, L1, L2 and DRAM, to a file", memory},
      {"warp", "The steps of one warp: its lanes, its requests, and where each sector came from", warp},
      {"generate", "Write a generated matrix to a Matrix Market file", generate_file},
      {"devices", "List devices, real and simulated, and their counters", devices},
      {"roofs", "Measure what the GPU of this machine reaches at most: the roofs of its roofline", roofs},
      {"validate", "Hold the model of a GPU against the real one: counters and time, run by run", validate},
      {"metrics", "What counters mean, how they are read, and what nvprof called them", metrics},
      {"engine", "Run kernels for the window of another machine, over standard input and output", engine},
      {"cache", "The copies kept of large files: how much, where; --clear removes them", cache},
  };
  return table;
}

// What FILE may be, for every command that has one.
constexpr auto kFileHelp =
    "FILE: a matrix file (Matrix Market, Harwell-Boeing, Rutherford-Boeing, MATLAB, SciPy .npz, METIS .graph, list of "
    "edges,\n"
    "each also compressed or in an archive), gen:NAME?key=value&... (warpspy generate --help), or\n"
    "collection:GROUP/NAME, once it was fetched (warpspy fetch --help).\n"
    "A list of edges says little about itself; what is found out is told, or given behind its name:\n"
    "  'FILE?base=1'        vertices count from 1 (or 0)\n"
    "  'FILE?undirected=1'  every edge runs both ways (or 0: one way)\n"
    "  'FILE?weights=0'     the third field is no value (or 1: it is)\n"
    "  'FILE?bipartite=1'   rows and columns are of two kinds: not square\n"
    "  'FILE?format=edges'  a list whose name does not end in .el .wel .edges .edgelist .txt .tsv or .csv\n"
    "Several are joined by &.";

int report(const std::string& reason, const std::string& where, const std::string& remedy, bool json, int code) {
  if (json) {
    const nlohmann::ordered_json error = {{"error", {{"reason", reason}, {"where", where}, {"remedy", remedy}}}};
    std::cerr << json_text(error, -1) << "\n";
    return code;
  }
  std::string line = "warpspy: ";
  if (!where.empty()) line += where + ": ";
  line += reason;
  if (!remedy.empty()) line += "; " + remedy;
  std::replace(line.begin(), line.end(), '\n', ' ');
  std::cerr << line << "\n";
  return code;
}

int run_command(const Command& command, std::vector<std::string> args) {
  const bool json = std::find(args.begin(), args.end(), "--json") != args.end();
  CLI::App app(command.help, std::string("warpspy ") + command.name);
  try {
    if (const std::string warning = memory_warning(memory_state()); !warning.empty() && !json)
      std::cerr << "warpspy: " << warning << "\n";
    std::reverse(args.begin(), args.end());  // the order in which CLI11 takes a vector
    return command.run(app, std::move(args));
  } catch (const CLI::CallForHelp&) {
    if (app.get_option_no_throw("FILE")) app.footer(kFileHelp);
    std::cout << app.help();
    return 0;
  } catch (const CLI::ParseError& e) {
    return report(e.what(), {}, std::string("see warpspy ") + command.name + " --help", json, 2);
  } catch (const Error& e) {
    return report(e.reason, e.where, e.remedy, json, 1);
  } catch (const std::exception& e) {
    if (memory_ran_out())
      return report("out of memory", {}, "use a smaller matrix or a machine with more memory", json, 1);
    return report(e.what(), {}, {}, json, 1);
  }
}

void with_meter(const std::string& name, const std::function<void(Progress&)>& work) {
  Progress progress;
  if (!isatty(STDERR_FILENO)) return work(progress);
  std::atomic<bool> done{false};
  std::thread meter([&] {
    const auto start = std::chrono::steady_clock::now();
    bool shown = false;
    while (!done) {
      std::this_thread::sleep_for(std::chrono::milliseconds(100));
      // Quick work needs no meter.
      if (done || std::chrono::steady_clock::now() - start < std::chrono::milliseconds(700)) continue;
      std::fprintf(stderr, "\r%s: %s %3.0f %%   ", name.c_str(), progress.stage().c_str(), 100 * progress.fraction());
      shown = true;
    }
    if (shown) std::fprintf(stderr, "\r\033[K");
  });
  struct Stop {
    std::atomic<bool>& done;
    std::thread& thread;
    ~Stop() {
      done = true;
      thread.join();
    }
  } stop{done, meter};
  work(progress);
}

Matrix open_with_progress(const std::string& source) {
  Matrix m;
  with_meter(source, [&](Progress& p) { m = open_matrix(source, p); });
  return m;
}

PictureSize parse_size(const std::string& text) {
  PictureSize size;
  char rest = 0;
  const int n = std::sscanf(text.c_str(), "%lfx%lf%c", &size.width, &size.height, &rest);
  if (n != 2 || !(size.width >= 50 && size.width <= 10000 && size.height >= 50 && size.height <= 10000))
    throw Error("size '" + text + "' is not understood", {},
                "write WIDTHxHEIGHT in pixels, 50 to 10000 each, such as 900x600");
  return size;
}

}  // namespace warpspy::cli
