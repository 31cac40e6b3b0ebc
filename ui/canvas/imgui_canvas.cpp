#include "ui/canvas/imgui_canvas.hpp"

#include <imgui.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <numbers>

namespace warpspy::ui {

using plot::Point;
using plot::Rect;

namespace {

ImU32 u32(Color c) { return IM_COL32(c.r, c.g, c.b, c.a); }
ImVec2 vec(Point p) { return {static_cast<float>(p.x), static_cast<float>(p.y)}; }
Face face_of(plot::Font f) {
  switch (f) {
    case plot::Font::mono:
      return Face::mono;
    case plot::Font::bold:
      return Face::bold;
    case plot::Font::ui:
      break;
  }
  return Face::ui;
}

float ascent(ImFont* font, float size) {
#if IMGUI_VERSION_NUM >= 19200
  return font->GetFontBaked(size)->Ascent;
#else
  return font->Ascent * size / font->FontSize;
#endif
}

double cross(Point o, Point a, Point b) { return (a.x - o.x) * (b.y - o.y) - (a.y - o.y) * (b.x - o.x); }

bool inside(Point p, Point a, Point b, Point c) {
  const double d1 = cross(a, b, p), d2 = cross(b, c, p), d3 = cross(c, a, p);
  return !((d1 < 0 || d2 < 0 || d3 < 0) && (d1 > 0 || d2 > 0 || d3 > 0));
}

bool convex(std::span<const Point> p) {
  int sign = 0;
  for (std::size_t k = 0; k < p.size(); ++k) {
    const double c = cross(p[k], p[(k + 1) % p.size()], p[(k + 2) % p.size()]);
    if (std::abs(c) < 1e-9) continue;
    const int s = c > 0 ? 1 : -1;
    if (sign != 0 && s != sign) return false;
    sign = s;
  }
  return true;
}

}  // namespace

TextureId ImageCache::get(int width, int height, std::span<const std::uint32_t> rgba) {
  // An FNV-1a hash of the pixels: figures contain only small pictures.
  std::uint64_t h = 1469598103934665603ull ^ (static_cast<std::uint64_t>(width) << 32 | static_cast<unsigned>(height));
  for (auto p : rgba) h = (h ^ p) * 1099511628211ull;
  auto [it, fresh] = entries_.try_emplace(h);
  if (fresh) it->second.texture = Texture(store_, width, height, rgba);
  it->second.unused = 0;
  return it->second.texture.id();
}

void ImageCache::end_frame() {
  for (auto it = entries_.begin(); it != entries_.end();)
    it = ++it->second.unused > 120 ? entries_.erase(it) : std::next(it);
}

void ImGuiCanvas::fill_rect(Rect r, Color c) {
  list_->AddRectFilled(vec({r.x, r.y}), vec({r.right(), r.bottom()}), u32(c));
}

void ImGuiCanvas::stroke_rect(Rect r, Color c, double width) {
  list_->AddRect(vec({r.x, r.y}), vec({r.right(), r.bottom()}), u32(c), 0, 0, static_cast<float>(width));
}

void ImGuiCanvas::polyline(std::span<const Point> points, Color c, double width, std::span<const double> dashes) {
  if (points.size() < 2) return;
  const auto w = static_cast<float>(width);
  if (dashes.empty()) {
    std::vector<ImVec2> p;
    p.reserve(points.size());
    // Equal points have no direction, and ImGui would draw the line twice as thick around them.
    constexpr double apart = 0.25;
    const Point* kept = nullptr;
    for (const Point& q : points) {
      if (kept && std::hypot(q.x - kept->x, q.y - kept->y) < apart) continue;
      p.push_back(vec(q));
      kept = &q;
    }
    if (p.size() < 2) return;
    list_->AddPolyline(p.data(), static_cast<int>(p.size()), u32(c), 0, w);
    return;
  }
  std::size_t dash = 0;
  double left = dashes[0];
  bool on = true;
  for (std::size_t k = 0; k + 1 < points.size(); ++k) {
    Point a = points[k];
    const Point b = points[k + 1];
    double length = std::hypot(b.x - a.x, b.y - a.y);
    while (length > 1e-6) {
      const double step = std::min(left, length), t = step / length;
      const Point next{a.x + (b.x - a.x) * t, a.y + (b.y - a.y) * t};
      if (on) list_->AddLine(vec(a), vec(next), u32(c), w);
      a = next;
      length -= step;
      left -= step;
      if (left > 1e-6) continue;
      dash = (dash + 1) % dashes.size();
      left = std::max(0.5, dashes[dash]);
      on = !on;
    }
  }
}

void ImGuiCanvas::fill_polygon(std::span<const Point> points, Color c) {
  if (points.size() < 3) return;
  if (convex(points)) {
    std::vector<ImVec2> p;
    for (auto q : points) p.push_back(vec(q));
    // ImGui smooths the outer edge of clockwise polygons only.
    if (cross(points[0], points[1], points[2]) < 0) std::reverse(p.begin(), p.end());
    list_->AddConvexPolyFilled(p.data(), static_cast<int>(p.size()), u32(c));
    return;
  }
  // Ear clipping, since figures have a few hundred corners at most.
  std::vector<Point> p(points.begin(), points.end());
  double area = 0;
  for (std::size_t k = 0; k < p.size(); ++k) area += cross({0, 0}, p[k], p[(k + 1) % p.size()]);
  if (area < 0) std::reverse(p.begin(), p.end());
  while (p.size() >= 3) {
    bool clipped = false;
    for (std::size_t k = 0; k < p.size() && !clipped; ++k) {
      const std::size_t before = (k + p.size() - 1) % p.size(), after = (k + 1) % p.size();
      const Point a = p[before], b = p[k], d = p[after];
      if (cross(a, b, d) < 0) continue;
      bool ear = true;
      for (std::size_t q = 0; q < p.size() && ear; ++q)
        if (q != before && q != k && q != after && cross(a, b, d) > 1e-9) ear = !inside(p[q], a, b, d);
      if (!ear) continue;
      list_->AddTriangleFilled(vec(a), vec(b), vec(d), u32(c));
      p.erase(p.begin() + static_cast<std::ptrdiff_t>(k));
      clipped = true;
    }
    if (!clipped) return;  // degenerate: the rest has no area worth drawing
  }
}

void ImGuiCanvas::fill_circle(Point centre, double radius, Color c) {
  list_->AddCircleFilled(vec(centre), static_cast<float>(radius), u32(c));
}

void ImGuiCanvas::stroke_circle(Point centre, double radius, Color c, double width) {
  list_->AddCircle(vec(centre), static_cast<float>(radius), u32(c), 0, static_cast<float>(width));
}

void ImGuiCanvas::text(Point p, std::string_view s, double size, Color c, plot::Align align, plot::Font font,
                       bool vertical) {
  if (s.empty()) return;
  const auto [f, px] = look_.fonts->pick_px(face_of(font), static_cast<float>(size));
  const float width = f->CalcTextSizeA(px, FLT_MAX, 0, s.data(), s.data() + s.size()).x;
  const float shift = align == plot::Align::center ? width / 2 : align == plot::Align::right ? width : 0;
  const ImVec2 pivot = vec(p);
  const ImVec2 at(std::floor(pivot.x - shift + 0.5f), std::floor(pivot.y - ascent(f, px) + 0.5f));
  if (!vertical) {
    list_->AddText(f, px, at, u32(c), s.data(), s.data() + s.size());
    return;
  }
  turned_text(p, s, size, c, std::numbers::pi / 2, align, font);
}

void ImGuiCanvas::turned_text(Point p, std::string_view s, double size, Color c, double radians, plot::Align align,
                              plot::Font font) {
  const auto [f, px] = look_.fonts->pick_px(face_of(font), static_cast<float>(size));
  const float width = f->CalcTextSizeA(px, FLT_MAX, 0, s.data(), s.data() + s.size()).x;
  const float shift = align == plot::Align::center ? width / 2 : align == plot::Align::right ? width : 0;
  const ImVec2 pivot(std::floor(static_cast<float>(p.x)), std::floor(static_cast<float>(p.y)));
  // The text is drawn level and then turned about the pivot. ImGui drops glyphs outside the clip rectangle before they
  // are turned. So the text has a wide clip rectangle, in a command that the figure's clip does not cut.
  const ImVec4 clip = list_->_ClipRectStack.empty() ? ImVec4(-1e6f, -1e6f, 1e6f, 1e6f) : list_->_ClipRectStack.back();
  const int first = list_->VtxBuffer.Size;
  list_->PushClipRect(ImVec2(-1e5f, -1e5f), ImVec2(1e5f, 1e5f), false);
  list_->AddText(f, px, ImVec2(pivot.x - shift, pivot.y - ascent(f, px)), u32(c), s.data(), s.data() + s.size());
  const auto cs = static_cast<float>(std::cos(radians)), sn = static_cast<float>(std::sin(radians));
  for (int k = first; k < list_->VtxBuffer.Size; ++k) {
    ImVec2& v = list_->VtxBuffer[k].pos;
    const float dx = v.x - pivot.x, dy = v.y - pivot.y;
    v = ImVec2(pivot.x + cs * dx + sn * dy, pivot.y - sn * dx + cs * dy);
  }
  // The command with the turned text gets the figure's clip rectangle.
  if (!list_->CmdBuffer.empty()) list_->CmdBuffer.back().ClipRect = clip;
  list_->PopClipRect();
}

double ImGuiCanvas::text_width(std::string_view s, double size, plot::Font font) const {
  const auto [f, px] = look_.fonts->pick_px(face_of(font), static_cast<float>(size));
  return f->CalcTextSizeA(px, FLT_MAX, 0, s.data(), s.data() + s.size()).x;
}

void ImGuiCanvas::image(Rect r, int w, int h, std::span<const std::uint32_t> rgba) {
  const auto id = (ImTextureID)(std::uintptr_t)images_.get(w, h, rgba);
  list_->AddImage(id, vec({r.x, r.y}), vec({r.right(), r.bottom()}));
}

void ImGuiCanvas::push_clip(Rect r) { list_->PushClipRect(vec({r.x, r.y}), vec({r.right(), r.bottom()}), true); }
void ImGuiCanvas::pop_clip() { list_->PopClipRect(); }

}  // namespace warpspy::ui
