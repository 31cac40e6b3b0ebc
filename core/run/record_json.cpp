#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <variant>

#include "core/base/cases.hpp"
#include "core/base/json_depth.hpp"
#include "core/base/json_problem.hpp"
#include "core/base/json_text.hpp"
#include "core/run/check_words.hpp"
#include "core/run/request_options.hpp"
#include "core/run/tune.hpp"

// The JSON of runs and of searches for parameters. Numbers that JSON cannot hold (NaN, infinities) are written as the
// strings "nan", "inf" and
// "-inf".
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

// The value of the enumeration whose name is `text`, out of `values`.
template <class Enum>
Enum named(const Json& j, std::initializer_list<Enum> values) {
  const auto text = j.get<std::string>();
  std::string known;
  for (const Enum v : values) {
    if (text == name_of(v)) return v;
    known += (known.empty() ? "" : ", ") + std::string(name_of(v));
  }
  throw Error("unknown value \"" + text + "\"", {}, "known: " + known);
}
Provenance provenance_of(const Json& j) {
  return named(j, {Provenance::measured, Provenance::derived, Provenance::modelled});
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

Json quantity_json(const Quantity& q) {
  return {{"value", number(q.value)}, {"unit", q.unit}, {"provenance", name_of(q.provenance)}};
}
Quantity quantity_of(const Json& j) {
  return {number_of(j.at("value")), j.at("unit").get<std::string>(), provenance_of(j.at("provenance"))};
}

Json counter_json(const Counter& c) {
  if (c.value) return quantity_json({*c.value, c.unit, c.provenance});
  return {{"unavailable", c.reason}, {"remedy", c.remedy}, {"unit", c.unit}};
}
Counter counter_of(const std::string& id, const Json& j) {
  Counter c;
  c.id = id;
  c.unit = j.at("unit").get<std::string>();
  if (j.contains("unavailable")) {
    c.reason = j.at("unavailable").get<std::string>();
    c.remedy = j.at("remedy").get<std::string>();
    return c;
  }
  c.value = number_of(j.at("value"));
  c.provenance = provenance_of(j.at("provenance"));
  return c;
}

Json traffic_json(const std::vector<Traffic>& list) {
  Json j = Json::array();
  for (const Traffic& t : list) {
    j.push_back({{"name", t.name},
                 {"requests", number(t.requests)},
                 {"sectors", number(t.sectors)},
                 {"sectors_per_request", number(t.requests > 0 ? t.sectors / t.requests : 0)},
                 {"bytes_used", number(t.bytes_used)},
                 {"bytes_padding", number(t.bytes_padding)},
                 {"active_lanes", number(t.active_lanes)},
                 {"provenance", name_of(t.provenance)}});
    if (!t.arrays.empty()) j.back()["arrays"] = t.arrays;
  }
  return j;
}
std::vector<Traffic> traffic_of(const Json& j) {
  std::vector<Traffic> list;
  for (const Json& t : j) {
    list.push_back({t.at("name").get<std::string>(), number_of(t.at("requests")), number_of(t.at("sectors")),
                    number_of(t.at("bytes_used")), number_of(t.at("active_lanes"))});
    if (t.contains("provenance")) list.back().provenance = provenance_of(t.at("provenance"));  // older ones: modelled
    if (t.contains("bytes_padding")) list.back().bytes_padding = number_of(t.at("bytes_padding"));
    if (t.contains("arrays")) list.back().arrays = t.at("arrays").get<std::vector<std::string>>();
  }
  return list;
}

Json change_json(const Change& c) {
  return {{"text", c.text},
          {"kernel", c.kernel},
          {"params", params_json(c.params)},
          {"format_params", params_json(c.format_params)},
          {"reorder", c.reorder}};
}
Json gain_json(const Gain& g) {
  return {{"least_us", number(g.least_us)},
          {"most_us", number(g.most_us)},
          {"least_times", number(g.least_times)},
          {"most_times", number(g.most_times)},
          {"from", name_of(g.from)}};
}
Json finding_json(const Finding& f) {
  Json changes = Json::array();
  for (const Change& c : f.changes) changes.push_back(change_json(c));
  return {{"rule", f.rule},
          {"title", f.title},
          {"kind", name_of(f.kind)},
          {"limit", f.limit},
          {"evidence", f.evidence},
          {"advice", f.advice},
          {"share", number(f.share)},
          {"provenance", name_of(f.provenance)},
          {"changes", std::move(changes)},
          {"gain", f.gain ? gain_json(*f.gain) : Json()}};
}
Finding finding_of(const Json& j) {
  Finding f;
  f.rule = j.at("rule").get<std::string>();
  f.title = j.at("title").get<std::string>();
  f.kind = named(j.at("kind"),
                 {Finding::Kind::limit, Finding::Kind::finished, Finding::Kind::note, Finding::Kind::cannot_tell});
  f.limit = j.at("limit").get<std::string>();
  f.evidence = j.at("evidence").get<std::string>();
  f.advice = j.at("advice").get<std::string>();
  f.share = number_of(j.at("share"));
  f.provenance = provenance_of(j.at("provenance"));
  for (const Json& c : j.at("changes"))
    f.changes.push_back({c.at("text").get<std::string>(), c.at("kernel").get<std::string>(), params_of(c.at("params")),
                         params_of(c.at("format_params")), c.at("reorder").get<std::string>()});
  if (const Json& g = j.at("gain"); !g.is_null())
    f.gain = Gain{number_of(g.at("least_us")), number_of(g.at("most_us")), number_of(g.at("least_times")),
                  number_of(g.at("most_times")), named(g.at("from"), {Gain::From::roof, Gain::From::model})};
  return f;
}

// "passed" is true or false where a row was checked, else null, with the reason.
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
  // Older versions said that it passed where no row was looked at.
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
  for (const RequestOption& option : request_options()) j[option.id] = option_json(option, r);
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

// Calls read(parsed text) and turns every complaint of the JSON library into an Error.
template <class Read>
auto read_json(const std::string& text, const char* what, Read&& read) {
  if (nested_deeply(text)) throw Error(std::string("this is not the JSON of a ") + what + ": it is nested too deeply");
  try {
    return read(Json::parse(text));
  } catch (const nlohmann::json::exception& e) {
    throw Error(std::string("this is not the JSON of a ") + what + ": " + json_problem(e));
  }
}

// A time that is not there, a regret that is not known and a pay-off that never comes are null.
Json maybe(const std::optional<double>& v) { return v ? number(*v) : Json(); }
std::optional<double> maybe_of(const Json& j) {
  return j.is_null() ? std::nullopt : std::optional<double>(number_of(j));
}

Json tune_request_json(const TuneRequest& r) {
  return {{"run", request_json(r.run)}, {"strategies", r.strategies}, {"most_products", r.most_products}};
}
TuneRequest tune_request_of(const Json& j) {
  return {request_of(j.at("run")), j.at("strategies").get<std::vector<std::string>>(),
          whole_of<int>(j.at("most_products"))};
}

Json step_json(const TuneStep& s) {
  return {{"strategy", s.strategy},
          {"product", s.product},
          {"kernel", s.kernel},
          {"params", params_json(s.params)},
          {"time_us", maybe(s.us)},
          {"failure", s.failure.empty() ? Json() : Json(s.failure)},
          {"conversion_us", number(s.conversion_us)}};
}
TuneStep step_of(const Json& j) {
  TuneStep s;
  s.strategy = j.at("strategy").get<std::string>();
  s.product = whole_of<int>(j.at("product"));
  s.kernel = j.at("kernel").get<std::string>();
  s.params = params_of(j.at("params"));
  s.us = maybe_of(j.at("time_us"));
  if (!j.at("failure").is_null()) s.failure = j.at("failure").get<std::string>();
  s.conversion_us = number_of(j.at("conversion_us"));
  return s;
}

Json outcome_json(const TuneOutcome& o) {
  return {{"strategy", o.strategy},
          {"kernel", o.kernel},
          {"params", params_json(o.params)},
          {"time_us", maybe(o.us)},
          {"products", o.products},
          {"cost_us", number(o.cost_us)},
          {"regret", maybe(o.regret)},
          {"pays_off_after", maybe(o.pays_after)},
          {"reason", o.reason},
          {"notes", o.notes}};
}
TuneOutcome outcome_of(const Json& j) {
  TuneOutcome o;
  o.strategy = j.at("strategy").get<std::string>();
  o.kernel = j.at("kernel").get<std::string>();
  o.params = params_of(j.at("params"));
  o.us = maybe_of(j.at("time_us"));
  o.products = whole_of<int>(j.at("products"));
  o.cost_us = number_of(j.at("cost_us"));
  o.regret = maybe_of(j.at("regret"));
  o.pays_after = maybe_of(j.at("pays_off_after"));
  o.reason = j.value("reason", std::string());  // records of before this was told have none
  o.notes = j.at("notes").get<std::vector<std::string>>();
  return o;
}

}  // namespace

std::string to_json(const RunRequest& r) { return json_text(request_json(r)); }

RunRequest request_from_json(const std::string& text) {
  return read_json(text, "run request", [](const Json& j) { return request_of(j); });
}

// What a script wants stands at the top as plain numbers; `quantities` repeats them with unit and provenance.
std::string to_json(const RunRecord& r) {
  Json counters = Json::object();
  for (const Counter& c : r.counters) counters[c.id] = counter_json(c);
  Json j = {{"id", r.id},
            {"started", r.started},
            {"status", name_of(r.status)},
            {"failure", r.error.empty() ? Json() : Json(r.error)},
            {"matrix", {{"name", r.matrix_name}, {"rows", r.rows}, {"cols", r.cols}, {"nnz", r.nnz}}},
            {"kernel", r.request.kernel},
            {"kernel_label", r.kernel_label},
            {"format", r.format},
            {"params", params_json(r.request.params)},
            {"precision", name_of(r.request.precision)},
            {"device", r.device},
            {"device_name", r.device_name},
            {"provenance", name_of(r.provenance)},
            {"rung", name_of(r.traffic_source)}};
  if (!r.plan.empty()) j["plan"] = r.plan;
  if (r.purpose != Purpose::asked) j["purpose"] = name_of(r.purpose);
  if (!r.fingerprint.empty()) j["fingerprint"] = r.fingerprint;
  if (r.status == RunStatus::ok) {
    j["time_us"] = number(r.time.value);
    j["gflops"] = number(r.gflops.value);
    j["bytes"] = number(r.minimum_bytes.value);
  }
  j["time_how"] = r.time_how;
  j["quantities"] = {{"time", quantity_json(r.time)},
                     {"gflops", quantity_json(r.gflops)},
                     {"minimum_bytes", quantity_json(r.minimum_bytes)}};
  // What this machine took is kept apart from what is modelled: but for it, `id` and `started`, one request gives the
  // same bytes everywhere.
  for (const Detail& d : r.details) {
    const bool of_machine = r.provenance == Provenance::modelled && d.quantity.provenance != Provenance::modelled;
    Json& quantity = j[of_machine ? "machine" : "quantities"][d.id];
    quantity = quantity_json(d.quantity);
    quantity["label"] = d.label;
  }
  j["sampled_share"] = number(r.sampled_share);
  j["error"] = check_json(r);
  j["counters"] = std::move(counters);
  j["arrays"] = traffic_json(r.arrays);
  j["lines"] = traffic_json(r.lines);
  if (!r.source.empty()) j["source"] = r.source;
  if (!r.code.empty()) j["code"] = r.code;
  if (!r.lines_reason.empty()) j["lines_unavailable"] = r.lines_reason;
  j["notes"] = r.notes;
  Json findings = Json::array();
  for (const Finding& f : r.findings) findings.push_back(finding_json(f));
  j["findings"] = std::move(findings);
  j["request"] = request_json(r.request);
  return json_text(j);
}

RunRecord record_from_json(const std::string& text) {
  return read_json(text, "run", [](const Json& j) {
    RunRecord r;
    r.id = whole_of<std::uint64_t>(j.at("id"));
    r.started = j.at("started").get<std::string>();
    r.plan = j.value("plan", std::string());
    r.fingerprint = j.value("fingerprint", std::string());
    if (j.contains("purpose"))  // older records were all asked for
      r.purpose = named(j.at("purpose"), {Purpose::asked, Purpose::trial, Purpose::final, Purpose::refinement});
    r.request = request_of(j.at("request"));
    r.status = named(j.at("status"), {RunStatus::ok, RunStatus::failed, RunStatus::cancelled});
    if (!j.at("failure").is_null()) r.error = j.at("failure").get<std::string>();
    const Json& matrix = j.at("matrix");
    r.matrix_name = matrix.at("name").get<std::string>();
    r.rows = whole_of<index_t>(matrix.at("rows"));
    r.cols = whole_of<index_t>(matrix.at("cols"));
    r.nnz = whole_of<index_t>(matrix.at("nnz"));
    r.kernel_label = j.at("kernel_label").get<std::string>();
    r.format = j.at("format").get<std::string>();
    r.device = j.at("device").get<std::string>();
    r.device_name = j.at("device_name").get<std::string>();
    r.provenance = provenance_of(j.at("provenance"));
    // Records of older versions do not tell, and none of them read hardware counters.
    r.traffic_source = r.provenance == Provenance::modelled ? TrafficSource::simulated : TrafficSource::timing;
    if (j.contains("rung"))
      r.traffic_source =
          named(j.at("rung"), {TrafficSource::counters, TrafficSource::timing, TrafficSource::simulated});
    r.time_how = j.at("time_how").get<std::string>();
    const Json& quantities = j.at("quantities");
    r.time = quantity_of(quantities.at("time"));
    r.gflops = quantity_of(quantities.at("gflops"));
    r.minimum_bytes = quantity_of(quantities.at("minimum_bytes"));
    const auto details = [&](const Json& from) {
      for (const auto& [id, quantity] : from.items()) {
        if (!quantity.contains("label")) continue;
        if (id == "time" || id == "gflops" || id == "minimum_bytes")
          throw Error("a detail cannot be called " + id + ", which every run has", {}, "write the record anew");
        r.details.push_back({id, quantity.at("label").get<std::string>(), quantity_of(quantity)});
      }
    };
    details(quantities);
    if (j.contains("machine")) details(j.at("machine"));
    r.sampled_share = number_of(j.at("sampled_share"));
    r.check = check_of(j.at("error"));
    for (const auto& [id, counter] : j.at("counters").items()) r.counters.push_back(counter_of(id, counter));
    r.arrays = traffic_of(j.at("arrays"));
    r.lines = traffic_of(j.at("lines"));
    r.source = j.value("source", std::string());
    r.code = j.value("code", std::string());
    r.lines_reason = j.value("lines_unavailable", std::string());
    r.notes = j.at("notes").get<std::vector<std::string>>();
    if (j.contains("findings"))  // records of older versions have none
      for (const Json& f : j.at("findings")) r.findings.push_back(finding_of(f));
    return r;
  });
}

std::string to_json(const TuneRequest& r) { return json_text(tune_request_json(r)); }

TuneRequest tune_request_from_json(const std::string& text) {
  return read_json(text, "tuning request", [](const Json& j) { return tune_request_of(j); });
}

std::string to_json(const TuneRecord& r) {
  Json outcomes = Json::array(), steps = Json::array();
  for (const TuneOutcome& o : r.outcomes) outcomes.push_back(outcome_json(o));
  for (const TuneStep& s : r.steps) steps.push_back(step_json(s));
  return json_text(Json({{"started", r.started},
                         {"status", name_of(r.status)},
                         {"failure", r.error.empty() ? Json() : Json(r.error)},
                         {"matrix", {{"name", r.matrix_name}, {"rows", r.rows}, {"cols", r.cols}, {"nnz", r.nnz}}},
                         {"device", r.device},
                         {"device_name", r.device_name},
                         {"provenance", name_of(r.provenance)},
                         {"outcomes", outcomes},
                         {"steps", steps},
                         {"notes", r.notes},
                         {"request", tune_request_json(r.request)}}));
}

TuneRecord tune_record_from_json(const std::string& text) {
  return read_json(text, "tuning record", [](const Json& j) {
    TuneRecord r;
    r.started = j.at("started").get<std::string>();
    r.request = tune_request_of(j.at("request"));
    r.status = named(j.at("status"), {RunStatus::ok, RunStatus::failed, RunStatus::cancelled});
    if (!j.at("failure").is_null()) r.error = j.at("failure").get<std::string>();
    const Json& matrix = j.at("matrix");
    r.matrix_name = matrix.at("name").get<std::string>();
    r.rows = whole_of<index_t>(matrix.at("rows"));
    r.cols = whole_of<index_t>(matrix.at("cols"));
    r.nnz = whole_of<index_t>(matrix.at("nnz"));
    r.device = j.at("device").get<std::string>();
    r.device_name = j.at("device_name").get<std::string>();
    r.provenance = provenance_of(j.at("provenance"));
    for (const Json& s : j.at("steps")) r.steps.push_back(step_of(s));
    for (const Json& o : j.at("outcomes")) r.outcomes.push_back(outcome_of(o));
    r.notes = j.at("notes").get<std::vector<std::string>>();
    return r;
  });
}

}  // namespace warpspy
