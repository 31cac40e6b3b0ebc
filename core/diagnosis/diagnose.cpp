#include "core/diagnosis/diagnose.hpp"

#include <algorithm>
#include <cmath>

#include "core/diagnosis/changes.hpp"
#include "core/diagnosis/rules.hpp"
#include "core/diagnosis/words.hpp"
#include "core/run/compare.hpp"

namespace warpspy {
namespace {

std::array<double, cause_count> factors_of(const RuleRow& rule, const Evidence& e) {
  std::array<double, cause_count> factors;
  factors.fill(1);
  const double left = rule.left ? std::clamp(rule.left(e), 0.0, 1.0) : 0;
  for (const Cause c : rule.lessens) factors[static_cast<std::size_t>(c)] = left;
  return factors;
}

// The time of the run if each cause that the rule names took as much less as the rule's remedy saves. Time that a few
// long rows take alone is saved only by dividing their work. A remedy of another kind is only credited with its share
// of the time of all SMs together.
double time_without(const RuleRow& rule, const Evidence& e) {
  const double lessened = e.causes().time_with(factors_of(rule, e));
  if (rule.balances || !e.rows_uneven()) return lessened;
  return (1 - e.even()) * e.time() + e.even() * lessened;
}

// The largest possible gain: the rule's causes take less, but no time falls below the roof.
Gain roof_gain(const RuleRow& rule, const Evidence& e) {
  const RunRecord& r = e.run();
  const double matrix = r.minimum_bytes.value - e.vector_bytes();
  // The rules on bytes predict fewer of them.
  const bool fewer = std::find(rule.lessens.begin(), rule.lessens.end(), Cause::dram) != rule.lessens.end();
  const double bytes = fewer && rule.left ? r.minimum_bytes.value - (1 - rule.left(e)) * matrix : r.minimum_bytes.value;
  const double floor = std::min(e.time(), floor_us(bytes, r.request.cache_state, e.gpu()));
  Gain g;
  g.most_us = e.time();
  g.least_us = std::max(time_without(rule, e), floor);
  g.most_times = e.time() / g.least_us;
  return g;
}

double share_of(const RuleRow& rule, const Evidence& e) {
  double sum = 0;
  for (const Cause c : rule.lessens) sum += e.share(c);
  return std::min(1.0, sum);
}

// What the rule wants, and all that it tries, so that the text never advises what no button does. What the run's own
// kernel does already is no advice: then only others of its kind are left to try.
std::string advice_of(const RuleRow& rule, const std::string& aim, const Evidence& e) {
  const KernelInfo* own = e.catalog().kernel(e.run().request.kernel);
  std::vector<std::string> ways;
  bool kindred = false;
  for (const Remedy& remedy : rule.tries)
    if (own && does_already(remedy, *own))
      kindred = kindred || !changes_of({remedy}, e).empty();
    else if (std::find(ways.begin(), ways.end(), remedy.words) == ways.end())
      ways.emplace_back(remedy.words);
  if (kindred) ways.emplace_back("another kernel of this kind");
  if (ways.empty()) return aim;
  std::string text = (aim.ends_with('.') ? aim.substr(0, aim.size() - 1) : aim) + ": ";
  for (std::size_t k = 0; k < ways.size(); ++k)
    text += (k == 0 ? "" : k + 1 < ways.size() ? ", " : ways.size() > 2 ? ", or " : " or ") + ways[k];
  return text + ".";
}

Finding finding_of(const RuleRow& rule, const Evidence& e) {
  Finding f;
  f.kind = rule.kind;
  f.rule = rule.id;
  f.title = rule.title;
  Sentences s = rule.says(e);
  f.limit = std::move(s.limit), f.evidence = std::move(s.evidence), f.advice = advice_of(rule, s.advice, e);
  f.share = share_of(rule, e);
  f.provenance = e.run().provenance;
  if (f.provenance == Provenance::measured) f.provenance = Provenance::derived;
  for (const char* id : rule.needs)
    if (e.modelled(id)) f.provenance = Provenance::modelled;
  f.changes = changes_of(rule.tries, e);
  if (!rule.lessens.empty()) f.gain = roof_gain(rule, e);
  return f;
}

const RuleRow* rule_of(const Finding& f) {
  const auto all = rules();
  const auto rule = std::find_if(all.begin(), all.end(), [&](const RuleRow* r) { return f.rule == r->id; });
  return rule == all.end() ? nullptr : *rule;
}

Finding cannot_tell(const std::vector<std::pair<const RuleRow*, std::string>>& rows, const Evidence& e) {
  Finding f;
  f.kind = Finding::Kind::cannot_tell;
  f.rule = "cannot_tell";
  f.title = "Cannot tell all";
  std::string titles, needs;
  for (const auto& [rule, id] : rows) {
    titles += (titles.empty() ? "" : ", ") + std::string(rule->title);
    const MetricInfo* metric = e.catalog().metric(id);
    const std::string name = metric ? metric->label : id;
    if (needs.find(name) == std::string::npos) needs += (needs.empty() ? "" : ", ") + name;
  }
  f.limit = "Cannot tell: " + titles + ".";
  f.evidence = "Needs " + needs + ": " + e.reason(rows.front().second) + ".";
  f.advice = e.run().provenance == Provenance::measured
                 ? "Read the full set of counters, or ask the model of this GPU for the same run."
                 : "Run it again: this record does not have all numbers.";
  f.provenance = e.run().provenance;
  return f;
}

// For a measured run of which only the time is known, and which the model did not run.
Finding time_alone(const RunRecord& r) {
  const Counter* c = r.counter("dram_bytes");
  Finding f;
  f.kind = Finding::Kind::cannot_tell;
  f.rule = "cannot_tell";
  f.title = "Cannot tell";
  f.limit = "Cannot tell what limits it: of this run the time alone is known.";
  f.evidence =
      "Needs the bytes that DRAM moved: " + (c && !c->reason.empty() ? c->reason : "no counters were read") + ".";
  f.advice = "Read counters, or ask the model of this GPU.";
  f.provenance = r.provenance;
  return f;
}

// If no rule applies: names the causes that take most time.
Finding no_single_limit(const Evidence& e) {
  std::array<CauseRow, cause_count> order = cause_rows;
  std::stable_sort(order.begin(), order.end(),
                   [&](const CauseRow& a, const CauseRow& b) { return e.share(a.cause) > e.share(b.cause); });
  Finding f;
  f.kind = Finding::Kind::note;
  f.rule = "no_single_limit";
  f.title = "No single limit, most is " + std::string(order[0].words);
  f.limit = "No single limit stands out, and no change is known that gives more than the noise.";
  for (const CauseRow& row : {order[0], order[1], order[2]})
    f.evidence += (f.evidence.empty() ? "Of the time " : ", ") + std::string(row.words) + " takes " +
                  percent_of(e.share(row.cause));
  f.evidence += ".";
  f.share = e.share(order[0].cause);
  f.provenance = e.run().provenance == Provenance::modelled ? Provenance::modelled : Provenance::derived;
  return f;
}

}  // namespace

double noise_us(const RunRecord& r) {
  const double percent = std::max(3.0, 2 * noise_of_time(r).value_or(0));
  return r.time.value * percent / 100;
}

double floor_us(double minimum_bytes, CacheState cache_state, const GpuSpec& gpu) {
  const bool stays = cache_state == CacheState::warm && minimum_bytes < gpu.l2_bytes;
  const double gbs = stays ? gpu.l2_gbs : std::max(gpu.dram_gbs, gpu.dram_stream_gbs);
  return gbs > 0 ? minimum_bytes / (gbs * 1e3) : 0;
}

std::vector<Finding> diagnose(const DiagnosisInput& in) {
  const auto causes = causes_of(in.run, in.gpu, in.model);
  if (!causes) {
    const RunRecord& r = in.run;
    const bool measured = r.status == RunStatus::ok && r.time.value > 0 && r.provenance == Provenance::measured;
    return measured ? std::vector{time_alone(r)} : std::vector<Finding>{};
  }
  const Evidence e(in, *causes);
  const double noise = noise_us(in.run);
  std::vector<Finding> found;
  std::vector<std::pair<const RuleRow*, std::string>> unknown;
  for (const RuleRow* rule : rules()) {
    const Judgement j = judge(*rule, e);
    if (j.ruling == Ruling::cannot_tell) unknown.emplace_back(rule, j.lacks);
    if (j.ruling != Ruling::fires) continue;
    Finding f = finding_of(*rule, e);
    const bool silent = f.kind == Finding::Kind::limit && f.gain && f.gain->most_us - f.gain->least_us < noise;
    if (!silent) found.push_back(std::move(f));
  }
  // A roof that is reached comes first, since nothing above it can be gained; a note comes last.
  const auto saves = [](const Finding& f) {
    if (f.kind == Finding::Kind::finished) return 1e300;
    return f.gain ? f.gain->most_us - f.gain->least_us : -1.0;
  };
  std::stable_sort(found.begin(), found.end(), [&](const Finding& a, const Finding& b) { return saves(a) > saves(b); });
  if (found.size() > most_findings) found.resize(most_findings);
  if (found.empty()) found.push_back(no_single_limit(e));
  if (found.size() < most_findings && !unknown.empty()) found.push_back(cannot_tell(unknown, e));
  return found;
}

Judgement judge(const RuleRow& rule, const Evidence& e) {
  for (const char* id : rule.needs)
    if (!e.find(id)) return {Ruling::cannot_tell, id};
  const bool fires = rule.holds(e) && !(rule.unless && rule.unless(e));
  return {fires ? Ruling::fires : Ruling::silent, {}};
}

void mark_unproven(std::vector<Finding>& findings) {
  for (Finding& f : findings)
    if (const RuleRow* rule = rule_of(f); rule && !rule->proven && f.gain && !f.changes.empty())
      f.advice += " What it gives is unproven.";
}

bool rows_uneven(const DiagnosisInput& in) {
  const auto causes = causes_of(in.run, in.gpu, in.model);
  return causes && Evidence(in, *causes).rows_uneven();
}

bool is_of_balance(const Finding& f) {
  const RuleRow* rule = rule_of(f);
  return rule && rule->balances;
}

std::vector<const RuleRow*> rules() {
  std::vector<const RuleRow*> all;
  for (const auto& rows : {load_rules(), balance_rules(), byte_rules(), waiting_rules()})
    for (const RuleRow& r : rows) all.push_back(&r);
  return all;
}

std::optional<ActualGain> actual_gain(const Finding& f, const RunRecord& run, const RunRecord& later) {
  if (f.changes.empty() || !answers(later, run, f.changes.front()) || !(later.time.value > 0)) return {};
  ActualGain o{later.time.value, run.time.value / later.time.value};
  o.inside = f.gain && o.us >= f.gain->least_us && o.us <= f.gain->most_us;
  o.more = f.gain && o.us < f.gain->least_us;
  return o;
}

std::string actual_gain_text(const ActualGain& o) {
  return us_text(o.us) + ", " + times_text(o.times) + ", " + o.verdict();
}

CheckedPrediction prediction_of(const RunRecord& run, const RunRecord& later) {
  for (const Finding& f : run.findings) {
    const auto actual = actual_gain(f, run, later);
    if (actual && f.gain)
      return {"predicted " + gain_text(f) + "; it took " + actual_gain_text(*actual), actual->inside};
  }
  return {};
}

std::string gain_times_text(const Finding& f) {
  if (!f.gain) return {};
  if (f.gain->from == Gain::From::roof) return "up to about " + times_text(f.gain->most_times);
  return times_text(f.gain->least_times) + " to " + times_text(f.gain->most_times);
}

std::string gain_text(const Finding& f) {
  if (!f.gain) return {};
  if (f.gain->from == Gain::From::roof) return gain_times_text(f) + ", " + us_text(f.gain->least_us);
  return gain_times_text(f) + ": " + us_text(f.gain->least_us) + " to " + us_text(f.gain->most_us) + " (model)";
}

std::optional<std::size_t> same_change_before(const std::vector<Finding>& findings, std::size_t at) {
  if (findings[at].changes.empty()) return {};
  for (std::size_t k = 0; k < at; ++k)
    if (!findings[k].changes.empty() && findings[k].changes.front() == findings[at].changes.front()) return k;
  return {};
}

std::string findings_text(const RunRecord& run, const std::string& indent) {
  // A run that was examined has at least one finding: that no single limit stands out.
  if (run.findings.empty())
    return indent + "Not known: nobody has looked yet, or the run does not tell what its time is made of.";
  std::string text;
  int k = 0;
  for (const Finding& f : run.findings) {
    text += (text.empty() ? "" : "\n") + indent + std::to_string(++k) + ". " + f.limit;
    const std::string pad = indent + "   ";
    text += "\n" + pad + "Evidence: " + f.evidence;
    if (!f.advice.empty()) text += "\n" + pad + "Try: " + f.advice;
    if (!f.changes.empty()) text += "\n" + pad + "Such as: " + f.changes.front().text;
    if (const auto before = same_change_before(run.findings, static_cast<std::size_t>(k - 1)))
      text += ", as in " + std::to_string(*before + 1);
    if (const std::string gain = gain_text(f); !gain.empty()) text += "\n" + pad + "Gives: " + gain;
  }
  const auto gains =
      std::count_if(run.findings.begin(), run.findings.end(), [](const Finding& f) { return f.gain.has_value(); });
  if (gains > 1) text += "\n" + indent + "Gains overlap: they do not add up.";
  return text;
}

}  // namespace warpspy
