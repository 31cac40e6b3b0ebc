#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <iostream>
#include <nlohmann/json.hpp>
#include <thread>

#include "app/cli/command.hpp"
#include "app/cli/terminal.hpp"
#include "app/gui.hpp"
#include "core/base/json_problem.hpp"
#include "core/base/json_text.hpp"
#include "core/base/memory_reserve.hpp"
#include "core/base/number_text.hpp"
#include "core/base/numbers.hpp"
#include "core/base/source_name.hpp"
#include "core/base/target.hpp"
#include "core/io/folder.hpp"
#include "core/io/io.hpp"
#include "core/io/reader.hpp"
#include "core/matrix/memory_guard.hpp"

namespace warpspy::cli {

const std::vector<Command>& commands() {
  static const std::vector<Command> table = {
      {"info", "Facts about a matrix: size, row lengths, symmetry, bandwidth", info},
      {"draw", "Draw any figure: of matrices, of saved runs, of an experiment (--help lists them)", draw},
      {"spy", "Draw the sparsity pattern to a file", spy},
      {"histogram", "Draw the row lengths to a file", histogram},
      {"roofline", "Run kernels and draw them on the roofline", roofline},
      {"formats", "What every storage format costs for a matrix, exactly", formats},
      {"layout", "Draw the arrays of a format, or where its padding is, to a file", layout},
      {"figure", "Draw a figure again from the recipe in its file, also for another page", figure},
      {"report", "Every figure and number of a session, with captions, as a folder or a zip archive", warpspy::report},
      {"convert", "Write the arrays of a format to a NumPy .npz file", convert},
      {"reorder", "Put rows and columns of a matrix into another order, and write it", reorder_matrix},
      {"run", "Run one kernel on a GPU or in the emulator", run},
      {"solve", "Solve A x = b by a Krylov method with a kernel's products", solve},
      {"bench", "Our best kernel against cuSPARSE, on the GPU of this machine", bench},
      {"tune", "Search for good parameters of a kernel, by several strategies", tune},
      {"plan", "Run what a file asks for: a sweep, a benchmark, a search", plan},
      {"sweep", "Run kernels x matrices x parameters into a folder; what was stopped goes on", sweep},
      {"study", "Tables of papers made again: printed, modelled, measured, and a verdict for each number", study},
      {"lesson", "Lessons: what they ask, whether their questions can be trusted, and marks of a class", lesson},
      {"runs", "All runs that were ever made: list, show, compare, repeat, note", runs},
      {"fetch", "Matrices of the SuiteSparse Matrix Collection by name, fetched and kept", fetch},
      {"best", "The best kernel of each matrix among all saved runs, and why, as a table", best},
      {"heatmap", "Draw all saved runs as matrices x kernels, to a file", heatmap},
      {"profile", "Draw the performance profile of all saved runs (Dolan & More), to a file", profile},
      {"line", "Draw the speed of saved runs over what was varied, to a file", line},
      {"lengths", "Draw the row lengths of several matrices over each other, to a file", lengths},
      {"analyse", "The papers' analyses of kernels, drawn to a file (--list names them)", analyse},
      {"memory", "Draw what flows between SM, L1, L2 and DRAM, to a file", memory},
      {"warp", "The steps of one warp: its lanes, its requests, and where each sector came from", warp},
      {"generate", "Write a generated matrix to a Matrix Market file", generate_file},
      {"devices", "List devices, real and simulated, and their counters", devices},
      {"roofs", "Measure what the GPU of this machine reaches at most: the roofs of its roofline", roofs},
      {"validate", "Hold the model of a GPU against the real one: counters and time, run by run", validate},
      {"calibrate", "Teach the model of a GPU by the saved runs that were measured on it", calibrate},
      {"metrics", "What counters mean, how they are read, and what nvprof called them", metrics},
      {"engine", "Run kernels for the Warpspy of another machine, over standard input and output", engine},
      {"cache", "The copies kept of large files: how much, where; --clear removes them", cache},
  };
  return table;
}

// The help of FILE, for every command that has it.
std::string file_help() {
  return "FILE: a matrix file (" + names_of_formats() +
         ",\n"
         "each also compressed or in an archive), gen:NAME?key=value&... (warpspy generate --help), or\n"
         "collection:GROUP/NAME, once it was fetched (warpspy fetch --help), or - for standard input.\n"
         "A list of edges says little about itself; what is found out is told, or given behind its name:\n"
         "  'FILE?base=1'        vertices count from 1 (or 0)\n"
         "  'FILE?undirected=1'  every edge runs both ways (or 0: one way)\n"
         "  'FILE?weights=0'     the third field is no value (or 1: it is)\n"
         "  'FILE?bipartite=1'   rows and columns are of two kinds: not square\n"
         "  'FILE?format=edges'  a list whose name does not end in .el .wel .edges .edgelist .txt .tsv or .csv\n"
         "Several are joined by &.";
}

void report_failure(const Error& e, const std::string& file) {
  report(e.reason, e.where.empty() ? file : e.where, e.remedy, false, 1);
}

int report(const std::string& why, const std::string& place, const std::string& help, bool json, int code) {
  const std::string reason = as_told(why), where = as_told(place), remedy = as_told(help);
  if (json) {
    const nlohmann::ordered_json error = {{"error", {{"reason", reason}, {"where", where}, {"remedy", remedy}}}};
    std::cerr << json_text(error, -1) << "\n";
    return code;
  }
  std::string line = "warpspy: ";
  if (!where.empty()) line += where + ": ";
  line += reason;
  if (!remedy.empty()) line += "; " + remedy;
  for (char& c : line)
    if (c == '\n' || c == '\r' || c == '\t') c = ' ';
  std::cerr << line << "\n";
  return code;
}

namespace {

// CLI11 accepts "-1" as the largest unsigned number, "nan", and numbers too large for the type. Here each option must
// be a valid number as a whole.
void require_numbers(const CLI::App& app) {
  for (const CLI::Option* o : app.get_options()) {
    const std::string type = o->get_type_name();
    const auto require = [&](auto is_one, const char* what) {
      for (const std::string& text : o->results())
        if (!is_one(text)) throw CLI::ValidationError(o->get_name(), "'" + text + "' is no " + what);
    };
    if (type.starts_with("UINT"))
      require([](const std::string& t) { return number_from<std::uint64_t>(t).has_value(); },
              "whole number of 0 or more, of at most 64 bits");
    if (type.starts_with("INT"))
      require([](const std::string& t) { return number_from<std::int64_t>(t).has_value(); }, "whole number");
    if (type.starts_with("FLOAT"))
      require([](const std::string& t) { return number_from<double>(t).has_value(); }, "number");
  }
  for (const CLI::App* sub : app.get_subcommands()) require_numbers(*sub);
}

// The edit distance of two words; two neighbouring letters that are swapped count as one difference.
std::size_t differences(const std::string& a, const std::string& b) {
  std::vector<std::vector<std::size_t>> d(a.size() + 1, std::vector<std::size_t>(b.size() + 1));
  for (std::size_t i = 0; i <= a.size(); ++i)
    for (std::size_t k = 0; k <= b.size(); ++k) {
      if (i == 0 || k == 0) {
        d[i][k] = i + k;
        continue;
      }
      d[i][k] = std::min({d[i - 1][k] + 1, d[i][k - 1] + 1, d[i - 1][k - 1] + (a[i - 1] != b[k - 1])});
      if (i > 1 && k > 1 && a[i - 1] == b[k - 2] && a[i - 2] == b[k - 1])
        d[i][k] = std::min(d[i][k], d[i - 2][k - 2] + 1);
    }
  return d[a.size()][b.size()];
}

}  // namespace

std::string unknown_word(const std::string& word) {
  std::error_code unknown;
  const std::string file = with_home(word);
  if (!is_path(word) || std::filesystem::exists(file, unknown) || std::filesystem::exists(place_of(file).path, unknown))
    return {};
  const auto far = [&](const Command& c) { return differences(word, c.name); };
  const Command& nearest = *std::min_element(commands().begin(), commands().end(),
                                             [&](const Command& a, const Command& b) { return far(a) < far(b); });
  // Only a small typing error: most letters of the word are right.
  return 2 * far(nearest) < std::max(word.size(), std::string(nearest.name).size()) ? nearest.name : "--help";
}

namespace {

std::string stdin_file;  // holds standard input while the command runs; "": standard input is not used

// For "-" instead of a file: copies standard input into a temporary file while the command runs.
class StandardInput {
 public:
  StandardInput() = default;
  ~StandardInput() {
    std::error_code ignored;
    if (!folder_.empty()) std::filesystem::remove_all(folder_, ignored);
  }
  StandardInput(const StandardInput&) = delete;
  StandardInput& operator=(const StandardInput&) = delete;
  const std::string& file() {
    if (!file_.empty()) return file_;
    std::string folder = (std::filesystem::temp_directory_path() / "warpspy-XXXXXX").string();
    if (!::mkdtemp(folder.data())) throw Error("standard input cannot be kept", folder, "check the free space of /tmp");
    folder_ = folder;
    Target target((folder + "/").append(kStandardInput), Readers::owner);
    std::vector<char> block(std::size_t{1} << 16);
    for (ssize_t n; (n = ::read(STDIN_FILENO, block.data(), block.size())) != 0;) {
      if (n < 0 && errno == EINTR) continue;
      if (n < 0) throw Error("standard input cannot be read: " + std::string(std::strerror(errno)));
      target.write({block.data(), static_cast<std::size_t>(n)});
    }
    target.commit();
    return stdin_file = file_ = (folder + "/").append(kStandardInput);
  }

 private:
  std::string folder_, file_;
};

}  // namespace

bool is_standard_input(const std::string& file) { return !file.empty() && file == stdin_file; }

std::string as_told(std::string text) {
  if (stdin_file.empty()) return text;
  for (std::size_t at = 0; (at = text.find(stdin_file, at)) != std::string::npos; at += kStandardInput.size())
    text.replace(at, stdin_file.size(), kStandardInput);
  return text;
}

int run_command(const Command& command, std::vector<std::string> args) {
  const bool json = std::find(args.begin(), args.end(), "--json") != args.end();
  CLI::App app(command.help, std::string("warpspy ") + command.name);
  StandardInput input;
  try {
    for (std::string& arg : args)
      if (arg == "-") arg = input.file();
    if (const std::string warning = memory_warning(memory_state()); !warning.empty() && !json)
      std::cerr << "warpspy: " << warning << "\n";
    std::reverse(args.begin(), args.end());  // CLI11 expects a vector in reverse order
    app.parse_complete_callback([&app] { require_numbers(app); });
    return command.run(app, std::move(args));
  } catch (const CLI::CallForHelp&) {
    if (app.get_option_no_throw("FILE")) app.footer(file_help());
    std::cout << app.help();
    return 0;
  } catch (const CLI::ParseError& e) {
    const std::string name = *command.name ? std::string(command.name) + " " : "";
    return report(e.what(), {}, "see warpspy " + name + "--help", json, 2);
  } catch (const Error& e) {
    return report(e.reason, e.where, e.remedy, json, 1);
  } catch (const std::exception& e) {
    if (memory_ran_out())
      return report("out of memory", {}, "use a smaller matrix or a machine with more memory", json, 1);
    return report(json_problem(e), {}, {}, json, 1);
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
      char percent[16];
      std::snprintf(percent, sizeof percent, " %3.0f %%", 100 * progress.fraction());
      show_progress(name + ": " + progress.stage() + percent);
      shown = true;
    }
    if (shown) clear_progress();
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
  with_meter(as_told(source), [&](Progress& p) { m = open_matrix(source, p); });
  return m;
}

PictureSize parse_size(const std::string& text) {
  const std::size_t x = std::min(text.find('x'), text.size());
  const auto width = number_from<double>(text.substr(0, x));
  const auto height = number_from<double>(text.substr(std::min(x + 1, text.size())));
  const PictureSize size{width.value_or(0), height.value_or(0)};
  if (!(size.width >= 50 && size.width <= 10000 && size.height >= 50 && size.height <= 10000))
    throw Error("size '" + text + "' is not understood", {},
                "write WIDTHxHEIGHT in pixels, 50 to 10000 each, such as 900x600");
  return size;
}

}  // namespace warpspy::cli
