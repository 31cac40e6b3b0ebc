// lesson: predict, run, reveal. What lessons there are, what one asks, and whether its questions can be trusted.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <iostream>
#include <nlohmann/json.hpp>

#include "app/cli/command.hpp"
#include "app/cli/interruptible.hpp"
#include "app/cli/subcommands.hpp"
#include "app/wiring.hpp"
#include "core/base/foreign_text.hpp"
#include "core/base/json_text.hpp"
#include "core/io/io.hpp"
#include "core/lesson/run.hpp"

namespace warpspy::cli {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

struct LessonArguments {
  std::string what;
  bool json = false;
};

std::string lessons_folder() { return assets_folder() + "/lessons"; }

// A file, or one of those that come with the program.
std::string lesson_file_of(const std::string& what) {
  std::error_code failed;
  if (what.ends_with(".md") || fs::exists(what, failed)) return what;
  const std::string ours = lessons_folder() + "/" + what + ".md";
  if (what.find('/') == std::string::npos && fs::exists(ours, failed)) return ours;
  throw Error("there is no lesson called " + what, {}, "warpspy lesson list names them; a file of your own ends in .md");
}

int list(const LessonArguments& o) {
  std::vector<std::string> files;
  for (const auto& e : fs::directory_iterator(lessons_folder()))
    if (e.path().extension() == ".md") files.push_back(e.path().string());
  std::sort(files.begin(), files.end());
  Json all = {{"schema", "warpspy-lessons-1"}, {"lessons", Json::array()}};
  for (const std::string& file : files) {
    const Lesson l = read_lesson(file);
    all["lessons"].push_back({{"id", l.id}, {"title", l.title}, {"steps", l.steps.size()}});
    if (!o.json) std::printf("%-24s %2zu steps  %s\n", l.id.c_str(), l.steps.size(), harmless(l.title).c_str());
  }
  if (o.json) std::cout << json_text(all) << "\n";
  return 0;
}

// Only what asks: neither truths nor reveals.
int show(const LessonArguments& o) {
  const Lesson l = read_lesson(lesson_file_of(o.what));
  std::printf("%s\n", harmless(l.title).c_str());
  for (const LessonStep& s : l.steps) {
    std::printf("\n%s\n%s\n  %s: %s\n", harmless(s.title).c_str(), harmless(s.text).c_str(), s.question.id.c_str(),
                harmless(s.question.ask).c_str());
    int n = 0;
    for (const LessonOption& option : s.question.options) std::printf("    %d  %s\n", ++n, harmless(option.text).c_str());
    std::printf("    (%s)\n", question_kind(s.question.kind).answer);
  }
  return 0;
}

int check(const LessonArguments& o) {
  const Lesson lesson = read_lesson(lesson_file_of(o.what));
  Services services = make_services();
  Executor executor(*services.engine, services.catalog);
  Progress progress;
  const Interruptible interruptible{progress};
  Matrix matrix;
  const MatrixOf opener = [&](const std::string& source, Progress& part) -> const Matrix& {
    matrix = {};
    return matrix = open_matrix(source, part);
  };
  const LessonTruths truths = truths_of(lesson, services.catalog, *services.engine, executor, opener, progress);
  const std::vector<std::string> weak = weaknesses(lesson, truths);
  Json all = {{"schema", "warpspy-lesson-check-1"}, {"id", lesson.id}, {"hash", lesson.hash},
              {"questions", Json::array()}, {"problems", weak}};
  for (const LessonStep& s : lesson.steps) {
    const LessonTruth& t = truths.at(s.question.id);
    const std::string text = truth_text(s.question, t);
    all["questions"].push_back({{"id", s.question.id}, {"kind", s.question.kind}, {"truth", text}, {"chance", t.chance}});
    if (!o.json)
      std::printf("%s (%s): %s; a guess passes %.3g %% of the time\n", s.question.id.c_str(), s.question.kind.c_str(),
                  harmless(text).c_str(), 100 * t.chance);
  }
  if (o.json) std::cout << json_text(all) << "\n";
  for (const std::string& w : weak) std::cerr << "warpspy: " << harmless(w) << "\n";
  return weak.empty() ? 0 : 4;
}

void add_what(CLI::App& app, LessonArguments& o) {
  app.add_option("LESSON", o.what, "A lesson by its name (warpspy lesson list), or a file of one (docs/lessons.md)")
      ->required();
}

constexpr Subcommand<LessonArguments> kLessonCommands[] = {
    {"list", "Every lesson that there is",
     [](CLI::App& app, LessonArguments& o) { app.add_flag("--json", o.json, "Print JSON: names, titles, steps"); }, list},
    {"show", "What a lesson asks, without its answers", add_what, show},
    {"check", "Run all of a lesson, and prove that wrong answers fail; ends with 4 where one passes",
     [](CLI::App& app, LessonArguments& o) {
       add_what(app, o);
       app.add_flag("--json", o.json, "Print JSON: the truth of each question, and what is wrong");
     },
     check}};

}  // namespace

int lesson(CLI::App& app, std::vector<std::string> args) {
  LessonArguments o;
  app.require_subcommand(1);
  for (const auto& s : kLessonCommands) s.add(*app.add_subcommand(s.name, s.help), o);
  app.parse(std::move(args));
  for (const auto& s : kLessonCommands)
    if (app.got_subcommand(s.name)) return s.run(o);
  return 0;
}

}  // namespace warpspy::cli
