#include "core/run/choices.hpp"

#include <filesystem>
#include <nlohmann/json.hpp>
#include <system_error>
#include <utility>

#include "core/base/json_depth.hpp"
#include "core/base/regular_file.hpp"

namespace warpspy {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::uint64_t kMostChoiceBytes = std::uint64_t{64} << 20;

// A record with what a choice states. The matrix's name is unknown.
RunRecord run_of(const Json& j) {
  RunRecord r;
  r.plan = "choices.json", r.purpose = Purpose::trial, r.status = RunStatus::ok;
  r.fingerprint = j.at("matrix").get<std::string>();
  r.matrix_name = "matrix " + r.fingerprint;
  r.started = j.at("found").get<std::string>();
  r.device_name = j.at("device").get<std::string>();
  r.provenance = Provenance::measured;
  r.traffic_source = TrafficSource::timing;
  r.request.kernel = r.kernel_label = j.at("kernel").get<std::string>();
  r.request.params = j.at("params").get<ParamSet>();
  r.request.format_params = j.at("format_params").get<ParamSet>();
  r.request.precision = j.at("precision") == name_of(Precision::f64) ? Precision::f64 : Precision::f32;
  r.request.counters = "none";
  r.time = {j.at("us").get<double>(), "us", Provenance::measured};
  r.time_how = "the best of a search by an earlier version";
  return r;
}

}  // namespace

std::string choices_path() {
  const std::string runs = history_path();
  return runs.empty() ? "" : (std::filesystem::path(runs).parent_path() / "choices.json").string();
}

std::optional<std::string> take_over_choices(const std::string& path, History& history) {
  namespace fs = std::filesystem;
  std::error_code failed;
  if (path.empty() || history.path().empty() || !fs::is_regular_file(path, failed)) return std::nullopt;
  const std::string aside = path + ".taken-over";
  fs::rename(path, aside, failed);  // first: of two programs one takes it over
  if (failed == std::errc::no_such_file_or_directory) return std::nullopt;
  if (failed)
    throw Error("the choices of earlier searches cannot be taken over: " + failed.message(), path,
                "check the folder's permissions, or move the file away");
  const std::string text = read_file(aside, kMostChoiceBytes, {"file of choices", "move it away"});
  const Json list = nested_deeply(text) ? Json() : Json::parse(text, nullptr, false);
  std::size_t taken = 0;
  for (const Json& j : list.is_array() ? list : Json::array()) try {
      RunRecord r = run_of(j);
      taken += history.add(r) != 0;
    } catch (const std::exception&) {  // a line of another version is skipped
    }
  return "what earlier searches found (" + std::to_string(taken) +
         " choices) is in the history of runs now; the file " + path + " is called " +
         fs::path(aside).filename().string() + " and is not needed any more";
}

}  // namespace warpspy
