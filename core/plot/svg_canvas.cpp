#include "core/plot/svg_canvas.hpp"

#include <cmath>
#include <cstdio>

#include "core/base/base64.hpp"
#include "core/base/foreign_text.hpp"

namespace warpspy::plot {
namespace {

// Two decimals are precise to a hundredth of a pixel; trailing zeros are dropped.
std::string number(double v) {
  char buffer[40];
  std::snprintf(buffer, sizeof buffer, "%.2f", v);
  std::string s = buffer;
  while (s.back() == '0') s.pop_back();
  if (s.back() == '.') s.pop_back();
  return s == "-0" ? "0" : s;
}

std::string attribute(const char* name, const std::string& value) {
  std::string s = " ";
  return s.append(name).append("=\"").append(value).append("\"");
}
std::string attribute(const char* name, double v) { return attribute(name, number(v)); }

std::string paint(const char* name, Color c) {
  char hex[8];
  std::snprintf(hex, sizeof hex, "#%02X%02X%02X", c.r, c.g, c.b);
  std::string s = attribute(name, std::string(hex));
  if (c.a != 255) s += attribute((std::string(name) + "-opacity").c_str(), c.a / 255.0);
  return s;
}

std::string box(Rect r) {
  return attribute("x", r.x) + attribute("y", r.y) + attribute("width", r.w) + attribute("height", r.h);
}

std::string list(std::span<const Point> points) {
  std::string s;
  for (Point p : points) s.append(s.empty() ? "" : " ").append(number(p.x)).append(",").append(number(p.y));
  return s;
}

std::string escaped(std::string_view s) {
  std::string result;
  for (const char c : harmless(s)) {
    switch (c) {
      case '&':
        result += "&amp;";
        break;
      case '<':
        result += "&lt;";
        break;
      case '>':
        result += "&gt;";
        break;
      case '"':
        result += "&quot;";
        break;
      default:
        // Newlines, tabs and other control characters are left out.
        if (static_cast<unsigned char>(c) >= 0x20) result += c;
    }
  }
  return result;
}

constexpr const char* kFamilies[] = {"Inter, 'DejaVu Sans', sans-serif",
                                     "'JetBrains Mono', 'DejaVu Sans Mono', monospace",
                                     "Inter, 'DejaVu Sans', sans-serif"};
constexpr const char* kAnchors[] = {"start", "middle", "end"};

}  // namespace

SvgCanvas::SvgCanvas(double width, double height, const std::string& title, bool millimetres, const FileNotes& notes)
    : metrics_(CairoCanvas::raster(1, 1, 1)) {
  const auto length = [&](double px) { return millimetres ? number(px * 25.4 / 96) + "mm" : number(px); };
  out_ = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<svg xmlns=\"http://www.w3.org/2000/svg\"" +
         attribute("width", length(width)) + attribute("height", length(height)) +
         attribute("viewBox", "0 0 " + number(width) + ' ' + number(height)) + ">\n";
  if (!title.empty()) out_ += "<title>" + escaped(title) + "</title>\n";
  if (!notes.facts.empty()) out_ += "<desc>" + escaped(notes.facts) + "</desc>\n";
  if (!notes.recipe.empty()) out_ += "<metadata>" + escaped(notes.recipe) + "</metadata>\n";
}

void SvgCanvas::fill_rect(Rect r, Color c) { out_ += "<rect" + box(r) + paint("fill", c) + "/>\n"; }

void SvgCanvas::stroke_rect(Rect r, Color c, double width) {
  out_ += "<rect" + box(r) + " fill=\"none\"" + paint("stroke", c) + attribute("stroke-width", width) + "/>\n";
}

void SvgCanvas::polyline(std::span<const Point> points, Color c, double width, std::span<const double> dashes) {
  if (points.size() < 2) return;
  std::string dash;
  for (double d : dashes) dash.append(dash.empty() ? "" : " ").append(number(d));
  out_ += "<polyline" + attribute("points", list(points)) + " fill=\"none\" stroke-linejoin=\"round\"" +
          paint("stroke", c) + attribute("stroke-width", width) +
          (dash.empty() ? "" : attribute("stroke-dasharray", dash)) + "/>\n";
}

void SvgCanvas::fill_polygon(std::span<const Point> points, Color c) {
  if (points.size() < 3) return;
  out_ += "<polygon" + attribute("points", list(points)) + paint("fill", c) + "/>\n";
}

void SvgCanvas::fill_circle(Point p, double radius, Color c) {
  out_ += "<circle" + attribute("cx", p.x) + attribute("cy", p.y) + attribute("r", radius) + paint("fill", c) + "/>\n";
}

void SvgCanvas::stroke_circle(Point p, double radius, Color c, double width) {
  out_ += "<circle" + attribute("cx", p.x) + attribute("cy", p.y) + attribute("r", radius) + " fill=\"none\"" +
          paint("stroke", c) + attribute("stroke-width", width) + "/>\n";
}

void SvgCanvas::text(Point p, std::string_view s, double size, Color c, Align align, Font font, bool vertical) {
  turned_text(p, s, size, c, vertical ? M_PI / 2 : 0, align, font);
}

void SvgCanvas::turned_text(Point p, std::string_view s, double size, Color c, double radians, Align align, Font font) {
  if (s.empty()) return;
  out_ += "<text" + attribute("x", p.x) + attribute("y", p.y) +
          attribute("font-family", std::string(kFamilies[static_cast<int>(font)])) + attribute("font-size", size) +
          paint("fill", c);
  if (font == Font::bold) out_ += attribute("font-weight", std::string("600"));
  if (align != Align::left) out_ += attribute("text-anchor", std::string(kAnchors[static_cast<int>(align)]));
  if (radians != 0)
    out_ +=
        attribute("transform", "rotate(" + number(-radians * 180 / M_PI) + ' ' + number(p.x) + ' ' + number(p.y) + ')');
  out_ += '>' + escaped(s) + "</text>\n";
}

double SvgCanvas::text_width(std::string_view s, double size, Font font) const {
  return metrics_.text_width(s, size, font);
}

void SvgCanvas::image(Rect r, int w, int h, std::span<const std::uint32_t> rgba) {
  if (w < 1 || h < 1 || r.w <= 0 || r.h <= 0) return;
  const Enlarged big = enlarged(w, h, rgba);
  out_ += "<image" + box(r) +
          " preserveAspectRatio=\"none\" style=\"image-rendering:optimizeSpeed;image-rendering:pixelated\" "
          "href=\"data:image/png;base64," +
          base64(encode_png(big.width, big.height, big.rgba.data())) + "\"/>\n";
}

void SvgCanvas::push_clip(Rect r) {
  const std::string id = "clip" + std::to_string(++clips_);
  out_ += "<clipPath id=\"" + id + "\"><rect" + box(r) + "/></clipPath>\n<g clip-path=\"url(#" + id + ")\">\n";
  ++open_;
}

void SvgCanvas::pop_clip() {
  if (open_ == 0) return;
  out_ += "</g>\n";
  --open_;
}

std::string SvgCanvas::finish() {
  while (open_ > 0) pop_clip();
  return std::move(out_) + "</svg>\n";
}

}  // namespace warpspy::plot
