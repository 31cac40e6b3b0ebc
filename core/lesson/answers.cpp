#include "core/lesson/answers.hpp"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <set>

#include "core/base/hash.hpp"
#include "core/base/json_depth.hpp"
#include "core/base/json_problem.hpp"
#include "core/base/json_text.hpp"
#include "core/base/regular_file.hpp"
#include "core/base/types.hpp"

namespace warpspy {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kMostText = 2000;

Json json_of_answers(const LessonAnswers& a) {
  Json j = {{"schema", kAnswersSchema}, {"name", a.name}, {"lesson", a.lesson},
            {"hash", a.hash},           {"seed", a.seed}, {"answers", Json::array()}};
  for (const LessonAnswer& one : a.answers) {
    Json tries = Json::array();
    for (const LessonTry& t : one.tries) tries.push_back({{"answer", t.answer}, {"seconds", t.seconds}});
    Json& to = j["answers"].emplace_back(
        Json{{"question", one.question}, {"reason", one.reason}, {"tries", std::move(tries)}});
    if (one.shown) to["shown"] = true;
    if (one.after_leaving) to["after_leaving"] = true;
    if (one.own_runs > 0) to["own_runs"] = one.own_runs;
  }
  for (const LessonLeft& one : a.left) j["left"].push_back({{"question", one.question}, {"answered", one.answered}});
  return j;
}

std::string seal_of(const LessonAnswers& a) { return hash_of_text("warpspy " + json_text(json_of_answers(a), -1)); }

std::string text_of(const Json& j, const char* member) {
  const std::string text = j.at(member).get<std::string>();
  if (text.size() > kMostText) throw Error(std::string(member) + " is longer than 2000 bytes");
  return text;
}

bool flag_of(const Json& j, const char* member) { return j.contains(member) && j.at(member).get<bool>(); }

LessonAnswer answer_of(const Json& j) {
  LessonAnswer a{text_of(j, "question"), text_of(j, "reason"), {}};
  a.shown = flag_of(j, "shown"), a.after_leaving = flag_of(j, "after_leaving");
  if (j.contains("own_runs")) a.own_runs = whole_of<std::size_t>(j.at("own_runs"));
  for (const Json& t : j.at("tries").get_ref<const Json::array_t&>()) {
    if (a.tries.size() == kMostTries) throw Error("the question " + a.question + " has more than 100 tries");
    a.tries.push_back({text_of(t, "answer"), t.at("seconds").get<double>()});
    if (!(a.tries.back().seconds >= 0 && a.tries.back().seconds < 1e9)) throw Error("a time is none");
  }
  return a;
}

LessonAnswers answers_of(const Json& j) {
  LessonAnswers a;
  a.name = text_of(j, "name"), a.lesson = text_of(j, "lesson"), a.hash = text_of(j, "hash");
  a.seed = whole_of<std::uint64_t>(j.at("seed"));
  if (a.seed < 1 || a.seed > kMostLessonSeed) throw Error("the seed is not between 1 and 1,000,000");
  std::set<std::string> seen;
  for (const Json& one : j.at("answers").get_ref<const Json::array_t&>()) {
    if (a.answers.size() == kMostLessonSteps) throw Error("there are more answers than a lesson has questions");
    a.answers.push_back(answer_of(one));
    if (!seen.insert(a.answers.back().question).second)
      throw Error("the question " + a.answers.back().question + " is answered twice");
  }
  if (j.contains("left"))
    for (const Json& one : j.at("left").get_ref<const Json::array_t&>()) {
      if (a.left.size() == kMostLeavings) throw Error("the lesson was left more than 100 times");
      a.left.push_back({text_of(one, "question"), whole_of<std::size_t>(one.at("answered"))});
    }
  a.edited = text_of(j, "seal") != seal_of(a);
  return a;
}

}  // namespace

const LessonAnswer* LessonAnswers::answer(const std::string& question) const {
  const auto at = std::find_if(answers.begin(), answers.end(), [&](const auto& a) { return a.question == question; });
  return at == answers.end() ? nullptr : &*at;
}

std::string to_json(const LessonAnswers& a) {
  Json j = json_of_answers(a);
  j["seal"] = seal_of(a);
  return json_text(j) + "\n";
}

LessonAnswers answers_from_json(const std::string& text) {
  if (nested_deeply(text)) throw Error("this is no answer file: it is nested too deeply");
  const Json j = Json::parse(text, nullptr, false);
  if (j.is_discarded()) throw Error("this is no answer file, or only a part of one", {}, "ask for it again");
  if (!j.is_object() || !j.contains("schema") || !j["schema"].is_string()) throw Error("this is no answer file");
  const std::string schema = j["schema"].get<std::string>();
  if (!schema.starts_with("warpspy-lesson-answers-")) throw Error("this is no answer file");
  if (schema != kAnswersSchema)
    throw Error("this answer file is of another version: " + schema.substr(0, 60), {},
                std::string("this Warpspy reads ") + kAnswersSchema);
  try {
    return answers_of(j);
  } catch (const nlohmann::json::exception& e) {
    throw Error("this answer file does not fit together: " + json_problem(e));
  }
}

LessonAnswers read_answers(const std::string& file) {
  return answers_from_json(read_file(file, kMostAnswersBytes, {"answer file", "check its name and permissions"}));
}

std::uint64_t seed_of_name(const std::string& name) {
  return 1 + std::stoull(hash_of_text(name).substr(0, 12), nullptr, 16) % kMostLessonSeed;
}

}  // namespace warpspy
