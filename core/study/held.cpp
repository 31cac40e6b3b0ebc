#include "core/study/held.hpp"

#include <cstdio>
#include <nlohmann/json.hpp>

#include "core/base/json_depth.hpp"
#include "core/base/json_problem.hpp"
#include "core/base/json_text.hpp"
#include "core/base/numbers.hpp"
#include "core/base/regular_file.hpp"

namespace warpspy {
namespace {

using HeldJson = nlohmann::json;

std::string two_digits(double v) {
  char text[32];
  std::snprintf(text, sizeof text, "%.2g", v);
  return text;
}

HeldGpu held_gpu_from(const HeldJson& j) {
  HeldGpu h;
  h.numbers = whole_of<int>(j.at("numbers")), h.right = whole_of<int>(j.at("right"));
  h.rates = whole_of<int>(j.at("rates"));
  if (!j.at("median_factor").is_null()) h.median_factor = j.at("median_factor").get<double>();
  h.measured = j.value("measured", std::string());
  h.source = j.at("source").get<std::string>();
  return h;
}

KeptStudy kept_from(const HeldJson& j) {
  KeptStudy k;
  k.seconds = j.at("seconds").get<double>();
  for (int v = 0; v < kVerdicts; ++v)
    k.verdicts[static_cast<std::size_t>(v)] = whole_of<int>(j.at("verdicts").at(name_of(static_cast<CellVerdict>(v))));
  return k;
}

}  // namespace

StudyResults study_results_from_json(const std::string& text, const std::string& where) {
  const auto refuse = [&](const std::string& why) -> void {
    throw Error("these are no results of studies: " + why, where, "scripts/studies makes them again");
  };
  try {
    if (nested_deeply(text)) refuse("they are nested deeper than any");
    const HeldJson j = HeldJson::parse(text);
    if (j.at("schema") != "warpspy-study-results-1") refuse("they are of another version");
    StudyResults r;
    r.made_by = j.at("made_by").get<std::string>(), r.date = j.at("date").get<std::string>();
    r.machine = j.value("machine", std::string());
    for (const auto& [id, gpu] : j.at("gpus").items()) r.gpus[id] = held_gpu_from(gpu);
    for (const auto& [id, study] : j.at("studies").items()) r.studies[id] = kept_from(study);
    return r;
  } catch (const HeldJson::exception& e) {
    refuse(json_problem(e));
  }
  return {};
}

StudyResults read_study_results(const std::string& folder) {
  const std::string path = folder + "/results.json";
  const auto text = read_file_if_there(path, std::uint64_t{16} << 20, {"results of the studies"});
  return text ? study_results_from_json(*text, path) : StudyResults{};
}

std::string held_text(const StudyResults& results, const std::string& gpu) {
  const auto at = results.gpus.find(gpu);
  if (at == results.gpus.end()) return "not held against anything";
  const HeldGpu& h = at->second;
  std::string text;
  if (h.numbers > 0) {
    text = counted(h.numbers, "printed number") + ": size or order right for " + std::to_string(h.right);
    if (h.median_factor) text += ", rates within " + two_digits(*h.median_factor) + " times";
  }
  if (!h.measured.empty()) text += (text.empty() ? "" : "; ") + h.measured;
  return text.empty() ? "not held against anything" : "held against " + text;
}

std::string held_help(const StudyResults& results, const std::string& gpu) {
  const auto at = results.gpus.find(gpu);
  if (at == results.gpus.end())
    return "No printed and no measured number of this GPU was ever held against its model: what it says may be wrong "
           "by any factor.";
  const HeldGpu& h = at->second;
  std::string text = "The model of this GPU, held against what papers printed of it.";
  if (h.numbers == 0) text = "The model of this GPU, held against products that were measured on one.";
  if (h.median_factor)
    text +=
        " Half of " + counted(h.rates, "rate") + " are within " + two_digits(*h.median_factor) + " times the printed.";
  return text + "\n" + h.source + (results.made_by.empty() ? "" : ", by " + results.made_by + ", " + results.date);
}

std::string duration_text(double seconds) {
  if (seconds < 1) return "less than a second";
  if (seconds < 100) return "about " + two_digits(seconds) + " s";
  if (seconds < 5400) return "about " + std::to_string(static_cast<int>(seconds / 60 + 0.5)) + " min";
  return "about " + two_digits(seconds / 3600) + " h";
}

std::string cost_text(const StudyResults& results, const std::string& study, std::size_t products) {
  const std::string what = products == 0 ? "counts alone" : counted(static_cast<index_t>(products), "product");
  const auto at = results.studies.find(study);
  if (at == results.studies.end() || at->second.seconds <= 0)
    return what + (products == 0 ? "" : "; how long they take is not known");
  return what + ", " + duration_text(at->second.seconds) + (results.machine.empty() ? "" : " on " + results.machine);
}

}  // namespace warpspy
