#include "core/lesson/run.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <filesystem>
#include <optional>

#include "core/base/number_text.hpp"
#include "core/base/numbers.hpp"
#include "core/diagnosis/causes.hpp"
#include "core/diagnosis/diagnose.hpp"
#include "core/generate/generate.hpp"
#include "core/run/request_options.hpp"
#include "core/study/quantity.hpp"

namespace warpspy {
namespace {

namespace fs = std::filesystem;

constexpr double kMostChance = 0.34;  // one of three
constexpr std::uint64_t kMostLessonFile = std::uint64_t{64} << 20;
constexpr index_t kMostK = 512;

// Entries that a generator makes, from above: its sizes multiplied.
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
  for (const char* id : {"per_row", "mean", "longest"})
    if (const auto v = value(id)) per_row = std::max(per_row, *v);
  if (const auto half = value("half")) per_row = std::max(per_row, 2 * *half + 1);
  // Nodes of quadrilaterals of that degree, and their neighbours.
  if (const auto degree = value("degree")) rows *= *degree * *degree, per_row = (2 * *degree + 1) * (2 * *degree + 1);
  if (g.id == "like") throw Error("a lesson makes no stand-ins, whose size is not seen from their name");
  if (g.id == "dense") per_row = std::max(per_row, value("cols").value_or(rows));
  return std::max(rows * per_row, value("cols").value_or(0));
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
  const fs::path folder = fs::weakly_canonical(fs::absolute(lesson.file).parent_path());
  const fs::path path = fs::weakly_canonical(folder / source);
  const auto inside = fs::path(path).lexically_relative(folder);
  if (fs::path(source).is_absolute() || inside.empty() || *inside.begin() == "..")
    throw Error("the matrix " + source + " lies outside the folder of the lesson");
  std::error_code failed;
  if (!fs::is_regular_file(path, failed)) throw Error("there is no matrix " + source + " beside the lesson");
  if (fs::file_size(path, failed) > kMostLessonFile) throw Error("the matrix " + source + " is larger than 64 MiB");
  return path.string() + orders;
}

void set_warp(LessonRun& run, const std::string& text) {
  run.has_warp = true;
  if (const auto row = number_from<index_t>(text); row && *row >= 0) {
    run.warp.by = WarpWanted::By::row, run.warp.row = *row;
    return;
  }
  if (text != "worst" && text != "median")
    throw Error("the warp \"" + text + "\" is none", {}, "write a row, worst or median");
  run.warp.by = text == "worst" ? WarpWanted::By::worst : WarpWanted::By::median;
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
  } else if (key == "step") {
    const auto n = number_from<std::size_t>(value);
    if (!n) throw Error("the step \"" + value + "\" is no whole number");
    run.step = *n;
  } else if (key == "tab") {
    // Where the window shows it.
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
        "it has like, matrix, kernel, device, param.NAME, precision, cache_state, depth, seed, tab, warp and step");
  }
}

std::string with_seed(std::string value, std::uint64_t seed) {
  if (const auto at = value.find(kLessonSeed); at != std::string::npos)
    value.replace(at, std::string_view(kLessonSeed).size(), std::to_string(seed));
  return value;
}

}  // namespace

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
  return run;
}

namespace {

class Runner {
 public:
  Runner(const Lesson& lesson, const Catalog& catalog, Engine& engine, Executor& executor, const MatrixOf& matrix_of,
         Progress& progress, std::uint64_t seed)
      : lesson_(lesson),
        catalog_(catalog),
        engine_(engine),
        executor_(executor),
        matrix_of_(matrix_of),
        progress_(progress) {
    for (const auto& [name, recipe] : lesson.recipes) runs_.emplace(name, lesson_run(lesson, recipe, catalog, seed));
  }

  LessonTruths truths() {
    LessonTruths all;
    for (const LessonStep& s : lesson_.steps) {
      progress_.check();
      try {
        all.emplace(s.question.id, question_kind(s.question.kind).truth(s.question, s.recipe, facts(s.recipe)));
      } catch (const Error& e) {
        if (e.where.starts_with(lesson_.file)) throw;
        throw Error(e.what(), lesson_.file + ":" + std::to_string(s.question.line));
      }
    }
    return all;
  }

 private:
  const Matrix& matrix(const std::string& source) {
    if (open_ && source == open_source_) return *open_;
    open_ = nullptr;
    const Matrix& m = matrix_of_(source, progress_);
    if (static_cast<double>(m.csr->nnz()) > kMostLessonEntries)
      throw Error("this matrix has more than 4 million entries", source);
    open_source_ = source;
    return *(open_ = &m);
  }

  std::shared_ptr<const RunRecord> record(const std::string& name) {
    auto& kept = records_[name];
    if (kept) return kept;
    const RunRequest& r = runs_.at(name).request;
    Results results;
    const MatrixOf opener = [&](const std::string& source, Progress&) -> const Matrix& { return matrix(source); };
    if (executor_.run(ListPlan("lesson " + lesson_.id, {{r, name, Purpose::trial}}), opener, progress_, results) ==
        PlanEnd::cancelled)
      throw Cancelled();
    kept = results.at(0).record;
    if (!kept || kept->status != RunStatus::ok) {
      const std::string why = kept ? kept->error : "it did not run";
      kept = nullptr;
      throw Error("the recipe " + name + " does not run: " + why);
    }
    return kept;
  }

  std::shared_ptr<const WarpTrace> trace(const std::string& name) {
    auto& kept = traces_[name];
    const LessonRun& run = runs_.at(name);
    if (!run.has_warp) throw Error("the recipe " + name + " names no warp");
    if (!kept)
      kept = std::make_shared<const WarpTrace>(
          engine_.trace_warp(run.request, matrix(run.request.matrix), run.warp, progress_));
    return kept;
  }

  double of_warp(const std::string& id, const std::string& name) {
    const auto w = trace(name);
    const std::size_t step = runs_.at(name).step;
    const auto the_step = [&]() -> const WarpStep& {
      if (step < w->steps.size()) return w->steps[step];
      throw Error("the warp of " + name + " has " + std::to_string(w->steps.size()) + " steps");
    };
    WarpTraffic all;
    for (const WarpTraffic& a : w->arrays) all += a;
    if (id == "steps") return static_cast<double>(w->steps_in_all);
    if (id == "requests") return static_cast<double>(all.requests);
    if (id == "sectors") return static_cast<double>(all.sectors);
    if (id == "least_sectors") return static_cast<double>(all.least_sectors);
    if (id == "idle_percent")
      return 100 * static_cast<double>(w->ledger.idle()) / (32 * static_cast<double>(w->ledger.instructions));
    if (id == "step_sectors") return static_cast<double>(traffic_of(*w, the_step()).sectors);
    if (id == "step_idle") return 32 - std::popcount(the_step().active);
    throw Error("a warp tells no " + id, {},
                "it tells steps, requests, sectors, least_sectors, idle_percent, step_sectors and step_idle");
  }

  double value(const std::string& quantity, const std::string& name) {
    const LessonRun& run = runs_.at(name);
    if (quantity.starts_with("warp.")) return of_warp(quantity.substr(5), name);
    if (quantity.starts_with("array.")) return of_array(quantity.substr(6), name);
    if (quantity.starts_with("cause.")) return of_cause(quantity.substr(6), name);
    if (quantity.starts_with("finding.")) return of_finding(quantity.substr(8), name);
    const StudyQuantity q = study_quantity(quantity);
    Reading reading;
    if (q.of == StudyQuantity::Of::matrix) {
      reading = count_of_matrix(q, matrix(run.request.matrix));
    } else if (q.of == StudyQuantity::Of::format) {
      const FormatInfo* f = catalog_.format(catalog_.kernel(run.request.kernel)->format);
      if (!f) throw Error("the kernel of " + name + " has no format");
      reading = count_of_format(q, f->id, run.request.precision, checked_params(f->params, run.request.format_params),
                                &matrix(run.request.matrix));
    } else if (q.of == StudyQuantity::Of::gpu) {
      reading = figure_of_gpu(q, catalog_.device(run.request.device)->spec);
    } else if (q.of == StudyQuantity::Of::run) {
      reading = reading_of(q, *record(name));
    } else {
      throw Error("a lesson does not ask for " + quantity);
    }
    if (!reading.value) throw Error("there is no " + quantity + " of " + name + ": " + reading.reason);
    return *reading.value;
  }

  Causes causes(const std::string& name) {
    const auto all = causes_of(*record(name), catalog_.device(runs_.at(name).request.device)->spec);
    if (!all) throw Error("the run of " + name + " does not tell its causes");
    return *all;
  }

  // Its share of the time, in percent.
  double of_cause(const std::string& id, const std::string& name) {
    for (const CauseRow& row : cause_rows)
      if (id == row.id) return 100 * causes(name).share(row.cause);
    throw Error("there is no cause " + id);
  }

  // Larger for what is told earlier; 0 for what is not told.
  double of_finding(const std::string& rule, const std::string& name) {
    double place = static_cast<double>(most_findings);
    for (const Finding& f : record(name)->findings) {
      if (f.rule == rule) return place;
      --place;
    }
    return 0;
  }

  // Launches are no roof.
  std::vector<LessonRoof> roofs(const std::string& name) {
    const Causes all = causes(name);
    std::vector<LessonRoof> roofs;
    double most = 0;
    for (const CauseRow& row : cause_rows) {
      if (row.cause == Cause::launch || !(all.bound(row.cause) > 0)) continue;
      roofs.push_back({row.id, all.bound(row.cause)});
      most = std::max(most, all.bound(row.cause));
    }
    for (LessonRoof& r : roofs) r.share /= most;
    return roofs;
  }

  // "x.sectors", "x.requests", "x.sectors_per_request", "x.active_lanes".
  double of_array(const std::string& text, const std::string& name) {
    const auto dot = text.rfind('.');
    const auto r = record(name);
    for (const Traffic& a : r->arrays) {
      if (dot == std::string::npos || a.name != text.substr(0, dot)) continue;
      const std::string id = text.substr(dot + 1);
      if (id == "sectors") return a.sectors;
      if (id == "requests") return a.requests;
      if (id == "sectors_per_request") return a.sectors / a.requests;
      if (id == "active_lanes") return a.active_lanes;
      throw Error("an array tells no " + id, {}, "it tells sectors, requests, sectors_per_request and active_lanes");
    }
    throw Error("the run of " + name + " has no array of " + text);
  }

  std::vector<index_t> row_lengths(const std::string& name) {
    const Csr& a = *matrix(runs_.at(name).request.matrix).csr;
    std::vector<index_t> n(static_cast<std::size_t>(a.rows()));
    for (index_t row = 0; row < a.rows(); ++row) n[static_cast<std::size_t>(row)] = a.row_length(row);
    return n;
  }

  std::vector<double> bytes_by_k(const std::string& name) {
    const LessonRun& run = runs_.at(name);
    const FormatInfo* f = catalog_.format("hyb");
    const std::vector<index_t> n = row_lengths(name);
    const index_t most = std::min(kMostK, n.empty() ? 0 : *std::max_element(n.begin(), n.end()));
    std::vector<double> bytes;
    for (index_t k = 0; k <= most; ++k) {
      ParamSet params = run.request.format_params;
      for (const ParamSpec& p : f->params)
        if (p.id == "rule") params["rule"] = param_value(p, "hand");
      params["k"] = static_cast<double>(k);
      bytes.push_back(*count_of_format(study_quantity("format.bytes"), "hyb", run.request.precision,
                                       checked_params(f->params, params), &matrix(run.request.matrix))
                           .value);
    }
    return bytes;
  }

  LessonFacts facts(const std::string& step_recipe) {
    return {[this, step_recipe](const std::string& q, const std::string& r) {
              return value(q, r.empty() ? step_recipe : r);
            },
            [this](const std::string& r) { return record(r); },
            [this](const std::string& r) { return trace(r); },
            [this](const std::string& r) { return runs_.at(r).step; },
            [this](const std::string& r) { return row_lengths(r); },
            [this](const std::string& r) { return bytes_by_k(r); },
            [this](const std::string& r) { return roofs(r); }};
  }

  const Lesson& lesson_;
  const Catalog& catalog_;
  Engine& engine_;
  Executor& executor_;
  const MatrixOf& matrix_of_;
  Progress& progress_;
  std::map<std::string, LessonRun> runs_;
  std::map<std::string, std::shared_ptr<const RunRecord>> records_;
  std::map<std::string, std::shared_ptr<const WarpTrace>> traces_;
  const Matrix* open_ = nullptr;
  std::string open_source_;
};

}  // namespace

LessonTruths truths_of(const Lesson& lesson, const Catalog& catalog, Engine& engine, Executor& executor,
                       const MatrixOf& matrix_of, Progress& progress, std::uint64_t seed) {
  return Runner(lesson, catalog, engine, executor, matrix_of, progress, seed).truths();
}

std::vector<std::string> weaknesses(const Lesson& lesson, const LessonTruths& truths) {
  std::vector<std::string> all;
  for (const LessonStep& s : lesson.steps) {
    const LessonQuestion& q = s.question;
    const LessonTruth& t = truths.at(q.id);
    const QuestionKind& kind = question_kind(q.kind);
    const std::string place = lesson.file + ":" + std::to_string(q.line) + ": ";
    for (const std::string& wrong : q.wrong) {
      try {
        if (kind.mark(q, t, wrong) >= 1) all.push_back(place + "the wrong answer " + wrong + " passes");
      } catch (const Error& e) {
        all.push_back(place + "the wrong answer " + wrong + " is none: " + e.reason);
      }
    }
    for (const std::string& other : kind.others(q, t))
      if (kind.mark(q, t, other) >= 1) all.push_back(place + "the answer " + other + " passes too");
    if (t.chance > kMostChance)
      all.push_back(place + "a guess passes " + std::to_string(static_cast<int>(std::lround(100 * t.chance))) +
                    " times of 100");
  }
  return all;
}

}  // namespace warpspy
