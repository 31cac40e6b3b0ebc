// Draws a warp: its lanes, the lines that they request, and all steps.
#include <algorithm>
#include <cmath>
#include <utility>

#include "core/plot/frame.hpp"
#include "core/plot/theme.hpp"

namespace warpspy::plot {
namespace {

constexpr int kLanes = 32;

class Panel {
 public:
  Panel(Frame& f, const WarpPanel& p, Rect room) : f_(f), p_(p), room_(room) {}

  void draw() {
    Layout::PlacedWarp placed;
    head();
    strip(placed);
    sums();
    lanes(placed);
    f_.out.warps.push_back(std::move(placed));
  }

 private:
  double ts() const { return f_.ts; }
  double line() const { return 1.35 * f_.ts; }
  // Whether text may not shrink (on a projector): then lanes and steps come first, and text is left out.
  bool hall() const { return !f_.parts.page && f_.theme.least_text > 0; }

  void words(const std::string& s, Color c, Font font) {
    if (s.empty() || (!f_.parts.page && room_.h < 8 * ts())) return;
    for (const std::string& words : lines_of(f_, s, ts(), font, room_.w)) {
      f_.canvas.text({room_.x, room_.y + ts()}, cut(f_, words, ts(), font, room_.w), ts(), c, Align::left, font);
      room_.y += line(), room_.h -= line();
    }
  }

  void head() {
    words(p_.heading, f_.theme.ink, Font::bold);
    for (const std::string& fact : p_.facts) words(fact, f_.theme.ink, Font::ui);
    if (!hall() || room_.h > 30 * ts()) words(p_.code, f_.theme.muted, Font::mono);
    room_.y += 0.4 * ts(), room_.h -= 0.4 * ts();
  }

  // All steps, at the bottom.
  void strip(Layout::PlacedWarp& placed) {
    if (p_.columns == 0 || (!f_.parts.page && room_.h < (hall() ? 15 : 24) * ts())) return;
    const double height = std::floor(f_.parts.page ? 3.2 * ts() : std::clamp(room_.h * 0.1, 3 * ts(), 8 * ts()));
    const double map = matrix(height);
    Rect at{room_.x, room_.bottom() - height, room_.w - map, height};
    f_.canvas.image(at, p_.columns, kLanes, p_.steps);
    const double x = at.x + p_.now * at.w;
    const Point marker[] = {{x - 0.4 * ts(), at.y - 0.5 * ts()}, {x + 0.4 * ts(), at.y - 0.5 * ts()}, {x, at.y}};
    f_.canvas.fill_polygon(marker, f_.theme.ink);
    f_.canvas.line({x, at.y}, {x, at.bottom()}, f_.theme.ink, f_.unit);
    f_.canvas.text({at.x, at.y - 0.55 * ts()}, cut(f_, p_.steps_name, ts(), Font::ui, at.w), ts(), f_.theme.muted);
    room_.h -= height + 1.9 * ts();
    placed.steps = at;
  }

  // Draws the matrix to the right of the steps, with the entries that the step reads. Returns its width.
  double matrix(double height) {
    if (room_.w < 40 * ts()) return 0;
    const double width = height * std::clamp(p_.aspect, 0.5, 2.0);
    const Rect at{room_.right() - width, room_.bottom() - height, width, height};
    f_.canvas.fill_rect(at, f_.theme.panel);
    f_.canvas.stroke_rect({at.x + 0.5, at.y + 0.5, at.w - 1, at.h - 1}, f_.theme.hairline, 1);
    f_.canvas.text({at.right(), at.y - 0.55 * ts()}, "in the matrix", ts(), f_.theme.muted, Align::right);
    const double dot = std::max(2.0, 2 * f_.unit);
    for (const WarpPanel::Entry& e : p_.entries) {
      const double x = at.x + e.x * (at.w - dot);
      if (e.y < 0)
        f_.canvas.fill_rect({x, at.y + 1, 1, at.h - 2}, e.color);
      else
        f_.canvas.fill_rect({x, at.y + e.y * (at.h - dot), dot, dot}, e.color);
    }
    return width + 1.2 * ts();
  }

  void sums() {
    if (!f_.parts.page && room_.h < (hall() ? 13 : 16) * ts()) return;
    std::vector<std::string> all;
    for (const std::string& s : p_.sums)
      for (std::string& words : lines_of(f_, s, ts(), Font::ui, room_.w)) all.push_back(std::move(words));
    const double height = static_cast<double>(all.size()) * line();
    double y = room_.bottom() - height + 0.4 * ts();
    for (const std::string& s : all) {
      f_.canvas.text({room_.x, y}, cut(f_, s, ts(), Font::ui, room_.w), ts(), f_.theme.ink);
      y += line();
    }
    room_.h -= height + 0.9 * ts();
  }

  // How the width is divided: lanes, links, sectors, names of source lines.
  struct Widths {
    double lanes = 0, right = 0, sector = 0;
    bool brief = false;  // the shorter texts
  };
  static const std::string& told(const std::string& whole, const std::string& brief, bool shorter) {
    return shorter && !brief.empty() ? brief : whole;
  }
  Widths widths(double size, double chip) const {
    if (!f_.parts.page) {
      Widths w{std::floor(room_.w * 0.34), std::floor(room_.w * 0.5), 0, hall()};
      w.sector = std::floor((room_.w - w.right) * (hall() ? 0.4 : 0.58) / 4);
      return w;
    }
    const double links = 4 * ts(), least_sector = 1.1 * ts();
    for (const bool brief : {false, true}) {
      Widths w;
      double names = 0;
      for (const auto& l : p_.lanes)
        w.lanes = std::max(w.lanes, f_.canvas.text_width(told(l.text, l.brief, brief), size));
      for (const auto& l : p_.lines) names = std::max(names, f_.canvas.text_width(told(l.name, l.brief, brief), size));
      w.lanes += 1.7 * ts() + chip + 0.6 * ts();
      w.right = w.lanes + links;
      w.sector = std::floor((room_.w - w.right - names - 0.7 * ts()) / 4);
      w.brief = brief;
      if (w.sector < least_sector && !brief) continue;
      if (w.sector < least_sector) ++f_.out.left_out;
      w.sector = std::clamp(w.sector, least_sector, 4 * ts());
      return w;
    }
    return {};
  }

  // If text may not shrink below the distance of rows, only every second, fourth, ... row has its name. On a page each
  // row has it; long text is cut and counted as left out.
  int each_named(double size, double apart) const {
    int n = 1;
    while (!f_.parts.page && n < kLanes && size > 1.001 * n * apart) n *= 2;
    return n;
  }

  // Lanes on the left; on the right lines with four sectors each; links between them.
  void lanes(Layout::PlacedWarp& placed) {
    if (p_.lanes.empty()) return;
    if (room_.h < 4 * ts()) return void(++f_.out.left_out);
    const double step = room_.h / kLanes, chip = std::min(0.75 * step, ts());
    // On a screen, lines of text may touch, so that the text is larger.
    const double size = std::max(std::min(ts(), (f_.parts.page ? 0.86 : 1.0) * step), f_.theme.least_text);
    if (f_.parts.page && size > 0.9 * step) ++f_.out.left_out;
    const int named = each_named(size, step);
    const Widths width = widths(size, chip);
    const double column = width.lanes, right = room_.x + width.right;
    const double down = room_.h / static_cast<double>(std::max<std::size_t>(1, p_.lines.size()));
    const Rect all{right, room_.y, room_.right() - right, room_.h};
    const auto middle_of = [&](int lane) { return room_.y + (lane + 0.5) * step; };
    links(column, all, down, middle_of);
    for (int lane = 0; lane < kLanes && lane < static_cast<int>(p_.lanes.size()); ++lane) {
      const WarpPanel::Lane& l = p_.lanes[static_cast<std::size_t>(lane)];
      const double y = middle_of(lane), number = 1.7 * ts();
      placed.lanes.push_back({room_.x, y - step / 2, column, step});
      const bool readable_size = size > 0.55 * ts() && lane % named == 0;
      if (readable_size)
        f_.canvas.text({room_.x + number - 0.4 * ts(), y + 0.36 * size}, std::to_string(lane), size, f_.theme.muted,
                       Align::right);
      f_.canvas.fill_rect({room_.x + number, y - chip / 2, chip, chip}, l.color);
      if (!readable_size) continue;
      const double text = room_.x + number + chip + 0.45 * ts();
      f_.canvas.text({text, y + 0.36 * size},
                     cut(f_, told(l.text, l.brief, width.brief), size, Font::ui, room_.x + column - text), size,
                     l.idle ? f_.theme.muted : f_.theme.ink);
    }
    for (std::size_t k = 0; k < p_.lines.size(); ++k) memory_line(p_.lines[k], all, width, down, k, placed);
  }

  template <class MiddleOf>
  void links(double column, const Rect& all, double down, const MiddleOf& middle_of) {
    for (int lane = 0; lane < static_cast<int>(p_.lanes.size()); ++lane) {
      const WarpPanel::Lane& l = p_.lanes[static_cast<std::size_t>(lane)];
      if (l.line < 0) continue;
      const Point from{room_.x + column + 0.3 * ts(), middle_of(lane)};
      const Point to{all.x - 0.3 * ts(), all.y + (l.line + 0.5) * down};
      f_.canvas.line(from, to, mix(l.color, f_.theme.ground, 0.25), 1.2 * f_.unit);
    }
  }

  // Words that are used are solid; other words of a fetched sector are pale.
  void memory_line(const WarpPanel::Line& l, const Rect& all, const Widths& widths, double down, std::size_t at,
                   Layout::PlacedWarp& placed) {
    const double sector = widths.sector;
    const double gap = std::max(1.0, f_.unit), height = std::min(0.75 * down, 1.6 * ts());
    const double y = all.y + (static_cast<double>(at) + 0.5) * down;
    for (int s = 0; s < 4; ++s) {
      const Rect box{all.x + s * sector, y - height / 2, sector - gap, height};
      placed.sectors.push_back(box);
      if (!(l.asked >> s & 1)) {
        f_.canvas.stroke_rect({box.x + 0.5, box.y + 0.5, box.w - 1, box.h - 1}, f_.theme.grid, 1);
        continue;
      }
      const Color color = l.sectors[static_cast<std::size_t>(s)];
      f_.canvas.fill_rect(box, mix(color, f_.theme.ground, 0.72));
      for (int w = 0; w < 8; ++w)
        if (l.words >> (8 * s + w) & 1) f_.canvas.fill_rect({box.x + w * box.w / 8, box.y, box.w / 8, box.h}, color);
    }
    const double size = std::max(std::min(f_.ts, 0.86 * down), f_.theme.least_text);
    if (static_cast<int>(at) % each_named(size, down) != 0) return;
    const double x = all.x + 4 * sector + 0.5 * ts();
    if (size > 0.55 * ts())
      f_.canvas.text({x, y + 0.36 * size},
                     cut(f_, told(l.name, l.brief, widths.brief), size, Font::ui, all.right() - x), size,
                     f_.theme.muted);
  }

  Frame& f_;
  const WarpPanel& p_;
  Rect room_;
};

// The meaning of the colours, in one line; on a page in as many lines as needed.
void draw_keys(Frame& f, Rect& room) {
  double x = room.x, y = room.y + f.ts;
  const double chip = 0.75 * f.ts;
  for (const auto& [color, name] : f.plot.keys) {
    const double width = chip + 0.4 * f.ts + f.canvas.text_width(name, f.ts) + 1.2 * f.ts;
    if (x + width - (f.parts.page ? 1.2 * f.ts : 0) > room.right()) {
      if (!f.parts.page) break;
      x = room.x, y += 1.4 * f.ts, room.y += 1.4 * f.ts, room.h -= 1.4 * f.ts;
    }
    f.canvas.fill_rect({x, y - chip + 0.05 * f.ts, chip, chip}, color);
    f.canvas.text({x + chip + 0.4 * f.ts, y}, name, f.ts, f.theme.muted);
    x += width;
  }
  room.y += 1.8 * f.ts, room.h -= 1.8 * f.ts;
}

}  // namespace

void draw_warps(Frame& f) {
  const double pad = std::min({0.9 * f.ts, f.frame.w * 0.04, f.frame.h * 0.04});
  Rect room{f.frame.x + pad, f.frame.y + pad, f.frame.w - 2 * pad, f.frame.h - 2 * pad - measure_foot(f)};
  room = draw_titles(f, room);
  if (f.parts.legend && (f.parts.page || room.h > 20 * f.ts)) draw_keys(f, room);
  f.out.area = room;
  draw_foot(f);
  const double gap = 1.6 * f.ts, n = static_cast<double>(f.plot.warps.size());
  // One below the other if a page has no room side by side.
  const bool stacked = f.parts.page && room.w / n < 45 * f.ts;
  const Rect each{room.x, room.y, stacked ? room.w : (room.w - (n - 1) * gap) / n,
                  stacked ? (room.h - (n - 1) * gap) / n : room.h};
  if (each.w < 12 * f.ts || each.h < 6 * f.ts) return void(++f.out.left_out);
  for (std::size_t k = 0; k < f.plot.warps.size(); ++k) {
    const double before = static_cast<double>(k);
    Panel(f, f.plot.warps[k],
          {each.x + (stacked ? 0 : before * (each.w + gap)), each.y + (stacked ? before * (each.h + gap) : 0), each.w,
           each.h})
        .draw();
  }
}

}  // namespace warpspy::plot
