// The command that draws a figure again.
#include <algorithm>
#include <string_view>

#include "core/base/csv.hpp"
#include "core/base/foreign_text.hpp"
#include "core/figure/experiment_words.hpp"
#include "core/figure/figure.hpp"
#include "core/run/request_options.hpp"
#include "core/run/store.hpp"
#include "core/study/report.hpp"

namespace warpspy::figure {
namespace {

using Ids = std::initializer_list<std::string_view>;

std::string word(const std::string& flag, const std::string& value) { return " " + flag + " " + shell_quoted(value); }

std::string params_words(const ParamSet& params) {
  std::string words;
  for (const auto& [id, value] : params) words += word("--param", id + "=" + csv::number(value));
  return words;
}

// The options of a run that differ from the default request, and the options whose defaults differ between commands.
std::string request_words(const RunRequest& r, Ids without = {}, Ids only = {}) {
  const auto among = [](Ids ids, std::string_view id) { return std::find(ids.begin(), ids.end(), id) != ids.end(); };
  const bool timed = !r.device.starts_with("sim:");
  std::string words;
  for (const RequestOption& o : request_options()) {
    const std::string_view id = o.id;
    if (!o.flag || among(without, id) || (only.size() > 0 && !among(only, id))) continue;
    const std::string value = text_of(o, r);
    const bool said = id == "depth" || id == "view" || (id == "budget_s" && timed);
    if (!said && value == text_of(o, RunRequest{})) continue;
    const bool is_switch = o.bare || std::holds_alternative<bool RunRequest::*>(o.value);
    words += is_switch ? std::string(" ") + o.flag : word(o.flag, value);
  }
  return words;
}

std::string named_as_usual(const Row& row, const Subject& subject) {
  std::string words;
  if (row.of == Of::runs) {
    for (const auto& r : subject.runs) {
      if (r->id == 0 || r->id >= kUnsaved) return "";  // the run is in no history
      words += " " + std::to_string(r->id);
    }
    return words;
  }
  for (const Subject::OfMatrix& m : subject.matrices) words += " " + shell_quoted(m.source);
  return words;
}

}  // namespace

std::string words_of_search(const Subject& s) {
  if (!s.search || s.search->request.strategies.size() > 1) return "";
  const TuneRequest& asked = s.search->request;
  std::string words = " " + shell_quoted(asked.run.matrix) + word("--kernel", asked.run.kernel);
  if (!asked.strategies.empty()) words += word("--strategy", asked.strategies.front());
  if (asked.most_products != TuneRequest{}.most_products) words += word("--most", std::to_string(asked.most_products));
  return words + params_words(asked.run.params) + params_words(asked.run.format_params) +
         request_words(asked.run, {"counters", "lines"});
}

std::string words_of_analysis(const Subject& s) {
  if (!s.analysis) return "";
  const AnalysisRequest& asked = s.analysis->request;
  std::string words = " " + shell_quoted(asked.run.matrix) + word("--analysis", asked.id), kernels;
  for (const std::string& k : asked.kernels) kernels += (kernels.empty() ? "" : ",") + k;
  words += word("--kernel", kernels) + params_words(asked.params);
  // Parameters that none of the kernels has are ignored.
  const auto known = [&](const ParamSet& given) {
    ParamSet taken;
    const auto has = [&](const std::vector<ParamSpec>& specs, const std::string& id) {
      return std::any_of(specs.begin(), specs.end(), [&](const ParamSpec& p) { return p.id == id; });
    };
    for (const auto& [id, value] : given)
      for (const std::string& kernel : asked.kernels) {
        const KernelInfo* k = s.catalog ? s.catalog->kernel(kernel) : nullptr;
        const FormatInfo* f = k ? s.catalog->format(k->format) : nullptr;
        if (k && (has(k->params, id) || (f && has(f->params, id)))) taken[id] = value;
      }
    return taken;
  };
  return words + params_words(known(asked.run.params)) + params_words(known(asked.run.format_params)) +
         request_words(asked.run, {"counters", "lines"});
}

std::string words_of_study(const Subject& s) {
  if (!s.study) return "";
  const Study& study = *s.study->study;
  std::string words = " " + study.id;
  for (const auto& [name, m] : study.matrices)
    if (m.given) words += word("--matrix", name + "=" + m.source);
  return words + (study.set_aside ? " --set-aside" : "");
}

std::string words_of_warp(const Subject& s) {
  using By = WarpWanted::By;
  if (!s.warp_wanted || s.warps.empty()) return "";
  const WarpWanted& w = *s.warp_wanted;
  std::string kernels = s.request.kernel;
  for (std::size_t k = 1; k < s.warps.size(); ++k) kernels += "," + s.warps[k].trace->kernel;
  const bool set = !s.request.params.empty() || !s.request.format_params.empty();
  if (s.warps.size() > 1 && set) return "";  // the command would give them to all
  const auto numbers = [](std::initializer_list<std::int64_t> list) {
    std::string text;
    for (const std::int64_t n : list) text += (text.empty() ? "" : ",") + std::to_string(n);
    return text;
  };
  std::string words = " " + shell_quoted(s.request.matrix) + word("--kernel", kernels);
  if (w.by == By::row) words += word("--row", numbers({w.row}));
  if (w.by == By::entry) words += word("--entry", numbers({w.row, w.column}));
  if (w.by == By::place) words += word("--warp", numbers({w.place.launch, w.place.block, w.place.warp}));
  if (w.by == By::worst) words += word("--worst", name_of(w.measure));
  if (w.by == By::median) words += word("--median", name_of(w.measure));
  return words + (w.alone ? " --alone" : "") + params_words(s.request.params) + params_words(s.request.format_params) +
         request_words(s.request, {}, {"device", "precision", "view", "depth", "cache_state"});
}

std::string words_of_roofs(const Subject& s) {
  return s.device_id.empty() ? "" : word("--device", s.device_id) + " --kept";
}

std::string words_of_pattern(const Subject& s) {
  std::string words;
  for (const Subject::OfMatrix& m : s.matrices) words += " " + shell_quoted(m.source);
  if (!s.entries) return words;
  // The command asks for all rows.
  const bool whole = s.entries->row_begin == 0 && !s.matrices.empty() && s.matrices.front().matrix &&
                     s.entries->row_end == s.matrices.front().matrix->csr->rows();
  if (!whole) return "";
  return words + word("--kernel", s.request.kernel) + params_words(s.request.params) +
         params_words(s.request.format_params) + request_words(s.request, {}, {"device", "precision", "view"});
}

std::string command_of(const Row& row, const Subject& subject, const Options& options) {
  const std::string named = row.named ? row.named(subject) : named_as_usual(row, subject);
  if (named.empty()) return "";
  std::string text = std::string("warpspy draw ") + row.id + named;
  for (const Field& f : fields()) {
    if (!row.takes_field(f.id)) continue;
    const std::string value = f.get(options);
    if (value.empty()) continue;
    if (f.is_switch) {
      text += std::string(" --") + f.id;
      continue;
    }
    for (std::size_t first = 0, past = 0; first < value.size(); first = past + 1) {
      past = f.repeated ? std::min(value.find(',', first), value.size()) : value.size();
      text += word(std::string("--") + f.id, value.substr(first, past - first));
    }
  }
  return text;
}

}  // namespace warpspy::figure
