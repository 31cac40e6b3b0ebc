// Draws the legend: above the data on a screen, at the bottom of a page.
#include <algorithm>
#include <utility>

#include "core/plot/frame.hpp"
#include "core/plot/glyphs.hpp"
#include "core/plot/theme.hpp"

namespace warpspy::plot {
namespace {

// In text sizes: widths of signs, lines of an entry, room between entries.
constexpr double kSign = 2, kLetter = 1.1, kEntryLine = 1.25, kBetween = 1.4;

Color color_at(const ColorBar& bar, double place) {
  const auto last = static_cast<double>(bar.rgba.size()) - 1;
  const std::uint32_t v = bar.rgba[static_cast<std::size_t>(std::clamp(place * last, 0.0, last))];
  return {static_cast<std::uint8_t>(v), static_cast<std::uint8_t>(v >> 8), static_cast<std::uint8_t>(v >> 16), 255};
}

double sign_width(const Frame& f, const LegendEntry& e) {
  if (e.sign == LegendEntry::Sign::none) return 0;
  if (e.sign != LegendEntry::Sign::letter) return kSign * f.ts;
  return kLetter * f.ts + (e.letter.size() > 1 ? f.canvas.text_width(e.letter, f.ts, Font::bold) : 0);
}

std::vector<LegendEntry> entries_of(const Frame& f, double width) {
  std::vector<LegendEntry> entries;
  const auto add = [&](LegendEntry e, const std::string& words) {
    const double sign = sign_width(f, e), room = width - sign;
    e.lines = f.parts.page ? wrapped(f.canvas, words, f.ts, Font::ui, room) : std::vector<std::string>{words};
    for (const std::string& line : e.lines) e.width = std::max(e.width, sign + f.canvas.text_width(line, f.ts));
    entries.push_back(std::move(e));
  };
  for (std::size_t k = 0; k < f.plot.series.size() && f.legend; ++k)
    if (!f.plot.series[k].name.empty()) add({.series = k}, f.plot.series[k].name);
  if (has_classes(f)) {
    const ColorBar& bar = *f.plot.colorbar;
    for (auto tick = bar.ticks.rbegin(); tick != bar.ticks.rend(); ++tick)
      add({.sign = LegendEntry::Sign::swatch, .color = color_at(bar, tick->first)}, tick->second);
    add({.sign = LegendEntry::Sign::none}, bar.label);
  }
  for (std::size_t k = 0; k < f.lettered.size(); ++k)
    add({.sign = LegendEntry::Sign::letter, .letter = letter_of(k), .color = color_of(f, f.lettered[k])},
        words_of(f, f.lettered[k]));
  return entries;
}

double row_height(const Frame& f, const std::vector<LegendEntry>& row) {
  std::size_t lines = 1;
  for (const LegendEntry& e : row) lines = std::max(lines, e.lines.size());
  return (1.6 + kEntryLine * static_cast<double>(lines - 1)) * f.ts;
}

void draw_sign(Frame& f, const Series& s, double x, double baseline) {
  const double middle = baseline - 0.36 * f.ts;
  const double a = x, b = x + 1.4 * f.ts;
  switch (s.kind) {
    case Series::Kind::points:
      draw_mark(f.canvas, {(a + b) / 2, middle}, s.mark, s.fill, std::min(s.width * f.unit, 0.42 * f.ts), s.color,
                f.theme.ground);
      break;
    case Series::Kind::bars:
    case Series::Kind::area:
      f.canvas.fill_rect({a, middle - 0.35 * f.ts, b - a, 0.7 * f.ts}, s.color);
      break;
    default: {
      const Point p[] = {{a, middle}, {b, middle}};
      const double dashes[] = {4 * f.unit, 3 * f.unit};
      f.canvas.polyline(p, s.color, s.width * f.unit,
                        s.dashed ? std::span<const double>(dashes) : std::span<const double>());
      if (s.mark != Mark::none)
        draw_mark(f.canvas, {(a + b) / 2, middle}, s.mark, s.fill, 0.3 * f.ts, s.color, f.theme.ground);
    }
  }
}

// Keeps only the first rows, and says how many names were left out.
void cut_to(const Frame& f, Legend& rows, std::size_t most, double width) {
  std::size_t left_out = 0;
  for (std::size_t k = most; k < rows.size(); ++k) left_out += rows[k].size();
  rows.resize(most);
  std::vector<LegendEntry>& last = rows.back();
  const auto used = [&] {
    double x = 0;
    for (const LegendEntry& e : last) x += e.width + kBetween * f.ts;
    return x;
  };
  for (;;) {
    LegendEntry rest{.sign = LegendEntry::Sign::none, .lines = {"and " + std::to_string(left_out) + " more"}};
    rest.width = f.canvas.text_width(rest.lines.front(), f.ts);
    if (!last.empty() && used() + rest.width > width) {
      last.pop_back(), ++left_out;
      continue;
    }
    last.push_back(std::move(rest));
    return;
  }
}

}  // namespace

bool has_classes(const Frame& f) {
  return f.parts.page && f.plot.colorbar && f.plot.colorbar->classes && !f.plot.colorbar->rgba.empty();
}

std::string letter_of(std::size_t k) {
  const char letter = static_cast<char>('a' + k % 26);
  return std::string(k / 26 + 1, letter);
}

Legend flow_legend(Frame& f, double width) {
  Legend rows;
  double x = 0;
  for (LegendEntry& e : entries_of(f, width)) {
    const double w = e.width;
    if (rows.empty() || x + w > width) rows.emplace_back(), x = 0;
    rows.back().push_back(std::move(e));
    x += w + kBetween * f.ts;
  }
  if (f.parts.page) return rows;
  // A legend may not fill the frame; the mouse and the table name every mark.
  const std::size_t most = std::max<std::size_t>(1, static_cast<std::size_t>(f.frame.h / f.ts / 10));
  if (rows.size() > most) cut_to(f, rows, most, width);
  return rows;
}

double legend_height(const Frame& f) {
  double height = 0;
  for (const auto& row : f.legend_layout) height += row_height(f, row);
  return height;
}

void draw_legend(Frame& f) {
  double y = f.legend_y;
  for (const auto& row : f.legend_layout) {
    double x = f.legend_x;
    for (const LegendEntry& e : row) {
      const double baseline = y + 1.1 * f.ts;
      const Rect swatch{x, baseline - 0.72 * f.ts, 1.4 * f.ts, 0.72 * f.ts};
      switch (e.sign) {
        case LegendEntry::Sign::series:
          draw_sign(f, f.plot.series[e.series], x, baseline);
          break;
        case LegendEntry::Sign::letter:
          f.canvas.text({x, baseline}, e.letter, f.ts, readable(e.color, f.theme), Align::left, Font::bold);
          break;
        case LegendEntry::Sign::swatch:
          f.canvas.fill_rect(swatch, e.color);
          f.canvas.stroke_rect(swatch, f.theme.hairline, 0.6 * f.unit);
          break;
        case LegendEntry::Sign::none:
          break;
      }
      double line = baseline;
      for (const std::string& words : e.lines) {
        f.canvas.text({x + sign_width(f, e), line}, words, f.ts, f.theme.ink);
        line += kEntryLine * f.ts;
      }
      x += e.width + kBetween * f.ts;
    }
    y += row_height(f, row);
  }
}

}  // namespace warpspy::plot
