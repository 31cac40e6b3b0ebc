#include "core/plot/page.hpp"

#include <algorithm>
#include <cmath>

#include "core/plot/cairo_canvas.hpp"
#include "core/plot/colour_canvas.hpp"

namespace warpspy::plot {
namespace {

// The largest height of a page that grows: what fits on A4; half of that for a square picture.
constexpr double kHighestMm = 240, kSquareMm = 120;
constexpr double kLeastArea = 0.5, kLeastAreaFixed = 0.33;  // smallest height of the data area / first height of the
                                                            // page

constexpr double kWideTexts = 50;  // from this width on, in text sizes, a diagram has its wide form

// Changes the lightness by hue: vermilion becomes darker, green lighter. So colours that differ in hue also differ when
// printed in grey. Purer colours change more, so pale colours stay pale and text stays dark.
Color grey_safe(Color c) {
  const double r = c.r, g = c.g, b = c.b, high = std::max({r, g, b}), low = std::min({r, g, b}), chroma = high - low;
  if (chroma < 8) return c;
  double hue = high == r ? std::fmod((g - b) / chroma + 6, 6) : high == g ? (b - r) / chroma + 2 : (r - g) / chroma + 4;
  hue *= 60;
  // How much is added at each of these hues (of 255); in between it is interpolated.
  constexpr double hues[] = {0, 25, 50, 100, 164, 202, 260, 328, 360},
                   lifts[] = {-60, -70, 15, 40, 62, 4, -40, 20, -60};
  std::size_t k = 1;
  while (hues[k] < hue) ++k;
  const double t = (hue - hues[k - 1]) / (hues[k] - hues[k - 1]);
  const double lift = (lifts[k - 1] + t * (lifts[k] - lifts[k - 1])) * std::min(1.0, chroma / 150);
  const auto moved = [&](double v) { return static_cast<std::uint8_t>(std::lround(std::clamp(v + lift, 0.0, 255.0))); };
  return {moved(r), moved(g), moved(b), c.a};
}
// The grey that a black-and-white printer makes of a colour, so the page shows what will be printed.
Color to_grey(Color c) {
  const Color s = grey_safe(c);
  if (std::max({s.r, s.g, s.b}) - std::min({s.r, s.g, s.b}) < 8) return s;  // ink stays ink
  const auto v = static_cast<std::uint8_t>(std::lround(0.2126 * s.r + 0.7152 * s.g + 0.0722 * s.b));
  return {v, v, v, c.a};
}
Color unchanged(Color c) { return c; }
Color (*map_of(Colours colours))(Color) { return colours == Colours::grey ? to_grey : unchanged; }

Theme theme_at(const Page& page, double font_pt) {
  Theme t = page.dark ? dark_theme() : light_theme();
  if (page.colours != Colours::screen && !page.dark)
    t.ink = rgb(0x000000), t.muted = rgb(0x3C434B), t.grid = rgb(0xE4E7EA), t.hairline = rgb(0x6B747E);
  t.text_size = page.on_paper() ? font_pt * kPxPerPt : Theme{}.text_size * font_pt / 9.75;
  if (page.on_paper()) t.least_text = kLeastPt * kPxPerPt;
  return t;
}

Layout lay_out(const Plot& plot, const Page& page, double width, double height, double font_pt, Canvas& canvas) {
  const Parts parts{.titles = page.title, .foot = true, .legend = page.legend, .page = page.on_paper()};
  return draw(plot, canvas, {0, 0, width, height}, theme_at(page, font_pt), parts);
}

}  // namespace

Theme theme_of(const Page& page) { return theme_at(page, page.font_pt); }
Color on_page(Color c, Colours colours) { return map_of(colours)(c); }

Fitted fitted_to(const Plot& plot, const Page& page) {
  Fitted result{page.width, page.height, page.font_pt, 0};
  if (!page.on_paper()) return result;
  const PagePreset* preset = page_preset(page.preset);
  const bool grows = preset && preset->grows;
  const CairoCanvas metrics = CairoCanvas::raster(1, 1, 1);
  const double highest = std::max(page.height, kHighestMm * kPxPerMm);
  const bool axes = plot.tables.empty() && !plot.diagram && plot.warps.empty();
  double widest = 0;  // largest width of a square picture so far
  // Tables, warps and tall diagrams are as high as their text. Data and wide diagrams need a certain height.
  const bool wide_diagram = plot.diagram && page.width >= kWideTexts * page.font_pt * kPxPerPt;
  if (grows && !axes && !wide_diagram) result.height = 0.3 * page.height;
  const double first_height = result.height;
  const auto good = [&] {
    MeasuringCanvas canvas(metrics);
    const Layout layout = lay_out(plot, page, result.width, result.height, result.font_pt, canvas);
    result.left_out = layout.left_out;
    bool flat = axes && layout.area.h < (grows ? kLeastArea : kLeastAreaFixed) * page.height;
    // A square picture becomes as wide as the page, as long as more height makes it wider.
    if (plot.square_cells) {
      flat = grows && layout.area.w > widest + 0.5 && result.height < std::min(1.2 * page.width, kSquareMm * kPxPerMm);
      widest = std::max(widest, layout.area.w);
    }
    return result.left_out == 0 && !flat;
  };
  // Higher first, then in smaller letters.
  for (;;) {
    if (good()) return result;
    if (grows && result.height < highest) {
      result.height = std::min(highest, std::ceil(result.height * 1.04));
      continue;
    }
    if (result.font_pt <= kLeastPt) return result;
    result.font_pt = std::max(kLeastPt, result.font_pt - 0.5);
    if (grows) result.height = first_height;
  }
}

Layout draw_page(const Plot& plot, const Page& page, const Fitted& fitted, Canvas& canvas) {
  ColourCanvas coloured(canvas, map_of(page.colours));
  return lay_out(plot, page, fitted.width, fitted.height, fitted.font_pt, coloured);
}

}  // namespace warpspy::plot
