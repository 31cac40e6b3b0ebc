// What the next run is: its device, its kernel and their parameters.
#include "ui/services/runs/next_run.hpp"

#include <algorithm>
#include <string>

#include "core/formats/hyb_rule.hpp"
#include "ui/state/choice_rows.hpp"

namespace warpspy::ui {

namespace {

// Whether a run with these choices has a parameter that is not at its default.
bool any_set(const AppState& s) {
  const auto set = [](const auto& sets, const std::string& owner, const std::vector<ParamSpec>& specs) {
    return std::any_of(specs.begin(), specs.end(),
                       [&](const ParamSpec& p) { return param_value(sets, owner, p) != p.def; });
  };
  const auto* k = s.kernel();
  const auto* f = s.format();
  return (k && set(s.knobs.kernel_params, k->id, k->params)) || (f && set(s.knobs.format_params, f->id, f->params));
}

}  // namespace

void NextRun::begin() {
  for (const ChoiceRow& c : choice_rows())
    if (const auto usual = s_.settings.usual.find(c.id); c.usual && c.usual->now && usual != s_.settings.usual.end())
      c.set(s_, usual->second);
  choose_device();
  use_engines();
  const std::string usual = RunRequest{}.kernel;
  const std::vector<KernelInfo>& kernels = s_.catalog->kernels;
  if (!kernels.empty()) s_.knobs.kernel = s_.catalog->kernel(usual) ? usual : kernels[0].id;
}

void NextRun::on(const SetKernel& a) {
  if (s_.catalog->kernel(a.id)) s_.knobs.kernel = a.id;
}

void NextRun::on(const SetParam& a) {
  if (a.of == SetParam::Of::kernel)
    s_.knobs.kernel_params[s_.knobs.kernel][a.id] = a.value;
  else if (s_.format())
    on(SetFormatParam{s_.format()->id, a.id, a.value});
  s_.knobs_from.clear();
}

void NextRun::on(const SetFormatParam& a) {
  s_.knobs.format_params[a.format][a.id] = a.value;
  // If the user moves K, that value counts, whatever rule chose it before.
  const auto& specs = format_row(a.format).info.params;
  for (const auto& p : specs)
    if (a.id == "k" && p.id == "rule") s_.knobs.format_params[a.format]["rule"] = static_cast<int>(HybRule::by_hand);
}

void NextRun::on(const SetMemory& a) { s_.memory = a.budget; }

void NextRun::on(const UseParams& a) {
  if (!s_.catalog->kernel(a.kernel)) return;
  on(SetKernel{a.kernel});
  auto& set = s_.knobs.kernel_params[a.kernel];
  for (const auto& [id, value] : a.params) set[id] = value;
  s_.knobs_from.clear();
}

void NextRun::on(const ResetKnobs&) {
  s_.knobs.kernel_params.erase(s_.knobs.kernel);
  if (s_.format()) s_.knobs.format_params.erase(s_.format()->id);
  s_.knobs_from.clear();
}

// Each matrix has its own kernel and parameters. A matrix that was never shown takes over the current ones, which a
// message says.
void NextRun::on(const MatrixShown& e) {
  const auto* left = s_.matrix(e.before);
  if (!left || e.before == e.id) return;
  s_.knobs_of[e.before] = s_.knobs;
  if (const auto own = s_.knobs_of.find(e.id); own != s_.knobs_of.end()) {
    s_.knobs.kernel = own->second.kernel;
    s_.knobs.kernel_params = own->second.kernel_params;
    s_.knobs.format_params = own->second.format_params;
    s_.knobs.format = own->second.format;
    s_.knobs_from.clear();
    return;
  }
  if (!any_set(s_))
    s_.knobs_from.clear();
  else if (s_.knobs_from.empty())
    s_.knobs_from = left->name;
}

}  // namespace warpspy::ui
