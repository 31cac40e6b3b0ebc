// The one list of pages.
#include <algorithm>
#include <iterator>

#include "core/plot/page.hpp"

namespace warpspy::plot {
namespace {

constexpr PagePreset kPresets[] = {
    {"column", "one column", "85 mm wide, for one column of a paper", 85, 66, 8, Colours::print, true},
    {"columns", "two columns", "175 mm wide, for both columns of a paper", 175, 90, 8, Colours::print, true},
    {"slide", "slide", "254 x 142.9 mm, a slide of 16:9", 254, 142.875, 14, Colours::screen, false},
    {"screen", "screen", "any size (--size), laid out as in the window", 900 / kPxPerMm, 600 / kPxPerMm, 9.75,
     Colours::screen, false},
};

}  // namespace

std::span<const PagePreset> page_presets() { return kPresets; }

const PagePreset* page_preset(const std::string& id) {
  const auto* at = std::find_if(std::begin(kPresets), std::end(kPresets), [&](const auto& p) { return id == p.id; });
  return at == std::end(kPresets) ? nullptr : at;
}

Page page_of(const PagePreset& preset) {
  Page page;
  page.preset = preset.id;
  page.width = preset.width_mm * kPxPerMm, page.height = preset.height_mm * kPxPerMm;
  page.font_pt = preset.font_pt, page.colours = preset.colours;
  if (page.on_paper()) page.png_scale = 300.0 / 96;  // the resolution that journals require
  return page;
}

}  // namespace warpspy::plot
