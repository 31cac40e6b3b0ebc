// JSON that the program reads back: runs and searches, sessions, recipes of figures, reports of validate, measured
// roofs, descriptions of GPUs.
#include "core/gpu/gpu_spec.hpp"
#include "core/gpu/measured_roofs.hpp"
#include "core/model/roofline.hpp"
#include "core/plot/figure_recipe.hpp"
#include "core/session/desk.hpp"
#include "profiling/validate/compare.hpp"
#include "tests/fuzz/fuzz.hpp"
#include "tests/fuzz/samples.hpp"

namespace warpspy::fuzz {
namespace {

// What was read and written once reads back the same.
template <class Read>
void read_twice(const std::string& text, Read read) {
  std::string once;
  try {
    once = to_json(read(text));
  } catch (const Error&) {
    return;  // another reader may take it
  }
  try {
    require(to_json(read(once)) == once, "JSON reads back as something else");
  } catch (const Error& e) {
    require(false, std::string("JSON of ours is refused: ") + e.what());
  }
}

void read_runs(Bytes bytes) {
  const std::string text(bytes);
  read_twice(text, record_from_json);
  read_twice(text, request_from_json);
  read_twice(text, tune_record_from_json);
  read_twice(text, tune_request_from_json);
}

// What can be read of it is written and read back, whatever was left out.
void read_session(Bytes bytes) {
  read_twice(std::string(bytes), [](const std::string& text) { return desk_from_json(text).desk; });
}

void read_report(Bytes bytes) { measured_from_json(std::string(bytes), "report.json"); }

void read_roofs(Bytes bytes) { read_twice(std::string(bytes), measured_roofs_from_json); }

// A figure's file, whichever of its kinds: what it carries is written into one again and read back.
void read_figure(Bytes bytes) {
  plot::FoundFigure found;
  try {
    found = plot::read_figure(std::string(bytes));
  } catch (const Error&) {
    return;
  }
  const std::string once = plot::recipe_text(found.recipe, found.plot, found.page);
  const plot::FoundFigure again = plot::read_figure(once);
  require(again.recipe == found.recipe && again.page == found.page, "a recipe reads back as something else");
  require(plot::recipe_text(again.recipe, again.plot, again.page) == once, "a figure reads back as something else");
}

void read_gpu(Bytes bytes) {
  const InputFile file(bytes);
  const GpuSpec gpu = read_gpu_spec(file.path());
  for (const Precision p : {Precision::f32, Precision::f64}) require(!roofs_of(gpu, p).empty(), "a GPU without roofs");
}

std::string mutate(const std::string& text, Random& r) {
  static const std::string deep = std::string(4000, '[') + std::string(4000, ']');
  static const Words words = {deep, "null", "true", "false", "[]", "{}", "[",      "]",
                              "{",  "}",    "\"",   "\"\"",  ",",  ":",  "\\u0000"};
  return mutate_text(text, words, r);
}

Words runs() {
  const RunRecord r = sample_run();
  const TuneRecord t = sample_search();
  return {to_json(r), to_json(r.request), to_json(t), to_json(t.request)};
}

Words sessions() {
  Desk d;
  d.matrices = {
      {{"a.mtx", {{"length", {{"descending", 1}}, ""}}}, "a", FileMark{12, 34, "ab"}, 5, 5, 13, {false, 1, 2, 3, 4}}};
  d.active = 0;
  d.choices = {{"tab", "runs"}};
  d.kernel_params = {{"csr_vector", {{"coop", 4}}}};
  d.marked_lo = 1, d.marked_hi = 3;
  d.runs = {{7, true, "note", std::make_shared<const RunRecord>(sample_run())}};
  d.compared = {7, 8};
  d.tuning = sample_search();
  AnalysisResult a;
  a.request.id = "throughput";
  a.request.kernels = {"csr_vector"};
  a.subjects.emplace_back();
  a.subjects[0].runs.push_back({"product", 1, d.runs[0].record});
  d.analyses = {a};
  return {to_json(d), to_json(Desk{})};
}

Words figures() {
  plot::Plot p;
  p.title = "Row lengths", p.x.label = "length", p.y.label = "rows";
  p.columns = {"length", "rows"}, p.rows = {{"1", "2"}, {"3", "4"}};
  plot::FigureRecipe recipe;
  recipe.command = "warpspy histogram a.mtx", recipe.version = "0.1.0 (abc)";
  recipe.matrices = {{"a.mtx", "00112233445566778899aabbccddeeff"}};
  plot::add_run(recipe, sample_run(), true);
  recipe.desk = to_json(Desk{});
  return {plot::recipe_text(recipe, p, plot::Page{}), "<svg>" + plot::recipe_text({}, {}, plot::Page{}) + "</svg>"};
}

Words reports() {
  return {R"({"device":"NVIDIA H200","simulated":"NVIDIA H200 SXM","date":"2026-11-22","runs":[{"request":)" +
          to_json(sample_run().request) +
          R"(,"matrix":"arrow","rows":[{"id":"time","unit":"us","measured":3.5},{"id":"dram_bytes","unit":"B",)"
          R"("measured":null,"reason":"closed"}]},{"request":)" +
          to_json(sample_run().request) + R"(,"matrix":"b","failure":"lost","rows":[]}]})"};
}

Words roofs() {
  return {to_json(MeasuredRoofs{"NVIDIA H200",
                                "GPU-1",
                                "13.0",
                                "2026-11-22T10:00:00Z",
                                1980,
                                3201,
                                {{roof_figures().front().id, 4000, 0.01, "read"}},
                                {{1e6, 9000}, {1e9, 4200}}})};
}

// Files that the target takes as they are.
template <void (*read)(Bytes)>
std::string seed_of(const std::string& path) {
  if (!path.ends_with(".json")) return {};
  const std::string text = contents(path);
  read(text);
  return text;
}

}  // namespace

std::vector<Target> json_targets() {
  return {{.name = "runs", .run = read_runs, .mutate = mutate, .seeds = runs},
          {.name = "session", .run = read_session, .mutate = mutate, .seeds = sessions},
          {.name = "figure", .run = read_figure, .mutate = mutate, .seeds = figures},
          {.name = "report", .run = read_report, .mutate = mutate, .seed_of = seed_of<read_report>, .seeds = reports},
          {.name = "roofs", .run = read_roofs, .mutate = mutate, .seeds = roofs},
          {.name = "gpu", .run = read_gpu, .mutate = mutate, .seed_of = seed_of<read_gpu>}};
}

}  // namespace warpspy::fuzz
