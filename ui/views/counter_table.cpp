#include "ui/views/counter_table.hpp"

#include <imgui.h>

#include <algorithm>
#include <optional>
#include <string>

#include "ui/views/roofline_panel.hpp"
#include "ui/widgets/text.hpp"

namespace warpspy::ui {

namespace {

std::string counter_label(const AppState& s, const Counter& c) {
  const auto* info = s.catalog->metric(c.id);
  return info ? info->label : c.id;
}

void counter(const AppState& s, Ui& ui, Table& table, const Counter& c) {
  const Look& l = ui.look;
  const Palette& p = *l.palette;
  const auto* info = s.catalog->metric(c.id);
  const std::string unit = c.unit == "1" ? "" : c.unit == "us" ? "\xC2\xB5s" : c.unit;
  const std::string value = !c.value        ? "unavailable"
                            : c.unit == "B" ? bytes_text(*c.value)
                                            : real_text(*c.value) + (unit.empty() ? "" : " " + unit);
  const bool stays = c.value == 0.0 && info && info->level == Level::dram;
  table.row();
  ImGui::PushID(c.id.c_str());
  if (table.pick())
    ui.out(CopyText{c.id + "\t" + (c.value ? real_text(*c.value, 9) : "unavailable") + "\t" + c.unit + "\t" +
                    warpspy::name_of(c.provenance)});
  ImGui::PopID();
  tip(l, (info ? info->help + "\n" : "") +
             (c.value ? std::string(warpspy::name_of(c.provenance))
                      : c.reason + (c.remedy.empty() ? "" : "\n" + c.remedy)) +
             (stays ? "\nThe product found all of it in L2, where the one before it had left it. With cold caches it "
                      "comes from DRAM."
                    : ""));
  table.cell({.text = counter_label(s, c),
              .ink = p.ink,
              .face = Face::ui,
              .chip = info && info->level != Level::none ? std::optional(color_of(info->level)) : std::nullopt});
  table.cell({.text = stays ? value + ", in L2" : value,
              .ink = c.value ? p.ink : p.muted,
              .face = c.value ? Face::mono : Face::ui,
              .from = c.value ? std::optional(c.provenance) : std::nullopt});
  table.text(c.value ? warpspy::name_of(c.provenance) : "", p.muted, Face::ui);
}

}  // namespace

void CounterTable::draw(const AppState& s, Ui& ui, const RunRecord& r) {
  const Look& l = ui.look;
  heading(l, "Counters", "Hardware counters, or the emulator's. Click one to copy it.");
  const float width = std::min(ImGui::GetContentRegionAvail().x, l.u(640));
  if (Table table(l, "counters",
                  {{.name = "counter", .share = 2.6f, .inset = 6},
                   {.name = "value", .right = true},
                   {.name = "from", .help = "Measured, derived or modelled.", .share = 0.8f, .inset = 10}},
                  ImVec2(width, 0), {.scrolls = false, .follows = false});
      table) {
    sort_.head(table);
    const auto key_of = [&](std::size_t k, int column) {
      const Counter& c = r.counters[k];
      const SortKey keys[] = {
          {0, counter_label(s, c)}, {c.value.value_or(-1), ""}, {static_cast<double>(c.provenance), ""}};
      return keys[column];
    };
    for (const std::size_t k : sort_.order(r.counters.size(), key_of)) counter(s, ui, table, r.counters[k]);
  }
  gap(l, 12);
}

}  // namespace warpspy::ui
