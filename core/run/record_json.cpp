#include <cmath>
#include <concepts>
#include <limits>
#include <nlohmann/json.hpp>
#include <variant>

#include "core/base/cases.hpp"
#include "core/base/json_depth.hpp"
#include "core/base/json_members.hpp"
#include "core/base/json_problem.hpp"
#include "core/base/json_text.hpp"
#include "core/run/check_words.hpp"
#include "core/run/request_options.hpp"
#include "core/run/tune.hpp"

// The JSON of runs and of searches for parameters. JSON has no NaN and no infinity; they are written as the strings
// "nan", "inf" and "-inf".
namespace warpspy {
namespace {

using Json = nlohmann::ordered_json;

Json number(double v) {
  if (std::isnan(v)) return "nan";
  if (std::isinf(v)) return v > 0 ? "inf" : "-inf";
  // Whole numbers without ".0": "coop": 4.
  if (v == std::floor(v) && std::fabs(v) < 9e15 && !std::signbit(v)) return static_cast<std::int64_t>(v);
  return v;
}

double number_of(const Json& j) {
  if (j.is_number()) return j.get<double>();
  const auto text = j.get<std::string>();
  if (text == "nan") return std::numeric_limits<double>::quiet_NaN();
  if (text == "inf") return std::numeric_limits<double>::infinity();
  if (text == "-inf") return -std::numeric_limits<double>::infinity();
  throw Error("\"" + text + "\" is not a number");
}

Json params_json(const ParamSet& params) {
  Json j = Json::object();
  for (const auto& [id, value] : params) {
    const auto whole = static_cast<std::int64_t>(std::abs(value) < 1e15 ? value : 0);
    j[id] = std::abs(value) < 1e15 && static_cast<double>(whole) == value ? Json(whole)
                                                                          : number(value);  // block_size 256, not 256.0
  }
  return j;
}
ParamSet params_of(const Json& j) {
  ParamSet params;
  for (const auto& [id, value] : j.items()) params[id] = number_of(value);
  return params;
}

// "passed" is true or false if a row was checked, else null with the reason.
Json check_json(const RunRecord& r) {
  const std::string why = why_not_checked(r);
  if (!r.check && why.empty()) return {};
  const ErrorCheck c = r.check.value_or(ErrorCheck{});
  Json j = {{"max_abs", number(c.max_abs)},   {"max_of_bound", number(c.max_of_bound)},
            {"rows_checked", c.rows_checked}, {"rows_left_out", c.rows_left_out},
            {"worst_row", c.worst_row},       {"passed", c.passed}};
  if (!why.empty()) j["passed"] = nullptr, j["not_checked"] = why;
  return j;
}
std::optional<ErrorCheck> check_of(const Json& j) {
  if (j.is_null()) return {};
  const index_t checked = whole_of<index_t>(j.at("rows_checked")),
                left_out = j.contains("rows_left_out") ? whole_of<index_t>(j.at("rows_left_out")) : 0;
  // Older versions reported a passed check even if no row was checked.
  if (checked <= 0 && left_out <= 0) return {};
  return ErrorCheck{number_of(j.at("max_abs")),
                    number_of(j.at("max_of_bound")),
                    checked,
                    whole_of<index_t>(j.at("worst_row")),
                    j.at("passed").is_null() || j.at("passed").get<bool>(),
                    left_out};
}

Json option_json(const RequestOption& option, const RunRequest& r) {
  return std::visit(Cases{[&](auto RunRequest::* m) { return Json(r.*m); },
                          [&](const RequestOption::Number& n) { return number(r.*n.member); },
                          [&](const RequestOption::Limit& l) {
                            const auto& bytes = r.memory.*l.member;
                            return bytes ? Json(*bytes) : Json();
                          },
                          [&](const RequestOption::Choice&) { return Json(text_of(option, r)); }},
                    option.value);
}
void read_option(const RequestOption& option, RunRequest& r, const Json& j) {
  std::visit(Cases{[&](bool RunRequest::* m) { r.*m = j.get<bool>(); },
                   [&](std::uint64_t RunRequest::* m) { r.*m = whole_of<std::uint64_t>(j); },
                   [&](const RequestOption::Number& n) { r.*n.member = number_of(j); },
                   [&](const RequestOption::Limit& l) {
                     r.memory.*l.member = j.is_null() ? std::nullopt : std::optional(whole_of<std::uint64_t>(j));
                   },
                   [&](const auto&) { set_text(option, r, j.get<std::string>()); }},
             option.value);
}

Json request_json(const RunRequest& r) {
  Json j = {{"matrix", r.matrix},
            {"kernel", r.kernel},
            {"params", params_json(r.params)},
            {"format_params", params_json(r.format_params)}};
  const RunRequest product;
  for (const RequestOption& option : request_options())
    if (!(option.seldom || option.of_solve) || text_of(option, r) != text_of(option, product))
      j[option.id] = option_json(option, r);
  return j;
}
RunRequest request_of(const Json& j) {
  RunRequest r;
  r.matrix = j.at("matrix").get<std::string>();
  r.kernel = j.at("kernel").get<std::string>();
  r.params = params_of(j.at("params"));
  r.format_params = params_of(j.at("format_params"));
  for (const RequestOption& option : request_options()) {
    if (option.absent && !j.contains(option.id))
      set_text(option, r, option.absent);
    else
      read_option(option, r, j.at(option.id));
  }
  return r;
}

// The words of an enumeration.
template <class Enum>
constexpr auto words = nullptr;
template <>
constexpr Provenance words<Provenance>[] = {Provenance::measured, Provenance::derived, Provenance::modelled};
template <>
constexpr RunStatus words<RunStatus>[] = {RunStatus::ok, RunStatus::failed, RunStatus::cancelled};
template <>
constexpr Purpose words<Purpose>[] = {Purpose::asked, Purpose::trial, Purpose::final, Purpose::refinement};
template <>
constexpr TrafficSource words<TrafficSource>[] = {TrafficSource::counters, TrafficSource::timing,
                                                  TrafficSource::simulated};
template <>
constexpr SolveEnd words<SolveEnd>[] = {SolveEnd::converged, SolveEnd::most_iterations, SolveEnd::stagnated,
                                        SolveEnd::broke_down};
template <>
constexpr Finding::Kind words<Finding::Kind>[] = {Finding::Kind::limit, Finding::Kind::finished, Finding::Kind::note,
                                                  Finding::Kind::cannot_tell};
template <>
constexpr Gain::From words<Gain::From>[] = {Gain::From::roof, Gain::From::model};

struct RecordJson {
  using Json = nlohmann::ordered_json;
  static Json write(std::same_as<double> auto v) { return number(v); }
  static void read(const Json& j, double& v) { v = number_of(j); }
  static Json write(const ParamSet& v) { return params_json(v); }
  static void read(const Json& j, ParamSet& v) { v = params_of(j); }
  static Json write(const RunRequest& v) { return request_json(v); }
  static void read(const Json& j, RunRequest& v) { v = request_of(j); }
  template <class Enum>
    requires std::is_enum_v<Enum>
  static Json write(Enum v) {
    return name_of(v);
  }
  template <class Enum>
    requires std::is_enum_v<Enum>
  static void read(const Json& j, Enum& v) {
    const auto text = j.get<std::string>();
    std::string known;
    for (const Enum one : words<Enum>) {
      if (text == name_of(one)) return void(v = one);
      known += (known.empty() ? "" : ", ") + std::string(name_of(one));
    }
    throw Error("unknown value \"" + text + "\"", {}, "known: " + known);
  }
};
using Writing = JsonWriting<RecordJson>;
using Reading = JsonReading<RecordJson>;

template <class IO>
void members(IO& io, Quantity& q) {
  io("value", q.value), io("unit", q.unit), io("provenance", q.provenance);
}
template <class IO>
void members(IO& io, Traffic& t) {
  io("name", t.name), io("requests", t.requests), io("sectors", t.sectors);
  io.tell("sectors_per_request", t.requests > 0 ? t.sectors / t.requests : 0);
  io("bytes_used", t.bytes_used), io.newer("bytes_padding", t.bytes_padding), io("active_lanes", t.active_lanes);
  io.newer("provenance", t.provenance), io.if_any("arrays", t.arrays);
}
template <class IO>
void members(IO& io, Change& c) {
  io("text", c.text), io("kernel", c.kernel), io("params", c.params), io("format_params", c.format_params);
  io("reorder", c.reorder);
}
template <class IO>
void members(IO& io, Gain& g) {
  io("least_us", g.least_us), io("most_us", g.most_us);
  io("least_times", g.least_times), io("most_times", g.most_times), io("from", g.from);
}
template <class IO>
void members(IO& io, Finding& f) {
  io("rule", f.rule), io("title", f.title), io("kind", f.kind), io("limit", f.limit), io("evidence", f.evidence);
  io("advice", f.advice), io("share", f.share), io("provenance", f.provenance), io("changes", f.changes);
  io("gain", f.gain);
}
// A missing time, an unknown regret, and a break-even that is never reached are null.
template <class IO>
void members(IO& io, TuneStep& s) {
  io("strategy", s.strategy), io("product", s.product), io("kernel", s.kernel), io("params", s.params);
  io("time_us", s.us), io.or_null("failure", s.failure), io("conversion_us", s.conversion_us);
}
template <class IO>
void members(IO& io, TuneOutcome& o) {
  io("strategy", o.strategy), io("kernel", o.kernel), io("params", o.params), io("time_us", o.us);
  io("products", o.products), io("cost_us", o.cost_us), io("regret", o.regret), io("pays_off_after", o.pays_after);
  io.newer("reason", o.reason), io("notes", o.notes);
}
template <class IO>
void members(IO& io, TuneRequest& r) {
  io("run", r.run), io("strategies", r.strategies), io("most_products", r.most_products);
}
template <class IO>
void members(IO& io, SolveResult& r) {
  io("end", r.end), io("why", r.why), io("iterations", r.iterations), io("true_residual", r.true_residual);
  io("solution_norm", r.solution_norm), io("numbers_from", r.numbers_from), io("residuals", r.residuals);
}
template <class IO>
void members(IO& io, NewtonStep& s) {
  io("norm", s.norm), io("iterations", s.iterations), io("true_residual", s.true_residual), io("share", s.share);
  io("assembly_us", s.assembly_us), io("preparation_us", s.preparation_us), io("solve_us", s.solve_us);
  io("products_us", s.products_us);
}
template <class IO>
void members(IO& io, NewtonResult& r) {
  io("end", r.end), io("why", r.why), io("norm", r.norm), io("steps", r.steps);
}
template <class IO>
void members(IO& io, PartResult& p) {
  io("rows", p.rows), io("entries", p.entries), io("boundary_rows", p.boundary_rows), io("halo_in", p.halo_in);
  io("halo_out", p.halo_out), io("messages", p.messages), io("sent", p.sent), io("local_us", p.local_us);
  io("link_us", p.link_us), io("waiting_us", p.waiting_us), io("halo_us", p.halo_us);
  io.if_any("vectors_us", p.vectors_us), io.if_any("dots_us", p.dots_us);
  io.if_any("dots_waiting_us", p.dots_waiting_us), io("time_us", p.time_us);
}
// The matrix of a record of either kind.
template <class Record>
struct MatrixOf {
  Record& r;
};
template <class IO, class Record>
void members(IO& io, MatrixOf<Record>& m) {
  io("name", m.r.matrix_name), io("rows", m.r.rows), io("cols", m.r.cols), io("nnz", m.r.nnz);
}
template <class IO>
void members(IO& io, TuneRecord& r) {
  MatrixOf<TuneRecord> matrix{r};
  io("started", r.started), io("status", r.status), io.or_null("failure", r.error), io("matrix", matrix);
  io("device", r.device), io("device_name", r.device_name), io("provenance", r.provenance);
  io("outcomes", r.outcomes), io("steps", r.steps), io("notes", r.notes), io("request", r.request);
}

// Quantities that every run has, and further details. Times of this machine are separate from modelled numbers. Without
// those times, `id` and `started`, the same request gives the same bytes everywhere.
void quantities(Writing& io, RunRecord& r) {
  Json& j = io.j;
  j["quantities"] = {{"time", json_of<RecordJson>(r.time)},
                     {"gflops", json_of<RecordJson>(r.gflops)},
                     {"minimum_bytes", json_of<RecordJson>(r.minimum_bytes)}};
  for (const Detail& d : r.details) {
    const bool of_machine = r.provenance == Provenance::modelled && d.quantity.provenance != Provenance::modelled;
    Json& quantity = j[of_machine ? "machine" : "quantities"][d.id];
    quantity = json_of<RecordJson>(d.quantity);
    quantity["label"] = d.label;
  }
}
void quantities(Reading& io, RunRecord& r) {
  Reading of_all{io.j.at("quantities")};
  of_all("time", r.time), of_all("gflops", r.gflops), of_all("minimum_bytes", r.minimum_bytes);
  const auto details = [&](const Json& from) {
    for (const auto& [id, quantity] : from.items()) {
      if (!quantity.contains("label")) continue;
      if (id == "time" || id == "gflops" || id == "minimum_bytes")
        throw Error("a detail cannot be called " + id + ", which every run has", {}, "write the record anew");
      Detail& d = r.details.emplace_back(Detail{id, quantity.at("label").get<std::string>(), {}});
      read_json_of<RecordJson>(quantity, d.quantity);
    }
  };
  details(of_all.j);
  if (io.j.contains("machine")) details(io.j.at("machine"));
}

// Newton's steps. Of a modelled run the times of this machine stand apart, as those of details do: in `machine`, in
// the order of the steps.
constexpr const char* kTimesOfMachine[] = {"assembly_us", "preparation_us"};

void newton(Writing& io, RunRecord& r) {
  io.if_any("newton", r.newton);
  if (!r.newton || r.provenance != Provenance::modelled) return;
  Json& of_machine = io.j["machine"]["newton_steps"] = Json::array();
  for (Json& step : io.j["newton"]["steps"]) {
    Json& times = of_machine.emplace_back(Json::object());
    for (const char* time : kTimesOfMachine) times[time] = std::move(step[time]), step.erase(time);
  }
}
void newton(Reading& io, RunRecord& r) {
  if (!io.j.contains("newton")) return;
  Json whole = io.j.at("newton");
  if (io.j.contains("machine") && io.j.at("machine").contains("newton_steps")) {
    const Json& of_machine = io.j.at("machine").at("newton_steps");
    for (std::size_t k = 0; k < whole.at("steps").size(); ++k) whole.at("steps").at(k).update(of_machine.at(k));
  }
  read_json_of<RecordJson>(whole, r.newton);
}

// A counter has a value, or a reason.
void counters(Writing& io, RunRecord& r) {
  Json& all = io.j["counters"] = Json::object();
  for (const Counter& c : r.counters)
    all[c.id] = c.value ? json_of<RecordJson>(Quantity{*c.value, c.unit, c.provenance})
                        : Json{{"unavailable", c.reason}, {"remedy", c.remedy}, {"unit", c.unit}};
}
void counters(Reading& io, RunRecord& r) {
  for (const auto& [id, counter] : io.j.at("counters").items()) {
    Counter& c = r.counters.emplace_back();
    c.id = id;
    Reading of_counter{counter};
    of_counter("unit", c.unit);
    if (counter.contains("unavailable")) {
      of_counter("unavailable", c.reason), of_counter("remedy", c.remedy);
    } else {
      c.value = number_of(counter.at("value"));
      of_counter("provenance", c.provenance);
    }
  }
}

void check(Writing& io, RunRecord& r) { io.j["error"] = check_json(r); }
void check(Reading& io, RunRecord& r) { r.check = check_of(io.j.at("error")); }

// The numbers that scripts need most are plain numbers at the top. `quantities` repeats them with unit and provenance.
template <class IO>
void members(IO& io, RunRecord& r) {
  MatrixOf<RunRecord> matrix{r};
  io("id", r.id), io("started", r.started), io("status", r.status), io.or_null("failure", r.error);
  io("matrix", matrix), io.tell("kernel", r.request.kernel), io("kernel_label", r.kernel_label);
  io("format", r.format), io.tell("params", r.request.params), io.tell("precision", r.request.precision);
  io("device", r.device), io("device_name", r.device_name), io("provenance", r.provenance);
  // Older versions did not record this, and none of them read hardware counters.
  if (io.reads)
    r.traffic_source = r.provenance == Provenance::modelled ? TrafficSource::simulated : TrafficSource::timing;
  io.newer("rung", r.traffic_source), io.if_any("plan", r.plan), io.if_any("purpose", r.purpose);
  io.if_any("fingerprint", r.fingerprint);
  if (r.status == RunStatus::ok) {
    io.tell("time_us", r.time.value), io.tell("gflops", r.gflops.value);
    io.tell("bytes", r.minimum_bytes.value);
  }
  io("time_how", r.time_how);
  quantities(io, r);
  io("sampled_share", r.sampled_share);
  check(io, r);
  counters(io, r);
  io.if_any("solve", r.solve);
  newton(io, r);
  io.if_any("parts", r.parts), io("arrays", r.arrays), io("lines", r.lines), io.if_any("source", r.source),
      io.if_any("code", r.code);
  io.if_any("lines_unavailable", r.lines_reason), io("notes", r.notes), io.newer("findings", r.findings);
  io("request", r.request);
}

// Calls read(parsed text) and turns every exception of the JSON library into an Error.
template <class Read>
auto read_json(const std::string& text, const char* what, Read&& read) {
  if (nested_deeply(text)) throw Error(std::string("this is not the JSON of a ") + what + ": it is nested too deeply");
  try {
    return read(Json::parse(text));
  } catch (const nlohmann::json::exception& e) {
    throw Error(std::string("this is not the JSON of a ") + what + ": " + json_problem(e));
  }
}

template <class T>
std::string written(const T& v) {
  return json_text(json_of<RecordJson>(v));
}
template <class T>
T read_from(const std::string& text, const char* what) {
  return read_json(text, what, [](const Json& j) {
    T v;
    read_json_of<RecordJson>(j, v);
    return v;
  });
}

}  // namespace

std::string to_json(const RunRequest& r) { return written(r); }
RunRequest request_from_json(const std::string& text) { return read_from<RunRequest>(text, "run request"); }
std::string to_json(const RunRecord& r) { return written(r); }
RunRecord record_from_json(const std::string& text) { return read_from<RunRecord>(text, "run"); }
std::vector<RunRecord> runs_from_json(const std::string& text, const std::string& file) try {
  return read_json(text, "list of runs", [](const Json& j) {
    if (j.at("schema") != "warpspy-runs-1") throw Error("this is no list of runs", {}, "warpspy run --json makes one");
    std::vector<RunRecord> runs(j.at("runs").size());
    for (std::size_t k = 0; k < runs.size(); ++k) read_json_of<RecordJson>(j.at("runs")[k], runs[k]);
    return runs;
  });
} catch (const Error& e) {
  throw Error(e.reason, file, e.remedy);
}
std::string to_json(const TuneRequest& r) { return written(r); }
TuneRequest tune_request_from_json(const std::string& text) { return read_from<TuneRequest>(text, "tuning request"); }
std::string to_json(const TuneRecord& r) { return written(r); }
TuneRecord tune_record_from_json(const std::string& text) { return read_from<TuneRecord>(text, "tuning record"); }

}  // namespace warpspy
