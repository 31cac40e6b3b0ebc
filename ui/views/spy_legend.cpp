#include <imgui.h>

#include <algorithm>
#include <cmath>

#include "ui/spy/owners.hpp"
#include "ui/views/spy_panel.hpp"
#include "ui/widgets/text.hpp"

namespace warpspy::ui {

void SpyPanel::shade_legend(const AppState& s, Ui& ui, const SpyScene& scene, plot::Rect at, const ShadeLook& run) {
  const Look& l = ui.look;
  auto* list = ImGui::GetWindowDrawList();
  auto x = static_cast<float>(at.x);
  const auto y = static_cast<float>(at.y);
  const auto say = [&](const std::string& t) {
    x += draw_text(l, list, ImVec2(x, y + l.u(1)), Face::ui, 12, l.palette->muted, t,
                   static_cast<float>(at.right()) - x) +
         l.u(5);
    show_text(l, t);
  };
  if (!run.shade) {
    if (s.pattern.job) return say("finding out who reads which entry\xE2\x80\xA6");
    return say(s.pattern.problem.empty() ? "entries" : s.pattern.problem);
  }
  const float side = l.u(9), top = y + l.u(4);
  const auto swatch = [&](double value, float width) {
    list->AddRectFilled(ImVec2(x, top), ImVec2(x + width, top + side),
                        u32(plot::shade_color(*run.shade, value, run.theme)));
    x += width;
  };
  if (run.shade->classes == 0) {
    say(plot::short_number(run.shade->low));
    constexpr int steps = 24;
    for (int k = 0; k < steps; ++k)
      swatch(run.shade->low + (run.shade->high - run.shade->low) * (k + 0.5) / steps, l.u(3));
    x += l.u(5);
    say(plot::short_number(run.shade->high));
  }
  if (const auto keys = s.pattern.keys.find(run.shade->id); keys != s.pattern.keys.end())
    for (const plot::ShadeKey& key : keys->second) {
      swatch(key.value, side);
      x += l.u(4);
      if (run.shade->name || key.value != key.value) say(key.text);
    }
  std::string caption = plot::shade_caption(*run.shade, scene.kr == 0 && scene.kc == 0);
  if (s.pattern.job) caption = "finding out anew\xE2\x80\xA6";
  for (const std::string& note : run.trace->notes) caption += "; " + note;
  say(caption);
}

float SpyPanel::owner_legend(Ui& ui, const RowOwners& owners, plot::Rect at) {
  constexpr std::uint64_t most = 6;  // colours; more GPUs take them in turn
  const Look& l = ui.look;
  const std::string text = "rows of " + std::to_string(owners.parts) + " GPUs by " + warpspy::name_of(owners.split);
  const auto chips = static_cast<float>(std::min(owners.parts, most));
  const float side = l.u(9), chip = l.u(11), words = text_width(l, Face::ui, 12, text);
  const float width = chips * chip + l.u(4) + words;
  if (width > static_cast<float>(at.w)) return 0;
  auto* list = ImGui::GetWindowDrawList();
  float x = static_cast<float>(at.right()) - width;
  const auto y = static_cast<float>(at.y);
  for (std::int32_t k = 0; k < static_cast<std::int32_t>(chips); ++k, x += chip)
    list->AddRectFilled(ImVec2(x, y + l.u(4)), ImVec2(x + side, y + l.u(4) + side), u32(owner_color(k)));
  draw_text(l, list, ImVec2(x + l.u(4), y + l.u(1)), Face::ui, 12, l.palette->muted, text);
  show_text(l, text);
  return width + l.u(12);
}

void SpyPanel::legend(const AppState& s, Ui& ui, const SpyScene& scene, plot::Rect at, double most,
                      std::uint32_t most_beside) {
  const Look& l = ui.look;
  auto* list = ImGui::GetWindowDrawList();
  auto x = static_cast<float>(at.x);
  const auto y = static_cast<float>(at.y);
  const float bar = l.u(72), h = l.u(6), top = y + l.u(5);
  constexpr int steps = 24;
  const auto gradient = [&](auto color) {
    for (int k = 0; k < steps; ++k)
      list->AddRectFilled(ImVec2(x + bar * static_cast<float>(k) / steps, top),
                          ImVec2(x + bar * static_cast<float>(k + 1) / steps, top + h), color(k));
    x += bar + l.u(5);
  };
  const auto say = [&](const std::string& t, Face face = Face::mono) {
    x += draw_text(l, list, ImVec2(x, y + l.u(1)), face, face == Face::mono ? 11.f : 12.f, l.palette->muted, t,
                   static_cast<float>(at.right()) - x) +
         l.u(5);
  };
  if (scene.cells && most == 0) return say("no value other than 0 in view", Face::ui);
  if (scene.cells) {
    say("\xE2\x88\x92" + real_text(most, 3));
    gradient([&](int k) { return u32(value_color((k - steps / 2 + 0.5) * most, most * steps / 2, l.palette->dark)); });
    say("+" + real_text(most, 3));
    say(scene.m.matrix->csr->is_complex() ? std::string("value, ") + name_of(s.knobs.view) : "value", Face::ui);
    return;
  }
  if (!scene.m.pyramid) return say("counting entries\xE2\x80\xA6", Face::ui);
  const std::uint32_t top_count = std::max({1u, scene.m.pyramid->max_count(scene.kr, scene.kc), most_beside});
  if (top_count > 1 && s.spy.style.shading != Shading::binary) {
    std::vector<std::uint32_t> ramp(steps);
    for (int k = 0; k < steps; ++k) {
      const double t = (k + 0.5) / steps;
      const double count =
          s.spy.style.shading == Shading::log ? std::pow(static_cast<double>(top_count), t) : 1 + t * (top_count - 1);
      ramp[static_cast<std::size_t>(k)] = static_cast<std::uint32_t>(count);
    }
    const auto colors =
        shade(ramp, top_count, s.spy.style.shading, s.spy.style.map, u32(l.palette->panel), l.palette->dark);
    say("1");
    gradient([&](int k) { return colors[static_cast<std::size_t>(k)]; });
    say(plot::short_number(top_count));
  }
  const index_t cr = index_t{1} << scene.kr, cc = index_t{1} << scene.kc;
  say(cr == 1 && cc == 1 ? "one entry per cell"
                         : "entries per cell of " + count_text(cr) + " \xC3\x97 " + count_text(cc),
      Face::ui);
}

}  // namespace warpspy::ui
