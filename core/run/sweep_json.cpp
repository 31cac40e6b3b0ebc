// The JSON of plans: files that people write for sweeps and other commands, and what a session stores of a sweep.
#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "core/base/csv.hpp"
#include "core/base/json_depth.hpp"
#include "core/base/json_problem.hpp"
#include "core/base/json_text.hpp"
#include "core/base/regular_file.hpp"
#include "core/base/source_name.hpp"
#include "core/run/plan_file.hpp"
#include "core/run/sweep.hpp"
#include "core/run/sweep_axes.hpp"

namespace warpspy {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* kVersionKey = "warpspy_sweep";
constexpr int kVersion = 1;
constexpr std::uint64_t kMostBytes = std::uint64_t{64} << 20;

// The fields of the file besides the options of a run.
constexpr const char* kFields[] = {"matrices", "orders", "kernels", "formats", "params", "repetitions"};

std::string known_fields() {
  std::string known;
  for (const char* field : kFields) known += std::string(field) + ", ";
  for (const RequestOption& o : request_options())
    if (const std::string name = sweep_name(o); !name.empty()) known += name + ", ";
  return "known: " + known.substr(0, known.size() - 2);
}

// A text or a number; on and off may be true and false.
std::string value_of(const Json& j, const std::string& field) {
  if (j.is_string()) return j.get<std::string>();
  if (j.is_number()) return csv::number(j.get<double>());
  if (j.is_boolean()) return j.get<bool>() ? "on" : "off";
  throw Error("the field \"" + field + "\" has a value that is neither a text nor a number", {},
              "write a text, a number, or a list of them");
}

// One value or a list.
std::vector<std::string> values_of(const Json& j, const std::string& field) {
  if (!j.is_array()) return {value_of(j, field)};
  std::vector<std::string> values;
  for (const Json& v : j) values.push_back(value_of(v, field));
  if (values.empty()) throw Error("the field \"" + field + "\" is an empty list", {}, "leave it out, or name values");
  return values;
}

std::vector<SweepPlan::Of> matrices_of(const Json& j) {
  std::vector<SweepPlan::Of> all;
  for (const Json& m : j.is_array() ? j : Json::array({j})) {
    if (m.is_object())
      all.push_back({m.at("source").get<std::string>(), m.value("name", std::string())});
    else
      all.push_back({value_of(m, "matrices"), ""});
  }
  return all;
}

std::vector<SweepPlan::Axis> params_of(const Json& j) {
  if (!j.is_object())
    throw Error("the field \"params\" is no object", {}, "write {\"coop\": [4, 8], \"block\": \"64:512\"}");
  std::vector<SweepPlan::Axis> axes;
  for (const auto& [id, value] : j.items()) axes.push_back({id, values_of(value, id)});
  return axes;
}

void read_field(SweepPlan& plan, const std::string& id, const Json& value) {
  if (id == "matrices") {
    plan.matrices = matrices_of(value);
  } else if (id == "orders") {
    plan.orders = values_of(value, id);
  } else if (id == "kernels") {
    plan.kernels = values_of(value, id);
  } else if (id == "formats") {
    plan.formats = values_of(value, id);
  } else if (id == "params") {
    plan.params = params_of(value);
  } else if (id == "repetitions") {
    plan.repetitions = whole_of<int>(value);
  } else {
    const auto& all = request_options();
    if (std::none_of(all.begin(), all.end(), [&](const RequestOption& o) { return sweep_name(o) == id; }))
      throw Error("the sweep has an unknown field \"" + id + "\"", {}, known_fields());
    plan.options.push_back({id, values_of(value, id)});
  }
}

Json axes_json(const std::vector<SweepPlan::Axis>& axes) {
  Json j = Json::object();
  for (const SweepPlan::Axis& a : axes) j[a.id] = a.values;
  return j;
}

Json plan_json(const SweepPlan& plan) {
  Json matrices = Json::array();
  for (const SweepPlan::Of& m : plan.matrices)
    matrices.push_back(m.name.empty() ? Json(m.source) : Json{{"source", m.source}, {"name", m.name}});
  Json j = {{kVersionKey, kVersion}, {"matrices", std::move(matrices)}};
  if (!plan.orders.empty()) j["orders"] = plan.orders;
  if (!plan.kernels.empty()) j["kernels"] = plan.kernels;
  if (!plan.formats.empty()) j["formats"] = plan.formats;
  if (!plan.params.empty()) j["params"] = axes_json(plan.params);
  for (const SweepPlan::Axis& a : plan.options) j[a.id] = a.values;
  if (plan.repetitions != 1) j["repetitions"] = plan.repetitions;
  return j;
}

SweepPlan plan_of(const Json& j) {
  if (!j.is_object())
    throw Error("this is no sweep: it is no JSON object", {},
                "write {\"matrices\": [...], \"kernels\": [...]}; docs/sweeps.md has an example");
  SweepPlan plan;
  for (const auto& [id, value] : j.items()) {
    if (id != kVersionKey) {
      read_field(plan, id, value);
    } else if (!value.is_number_integer() || value.get<std::int64_t>() != kVersion) {
      throw Error("this sweep was written by a newer Warpspy", {}, "run it with that Warpspy");
    }
  }
  return plan;
}

Json parsed(const std::string& text) {
  if (nested_deeply(text)) throw Error("this is no sweep: it is nested too deeply");
  try {
    return Json::parse(text);
  } catch (const nlohmann::json::parse_error& e) {
    const auto end = text.begin() + static_cast<std::ptrdiff_t>(std::min(e.byte, text.size()));
    throw Error("this is no JSON from line " + std::to_string(1 + std::count(text.begin(), end, '\n')) + " on", {},
                "look for a missing comma, quote or bracket there");
  }
}

// Turns exceptions of the JSON library into errors that say what to do.
template <class Read>
auto reading(const std::string& where, Read read, const char* what = "sweep") {
  try {
    return read();
  } catch (const Error& e) {
    throw Error(e.reason, e.where.empty() ? where : e.where, e.remedy);
  } catch (const nlohmann::json::exception& e) {
    throw Error("this " + std::string(what) + " has a field of another kind than expected: " + json_problem(e), where,
                what == std::string("sweep") ? known_fields() : "docs/plans.md has an example of each");
  }
}

constexpr const char* kPlanVersionKey = "warpspy_plan";

std::string known_commands() {
  std::string known = "known: ";
  for (const std::string& c : plan_commands()) known += (c == plan_commands().front() ? "" : ", ") + c;
  return known;
}

PlanFile plan_file_of(const Json& j, const std::string& folder) {
  if (!j.is_object())
    throw Error("this is no plan: it is no JSON object", {}, "write {\"plan\": \"bench\", \"matrices\": [...]}");
  PlanFile plan;
  plan.command = j.value("plan", std::string("sweep"));
  const auto& commands = plan_commands();
  if (std::find(commands.begin(), commands.end(), plan.command) == commands.end())
    throw Error("there is no plan \"" + plan.command + "\"", {}, known_commands());
  if (plan.command == "sweep") return plan;
  for (const auto& [id, value] : j.items()) {
    if (id == "plan") continue;
    if (id == kPlanVersionKey) {
      if (!value.is_number_integer() || value.get<std::int64_t>() != kVersion)
        throw Error("this plan was written by a newer Warpspy", {}, "run it with that Warpspy");
    } else if (id == "matrices") {
      for (const std::string& source : values_of(value, id))
        plan.matrices.push_back(is_path(source) ? (std::filesystem::path(folder) / source).lexically_normal().string()
                                                : source);
    } else {
      plan.fields.push_back({id, values_of(value, id)});
    }
  }
  if (plan.matrices.empty())
    throw Error("the plan names no matrix", {}, "write \"matrices\": [\"a.mtx\", \"gen:laplace5?nx=300\"]");
  return plan;
}

template <class Enum>
Enum named(const std::string& text, std::initializer_list<Enum> values) {
  for (const Enum v : values)
    if (text == name_of(v)) return v;
  throw Error("\"" + text + "\" is not known");
}

}  // namespace

const std::vector<std::string>& plan_commands() {
  static const std::vector<std::string> all = {"sweep", "bench", "tune", "best", "validate", "analyse"};
  return all;
}

std::string to_json(const SweepPlan& plan) { return json_text(plan_json(plan)) + "\n"; }

SweepPlan sweep_plan_from_json(const std::string& text, const std::string& where) {
  return reading(where, [&] { return plan_of(parsed(text)); });
}

std::string to_json(const SavedSweep& saved) {
  Json outcomes = Json::array();
  for (const SweepOutcome& o : saved.outcomes)
    outcomes.push_back({{"matrix", o.matrix},
                        {"cell", o.cell},
                        {"state", name_of(o.state)},
                        {"reason", o.reason},
                        {"run", o.run},
                        {"seconds", o.seconds}});
  return json_text(Json{{"plan", plan_json(saved.plan)}, {"folder", saved.folder}, {"outcomes", std::move(outcomes)}},
                   -1);
}

PlanFile plan_file_from_json(const std::string& text, const std::string& path) {
  const std::string folder = std::filesystem::path(path).parent_path().string();
  return reading(path, [&] { return plan_file_of(parsed(text), folder); }, "plan");
}
PlanFile read_plan_file(const std::string& path) {
  return plan_file_from_json(read_file(path, kMostBytes, {"plan", "name a file; docs/plans.md has examples"}), path);
}

SweepPlan read_sweep_plan(const std::string& path) {
  const FileWords words{"sweep", "name a sweep file, or the folder of a sweep"};
  return sweep_plan_from_json(read_file(path, kMostBytes, words), path);
}

SavedSweep saved_sweep_from_json(const std::string& text) {
  return reading("", [&] {
    const Json j = parsed(text);
    SavedSweep saved;
    saved.plan = plan_of(j.at("plan"));
    saved.folder = j.value("folder", std::string());
    for (const Json& o : j.at("outcomes"))
      saved.outcomes.push_back(
          {o.at("matrix").get<std::string>(), o.at("cell").get<std::string>(),
           named(o.at("state").get<std::string>(), {CellState::done, CellState::failed, CellState::skipped}),
           o.at("reason").get<std::string>(), whole_of<std::uint64_t>(o.at("run")), o.at("seconds").get<double>()});
    return saved;
  });
}

}  // namespace warpspy
