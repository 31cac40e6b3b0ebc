#include <imgui.h>
#include <imgui_stdlib.h>

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "ui/platform/input.hpp"
#include "ui/views/dialog.hpp"
#include "ui/views/view.hpp"
#include "ui/widgets/controls.hpp"
#include "ui/widgets/focus.hpp"
#include "ui/widgets/text.hpp"

namespace warpspy::ui {

namespace {

// A line with a tick; true when it was clicked.
bool ticked(const Look& l, const std::string& id, const std::string& words, bool on, bool enabled,
            const std::string& help, float inset = 0) {
  ImGui::PushID(id.c_str());
  ImGui::SetCursorPosX(ImGui::GetCursorPosX() + l.u(inset));
  bool clicked = ImGui::Selectable("##tick", false, enabled ? 0 : ImGuiSelectableFlags_Disabled,
                                   ImVec2(0, l.u(22) - ImGui::GetStyle().ItemSpacing.y));
  if (enabled && key_stop(l, "##tick").pressed) clicked = true;
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

// Which kernels, precisions and devices a batch runs on the chosen matrices.
class BatchDialog final : public View {
 public:
  void draw(const AppState& s, Ui& ui) override {
    const Look& l = ui.look;
    if (!begin_dialog(s, ui, "Run a batch", ImVec2(640, 520))) return;
    if (ImGui::IsWindowAppearing()) begin(s);
    const auto matrices = scope(s);
    const ImVec2 at = ImGui::GetCursorScreenPos(), room = ImGui::GetContentRegionAvail();
    const float foot = l.u(44), gutter = l.u(24), left = std::floor((room.x - gutter) * 0.56f);
    ImGui::BeginChild("kernels", ImVec2(left, room.y - foot), false);
    kernels(s, ui);
    ImGui::EndChild();
    ImGui::SetCursorScreenPos(ImVec2(at.x + left + gutter, at.y));
    ImGui::BeginChild("where", ImVec2(room.x - left - gutter, room.y - foot), false);
    matrices_chosen(s, ui, matrices.size());
    precisions(ui);
    devices(s, ui);
    ImGui::EndChild();
    ImGui::SetCursorScreenPos(ImVec2(at.x, at.y + room.y - foot + l.u(12)));
    start(s, ui, matrices, room.x);
    end_dialog(ui);
  }

 private:
  void begin(const AppState& s) {
    all_ = s.matrices_view.chosen.empty();
    if (!kernels_.empty()) return;
    kernels_ = {s.knobs.kernel};
    precisions_ = {s.knobs.precision};
    devices_ = {s.knobs.device};
  }

  std::vector<MatrixId> scope(const AppState& s) const {
    std::vector<MatrixId> ids;
    for (const OpenMatrix& m : s.matrices)
      if (m.status != OpenMatrix::Status::failed && (all_ || s.matrices_view.chosen.contains(m.id)))
        ids.push_back(m.id);
    return ids;
  }

  // By format; a click on a format takes all of its kernels, or none.
  void kernels(const AppState& s, Ui& ui) {
    const Look& l = ui.look;
    heading(l, "Kernels", "With the parameters that the run panel has for each; else their defaults.");
    {
      const FontScope font(*l.fonts, Face::ui, 13);
      ImGui::SetNextItemWidth(-1);
      if (ImGui::IsWindowAppearing()) ImGui::SetKeyboardFocusHere();
      ImGui::InputTextWithHint("##filter", "filter", &filter_);
      text_stop(l, "##filter");
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

  void matrices_chosen(const AppState& s, Ui& ui, std::size_t count) {
    const Look& l = ui.look;
    heading(l, "Matrices", "Choose them in the table with Ctrl+click or Shift+click.");
    const std::size_t chosen = s.matrices_view.chosen.size();
    const int k = segments(l, "matrices", {"all open", std::to_string(chosen) + " chosen"}, all_ ? 0 : 1);
    if (k == 0) all_ = true;
    if (k == 1 && chosen > 0) all_ = false;
    if (count == 0) caption(l, "None can be run.");
    gap(l, 16);
  }

  void precisions(Ui& ui) {
    heading(ui.look, "Precision");
    for (const Precision p : {Precision::f32, Precision::f64})
      if (ticked(ui.look, name_of(p), name_of(p), precisions_.contains(p), true, "")) flip(precisions_, p);
    gap(ui.look, 16);
  }

  void devices(const AppState& s, Ui& ui) {
    heading(ui.look, "Device");
    for (const DeviceInfo& d : s.catalog->devices) {
      const std::string words = d.name + (d.simulated ? " (modelled)" : "");
      if (ticked(ui.look, d.id, words, devices_.contains(d.id), d.available, d.available ? "" : d.reason))
        flip(devices_, d.id);
    }
  }

  void start(const AppState& s, Ui& ui, const std::vector<MatrixId>& matrices, float width) {
    const Look& l = ui.look;
    StartBatch a{matrices, {}, {precisions_.begin(), precisions_.end()}, {devices_.begin(), devices_.end()}};
    for (const KernelInfo& k : s.catalog->kernels)
      if (kernels_.contains(k.id)) a.kernels.push_back(k.id);
    const std::size_t all = a.kernels.size() * a.matrices.size() * a.precisions.size() * a.devices.size();
    const auto count = [](std::size_t n, const char* one, const char* many) {
      return std::to_string(n) + " " + (n == 1 ? one : many);
    };
    const std::string text = count(a.kernels.size(), "kernel", "kernels") + " \xC3\x97 " +
                             count(a.matrices.size(), "matrix", "matrices") + " \xC3\x97 " +
                             count(a.precisions.size(), "precision", "precisions") + " \xC3\x97 " +
                             count(a.devices.size(), "device", "devices") + " = " + count(all, "product", "products");
    const ImVec2 at = ImGui::GetCursorScreenPos();
    draw_text(l, ImGui::GetWindowDrawList(), ImVec2(at.x, at.y + l.u(5)), Face::ui, 13, l.palette->muted, text,
              width - l.u(110));
    ImGui::SetCursorScreenPos(ImVec2(at.x + width - l.u(96), at.y));
    if (!button(l, "Run", Weight::primary, l.u(96), all > 0) && !(all > 0 && entered(l))) return;
    ui.out(ShowDialog{});
    ui.out(ShowTab{"matrices"});
    MatricesView next = s.matrices_view;
    next.face = MatricesFace::batch;
    ui.out(SetMatricesView{next});
    ui.out(a);
  }

  bool all_ = true;
  std::string filter_;
  std::set<std::string> kernels_, devices_;
  std::set<Precision> precisions_;
};

}  // namespace

extern const ViewRow batch_dialog = {
    .id = "batch",
    .label = "Run a batch",
    .place = Place::overlay,
    .help = "Kernels x matrices x precisions x devices, in the background.",
    .keys = {Key::f5, true, true},
    .opener = {"batch.open", "Run", "Run a batch...", "tune.start"},
    .why_not = needs_matrix,
    .make = make<BatchDialog>,
};

}  // namespace warpspy::ui
