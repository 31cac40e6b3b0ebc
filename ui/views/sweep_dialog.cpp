#include <imgui.h>
#include <imgui_stdlib.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "core/base/numbers.hpp"
#include "ui/platform/compat.hpp"
#include "ui/platform/input.hpp"
#include "ui/state/sweep.hpp"
#include "ui/views/dialog.hpp"
#include "ui/views/view.hpp"
#include "ui/widgets/controls.hpp"
#include "ui/widgets/focus.hpp"
#include "ui/widgets/text.hpp"

namespace warpspy::ui {

namespace {

// A line with a check box; returns true when it is clicked.
bool ticked(const Look& l, const std::string& id, const std::string& words, bool on, bool enabled,
            const std::string& help, float inset = 0) {
  ImGui::PushID(id.c_str());
  ImGui::SetCursorPosX(ImGui::GetCursorPosX() + l.u(inset));
  bool clicked = ImGui::Selectable("##tick", false, enabled ? 0 : ImGuiSelectableFlags_Disabled,
                                   ImVec2(0, l.u(22) - ImGui::GetStyle().ItemSpacing.y));
  if (enabled && key_stop(l, "##tick", Focus::Takes::press).pressed) clicked = true;
  show_item(l, words);
  tip(l, help);
  const ImVec2 at = ImGui::GetItemRectMin();
  auto* list = ImGui::GetWindowDrawList();
  const float side = l.u(13);
  const ImVec2 lo(at.x + l.u(4), at.y + l.u(2)), hi(lo.x + side, lo.y + side);
  const Palette& p = *l.palette;
  if (on)
    list->AddRectFilled(lo, hi, u32(p.accent), l.u(3));
  else
    list->AddRect(lo, hi, u32(enabled ? p.outline : p.hairline), l.u(3));
  if (on) {
    const ImVec2 v[] = {ImVec2(lo.x + side * 0.22f, lo.y + side * 0.52f),
                        ImVec2(lo.x + side * 0.43f, lo.y + side * 0.74f),
                        ImVec2(lo.x + side * 0.8f, lo.y + side * 0.28f)};
    list->AddPolyline(v, 3, u32(p.on_accent), 0, std::max(1.f, 1.6f * l.scale));
  }
  draw_text(l, list, ImVec2(hi.x + l.u(8), at.y), Face::ui, 13, enabled ? p.ink : p.muted, words,
            ImGui::GetItemRectMax().x - hi.x - l.u(10));
  ImGui::PopID();
  return clicked;
}

template <class T>
void flip(std::set<T>& set, const T& value) {
  if (set.erase(value) == 0) set.insert(value);
}

// The values of an axis as typed: "4, 8" or "2:32".
std::vector<std::string> values_in(const std::string& text) {
  std::vector<std::string> values(1);
  for (const char c : text) {
    if (c == ',')
      values.emplace_back();
    else if (c != ' ' || !values.back().empty())
      values.back() += c;
  }
  for (std::string& v : values)
    while (v.ends_with(' ')) v.pop_back();
  std::erase(values, "");
  return values;
}

// Which axes a sweep varies, and where its results are kept.
class SweepDialog final : public View {
 public:
  void draw(const AppState& s, Ui& ui) override {
    const Look& l = ui.look;
    if (!begin_dialog(s, ui, "Run a sweep", ImVec2(780, 640))) return;
    if (ImGui::IsWindowAppearing()) begin(s);
    const ImVec2 at = ImGui::GetCursorScreenPos(), room = ImGui::GetContentRegionAvail();
    const float foot = l.u(84), gutter = l.u(24), left = std::floor((room.x - gutter) * 0.52f);
    const float high = room.y - foot, upper = std::floor(high * 0.56f);
    ImGui::BeginChild("kernels", ImVec2(left, upper), false);
    kernels(s, ui);
    end_child();
    ImGui::SetCursorScreenPos(ImVec2(at.x, at.y + upper + l.u(12)));
    ImGui::BeginChild("parameters", ImVec2(left, high - upper - l.u(12)), false);
    parameters(s, ui);
    end_child();
    ImGui::SetCursorScreenPos(ImVec2(at.x + left + gutter, at.y));
    ImGui::BeginChild("where", ImVec2(room.x - left - gutter, high), false);
    matrices_chosen(s, ui);
    precisions(ui);
    devices(s, ui);
    repetitions(ui);
    end_child();
    ImGui::SetCursorScreenPos(ImVec2(at.x, at.y + high + l.u(12)));
    folder(ui, room.x);
    ImGui::SetCursorScreenPos(ImVec2(at.x, at.y + room.y - l.u(30)));
    start(s, ui, room.x);
    end_dialog(ui);
  }

 private:
  void begin(const AppState& s) {
    all_ = s.matrices_view.chosen.empty();
    if (!kernels_.empty()) return;
    kernels_ = {s.knobs.kernel};
    precisions_ = {s.knobs.precision};
    devices_ = {s.knobs.device};
    caches_ = {s.knobs.cache_state};
  }

  std::vector<MatrixId> scope(const AppState& s) const {
    std::vector<MatrixId> ids;
    for (const OpenMatrix& m : s.matrices)
      if (m.status != OpenMatrix::Status::failed && (all_ || s.matrices_view.chosen.contains(m.id)))
        ids.push_back(m.id);
    return ids;
  }

  // Kernels by format; a click on a format selects all of its kernels, or none.
  void kernels(const AppState& s, Ui& ui) {
    const Look& l = ui.look;
    heading(l, "Kernels", "With the parameters that the run panel has for each; else their defaults.");
    {
      const FontScope font(*l.fonts, Face::ui, 13);
      ImGui::SetNextItemWidth(-1);
      ImGui::InputTextWithHint("##filter", "filter", &filter_);
      text_stop(l, "##filter", ImGui::IsWindowAppearing());
    }
    gap(l, 6);
    for (const FormatInfo& f : s.catalog->formats) {
      std::vector<const KernelInfo*> own;
      for (const KernelInfo& k : s.catalog->kernels)
        if (k.format == f.id && k.operation != Operation::axpy && matches(k, f)) own.push_back(&k);
      if (own.empty()) continue;
      const auto on = [&](const KernelInfo* k) { return kernels_.contains(k->id); };
      const auto plain = [](const KernelInfo* k) { return k->operation == Operation::product && k->library.empty(); };
      const bool all = std::all_of(own.begin(), own.end(), [&](const KernelInfo* k) { return on(k) || !plain(k); });
      const bool any = std::any_of(own.begin(), own.end(), on);
      if (ticked(l, "format " + f.id, f.label, all && any, true,
                 "All kernels of this format; transposed products and those of libraries are chosen one by one."))
        for (const KernelInfo* k : own)
          if (on(k) == (all && any) && plain(k)) flip(kernels_, k->id);
      for (const KernelInfo* k : own)
        if (ticked(l, k->id, k->label, on(k), true, k->help, 18)) flip(kernels_, k->id);
    }
  }

  bool matches(const KernelInfo& k, const FormatInfo& f) const {
    const auto lower = [](std::string text) {
      for (char& c : text)
        if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
      return text;
    };
    return filter_.empty() || lower(k.label + " " + k.id + " " + f.label).find(lower(filter_)) != std::string::npos;
  }

  // A line for each parameter that any of the selected kernels has.
  void parameters(const AppState& s, Ui& ui) {
    const Look& l = ui.look;
    heading(l, "Parameters",
            "Values with commas between, or a range: LEAST:MOST, LEAST:MOST:STEP, LEAST:MOST:*FACTOR. Empty: as in the "
            "run panel.");
    std::set<std::string> drawn;
    const auto rows = [&](const std::vector<ParamSpec>& specs) {
      for (const ParamSpec& p : specs)
        if (drawn.insert(p.id).second) parameter(ui, p);
    };
    for (const KernelInfo& k : s.catalog->kernels) {
      if (!kernels_.contains(k.id)) continue;
      rows(k.params);
      if (const FormatInfo* f = s.catalog->format(k.format)) rows(f->params);
    }
    if (drawn.empty()) caption(l, "The chosen kernels have none.");
  }

  void parameter(Ui& ui, const ParamSpec& p) {
    const Look& l = ui.look;
    ImGui::PushID(p.id.c_str());
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float wide = ImGui::GetContentRegionAvail().x, field = std::min(l.u(170), wide * 0.5f);
    draw_text(l, ImGui::GetWindowDrawList(), ImVec2(at.x, at.y + l.u(4)), Face::ui, 13, l.palette->ink, p.label,
              wide - field - l.u(8));
    ImGui::SetCursorScreenPos(ImVec2(at.x + wide - field, at.y));
    {
      const FontScope font(*l.fonts, Face::mono, 12);
      ImGui::SetNextItemWidth(field);
      ImGui::InputTextWithHint("##values", value_text(p, p.def).c_str(), &params_[p.id]);
      text_stop(l, "##values");
    }
    tip(l, p.help);
    ImGui::PopID();
  }

  void matrices_chosen(const AppState& s, Ui& ui) {
    const Look& l = ui.look;
    heading(l, "Matrices", "Choose them in the table with Ctrl+click or Shift+click.");
    const std::size_t chosen = s.matrices_view.chosen.size();
    const int k = segments(l, "matrices", {"all open", std::to_string(chosen) + " chosen"}, all_ ? 0 : 1);
    if (k == 0) all_ = true;
    if (k == 1 && chosen > 0) all_ = false;
    if (scope(s).empty()) caption(l, "None can be run.");
    gap(l, 14);
  }

  void precisions(Ui& ui) {
    const Look& l = ui.look;
    heading(l, "Precision and caches");
    for (const Precision p : {Precision::f32, Precision::f64}) {
      if (toggle(l, name_of(p), precisions_.contains(p))) flip(precisions_, p);
      ImGui::SameLine();
    }
    ImGui::SetCursorPosX(ImGui::GetCursorPosX() + l.u(16));
    for (const CacheState c : {CacheState::warm, CacheState::cold}) {
      if (toggle(l, name_of(c), caches_.contains(c))) flip(caches_, c);
      tip(l, c == CacheState::warm ? "L2 holds what the same product left there." : "Nothing of the product is in L2.");
      if (c == CacheState::warm) ImGui::SameLine();
    }
    gap(l, 14);
  }

  void devices(const AppState& s, Ui& ui) {
    heading(ui.look, "Device");
    for (const DeviceInfo& d : s.catalog->devices) {
      const std::string words = d.name + (d.simulated ? " (modelled)" : "");
      if (ticked(ui.look, d.id, words, devices_.contains(d.id), d.available, d.available ? "" : d.reason))
        flip(devices_, d.id);
    }
    gap(ui.look, 14);
  }

  void repetitions(Ui& ui) {
    constexpr int kTimes[] = {1, 3, 5, 10};
    heading(ui.look, "Repetitions", "How often each product is run; figures show the middle one.");
    const auto at = std::find(std::begin(kTimes), std::end(kTimes), repetitions_) - std::begin(kTimes);
    const int k = segments(ui.look, "repetitions", {"1", "3", "5", "10"}, static_cast<int>(at));
    if (k >= 0) repetitions_ = kTimes[k];
  }

  void folder(Ui& ui, float width) {
    const Look& l = ui.look;
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const char* words = "Keep in folder";
    draw_text(l, ImGui::GetWindowDrawList(), ImVec2(at.x, at.y + l.u(4)), Face::ui, 13, l.palette->ink, words,
              l.u(110));
    ImGui::SetCursorScreenPos(ImVec2(at.x + l.u(112), at.y));
    const FontScope font(*l.fonts, Face::ui, 13);
    ImGui::SetNextItemWidth(width - l.u(112));
    ImGui::InputTextWithHint(
        "##folder", "empty: in this session alone; a folder goes on anywhere (warpspy sweep FOLDER)", &folder_);
    text_stop(l, "##folder");
  }

  StartSweep asked(const AppState& s) const {
    StartSweep a{scope(s), {}, {precisions_.begin(), precisions_.end()}, {devices_.begin(), devices_.end()}};
    for (const KernelInfo& k : s.catalog->kernels)
      if (kernels_.contains(k.id)) a.kernels.push_back(k.id);
    a.caches = {caches_.begin(), caches_.end()};
    a.repetitions = repetitions_;
    a.folder = folder_;
    const std::set<std::string> known = known_params(s);
    for (const auto& [id, text] : params_)
      if (known.contains(id))
        if (auto values = values_in(text); !values.empty()) a.params.push_back({id, std::move(values)});
    return a;
  }

  std::set<std::string> known_params(const AppState& s) const {
    std::set<std::string> known;
    for (const KernelInfo& k : s.catalog->kernels) {
      if (!kernels_.contains(k.id)) continue;
      for (const ParamSpec& p : k.params) known.insert(p.id);
      if (const FormatInfo* f = s.catalog->format(k.format))
        for (const ParamSpec& p : f->params) known.insert(p.id);
    }
    return known;
  }

  // The number of products, or why the sweep cannot run; computed again after each change.
  void judge(const AppState& s, StartSweep a) {
    if (judged_ && *judged_ == a) return;
    judged_ = std::move(a);
    count_ = 0;
    const StartSweep& j = *judged_;
    if (j.matrices.empty() || j.kernels.empty() || j.precisions.empty() || j.devices.empty() || j.caches.empty()) {
      text_ = "0 products: choose at least one of each";
      return;
    }
    try {
      count_ = check(sweep_plan(s, j), *s.catalog);
      const auto many = [](std::size_t n, const char* one, const char* plural) {
        return counted(static_cast<index_t>(n), one, plural);
      };
      text_ = many(count_, "product", "products") + " of " + many(j.kernels.size(), "kernel", "kernels") + " on " +
              many(j.matrices.size(), "matrix", "matrices");
    } catch (const Error& e) {
      text_ = e.reason + (e.remedy.empty() ? "" : "; " + e.remedy);
    }
  }

  void start(const AppState& s, Ui& ui, float width) {
    const Look& l = ui.look;
    judge(s, asked(s));
    const bool can = count_ > 0;
    const ImVec2 at = ImGui::GetCursorScreenPos();
    draw_text(l, ImGui::GetWindowDrawList(), ImVec2(at.x, at.y + l.u(5)), Face::ui, 13,
              can ? l.palette->muted : l.palette->warning, text_, width - l.u(216));
    ImGui::SetCursorScreenPos(ImVec2(at.x + width - l.u(204), at.y));
    if (button(l, "Save file", Weight::plain, l.u(100), can && !folder_.empty())) {
      const std::string stem = folder_.ends_with(".sweep") ? folder_.substr(0, folder_.size() - 6) : folder_;
      ui.out(SaveSweep{*judged_, stem + ".json"});
    }
    tip(l, folder_.empty() ? "Name a folder first: the file stands beside it, with the ending .json."
                           : "What is chosen here, as a file for warpspy sweep; nothing runs.");
    ImGui::SetCursorScreenPos(ImVec2(at.x + width - l.u(96), at.y));
    if (!button(l, "Run", Weight::primary, l.u(96), can) && !(can && entered(l))) return;
    ui.out(ShowDialog{});
    ui.out(ShowTab{"matrices"});
    MatricesView next = s.matrices_view;
    next.face = MatricesFace::sweep;
    ui.out(SetMatricesView{next});
    ui.out(*judged_);
  }

  bool all_ = true;
  std::string filter_, folder_, text_;
  std::set<std::string> kernels_, devices_;
  std::set<Precision> precisions_;
  std::set<CacheState> caches_;
  std::map<std::string, std::string> params_;  // as typed, by id
  int repetitions_ = 1;
  std::size_t count_ = 0;
  std::optional<StartSweep> judged_;
};

}  // namespace

extern const ViewRow sweep_dialog = {
    .id = "sweep",
    .label = "Run a sweep",
    .place = Place::overlay,
    .help = "Kernels x matrices x parameters x precisions x devices, in the background.",
    .keys = {Key::f5, true, true},
    .opener = {"sweep.open", "Run", "Run a sweep...", "tune.start"},
    .why_not = needs_matrix,
    .make = make<SweepDialog>,
};

}  // namespace warpspy::ui
