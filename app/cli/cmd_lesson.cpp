// lesson: a student predicts, runs and sees the answer. The subcommands list lessons, show one, check its questions,
// and collect the answers of a class.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <iostream>
#include <map>
#include <nlohmann/json.hpp>
#include <system_error>

#include "app/cli/command.hpp"
#include "app/cli/interruptible.hpp"
#include "app/cli/subcommands.hpp"
#include "app/wiring.hpp"
#include "core/base/foreign_text.hpp"
#include "core/base/json_text.hpp"
#include "core/base/target.hpp"
#include "core/io/io.hpp"
#include "core/lesson/marks.hpp"

namespace warpspy::cli {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

struct LessonArguments {
  std::string what;
  bool json = false;
  std::string out;
  std::vector<std::string> own;
};

constexpr std::size_t kMostAnswerFiles = 10'000;

std::string lessons_folder() { return assets_folder() + "/lessons"; }

// A file, or a lesson that comes with the program.
std::string lesson_file_of(const std::string& what) {
  std::error_code failed;
  if (what.ends_with(".md") || fs::exists(what, failed)) return what;
  const std::string ours = lessons_folder() + "/" + what + ".md";
  if (what.find('/') == std::string::npos && fs::exists(ours, failed)) return ours;
  throw Error("there is no lesson called " + what, {},
              "warpspy lesson list names them; a file of your own ends in .md");
}

std::vector<std::string> lesson_files() {
  std::vector<std::string> files;
  for (const auto& e : fs::directory_iterator(lessons_folder()))
    if (e.path().extension() == ".md") files.push_back(e.path().string());
  std::sort(files.begin(), files.end());
  return files;
}

int list(const LessonArguments& o) {
  Json all = {{"schema", "warpspy-lessons-1"}, {"lessons", Json::array()}};
  for (const std::string& file : lesson_files()) {
    const Lesson l = read_lesson(file);
    all["lessons"].push_back({{"id", l.id}, {"title", l.title}, {"steps", l.steps.size()}});
    if (!o.json) std::printf("%-24s %2zu steps  %s\n", l.id.c_str(), l.steps.size(), harmless(l.title).c_str());
  }
  if (o.json) std::cout << json_text(all) << "\n";
  return 0;
}

// Only the questions: neither their answers nor explanations.
int show(const LessonArguments& o) {
  const Lesson l = read_lesson(lesson_file_of(o.what));
  std::printf("%s\n", harmless(l.title).c_str());
  for (const LessonStep& s : l.steps) {
    std::printf("\n%s\n%s\n  %s: %s\n", harmless(s.title).c_str(), harmless(s.text).c_str(), s.question.id.c_str(),
                harmless(s.question.ask).c_str());
    int n = 0;
    for (const LessonOption& option : s.question.options)
      std::printf("    %d  %s\n", ++n, harmless(option.text).c_str());
    std::printf("    (%s)\n", question_kind(s.question.kind).answer);
  }
  return 0;
}

// Runs the recipes of lessons.
class Runs {
 public:
  LessonTruths truths(const Lesson& lesson, std::uint64_t seed) {
    return truths_of(lesson, services_.catalog, *services_.engine, executor_, opener_, progress_, seed);
  }

 private:
  Services services_ = make_services();
  Executor executor_{*services_.engine, services_.catalog, {.limits = Diagnose::bounds}};
  Progress progress_;
  const Interruptible interruptible_{progress_};
  Matrix matrix_;
  const MatrixOf opener_ = [this](const std::string& source, Progress& part) -> const Matrix& {
    matrix_ = {};
    return matrix_ = open_matrix(source, part);
  };
};

// The possible names after "wrong:".
std::string names_of(const LessonOffer& offer) {
  std::string all;
  for (const std::string& name : offer.names) all += (all.empty() ? "" : ", ") + name;
  return all;
}

// A lesson with a seed must work with any seed: three are tried.
int check(const LessonArguments& o) {
  const Lesson lesson = read_lesson(lesson_file_of(o.what));
  Runs runs;
  Json all = {{"schema", "warpspy-lesson-check-1"},
              {"id", lesson.id},
              {"hash", lesson.hash},
              {"questions", Json::array()},
              {"problems", Json::array()}};
  bool good = true;
  for (std::uint64_t seed = 1; seed <= (lesson.seeded() ? 3U : 1U); ++seed) {
    const LessonTruths truths = runs.truths(lesson, seed);
    if (!o.json && lesson.seeded()) std::printf("seed %d\n", static_cast<int>(seed));
    for (const LessonStep& s : lesson.steps) {
      const LessonTruth& t = truths.at(s.question.id);
      const std::string text = truth_text(s.question, t);
      all["questions"].push_back({{"id", s.question.id},
                                  {"kind", s.question.kind},
                                  {"seed", seed},
                                  {"truth", text},
                                  {"chance", t.chance},
                                  {"offers", t.offer.names}});
      if (!o.json)
        std::printf("%s (%s): %s; a guess passes %.3g %% of the time\n", s.question.id.c_str(), s.question.kind.c_str(),
                    harmless(text).c_str(), 100 * t.chance);
      if (!o.json && !t.offer.names.empty()) std::printf("  of: %s\n", harmless(names_of(t.offer)).c_str());
    }
    for (const std::string& w : weaknesses(lesson, truths)) {
      all["problems"].push_back(w);
      std::cerr << "warpspy: " << harmless(w) << "\n";
      good = false;
    }
  }
  if (o.json) std::cout << json_text(all) << "\n";
  return good ? 0 : 4;
}

// Every lesson that an answer file may name: the program's and the lecturer's own.
std::map<std::string, Lesson> known_lessons(const LessonArguments& o) {
  std::map<std::string, Lesson> all;
  for (const std::string& file : lesson_files()) {
    Lesson l = read_lesson(file);
    all.emplace(l.id, std::move(l));
  }
  for (const std::string& file : o.own) {
    Lesson l = read_lesson(file);
    all.insert_or_assign(l.id, std::move(l));
  }
  return all;
}

std::vector<std::string> answer_files(const std::string& folder) {
  std::error_code failed;
  std::vector<std::string> files;
  for (fs::directory_iterator at(folder, failed), end; !failed && at != end; at.increment(failed))
    if (at->path().extension() == ".json") files.push_back(at->path().string());
  if (failed) throw Error("the folder cannot be read: " + failed.message(), folder, "check its name and permissions");
  if (files.empty()) throw Error("there are no answer files here", folder, "they end in .json");
  if (files.size() > kMostAnswerFiles) throw Error("there are more than 10,000 answer files here", folder);
  std::sort(files.begin(), files.end());
  return files;
}

// What is the same for all students with one lesson and seed is computed once.
class Class {
 public:
  explicit Class(const LessonArguments& o) : lessons_(known_lessons(o)) {}

  StudentMarks marks(const std::string& file) {
    StudentMarks s;
    try {
      s = marks_of_file(file);
    } catch (const Cancelled&) {
      throw;
    } catch (const Error& e) {
      s.notes = {e.reason};
    }
    s.file = fs::path(file).filename().string();
    return s;
  }
  std::vector<std::string> seeded() const {
    std::vector<std::string> ids;
    for (const auto& [id, lesson] : lessons_)
      if (lesson.seeded()) ids.push_back(id);
    return ids;
  }

 private:
  StudentMarks marks_of_file(const std::string& file) {
    const LessonAnswers a = read_answers(file);
    const auto lesson = lessons_.find(a.lesson);
    StudentMarks unmarked;
    unmarked.name = a.name, unmarked.lesson = a.lesson, unmarked.seed = a.seed;
    if (lesson == lessons_.end())
      return unmarked.notes.push_back("there is no lesson called " + a.lesson + "; --lesson names others"), unmarked;
    if (const std::string why = misfit(lesson->second, a); !why.empty()) return unmarked.notes.push_back(why), unmarked;
    const auto key = std::pair(a.lesson, a.seed);
    auto known = truths_.find(key);
    if (known == truths_.end()) known = truths_.emplace(key, runs_.truths(lesson->second, a.seed)).first;
    return marks_of(lesson->second, known->second, a);
  }

  std::map<std::string, Lesson> lessons_;
  std::map<std::pair<std::string, std::uint64_t>, LessonTruths> truths_;
  Runs runs_;
};

int collect(const LessonArguments& o) {
  const std::vector<std::string> files = answer_files(o.what);
  Class students(o);
  std::vector<StudentMarks> all;
  for (const std::string& file : files) all.push_back(students.marks(file));
  compare_students(all, students.seeded());
  write_file(o.out, marks_csv(all));
  std::size_t unmarked = 0;
  for (const StudentMarks& s : all) {
    if (s.marks.empty()) ++unmarked;
    for (const std::string& note : s.notes) std::cerr << "warpspy: " << harmless(s.file + ": " + note) << "\n";
  }
  std::printf("%s%zu answer files, %zu of them without marks; the marks are in %s\n", predictions_text(all).c_str(),
              all.size(), unmarked, harmless(o.out).c_str());
  return unmarked == 0 ? 0 : 1;
}

void add_what(CLI::App& app, LessonArguments& o) {
  app.add_option("LESSON", o.what, "A lesson by its name (warpspy lesson list), or a file of one (docs/lessons.md)")
      ->required();
}

constexpr Subcommand<LessonArguments> kLessonCommands[] = {
    {"list", "Every lesson that there is",
     [](CLI::App& app, LessonArguments& o) { app.add_flag("--json", o.json, "Print JSON: names, titles, steps"); },
     list},
    {"show", "What a lesson asks, without its answers", add_what, show},
    {"check", "Run all of a lesson, and prove that wrong answers fail; ends with 4 where one passes",
     [](CLI::App& app, LessonArguments& o) {
       add_what(app, o);
       app.add_flag("--json", o.json, "Print JSON: the truth of each question, and what is wrong");
     },
     check},
    {"collect", "Mark the answer files of a class; ends with 1 where some cannot be marked",
     [](CLI::App& app, LessonArguments& o) {
       app.add_option("DIR", o.what, "The folder of their .json files")->required();
       app.add_option("-o,--output", o.out, "The table to write: .csv, a line for each file and question")->required();
       app.add_option("--lesson", o.own, "A lesson file of your own that they may answer; may be repeated")
           ->allow_extra_args(false);
     },
     collect}};

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
