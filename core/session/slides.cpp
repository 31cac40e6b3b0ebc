#include "core/session/slides.hpp"

#include <nlohmann/json.hpp>

#include "core/base/json_depth.hpp"
#include "core/base/json_problem.hpp"
#include "core/base/json_text.hpp"
#include "core/base/regular_file.hpp"

namespace warpspy {

namespace {

using SlidesJson = nlohmann::ordered_json;

constexpr const char* slides_key = "warpspy_slides";
constexpr int slides_version = 1;
constexpr std::uintmax_t most_slide_bytes = std::uintmax_t{1} << 28;
constexpr const char* what_to_name = "name a lecture that Warpspy saved (.slides)";

SlidesJson slides_parsed(const std::string& text) {
  if (nested_deeply(text)) throw Error("it is no lecture: nested too deeply", {}, what_to_name);
  SlidesJson j;
  try {
    j = SlidesJson::parse(text);
  } catch (const nlohmann::json::exception& e) {
    throw Error("it is no lecture, or was cut off: " + json_problem(e), {}, what_to_name);
  }
  if (!j.is_object() || !j.contains(slides_key) || !j[slides_key].is_number_integer())
    throw Error("it is no lecture", {}, what_to_name);
  if (j[slides_key].get<int>() > slides_version)
    throw Error("it comes from a newer Warpspy", {}, "open it with the Warpspy that saved it");
  return j;
}

}  // namespace

std::string to_json(const std::vector<Slide>& slides) {
  SlidesJson j = {{slides_key, slides_version}, {"slides", SlidesJson::array()}};
  for (const Slide& s : slides)
    j["slides"].push_back({{"title", s.title}, {"desk", SlidesJson::parse(to_json(s.desk))}});
  return json_text(j, 1);
}

SlidesRead slides_from_json(const std::string& text) {
  SlidesRead out;
  const SlidesJson j = slides_parsed(text);
  const auto list = j.find("slides");
  if (list == j.end() || !list->is_array()) return out;
  for (std::size_t k = 0; k < list->size(); ++k) {
    const std::string name = "Slide " + std::to_string(k + 1);
    if (out.slides.size() == most_slides) {
      out.remarks.push_back("A lecture has at most " + std::to_string(most_slides) + " slides: the rest is left out.");
      break;
    }
    try {
      const SlidesJson& one = (*list)[k];
      DeskRead read = desk_from_json(json_text(one.at("desk"), -1));
      for (const std::string& remark : read.remarks) out.remarks.push_back(name + ": " + remark);
      out.slides.push_back({one.value("title", ""), std::move(read.desk)});
    } catch (const nlohmann::json::exception& e) {
      out.remarks.push_back(name + " is left out: " + json_problem(e) + ".");
    } catch (const Error& e) {
      out.remarks.push_back(name + " is left out: " + e.reason + ".");
    }
  }
  return out;
}

SlidesRead load_slides(const std::string& path) {
  const std::string text = read_file(path, most_slide_bytes, {"lecture", what_to_name});
  try {
    return slides_from_json(text);
  } catch (const Error& e) {
    throw Error(e.reason, path, e.remedy);
  }
}

}  // namespace warpspy
