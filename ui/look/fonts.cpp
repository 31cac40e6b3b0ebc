#include "ui/look/fonts.hpp"

#include <imgui.h>

#include <algorithm>
#include <cmath>

#include "core/plot/fonts.hpp"

namespace warpspy::ui {

namespace {

plot::Font font_of(Face face) {
  switch (face) {
    case Face::mono:
      return plot::Font::mono;
    case Face::bold:
      return plot::Font::bold;
    case Face::ui:
      break;
  }
  return plot::Font::ui;
}

// Adds the face, and another one for characters that it lacks (in file names, for example).
void add(ImFontAtlas& atlas, Face face, float px, const ImWchar* ranges) {
  ImFontConfig config;
  config.OversampleH = 2;
  config.OversampleV = 1;
  config.PixelSnapH = true;
  // ImGui only reads the bytes, although the parameter is not const.
  config.FontDataOwnedByAtlas = false;
  for (const Face from : {face, face == Face::mono ? Face::ui : Face::mono}) {
    const auto file = plot::font_file(font_of(from));
    atlas.AddFontFromMemoryTTF(const_cast<unsigned char*>(file.data()), static_cast<int>(file.size()), px, &config,
                               ranges);
    config.MergeMode = true;
  }
}

// The characters of the window and of figures: Latin, Greek letters of formulas, super- and subscripts, dashes, quotes,
// arrows, mathematical signs.
constexpr ImWchar glyphs[] = {0x0020, 0x00FF, 0x0100, 0x017F, 0x0391, 0x03C9, 0x2009, 0x200A, 0x2010, 0x2027, 0x202F,
                              0x2030, 0x2070, 0x209C, 0x20AC, 0x20AC, 0x2190, 0x2195, 0x21B5, 0x21BA, 0x2200, 0x2265,
                              0x22C5, 0x22C5, 0x25A0, 0x25CF, 0x2713, 0x2717, 0xFFFD, 0xFFFD, 0};

struct Wanted {
  Face face;
  float size;
};
// Sizes at 100 %: caption, figure text, body, heading, title.
constexpr Wanted wanted[] = {{Face::ui, 15},   {Face::ui, 12},   {Face::ui, 13},   {Face::ui, 18},   {Face::bold, 13},
                             {Face::bold, 15}, {Face::bold, 22}, {Face::mono, 11}, {Face::mono, 13}, {Face::mono, 14}};
float px_of(const Wanted& w, float scale) { return std::round(w.size * scale); }

// Whether the atlas has all these fonts, since making it takes a tenth of a second. A dynamic atlas loads glyphs when
// they are drawn.
bool has_all([[maybe_unused]] const ImFontAtlas& atlas, [[maybe_unused]] float scale) {
#if IMGUI_VERSION_NUM >= 19200
  return false;
#else
  return atlas.IsBuilt() &&
         std::equal(std::begin(wanted), std::end(wanted), atlas.Fonts.begin(), atlas.Fonts.end(),
                    [&](const Wanted& w, const ImFont* f) { return f->FontSize == px_of(w, scale); });
#endif
}

}  // namespace

void FontSet::load(float ui_scale, float pixel_scale) {
  ImGuiIO& io = ImGui::GetIO();
#if IMGUI_VERSION_NUM >= 19200
  pixel_scale = 1;  // the atlas follows the framebuffer's density by itself
#else
  io.FontGlobalScale = 1 / pixel_scale;
#endif
  const float scale = ui_scale * pixel_scale;
  if (!has_all(*io.Fonts, scale)) {
    io.Fonts->Clear();
#if IMGUI_VERSION_NUM < 19200
    // A width of 4096 keeps the atlas within the limits of every OpenGL 3.3 driver, even at 300 %.
    io.Fonts->TexDesiredWidth = scale > 1.5f ? 4096 : 2048;
#endif
    for (const Wanted& w : wanted) add(*io.Fonts, w.face, px_of(w, scale), glyphs);
#if IMGUI_VERSION_NUM < 19200
    io.Fonts->Build();
#endif
  }
  ui_scale_ = ui_scale;
  fonts_.clear();
  for (const Wanted& w : wanted) {
    ImFont* font = io.Fonts->Fonts[static_cast<int>(fonts_.size())];
    fonts_.push_back({w.face, px_of(w, scale) / pixel_scale, font});
  }
}

FontSet::Pick FontSet::pick(Face face, float size) const { return pick_px(face, std::round(size * ui_scale_)); }

FontSet::Pick FontSet::pick_px(Face face, float px) const {
  const Loaded* best = nullptr;
  for (const auto& f : fonts_) {
    if (f.face != face) continue;
    if (!best || std::abs(f.px - px) < std::abs(best->px - px)) best = &f;
  }
  if (!best) return {ImGui::GetFont(), px};
#if IMGUI_VERSION_NUM >= 19200
  return {best->font, px};
#else
  // If a loaded size is close enough, it is used, since sharp text matters more than the exact size.
  return {best->font, std::abs(best->px - px) < 0.13f * best->px ? best->px : px};
#endif
}

void FontSet::push(Face face, float size) const {
  const Pick p = pick(face, size);
#if IMGUI_VERSION_NUM >= 19200
  ImGui::PushFont(p.font, p.size);
#else
  ImGui::PushFont(p.font);
#endif
}

void FontSet::pop() { ImGui::PopFont(); }

}  // namespace warpspy::ui
