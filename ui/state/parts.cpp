#include "ui/state/parts.hpp"

#include <algorithm>
#include <cctype>
#include <set>

#include "core/run/over_parts.hpp"

namespace warpspy::ui {

namespace {

// Sentences: what the engine would say, and what to do.
std::string sentences_of(const Error& e) {
  const auto sentence = [](std::string text) {
    if (!text.empty()) text[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(text[0])));
    return text.empty() ? text : text + ".";
  };
  return sentence(e.reason) + (e.remedy.empty() ? "" : " " + sentence(e.remedy));
}

std::uint64_t gpus_there(const AppState& s) {
  if (s.device()->simulated) return kMostParts;
  return real_gpus_from(s.catalog->devices, s.device()->id, kMostParts).size();
}

std::string refusal(const AppState& s, const RunRequest& request) {
  const auto refused = refused_over_parts(request, *s.kernel(), *s.device());
  return refused ? sentences_of(*refused) : "";
}

}  // namespace

std::string why_no_parts(const AppState& s) {
  if (!s.kernel() || !s.device()) return "There is no kernel or no device to run on.";
  if (!s.device()->simulated && gpus_there(s) < 2)
    return "One real GPU has no other beside it: choose a simulated GPU, which has as many as are wanted.";
  RunRequest product;
  product.parts = 2;
  return refusal(s, product);
}

std::uint64_t parts_asked(const AppState& s) { return why_no_parts(s).empty() ? s.knobs.parts : 1; }

std::string why_not_divided(const AppState& s) {
  const std::uint64_t parts = parts_asked(s);
  if (parts == 1 || !s.has_matrix()) return "";
  if (parts > gpus_there(s))
    return "From this GPU on there are " + std::to_string(gpus_there(s)) + ": choose fewer, or a simulated GPU.";
  const Csr& a = *s.current()->matrix->csr;
  if (parts > static_cast<std::uint64_t>(a.rows()))
    return "This matrix has " + std::to_string(a.rows()) + (a.rows() == 1 ? " row" : " rows") + " for " +
           std::to_string(parts) + " GPUs: choose fewer.";
  if (s.knobs.split == Split::metis && a.rows() != a.cols())
    return "METIS divides square matrices only, and this one has " + std::to_string(a.rows()) + " rows and " +
           std::to_string(a.cols()) + " columns: divide by rows or entries.";
  return "";
}

std::string why_no_run(const AppState& s) {
  if (!s.has_matrix()) return needs_matrix(s);
  const std::string why = s.why_not();
  return why.empty() ? why_not_divided(s) : why;
}

std::string why_no_solve(const AppState& s) {
  const std::string why = why_no_run(s);
  return why.empty() ? refusal(s, solve_request_of(s, *s.current())) : why;
}

std::shared_ptr<const RunRecord> told_parts(const AppState& s) {
  const auto good = [](const auto& r) { return r && r->status == RunStatus::ok && !r->parts.empty(); };
  if (const auto selected = s.run(s.selected_run); good(selected)) return selected;
  const auto& all = s.runs.all();
  const auto at = std::find_if(all.rbegin(), all.rend(), [&](const auto& r) {
    const OpenMatrix* m = good(r) ? matrix_of(s, *r) : nullptr;
    return m && m == s.current();
  });
  return at == all.rend() ? nullptr : *at;
}

std::vector<std::shared_ptr<const RunRecord>> drawn_parts(const AppState& s) {
  std::vector<std::shared_ptr<const RunRecord>> runs;
  for (const auto& r : s.comparing)
    if (r->status == RunStatus::ok && !r->parts.empty()) runs.push_back(r);
  if (runs.size() > 1) return runs;
  const auto told = told_parts(s);
  return told ? std::vector{told} : std::vector<std::shared_ptr<const RunRecord>>{};
}

std::vector<std::shared_ptr<const RunRecord>> speed_up_runs(const AppState& s) {
  const auto told = told_parts(s);
  if (!told) return {};
  std::vector<std::shared_ptr<const RunRecord>> runs;
  std::set<std::uint64_t> known;
  const auto add = [&](const std::shared_ptr<const RunRecord>& r) {
    if (r->matrix_name == told->matrix_name && r->fingerprint == told->fingerprint &&
        r->request.kernel == told->request.kernel && r->request.solver == told->request.solver && !s.on_trail(r->id) &&
        known.insert(r->id).second)
      runs.push_back(r);
  };
  for (const auto& r : s.runs.all()) add(r);
  for (const auto& r : *s.parts.saved) add(r);
  return runs;
}

}  // namespace warpspy::ui
