#include "ui/views/causes_panel.hpp"

#include <imgui.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "core/diagnosis/orders.hpp"
#include "core/diagnosis/predict.hpp"
#include "core/run/compare.hpp"
#include "ui/widgets/text.hpp"

namespace warpspy::ui {

namespace {

// Each level of memory has its colour; other causes are grey.
Color hue_of(Cause c) {
  constexpr Color colors[cause_count] = {plot::kDram,    plot::kL2,      plot::kL2,      plot::kL1,     plot::kCompute,
                                         plot::kCompute, plot::kCompute, plot::kCompute, plot::kCompute};
  return colors[static_cast<std::size_t>(c)];
}

void bar(const Look& l, ImDrawList* list, const CauseRow& row, double share, const std::string& words, float width) {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float name = l.u(190), most = std::max(l.u(60), width - name - l.u(120));
  draw_text(l, list, at, Face::ui, 13, l.palette->ink, row.words, name - l.u(8));
  const float w = std::max(1.f, most * static_cast<float>(std::min(1.0, share)));
  list->AddRectFilled(ImVec2(at.x + name, at.y + l.u(3)), ImVec2(at.x + name + w, at.y + l.u(14)),
                      u32(hue_of(row.cause)), l.u(2));
  draw_text(l, list, ImVec2(at.x + name + w + l.u(8), at.y), Face::ui, 13, l.palette->muted, words);
  ImGui::Dummy(ImVec2(width, l.u(19)));
}

// A bar from a line in the middle: less to the left, more to the right. `part`: the share of the largest, -1 to 1.
void signed_bar(const Look& l, ImDrawList* list, const CauseRow& row, double part, const std::string& words,
                float width) {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float name = l.u(190), number = l.u(80), most = std::max(l.u(40), (width - name - 2 * number) / 2);
  const float zero = at.x + name + number + most, end = zero + most * static_cast<float>(part);
  draw_text(l, list, at, Face::ui, 13, l.palette->ink, row.words, name - l.u(8));
  list->AddRectFilled(ImVec2(std::min(zero, end), at.y + l.u(3)), ImVec2(std::max(zero, end), at.y + l.u(14)),
                      u32(hue_of(row.cause)), l.u(2));
  list->AddLine(ImVec2(zero, at.y - l.u(2)), ImVec2(zero, at.y + l.u(18)), u32(l.palette->outline));
  const float beside = part < 0 ? end - l.u(8) - text_width(l, Face::ui, 13, words) : end + l.u(8);
  draw_text(l, list, ImVec2(beside, at.y), Face::ui, 13, l.palette->muted, words);
  ImGui::Dummy(ImVec2(width, l.u(19)));
}

}  // namespace

void draw_causes(const AppState& s, Ui& ui, const RunRecord& r, float width) {
  const Look& l = ui.look;
  const auto* gpu = modelled_device(r, *s.catalog);
  const auto causes = gpu ? causes_of(r, gpu->spec) : std::nullopt;
  if (!causes) return;
  heading(l, "What the time is made of",
          "Each cause alone would take less; together they overlap in part. Their squares are shared out, so that "
          "the parts add up to the product's time. Modelled, but for what counters tell.");
  gap(l, 2);
  auto* list = ImGui::GetWindowDrawList();
  for (const CauseRow& row : cause_rows) {
    const double share = causes->share(row.cause);
    if (share < 0.01) continue;
    bar(l, list, row, share, real_text(causes->us(row.cause), 3) + " \xC2\xB5s, " + percent_text(share), width);
  }
  gap(l, 14);
}

void draw_difference(const AppState& s, Ui& ui, float width) {
  const Look& l = ui.look;
  const RunRecord &a = *s.comparing.front(), &b = *s.comparing.back();
  const auto *gpu_a = modelled_device(a, *s.catalog), *gpu_b = modelled_device(b, *s.catalog);
  const auto of_a = gpu_a ? causes_of(a, gpu_a->spec) : std::nullopt;
  const auto of_b = gpu_b ? causes_of(b, gpu_b->spec) : std::nullopt;
  heading(
      l, "Why one is faster",
      "The difference of the two runs' times, cause by cause: what the second takes less (to the left) or more than "
      "the first. The parts add up to it.");
  if (!of_a || !of_b) return caption(l, "One of the two runs does not tell what its time is made of.");
  const auto d = time_difference(a, *of_a, b, *of_b);
  if (!d) return;
  {
    const FontScope font(*l.fonts, Face::ui, 13);
    if (const std::string differ = matrices_differ(a, b); !differ.empty())
      paragraph(l, l.palette->warning, "! " + differ, width);
    paragraph(l, l.palette->ink, d->sentence, width);
    if (const std::string order = order_difference(a, b); !order.empty()) paragraph(l, l.palette->ink, order, width);
  }
  gap(l, 4);
  auto* list = ImGui::GetWindowDrawList();
  const double most = std::max(1e-9, std::abs(d->causes.front().us));
  for (const CauseDifference& c : d->causes)
    if (std::abs(c.us) > 0.02 * most)
      signed_bar(l, list, cause_rows[static_cast<std::size_t>(c.cause)], c.us / most,
                 std::string(c.us < 0 ? "" : "+") + real_text(c.us, 3) + " \xC2\xB5s", width);
}

}  // namespace warpspy::ui
