#include "ui/views/memory_fields.hpp"

#include <imgui.h>
#include <imgui_stdlib.h>

#include <algorithm>

#include "core/base/numbers.hpp"
#include "ui/widgets/focus.hpp"
#include "ui/widgets/text.hpp"

namespace warpspy::ui {

namespace {

struct Which {
  const char *id, *label, *help;
  std::optional<std::uint64_t> MemoryBudget::* set;
  std::uint64_t Budget::* limit;
  std::string Budget::* source;
};
constexpr Which kHost = {"host",
                         "Host memory",
                         "What a format, and its conversion beside it, may take of this machine's memory.",
                         &MemoryBudget::host_bytes,
                         &Budget::host,
                         &Budget::host_source};
constexpr Which kDevice = {"device",
                           "Device memory",
                           "What the arrays of a format may take of the device's memory.",
                           &MemoryBudget::device_bytes,
                           &Budget::device,
                           &Budget::device_source};

}  // namespace

float MemoryFields::height(const Look& l) { return l.u(24); }

void MemoryFields::draw(const AppState& s, Ui& ui, float width) {
  const Look& l = ui.look;
  const auto* m = s.current();
  const Budget* budget = m && m->costs ? &m->costs->budget : nullptr;
  auto* list = ImGui::GetWindowDrawList();
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float each = width / 2, field_width = std::min(l.u(96), each / 2);
  float x = at.x;
  const auto field = [&](const Which& which, Field& f) {
    const auto& set = s.memory.*which.set;
    const bool known = budget && budget->*which.limit != UINT64_MAX;
    const std::string limit = known ? bytes_text(static_cast<double>(budget->*which.limit)) : "no limit";
    const float label = draw_text(l, list, ImVec2(x, at.y + l.u(3)), Face::ui, 13, l.palette->muted, which.label);
    // While the user does not edit it, the field shows the current value, even if it was set elsewhere.
    if (!f.editing) f.text = set ? exact_bytes_text(*set) : "";
    ImGui::SetCursorScreenPos(ImVec2(x + label + l.u(8), at.y));
    {
      const FontScope font(*l.fonts, Face::mono, 13);
      ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, ImVec2(l.u(6), l.u(2)));
      ImGui::SetNextItemWidth(field_width);
      ImGui::PushID(which.id);
      ImGui::InputTextWithHint("##size", limit.c_str(), &f.text, ImGuiInputTextFlags_AutoSelectAll);
      text_stop(l, "##size");
      ImGui::PopID();
      ImGui::PopStyleVar();
    }
    show_item(l, which.label);
    f.editing = ImGui::IsItemActive();
    const bool entered = ImGui::IsItemDeactivatedAfterEdit();
    tip(l, std::string(which.help) + "\nNow " + limit + (known ? " (" + budget->*which.source + ")" : "") +
               ".\nType a size, such as 4GiB or 500MB, to allow less; empty: what there is.");
    const float used = label + l.u(16) + field_width;
    if (known && used + l.u(40) < each)
      draw_text(l, list, ImVec2(x + used, at.y + l.u(4)), Face::ui, 12, l.palette->muted,
                (set ? limit + ", " : "") + budget->*which.source, each - used - l.u(12));
    x += each;
    if (!entered) return;
    MemoryBudget next = s.memory;
    try {
      next.*which.set = f.text.empty() ? std::nullopt : std::optional(bytes_from_text(f.text, which.label));
      ui.out(SetMemory{next});
    } catch (const Error& e) {
      ui.out(Notify{{Message::Kind::error, e.reason, e.remedy}});
    }
  };
  field(kHost, host_);
  field(kDevice, device_);
  ImGui::SetCursorScreenPos(ImVec2(at.x, at.y + height(l)));
}

}  // namespace warpspy::ui
