// The JSON of a desk. Runs and searches in it are objects with the JSON of core/run.
#include <algorithm>
#include <cmath>
#include <functional>
#include <initializer_list>
#include <nlohmann/json.hpp>

#include "core/base/json_depth.hpp"
#include "core/base/json_problem.hpp"
#include "core/base/json_text.hpp"
#include "core/session/desk.hpp"

namespace warpspy {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* kVersionKey = "warpspy_session";

Json params_json(const ParamSet& params) {
  Json j = Json::object();
  for (const auto& [id, value] : params)
    if (std::isfinite(value)) j[id] = value;
  return j;
}
ParamSet params_of(const Json& j) {
  ParamSet params;
  for (const auto& [id, value] : j.items())
    if (value.is_number()) params[id] = value.get<double>();
  return params;
}

Json sets_json(const std::map<std::string, ParamSet>& sets) {
  Json j = Json::object();
  for (const auto& [owner, params] : sets) j[owner] = params_json(params);
  return j;
}
std::map<std::string, ParamSet> sets_of(const Json& j) {
  std::map<std::string, ParamSet> sets;
  for (const auto& [owner, params] : j.items())
    if (params.is_object()) sets[owner] = params_of(params);
  return sets;
}

Json camera_json(const DeskCamera& c) {
  if (c.fit) return "whole";
  return {{"row", c.row}, {"col", c.col}, {"row_px", c.row_px}, {"col_px", c.col_px}};
}
DeskCamera camera_of(const Json& j) {
  if (!j.is_object()) return {};
  const DeskCamera c{false, j.at("row").get<double>(), j.at("col").get<double>(), j.at("row_px").get<double>(),
                     j.at("col_px").get<double>()};
  const bool useful = std::isfinite(c.row) && std::isfinite(c.col) && c.row_px > 0 && c.col_px > 0 &&
                      std::isfinite(c.row_px) && std::isfinite(c.col_px);
  return useful ? c : DeskCamera{};
}

Json matrix_json(const DeskMatrix& m) {
  Json j = {{"source", m.recipe.source}, {"name", m.name}};
  for (const ReorderStep& s : m.recipe.steps) {
    Json step = {{"id", s.id}, {"params", params_json(s.params)}};
    if (!s.file.empty()) step["file"] = s.file;
    j["reordered"].push_back(std::move(step));
  }
  if (m.file) j["file"] = {{"bytes", m.file->bytes}, {"modified_ns", m.file->modified_ns}, {"hash", m.file->hash}};
  j["rows"] = m.rows, j["cols"] = m.cols, j["nnz"] = m.nnz;
  j["camera"] = camera_json(m.camera);
  if (m.knobs)
    j["knobs"] = {{"kernel", m.knobs->kernel},
                  {"format", m.knobs->format},
                  {"kernel_params", sets_json(m.knobs->kernel_params)},
                  {"format_params", sets_json(m.knobs->format_params)}};
  return j;
}
DeskMatrix matrix_of(const Json& j) {
  DeskMatrix m;
  m.recipe.source = j.at("source").get<std::string>();
  if (m.recipe.source.empty()) throw Error("a matrix has no source");
  m.name = j.value("name", m.recipe.source);
  if (j.contains("reordered"))
    for (const Json& s : j.at("reordered"))
      m.recipe.steps.push_back({s.at("id").get<std::string>(), params_of(s.value("params", Json::object())),
                                s.value("file", std::string())});
  if (j.contains("file")) {
    const Json& f = j.at("file");
    m.file = {whole_of<std::uint64_t>(f.at("bytes")), whole_of<std::int64_t>(f.at("modified_ns")),
              f.value("hash", std::string())};
  }
  const auto size = [&](const char* name) { return j.contains(name) ? whole_of<index_t>(j.at(name)) : index_t{0}; };
  m.rows = size("rows"), m.cols = size("cols"), m.nnz = size("nnz");
  if (j.contains("camera")) m.camera = camera_of(j.at("camera"));
  if (j.contains("knobs")) {
    const Json& k = j.at("knobs");
    m.knobs = {k.at("kernel").get<std::string>(), k.at("format").get<std::string>(), sets_of(k.at("kernel_params")),
               sets_of(k.at("format_params"))};
  }
  return m;
}

Json record_json(const RunRecord& r) { return Json::parse(to_json(r)); }
std::shared_ptr<const RunRecord> record_of(const Json& j) {
  return std::make_shared<const RunRecord>(record_from_json(json_text(j, -1)));
}

Json run_json(const DeskRun& r) {
  Json j = {{"id", r.id}};
  if (!r.listed) j["listed"] = false;
  if (!r.note.empty()) j["note"] = r.note;
  if (r.record) j["record"] = record_json(*r.record);
  return j;
}
DeskRun run_of(const Json& j) {
  DeskRun r{whole_of<std::uint64_t>(j.at("id")), j.value("listed", true), j.value("note", std::string()), nullptr};
  if (j.contains("record")) r.record = record_of(j.at("record"));
  return r;
}

Json analysis_json(const AnalysisResult& a) {
  Json subjects = Json::array();
  for (const AnalysisSubject& s : a.subjects) {
    Json runs = Json::array();
    for (const auto& done : s.runs)
      runs.push_back({{"role", done.variant}, {"x", done.x}, {"record", record_json(*done.record)}});
    subjects.push_back({{"label", s.label}, {"problem", s.problem}, {"runs", std::move(runs)}});
  }
  return {{"id", a.request.id},
          {"params", params_json(a.request.params)},
          {"kernels", a.request.kernels},
          {"request", Json::parse(to_json(a.request.run))},
          {"subjects", std::move(subjects)}};
}
AnalysisResult analysis_of(const Json& j) {
  AnalysisResult a;
  a.request.id = j.at("id").get<std::string>();
  a.request.params = params_of(j.at("params"));
  a.request.kernels = j.at("kernels").get<std::vector<std::string>>();
  a.request.run = request_from_json(json_text(j.at("request"), -1));
  for (const Json& s : j.at("subjects")) {
    AnalysisSubject subject;
    subject.label = s.at("label").get<std::string>();
    subject.problem = s.at("problem").get<std::string>();
    for (const Json& run : s.at("runs"))
      subject.runs.push_back(
          {run.at("role").get<std::string>(), run.at("x").get<double>(), record_of(run.at("record"))});
    a.subjects.push_back(std::move(subject));
  }
  return a;
}

// Reads the parts of the file; a part that cannot be read is left out and reported.
class Parts {
 public:
  Parts(const Json& whole, std::vector<std::string>& remarks) : whole_(whole), remarks_(remarks) {}

  void part(const char* key, const std::function<void(const Json&)>& read) const {
    if (!whole_.contains(key) || whole_.at(key).is_null()) return;
    attempt(key, [&] { read(whole_.at(key)); });
  }
  // Each element by itself.
  void list(const char* key, const std::function<void(const Json&)>& read) const {
    part(key, [&](const Json& all) {
      if (!all.is_array()) throw Error("it is no list");
      for (std::size_t k = 0; k < all.size(); ++k)
        attempt(std::string(key) + " " + std::to_string(k + 1), [&] { read(all[k]); });
    });
  }

 private:
  void attempt(const std::string& what, const std::function<void()>& read) const {
    try {
      read();
    } catch (const Error& e) {
      tell(what, e.reason);
    } catch (const nlohmann::json::exception& e) {
      tell(what, json_problem(e));
    }
  }
  void tell(const std::string& what, const std::string& why) const {
    remarks_.push_back("The session's " + what + " cannot be read and is left out: " + why + ".");
  }

  const Json& whole_;
  std::vector<std::string>& remarks_;
};

// The whole file, or why it is none.
Json parsed(const std::string& text) {
  const char* other = "choose a file that Warpspy saved";
  if (text.empty()) throw Error("this session is empty: it was never written to its end", {}, other);
  if (nested_deeply(text)) throw Error("this is no session of Warpspy: it is nested too deeply", {}, other);
  Json j;
  try {
    j = Json::parse(text);
  } catch (const nlohmann::json::exception& e) {
    if (text.find(kVersionKey) == std::string::npos) throw Error("this is no session of Warpspy", {}, other);
    const auto* parse = dynamic_cast<const nlohmann::json::parse_error*>(&e);
    throw Error(parse && parse->byte >= text.size()
                    ? "this session was cut off: it ends after " + std::to_string(text.size()) + " bytes"
                    : "this session is damaged" + (parse ? " at byte " + std::to_string(parse->byte) : std::string()),
                {}, "copy it again from where it came from");
  }
  if (!j.is_object() || !j.contains(kVersionKey)) throw Error("this is no session of Warpspy", {}, other);
  const auto version = whole_of<std::int64_t>(j.at(kVersionKey));
  if (version > kDeskVersion)
    throw Error("this session was saved by a newer Warpspy (version " + std::to_string(version) +
                    " of sessions; this program reads up to " + std::to_string(kDeskVersion) + ")",
                {}, "open it with that Warpspy");
  if (version < 1)
    throw Error("this is no session of Warpspy: there is no version " + std::to_string(version), {}, other);
  return j;
}

}  // namespace

std::string to_json(const Desk& d) {
  Json j = {{kVersionKey, kDeskVersion}, {"saved", d.saved}, {"folder", d.folder}, {"active", d.active}};
  j["matrices"] = Json::array();
  for (const DeskMatrix& m : d.matrices) j["matrices"].push_back(matrix_json(m));
  j["choices"] = d.choices;
  j["kernel_params"] = sets_json(d.kernel_params);
  j["format_params"] = sets_json(d.format_params);
  j["analysis_params"] = sets_json(d.analysis_params);
  if (d.marked_lo < d.marked_hi) j["marked"] = {d.marked_lo, d.marked_hi};
  if (d.marked_first < d.marked_past) j["marked_rows"] = {d.marked_first, d.marked_past};
  j["runs"] = Json::array();
  for (const DeskRun& r : d.runs) j["runs"].push_back(run_json(r));
  j["selected_run"] = d.selected_run;
  j["beside_run"] = d.beside_run;
  j["compared"] = d.compared;
  if (d.tuning) j["tuning"] = Json::parse(to_json(*d.tuning));
  for (const AnalysisResult& a : d.analyses) j["analyses"].push_back(analysis_json(a));
  if (d.sweep) j["sweep"] = Json::parse(to_json(*d.sweep));
  return json_text(j, 1) + "\n";
}

DeskRead desk_from_json(const std::string& text) {
  DeskRead out;
  const Json j = parsed(text);
  const Parts parts(j, out.remarks);
  Desk& d = out.desk;
  parts.part("saved", [&](const Json& x) { d.saved = x.get<std::string>(); });
  parts.part("folder", [&](const Json& x) { d.folder = x.get<std::string>(); });
  // Matrices that cannot be read are left out, so the index of the active matrix may change.
  int active = -1, at = 0;
  parts.part("active", [&](const Json& x) { active = whole_of<int>(x); });
  parts.list("matrices", [&](const Json& x) {
    const bool chosen = at++ == active;
    d.matrices.push_back(matrix_of(x));
    if (chosen) d.active = static_cast<int>(d.matrices.size()) - 1;
  });
  parts.part("choices", [&](const Json& x) {
    for (const auto& [id, value] : x.items())
      if (value.is_string()) d.choices[id] = value.get<std::string>();
  });
  parts.part("kernel_params", [&](const Json& x) { d.kernel_params = sets_of(x); });
  parts.part("format_params", [&](const Json& x) { d.format_params = sets_of(x); });
  parts.part("analysis_params", [&](const Json& x) { d.analysis_params = sets_of(x); });
  parts.part("marked", [&](const Json& x) {
    const auto lo = whole_of<index_t>(x.at(0)), hi = whole_of<index_t>(x.at(1));
    if (lo >= 0 && lo < hi) d.marked_lo = lo, d.marked_hi = hi;
  });
  parts.part("marked_rows", [&](const Json& x) {
    const auto first = whole_of<index_t>(x.at(0)), past = whole_of<index_t>(x.at(1));
    if (first >= 0 && first < past) d.marked_first = first, d.marked_past = past;
  });
  parts.list("runs", [&](const Json& x) { d.runs.push_back(run_of(x)); });
  parts.part("selected_run", [&](const Json& x) { d.selected_run = whole_of<std::uint64_t>(x); });
  parts.part("beside_run", [&](const Json& x) { d.beside_run = whole_of<std::uint64_t>(x); });
  parts.list("compared", [&](const Json& x) { d.compared.push_back(whole_of<std::uint64_t>(x)); });
  parts.part("tuning", [&](const Json& x) { d.tuning = tune_record_from_json(json_text(x, -1)); });
  parts.list("analyses", [&](const Json& x) { d.analyses.push_back(analysis_of(x)); });
  parts.part("sweep", [&](const Json& x) { d.sweep = saved_sweep_from_json(json_text(x, -1)); });
  return out;
}

}  // namespace warpspy
