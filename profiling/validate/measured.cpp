#include <nlohmann/json.hpp>

#include "core/base/json_depth.hpp"
#include "core/base/json_problem.hpp"
#include "core/base/json_text.hpp"
#include "core/base/regular_file.hpp"
#include "core/base/types.hpp"
#include "profiling/validate/compare.hpp"

namespace warpspy {
namespace {

using Json = nlohmann::json;

RunRecord record_of(const Json& run) {
  RunRecord r;
  r.request = request_from_json(json_text(run.at("request")));
  r.matrix_name = run.at("matrix").get<std::string>();
  r.provenance = Provenance::measured;
  r.status = RunStatus::ok;
  if (run.contains("minimum_bytes"))
    r.minimum_bytes = {run.at("minimum_bytes").get<double>(), "B", Provenance::modelled};
  if (run.contains("failure")) {
    r.status = RunStatus::failed;
    r.error = run.at("failure").get<std::string>();
  }
  for (const Json& row : run.at("rows")) {
    Counter c{row.at("id").get<std::string>(), {}, row.at("unit").get<std::string>(), Provenance::measured, {}, {}};
    if (!row.at("measured").is_null()) c.value = row.at("measured").get<double>();
    if (row.contains("reason")) c.reason = row.at("reason").get<std::string>();
    if (c.id == "time" && c.value) r.time = {*c.value, c.unit, Provenance::measured};
    if (c.id != "time") r.counters.push_back(std::move(c));
  }
  if (run.contains("beside"))
    for (const auto& [id, one] : run.at("beside").items())
      r.counters.push_back(
          {id, one.at("measured").get<double>(), one.at("unit").get<std::string>(), Provenance::measured, {}, {}});
  return r;
}

}  // namespace

MeasuredRuns read_measured(const std::string& file) {
  constexpr std::uint64_t kMostBytes = std::uint64_t{1} << 30;
  return measured_from_json(read_file(file, kMostBytes, {"report", "make one with warpspy validate -o FILE"}), file);
}

MeasuredRuns measured_from_json(const std::string& text, const std::string& file) {
  constexpr const char* fix = "make one with warpspy validate -o FILE";
  if (nested_deeply(text)) throw Error("this is no report of validate: it is nested too deeply", file, fix);
  try {
    const Json j = Json::parse(text);
    MeasuredRuns all{
        j.at("device").get<std::string>(), j.at("simulated").get<std::string>(), j.at("date").get<std::string>(), {}};
    for (const Json& run : j.at("runs")) all.runs.push_back(record_of(run));
    return all;
  } catch (const Json::exception& e) {
    throw Error(std::string("this is no report of validate: ") + json_problem(e), file, fix);
  }
}

}  // namespace warpspy
