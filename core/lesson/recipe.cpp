// Makes a run request from a recipe's words, and limits the size of its matrix.
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <optional>

#include "core/base/number_text.hpp"
#include "core/base/numbers.hpp"
#include "core/base/regular_file.hpp"
#include "core/generate/generate.hpp"
#include "core/lesson/run.hpp"
#include "core/run/request_options.hpp"

namespace warpspy {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kMostLessonFile = std::uint64_t{64} << 20;
constexpr std::uint64_t kMostMeasured = std::uint64_t{4} << 20;

// An upper bound for the entries that a generator makes: the product of its sizes.
double entries_of(const std::string& spec) {
  const GeneratorText text = read_generator(spec);
  const GeneratorInfo& g = generators()[text.generator];
  const auto value = [&](const std::string& id) -> std::optional<double> {
    for (const ParamSpec& p : g.params)
      if (p.id == id) {
        const auto set = text.params.find(id);
        return static_cast<double>(set != text.params.end() ? set->second : p.def);
      }
    return std::nullopt;
  };
  double rows = 1, per_row = 1;
  // laplace27 has 27 entries in a row.
  if (g.id.starts_with("laplace")) per_row = number_from<double>(g.id.substr(7)).value_or(27);
  for (const char* id : {"nx", "ny", "nz", "rows", "n"})
    if (const auto v = value(id)) rows *= std::max(1.0, *v);
  if (g.id == "bratu") rows = rows * rows * rows, per_row = 7;
  for (const char* id : {"per_row", "mean", "longest"})
    if (const auto v = value(id)) per_row = std::max(per_row, *v);
  if (const auto half = value("half")) per_row = std::max(per_row, 2 * *half + 1);
  // The nodes of quadrilaterals of that degree, and their neighbours.
  if (const auto degree = value("degree")) rows *= *degree * *degree, per_row = (2 * *degree + 1) * (2 * *degree + 1);
  if (g.id == "like") throw Error("a lesson makes no stand-ins, whose size is not seen from their name");
  if (g.id == "dense") per_row = std::max(per_row, value("cols").value_or(rows));
  return std::max(rows * per_row, value("cols").value_or(0));
}

// A file in the lesson's folder. No name in a lesson may lead out of that folder.
std::string file_beside(const Lesson& lesson, const std::string& name, const std::string& what) {
  const fs::path folder = fs::weakly_canonical(fs::absolute(lesson.file).parent_path());
  const fs::path path = fs::weakly_canonical(folder / name);
  const auto inside = fs::path(path).lexically_relative(folder);
  if (fs::path(name).is_absolute() || inside.empty() || *inside.begin() == "..")
    throw Error("the " + what + " " + name + " lies outside the folder of the lesson");
  std::error_code failed;
  if (!fs::is_regular_file(path, failed)) throw Error("there is no " + what + " " + name + " beside the lesson");
  if (fs::file_size(path, failed) > kMostLessonFile) throw Error("the " + what + " " + name + " is larger than 64 MiB");
  return path.string();
}

std::string checked_matrix(const Lesson& lesson, const std::string& text) {
  const auto bar = text.find(" | ");
  const std::string source = text.substr(0, bar), orders = bar == std::string::npos ? "" : text.substr(bar);
  if (source.starts_with("gen:")) {
    if (const double n = entries_of(source); n > kMostLessonEntries)
      throw Error("this matrix may have " + grouped(static_cast<index_t>(std::min(n, 1e18))) +
                  " entries, and a lesson takes at most 4 million");
    return text;
  }
  if (source.find(':') != std::string::npos)
    throw Error("a lesson takes its matrices from a generator or its own folder");
  const std::string path = file_beside(lesson, source, "matrix");
  return path + orders;
}

void set_warp(LessonRun& run, const std::string& text) {
  run.has_warp = true;
  if (const auto row = number_from<index_t>(text); row && *row >= 1) {  // counted as the window does
    run.warp.by = WarpWanted::By::row, run.warp.row = *row - 1;
    return;
  }
  if (text != "worst" && text != "median")
    throw Error("the warp \"" + text + "\" is none", {}, "write a row, worst or median");
  run.warp.by = text == "worst" ? WarpWanted::By::worst : WarpWanted::By::median;
}

// Checks the tab in which the window shows it.
void require_tab(const std::string& tab) {
  const auto& all = lesson_tabs();
  if (std::find(all.begin(), all.end(), tab) != all.end()) return;
  std::string known;
  for (const std::string& t : all) known += (known.empty() ? "" : ", ") + t;
  throw Error("the window has no tab " + tab, {}, "it has " + known);
}

void set_word(const Lesson& lesson, LessonRun& run, const Catalog& catalog, const std::string& key,
              const std::string& value) {
  RunRequest& r = run.request;
  if (key == "matrix") {
    r.matrix = checked_matrix(lesson, value);
  } else if (key == "kernel") {
    if (!catalog.kernel(value)) throw Error("there is no kernel " + value);
  } else if (key == "device") {
    r.device = "sim:" + value;
    if (!catalog.device(r.device)) throw Error("there is no simulated GPU called " + value);
  } else if (key == "warp") {
    set_warp(run, value);
  } else if (key == "beside") {
    const KernelInfo* kernel = catalog.kernel(value);
    if (!kernel) throw Error("there is no kernel " + value);
    if (kernel->operation != Operation::product || value == r.kernel)
      throw Error("the kernel " + value + " cannot stand beside this one", {}, "name another that computes y = A x");
    run.beside = value;
  } else if (key == "step") {
    const auto n = number_from<std::size_t>(value);
    if (!n || *n == 0) throw Error("the step \"" + value + "\" is no whole number from 1");
    run.step = *n - 1;
  } else if (key == "tab") {
    require_tab(value);
  } else if (key == "measured") {
    file_beside(lesson, value, "measured run");  // read when the rest is known
  } else if (key.starts_with("param.")) {
    const std::string id = key.substr(6);
    const KernelInfo& k = *catalog.kernel(r.kernel);
    for (const ParamSpec& p : k.params)
      if (p.id == id) return void(r.params[id] = param_value(p, value));
    if (const FormatInfo* f = catalog.format(k.format))
      for (const ParamSpec& p : f->params)
        if (p.id == id) return void(r.format_params[id] = param_value(p, value));
    throw Error("neither " + k.id + " nor its format has a parameter " + id);
  } else if (key == "precision" || key == "cache_state" || key == "seed" || key == "depth") {
    if (value == "whole") throw Error("a lesson runs at depth quick, medium or full");
    set_text(request_option(key), r, value);
  } else {
    throw Error(
        "a recipe has no field " + key, {},
        "it has like, matrix, kernel, device, param.NAME, precision, cache_state, depth, seed, tab, warp, step, beside "
        "and measured");
  }
}

std::string with_seed(std::string value, std::uint64_t seed) {
  if (const auto at = value.find(kLessonSeed); at != std::string::npos)
    value.replace(at, std::string_view(kLessonSeed).size(), std::to_string(seed));
  return value;
}

// How the file's run differs from the recipe; "" if it is that run.
std::string other_than(const RunRequest& asked, const RunRecord& r) {
  if (r.request.matrix != asked.matrix) return "of the matrix " + r.request.matrix;
  if (r.request.kernel != asked.kernel) return "of the kernel " + r.request.kernel;
  if (r.request.precision != asked.precision) return std::string("in ") + name_of(r.request.precision);
  if (r.request.cache_state != asked.cache_state) return std::string("with caches ") + name_of(r.request.cache_state);
  for (const auto of : {&RunRequest::params, &RunRequest::format_params})
    for (const auto& [id, value] : asked.*of)
      if (const auto at = (r.request.*of).find(id); at == (r.request.*of).end() || at->second != value)
        return "with another " + id;
  return "";
}

std::shared_ptr<const RunRecord> read_measured(const std::string& path, const RunRequest& asked) {
  const std::vector<RunRecord> runs = runs_from_json(read_file(path, kMostMeasured, {"measured run"}), path);
  std::string other = "empty";
  for (const RunRecord& r : runs) {
    if (r.status != RunStatus::ok) continue;
    if (r.provenance != Provenance::measured) throw Error("this run was not measured on a GPU", path);
    other = other_than(asked, r);
    if (other.empty()) return std::make_shared<const RunRecord>(r);
  }
  throw Error("the run of " + path + " is " + other + ", which the recipe does not say");
}

}  // namespace

const std::vector<std::string>& lesson_tabs() {
  static const std::vector<std::string> tabs = {"matrix", "rows",    "formats",   "roofline", "runs", "tune",
                                                "facts",  "traffic", "diagnosis", "memory",   "warp", "analyses"};
  return tabs;
}

LessonRun lesson_run(const Lesson& lesson, const LessonRecipe& recipe, const Catalog& catalog, std::uint64_t seed) {
  LessonRun run;
  run.request.depth = Depth::medium;
  const auto placed = [&](const std::string& key, auto&& f) {
    try {
      f();
    } catch (const Error& e) {
      const auto line = recipe.lines.find(key);
      throw Error(e.reason, lesson.file + ":" + std::to_string(line == recipe.lines.end() ? recipe.line : line->second),
                  e.remedy);
    }
  };
  const std::string& kernel = recipe.words.at("kernel");
  placed("kernel", [&] {
    if (!catalog.kernel(kernel)) throw Error("there is no kernel " + kernel);
    run.request.kernel = kernel;
  });
  for (const auto& [key, value] : recipe.words)
    placed(key, [&] { set_word(lesson, run, catalog, key, with_seed(value, seed)); });
  if (!run.beside.empty() && !run.has_warp)
    placed("beside", [] { throw Error("no warp is chosen that a kernel could stand beside", {}, "add a warp"); });
  if (const auto file = recipe.words.find("measured"); file != recipe.words.end())
    placed("measured",
           [&] { run.measured = read_measured(file_beside(lesson, file->second, "measured run"), run.request); });
  return run;
}

}  // namespace warpspy
