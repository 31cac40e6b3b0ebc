#include "core/lesson/lesson.hpp"

#include <algorithm>
#include <filesystem>
#include <set>
#include <sstream>

#include "core/base/hash.hpp"
#include "core/base/number_text.hpp"
#include "core/base/regular_file.hpp"
#include "core/base/types.hpp"
#include "core/lesson/markdown.hpp"
#include "core/lesson/question.hpp"

namespace warpspy {
namespace {

using Kind = MarkdownBlock::Kind;

struct Field {
  std::string key, value;
  int line;
};

std::string trimmed(const std::string& s) {
  const auto from = s.find_first_not_of(" \t\r");
  if (from == std::string::npos) return {};
  return s.substr(from, s.find_last_not_of(" \t\r") - from + 1);
}

class Parser {
 public:
  explicit Parser(const std::string& file) : file_(file) {}

  Lesson parse(const std::string& text) {
    lesson_.file = file_;
    lesson_.id = std::filesystem::path(file_).stem().string();
    lesson_.hash = hash_of_text(text);
    for (const MarkdownBlock& b : markdown_blocks(text)) add(b);
    if (lesson_.title.empty()) fail(1, "a lesson begins with its title", "write \"# Title\" in the first line");
    if (lesson_.steps.empty()) fail(1, "a lesson has one step at least", "write \"## Title\" and a question");
    end_step();
    return std::move(lesson_);
  }

 private:
  [[noreturn]] void fail(int line, const std::string& why, const std::string& fix = {}) const {
    throw Error(why, file_ + ":" + std::to_string(std::max(1, line)), fix);
  }
  template <class F>
  auto at(int line, F&& f) const {
    try {
      return f();
    } catch (const Error& e) {
      if (!e.where.empty()) throw;
      throw Error(e.reason, file_ + ":" + std::to_string(line), e.remedy);
    }
  }

  void add(const MarkdownBlock& b) {
    if (b.kind == Kind::heading) return heading(b);
    if (b.kind == Kind::code) return code(b);
    if (lesson_.steps.empty()) {
      lesson_.about += (lesson_.about.empty() ? "" : "\n") + b.text;
      return;
    }
    std::string& to = b.kind == Kind::quote ? lesson_.steps.back().reveal : lesson_.steps.back().text;
    to += (to.empty() ? "" : "\n") + b.text;
  }

  void heading(const MarkdownBlock& b) {
    if (b.level == 1) {
      if (!lesson_.title.empty()) fail(b.line, "a lesson has one title", "write ## for a step");
      lesson_.title = b.text;
      return;
    }
    end_step();
    if (lesson_.steps.size() == kMostLessonSteps) fail(b.line, "a lesson has at most 32 steps");
    LessonStep& s = lesson_.steps.emplace_back();
    s.title = b.text, s.line = b.line;
  }

  void code(const MarkdownBlock& b) {
    std::istringstream info(b.info);
    std::string what, name, more;
    info >> what >> name >> more;
    if (!more.empty() || (what != "recipe" && what != "question"))
      fail(b.line, "a block \"" + b.info + "\" is not known", "write ```recipe NAME or ```question ID");
    if (name.empty()) fail(b.line, "this " + what + " has no name", "write it behind the word " + what);
    what == "recipe" ? recipe(b, name) : question(b, name);
  }

  std::vector<Field> fields(const MarkdownBlock& b) const {
    std::vector<Field> all;
    std::istringstream in(b.text);
    int line = b.line;
    for (std::string text; std::getline(in, text); ++line) {
      text = trimmed(text);
      if (text.empty()) continue;
      const auto colon = text.find(':');
      if (colon == std::string::npos) fail(line, "\"" + text + "\" is no field", "write NAME: VALUE");
      all.push_back({trimmed(text.substr(0, colon)), trimmed(text.substr(colon + 1)), line});
      if (all.back().value.empty()) fail(line, "the field " + all.back().key + " is empty");
    }
    return all;
  }

  void recipe(const MarkdownBlock& b, const std::string& name) {
    LessonRecipe r;
    r.name = name, r.line = b.line;
    if (lesson_.recipes.size() == kMostLessonRecipes) fail(b.line, "a lesson has at most 32 recipes");
    for (const Field& f : fields(b)) {
      // "like": copies another recipe; the fields after it change the copy.
      if (f.key == "like") {
        if (!r.words.empty()) fail(f.line, "like stands first in a recipe");
        const auto other = lesson_.recipes.find(f.value);
        if (other == lesson_.recipes.end()) fail(f.line, "there is no recipe " + f.value + " before this one");
        r.words = other->second.words;
        r.words.erase("measured");  // a measured run belongs only to the other recipe
        continue;
      }
      if (!r.lines.emplace(f.key, f.line).second) fail(f.line, "the field " + f.key + " stands here twice");
      r.words[f.key] = f.value;
    }
    for (const char* must : {"matrix", "kernel", "device"})
      if (!r.words.contains(must)) fail(b.line, "the recipe " + name + " names no " + must);
    if (!lesson_.recipes.emplace(name, r).second) fail(b.line, "there are two recipes called " + name);
    if (last_recipe_.empty()) last_recipe_ = name;  // if the first step names none
    if (!lesson_.steps.empty() && lesson_.steps.back().recipe.empty()) lesson_.steps.back().recipe = name;
  }

  void question(const MarkdownBlock& b, const std::string& id) {
    if (lesson_.steps.empty()) fail(b.line, "a question stands in a step", "write \"## Title\" before it");
    if (!ids_.insert(id).second) fail(b.line, "there are two questions called " + id);
    LessonStep& step = lesson_.steps.back();
    LessonQuestion& q = step.question;
    if (!q.id.empty()) fail(b.line, "a step has one question", "begin another step with ##");
    q.id = id, q.line = b.line;
    for (const Field& f : fields(b)) at(f.line, [&] { set(step, f); });
    if (q.ask.empty()) fail(b.line, "the question " + id + " asks nothing", "write ask: and a sentence");
    at(b.line, [&] { require_complete(q); });
  }

  void set(LessonStep& step, const Field& f) {
    LessonQuestion& q = step.question;
    const auto bar = f.value.rfind('|');
    if (f.key == "kind")
      q.kind = f.value;
    else if (f.key == "ask")
      q.ask = f.value;
    else if (f.key == "recipe")
      step.recipe = f.value;
    else if (f.key == "truth")
      q.truth = lesson_expression(f.value);
    else if (f.key == "unit")
      q.unit = f.value;
    else if (f.key == "wrong")
      q.wrong.push_back(f.value);
    else if (f.key == "within")
      set_within(q, f.value);
    else if (f.key == "range")
      set_range(q, f.value);
    else if (f.key == "plane")
      set_plane(q, f.value);
    else if (f.key == "tries")
      set_tries(q, f.value);
    else if (f.key == "option") {
      if (bar == std::string::npos) throw Error("this option says not when it is right", {}, "write TEXT | EXPRESSION");
      q.options.push_back(
          {trimmed(f.value.substr(0, bar)), lesson_expression(trimmed(f.value.substr(bar + 1))), f.line});
    } else {
      throw Error("a question has no field " + f.key, {},
                  "it has kind, ask, recipe, truth, unit, within, range, option, plane, tries and wrong");
    }
  }

  static void set_within(LessonQuestion& q, const std::string& text) {
    std::istringstream in(text);
    std::string first, second, third, fourth;
    in >> first >> second >> third >> fourth;
    if (text == "exactly") return;
    const auto percent = number_from<double>(first);
    const auto factor = number_from<double>(fourth);
    if (percent && *percent > 0 && *percent <= 50 && (second == "percent" || second == "%") && third.empty())
      q.within_percent = *percent;
    else if (first == "a" && second == "factor" && third == "of" && factor && *factor > 1 && *factor <= 4)
      q.within_factor = *factor;
    else
      throw Error("the tolerance \"" + text + "\" is not understood", {},
                  "write exactly, 10 percent (50 at most) or a factor of 2 (4 at most)");
  }

  static void set_range(LessonQuestion& q, const std::string& text) {
    const auto to = text.find(" to ");
    const auto least = number_from<double>(trimmed(text.substr(0, to)));
    const auto most = to == std::string::npos ? least : number_from<double>(trimmed(text.substr(to + 4)));
    if (!least || !most || !(*least < *most)) throw Error("the range \"" + text + "\" is none", {}, "write 0 to 100");
    q.least = *least, q.most = *most;
  }

  // "coop=1,2,4 block_size=64,128"
  static void set_plane(LessonQuestion& q, const std::string& text) {
    const Error none("the plane \"" + text + "\" is none", {}, "write coop=1,2,4,8 block_size=64,128,256");
    std::istringstream in(text);
    std::size_t cells = 1;
    for (std::string side; in >> side;) {
      const auto sign = side.find('=');
      if (sign == std::string::npos || sign == 0) throw none;
      LessonAxis& axis = q.plane.emplace_back(LessonAxis{side.substr(0, sign), {}});
      std::istringstream values(side.substr(sign + 1));
      for (std::string v; std::getline(values, v, ',');) {
        if (v.empty() || std::find(axis.values.begin(), axis.values.end(), v) != axis.values.end()) throw none;
        axis.values.push_back(v);
      }
      cells *= axis.values.size();
      if (axis.values.size() < 2) throw none;
    }
    if (q.plane.size() != 2 || q.plane[0].param == q.plane[1].param) throw none;
    if (cells > kMostLessonCells)
      throw Error("this plane has " + std::to_string(cells) + " cells, and at most 64 are run");
  }

  static void set_tries(LessonQuestion& q, const std::string& text) {
    const auto n = number_from<int>(text);
    if (!n || *n < 1 || *n > kMostLessonTries) throw Error("there are 1 to 9 tries, not \"" + text + "\"");
    q.tries = *n;
  }

  void end_step() {
    if (lesson_.steps.empty()) return;
    LessonStep& s = lesson_.steps.back();
    std::istringstream in(s.text);
    int words = 0;
    for (std::string w; in >> w;) ++words;
    if (words > kMostLessonWords)
      fail(s.line, "this step has " + std::to_string(words) + " words, and at most 60 are read");
    if (s.question.id.empty()) fail(s.line, "this step asks nothing", "write a block ```question ID");
    if (s.reveal.empty()) fail(s.line, "this step reveals nothing", "write it as a quote: > text");
    if (s.recipe.empty()) s.recipe = last_recipe_;
    if (!lesson_.recipes.contains(s.recipe)) fail(s.line, "there is no recipe \"" + s.recipe + "\" for this step");
    last_recipe_ = s.recipe;
    const auto known = [&](const LessonExpression& e) {
      for (const auto* side : {&e.left, &e.right})
        for (const auto& t : *side)
          if (!t.recipe.empty() && !lesson_.recipes.contains(t.recipe))
            fail(s.question.line, "there is no recipe " + t.recipe);
    };
    known(s.question.truth);
    for (const LessonOption& o : s.question.options) known(o.value);
  }

  std::string file_, last_recipe_;
  Lesson lesson_;
  std::set<std::string> ids_;
};

}  // namespace

bool Lesson::seeded() const {
  for (const auto& [name, recipe] : recipes)
    for (const auto& [key, value] : recipe.words)
      if (value.find(kLessonSeed) != std::string::npos) return true;
  return false;
}

Lesson lesson_from_markdown(const std::string& text, const std::string& file) { return Parser(file).parse(text); }

Lesson read_lesson(const std::string& file) {
  return lesson_from_markdown(
      read_file(file, kMostLessonBytes, {"lesson", "warpspy lesson list names those there are"}), file);
}

}  // namespace warpspy
