#include "ui/fonts.hpp"

#include <imgui.h>

#include <cmath>
#include <filesystem>

namespace warpspy::ui {

namespace {

constexpr const char* folders[] = {"/usr/share/fonts/", "/usr/local/share/fonts/", "/usr/share/fonts/truetype/"};
// Where Debian, Ubuntu, Fedora and Arch put them; the first that exists wins.
constexpr const char* ui_files[] = {"opentype/inter/Inter-Regular.otf",
                                    "truetype/inter/Inter-Regular.ttf",
                                    "inter/Inter-Regular.otf",
                                    "inter/Inter-Regular.ttf",
                                    "rsms-inter-fonts/Inter-Regular.otf",
                                    "truetype/dejavu/DejaVuSans.ttf",
                                    "dejavu-sans-fonts/DejaVuSans.ttf",
                                    "TTF/DejaVuSans.ttf"};
constexpr const char* bold_files[] = {"opentype/inter/Inter-SemiBold.otf",
                                      "truetype/inter/Inter-SemiBold.ttf",
                                      "inter/Inter-SemiBold.otf",
                                      "inter/Inter-SemiBold.ttf",
                                      "rsms-inter-fonts/Inter-SemiBold.otf",
                                      "truetype/dejavu/DejaVuSans-Bold.ttf",
                                      "dejavu-sans-fonts/DejaVuSans-Bold.ttf",
                                      "TTF/DejaVuSans-Bold.ttf"};
constexpr const char* mono_files[] = {"truetype/jetbrains-mono/JetBrainsMono-Regular.ttf",
                                      "jetbrains-mono-fonts/JetBrainsMono-Regular.otf",
                                      "TTF/JetBrainsMono-Regular.ttf",
                                      "truetype/dejavu/DejaVuSansMono.ttf",
                                      "dejavu-sans-mono-fonts/DejaVuSansMono.ttf",
                                      "TTF/DejaVuSansMono.ttf"};
constexpr const char* fallback_files[] = {"truetype/dejavu/DejaVuSans.ttf", "dejavu-sans-fonts/DejaVuSans.ttf",
                                          "TTF/DejaVuSans.ttf"};

template <std::size_t N>
std::string first_of(const char* const (&files)[N]) {
  std::error_code ignored;
  for (const char* file : files)
    for (const char* folder : folders)
      if (const std::string path = std::string(folder) + file; std::filesystem::is_regular_file(path, ignored))
        return path;
  return {};
}

// What the interface and the figures write: Latin, the Greek letters of formulas, super- and subscripts, dashes and
// quotes, arrows, mathematical signs.
constexpr ImWchar glyphs[] = {0x0020, 0x00FF, 0x0100, 0x017F, 0x0391, 0x03C9, 0x2009, 0x200A, 0x2010, 0x2027, 0x202F,
                              0x2030, 0x2070, 0x209C, 0x20AC, 0x20AC, 0x2190, 0x2195, 0x21B5, 0x21BA, 0x2200, 0x2265,
                              0x22C5, 0x22C5, 0x25A0, 0x25CF, 0x2713, 0x2717, 0xFFFD, 0xFFFD, 0};

struct Wanted {
  Face face;
  float size;
};
// Sizes at 100 %: caption, plot text, body, heading, title.
constexpr Wanted wanted[] = {{Face::ui, 15},   {Face::ui, 12},   {Face::ui, 13},   {Face::ui, 18},   {Face::bold, 13},
                             {Face::bold, 15}, {Face::bold, 22}, {Face::mono, 11}, {Face::mono, 13}, {Face::mono, 14}};

}  // namespace

std::string find_font(Face face) {
  switch (face) {
    case Face::ui:
      return first_of(ui_files);
    case Face::bold:
      return first_of(bold_files);
    case Face::mono:
      return first_of(mono_files);
  }
  return {};
}

void FontSet::load(float ui_scale, float pixel_scale) {
  ImGuiIO& io = ImGui::GetIO();
  io.Fonts->Clear();
  fonts_.clear();
  ui_scale_ = ui_scale;
#if IMGUI_VERSION_NUM >= 19200
  pixel_scale = 1;  // the atlas follows the framebuffer's density by itself
#else
  io.FontGlobalScale = 1 / pixel_scale;
  // Pages of 4096 keep the atlas within what every OpenGL 3.3 driver takes, also at 300 %.
  io.Fonts->TexDesiredWidth = ui_scale * pixel_scale > 1.5f ? 4096 : 2048;
#endif
  const std::string fallback = first_of(fallback_files);
  for (const auto& w : wanted) {
    const std::string path = find_font(w.face);
    const float px = std::round(w.size * ui_scale * pixel_scale);
    ImFontConfig config;
    config.OversampleH = 2;
    config.OversampleV = 1;
    config.PixelSnapH = true;
    ImFont* font = nullptr;
    if (path.empty()) {
      config.SizePixels = px;
      font = io.Fonts->AddFontDefault(&config);
    } else {
      font = io.Fonts->AddFontFromFileTTF(path.c_str(), px, &config, glyphs);
      if (!fallback.empty() && fallback != path) {
        config.MergeMode = true;
        io.Fonts->AddFontFromFileTTF(fallback.c_str(), px, &config, glyphs);
      }
    }
    fonts_.push_back({w.face, px / pixel_scale, font});
  }
#if IMGUI_VERSION_NUM < 19200
  io.Fonts->Build();
#endif
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
  // A size close to a loaded one is drawn at that one: crisp beats exact.
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
