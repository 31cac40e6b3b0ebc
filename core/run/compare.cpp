#include "core/run/compare.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <map>
#include <set>
#include <tuple>

#include "core/run/request_options.hpp"

namespace warpspy {
namespace {

using Runs = std::vector<std::shared_ptr<const RunRecord>>;

// One of a run's numbers, with its noise.
struct Observation {
  std::optional<double> value;
  Provenance provenance = Provenance::modelled;
  std::string reason;
  std::optional<double> noise;
};

// A number that follows from counts of the matrix or the format is exact. A model that ran all blocks gives the same
// number each time.
std::optional<double> noise_of_model(const RunRecord& r, Provenance p) {
  return p == Provenance::modelled && r.sampled_share >= 1 ? std::optional(0.0) : std::nullopt;
}

Observation no_run(const RunRecord& r) {
  return {std::nullopt, r.provenance,
          "the run " + std::string(r.status == RunStatus::failed ? "failed" : "was cancelled") +
              (r.error.empty() ? "" : ": " + r.error),
          std::nullopt};
}

Delta against(const Observation& base, const Observation& t) {
  Delta d{t.value, t.provenance, t.reason, t.noise, {}, {}, Verdict::unavailable};
  if (!base.value || !t.value) return d;
  d.absolute = *t.value - *base.value;
  if (*base.value != 0) d.percent = 100 * *d.absolute / std::abs(*base.value);
  if (*d.absolute == 0) {
    d.verdict = Verdict::same;
  } else if (!base.noise || !t.noise) {
    d.verdict = Verdict::noise_unknown;
  } else {
    const double both = (*base.noise * std::abs(*base.value) + *t.noise * std::abs(*t.value)) / 100;
    d.verdict = std::abs(*d.absolute) <= both ? Verdict::within_noise : Verdict::beyond_noise;
  }
  return d;
}

using Observe = std::function<Observation(const RunRecord&)>;

DeltaRow row_of(const std::string& id, const std::string& label, const std::string& unit, const Runs& runs,
                const Observe& observe) {
  DeltaRow row{id, label, unit, {}};
  const Observation base = observe(*runs.front());
  for (std::size_t k = 0; k < runs.size(); ++k) {
    row.runs.push_back(against(base, k == 0 ? base : observe(*runs[k])));
    if (k == 0 && base.value) row.runs[0] = {base.value, base.provenance, "", base.noise, {}, {}, Verdict::baseline};
  }
  return row;
}

Observe quantity(Quantity RunRecord::* member, bool timed) {
  return [member, timed](const RunRecord& r) -> Observation {
    if (r.status != RunStatus::ok) return no_run(r);
    const Quantity& q = r.*member;
    return {q.value, q.provenance, "", timed ? noise_of_time(r) : std::optional(0.0)};
  };
}

// Details about the noise are shown with the time and not as rows.
bool is_noise(const std::string& id) {
  static const std::set<std::string> ids = {"spread", "time_q1", "time_q3", "samples"};
  return ids.count(id) > 0;
}

void add_details(RunComparison& c, const Runs& runs) {
  std::set<std::string> seen;
  for (const auto& run : runs)
    for (const Detail& d : run->details) {
      if (is_noise(d.id) || !seen.insert(d.id).second) continue;
      c.rows.push_back(row_of(d.id, d.label, d.quantity.unit, runs, [id = d.id](const RunRecord& r) -> Observation {
        if (r.status != RunStatus::ok) return no_run(r);
        const Quantity* q = r.detail(id);
        if (!q) return {std::nullopt, r.provenance, "the run did not record it", std::nullopt};
        return {q->value, q->provenance, "", noise_of_model(r, q->provenance)};
      }));
    }
}

void add_counters(RunComparison& c, const Runs& runs, const Catalog& catalog) {
  std::set<std::string> seen;
  for (const auto& run : runs)
    for (const Counter& first : run->counters) {
      if (!seen.insert(first.id).second) continue;
      const MetricInfo* metric = catalog.metric(first.id);
      c.rows.push_back(row_of(first.id, metric ? metric->label : first.id, first.unit, runs,
                              [id = first.id](const RunRecord& r) -> Observation {
                                if (r.status != RunStatus::ok) return no_run(r);
                                const Counter* counter = r.counter(id);
                                if (!counter) return {std::nullopt, r.provenance, "the run did not count it", {}};
                                if (!counter->value) return {std::nullopt, r.provenance, counter->reason, {}};
                                return {counter->value, counter->provenance, "",
                                        noise_of_model(r, counter->provenance)};
                              }));
    }
}

// The sectors of each source line that any of the runs has: measured beside modelled.
void add_lines(RunComparison& c, const Runs& runs) {
  std::map<std::pair<std::string, int>, std::string> names;  // names by file and line
  for (const auto& run : runs)
    for (const Traffic& t : run->lines) {
      const auto colon = t.name.rfind(':');
      names[{t.name.substr(0, colon), colon == std::string::npos ? 0 : std::atoi(t.name.c_str() + colon + 1)}] = t.name;
    }
  for (const auto& [place, name] : names)
    c.rows.push_back(
        row_of("line " + name, "Sectors of " + name, "1", runs, [&line = name](const RunRecord& r) -> Observation {
          if (r.status != RunStatus::ok) return no_run(r);
          for (const Traffic& t : r.lines)
            if (t.name == line) return {t.sectors, t.provenance, "", noise_of_model(r, t.provenance)};
          if (!r.lines_reason.empty()) return {std::nullopt, r.provenance, r.lines_reason, {}};
          return {std::nullopt,
                  r.provenance,
                  r.lines.empty() ? "the run did not read its lines" : "the run moved nothing on this line",
                  {}};
        }));
}

std::string number(double v) {
  char text[40];
  std::snprintf(text, sizeof text, "%.10g", v);
  return text;
}

std::string param_text(const ParamSpec* spec, double v) {
  const auto choice = static_cast<std::size_t>(std::max(0.0, v));
  if (spec && spec->type == ParamSpec::Type::choice && choice < spec->choices.size()) return spec->choices[choice];
  return number(v);
}

const ParamSpec* spec_of(const std::vector<ParamSpec>* specs, const std::string& id) {
  if (!specs) return nullptr;
  const auto at = std::find_if(specs->begin(), specs->end(), [&](const ParamSpec& s) { return s.id == id; });
  return at == specs->end() ? nullptr : &*at;
}

void add_difference(RunComparison& c, const std::string& label, const Runs& runs,
                    const std::function<std::string(const RunRecord&)>& text) {
  Difference d{label, {}};
  for (const auto& r : runs) d.runs.push_back(text(*r));
  const bool all_same = std::all_of(d.runs.begin(), d.runs.end(), [&](const auto& t) { return t == d.runs.front(); });
  if (!all_same) c.differences.push_back(std::move(d));
}

void add_params(RunComparison& c, const Runs& runs, const Catalog& catalog) {
  std::set<std::string> seen;
  for (const bool of_kernel : {true, false})
    for (const auto& run : runs)
      for (const auto& [id, unused] : of_kernel ? run->request.params : run->request.format_params) {
        if (!seen.insert((of_kernel ? "k " : "f ") + id).second) continue;
        std::string label = id;
        const auto specs = [&catalog, of_kernel](const RunRecord& r) -> const std::vector<ParamSpec>* {
          const KernelInfo* k = of_kernel ? catalog.kernel(r.request.kernel) : nullptr;
          const FormatInfo* f = of_kernel ? nullptr : catalog.format(r.format);
          return k ? &k->params : f ? &f->params : nullptr;
        };
        for (const auto& r : runs)
          if (const ParamSpec* s = spec_of(specs(*r), id)) label = s->label;
        add_difference(c, label, runs, [&, name = id](const RunRecord& r) -> std::string {
          const ParamSet& set = of_kernel ? r.request.params : r.request.format_params;
          const auto at = set.find(name);
          return at == set.end() ? "" : param_text(spec_of(specs(r), name), at->second);
        });
      }
}

constexpr char other_work[] = "The matrices differ: GFLOP/s can be compared, times and bytes are of different work.";

void add_warnings(RunComparison& c, const Runs& runs) {
  const auto differ = [&](auto&& of) {
    return std::any_of(runs.begin(), runs.end(), [&](const auto& r) { return of(*r) != of(*runs.front()); });
  };
  std::string matrices;
  for (const auto& r : runs)
    if (std::string words = matrices_differ(*runs.front(), *r); !words.empty() && matrices != other_work)
      matrices = std::move(words);
  if (!matrices.empty()) c.warnings.push_back(std::move(matrices));
  if (differ([](const RunRecord& r) { return r.provenance == Provenance::modelled; }))
    c.warnings.push_back(
        "A modelled run stands beside a measured one: the model's own error is part of the difference.");
  const auto refinable = [](const RunRecord& r) { return r.may_be_refined(); };
  if (differ(refinable))
    c.warnings.push_back(
        "A quick answer of the model stands beside a full one: run it again at full depth before they are compared.");
  if (std::any_of(runs.begin(), runs.end(), [](const auto& r) { return r->sampled_share < 1; }))
    c.warnings.push_back("An emulated run sampled its blocks: its numbers are estimates, whose noise is not known.");
}

}  // namespace

const char* name_of(Verdict v) {
  constexpr const char* names[] = {"baseline",     "no difference", "within noise",
                                   "beyond noise", "noise unknown", "unavailable"};
  return names[static_cast<int>(v)];
}

std::string matrices_differ(const RunRecord& a, const RunRecord& b) {
  if (std::tie(a.rows, a.cols, a.nnz) != std::tie(b.rows, b.cols, b.nnz)) return other_work;
  if (a.matrix_name == b.matrix_name) return {};
  return "The matrices differ, though their sizes are the same: a difference may come from where their entries are.";
}

std::optional<double> noise_of_time(const RunRecord& r) {
  if (const Quantity* spread = r.detail("spread")) return spread->value;
  return noise_of_model(r, r.time.provenance);
}

RunComparison compare_runs(const Runs& runs, const Catalog& catalog) {
  if (runs.size() < 2) throw Error("a comparison needs two runs or more");
  RunComparison c;
  for (const auto& r : runs) {
    c.ids.push_back(r->id);
    c.names.push_back(r->kernel_label.empty() ? r->request.kernel : r->kernel_label);
  }
  add_difference(c, "Matrix", runs, [](const RunRecord& r) { return r.matrix_name; });
  add_difference(c, "Kernel", runs, [](const RunRecord& r) { return r.request.kernel; });
  add_difference(c, "Format", runs, [](const RunRecord& r) { return r.format; });
  add_params(c, runs, catalog);
  for (const RequestOption& option : request_options())
    if (option.label) add_difference(c, option.label, runs, [&](const RunRecord& r) { return told_of(option, r); });

  c.rows.push_back(row_of("time", "Time", "us", runs, quantity(&RunRecord::time, true)));
  c.rows.push_back(row_of("gflops", "Speed", "GFLOP/s", runs, quantity(&RunRecord::gflops, true)));
  c.rows.push_back(row_of("minimum_bytes", "Minimum bytes", "B", runs, quantity(&RunRecord::minimum_bytes, false)));
  add_counters(c, runs, catalog);
  add_details(c, runs);
  add_lines(c, runs);
  add_warnings(c, runs);
  return c;
}

namespace {
std::string signed_text(double v, const char* unit) {
  const double size = std::abs(v);
  char text[40];
  std::snprintf(text, sizeof text, "%+.*f", size >= 100 ? 0 : size >= 1 ? 1 : 2, v);
  return (v == 0 ? "0" : std::string(text)) + " " + unit;
}
}  // namespace

std::string signed_percent(double percent) { return signed_text(percent, "%"); }

std::string change_text(const Delta& d, const std::string& unit) {
  if (unit == "%") return d.absolute ? signed_text(*d.absolute, "pt") : "";
  return d.percent ? percent_or_times(*d.percent) : "";
}

std::string percent_or_times(double percent) {
  const double times = 1 + percent / 100;
  if (times < 10) return signed_percent(percent);
  char text[40];
  std::snprintf(text, sizeof text, "%.*fx", times < 100 ? 1 : 0, times);
  return text;
}

}  // namespace warpspy
