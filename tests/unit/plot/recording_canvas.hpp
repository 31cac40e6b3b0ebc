// A canvas that writes down what is drawn, with an invented text metric: the same list on every machine, whatever its
// fonts. Letters are 0.55 of the text size wide.
#pragma once

#include <cstdio>
#include <set>
#include <string>

#include "core/plot/canvas.hpp"

namespace warpspy::plot {

class RecordingCanvas final : public Canvas {
 public:
  explicit RecordingCanvas(bool turns = true) : turns_(turns) {}
  struct Text {
    Point at;
    std::string text;
    double size = 0, width = 0;
    Align align = Align::left;
    bool turned = false;
    Rect box() const {
      const double x = align == Align::left ? at.x : align == Align::center ? at.x - width / 2 : at.x - width;
      return {x, at.y - 0.75 * size, width, size};
    }
  };
  std::string calls;
  std::vector<Text> texts;
  int clips = 0;
  double lowest = 1e300, highest = -1e300;  // extremes of all coordinates, NaN included
  bool saw_nan = false;

  void fill_rect(Rect r, Color c) override { write("fill_rect", rect(r) + color(c)); }
  void stroke_rect(Rect r, Color c, double w) override { write("stroke_rect", rect(r) + color(c) + number(w)); }
  void polyline(std::span<const Point> p, Color c, double w, std::span<const double> dashes) override {
    write("polyline", points(p) + color(c) + number(w) + (dashes.empty() ? "" : " dashed"));
  }
  void fill_polygon(std::span<const Point> p, Color c) override { write("fill_polygon", points(p) + color(c)); }
  void fill_circle(Point p, double r, Color c) override { write("fill_circle", point(p) + number(r) + color(c)); }
  void stroke_circle(Point p, double r, Color c, double w) override {
    write("stroke_circle", point(p) + number(r) + color(c) + number(w));
  }
  void text(Point p, std::string_view s, double size, Color c, Align align, Font font, bool vertical) override {
    texts.push_back({p, std::string(s), size, text_width(s, size, font), align, vertical});
    constexpr const char* aligns[] = {" left", " center", " right"};
    constexpr const char* fonts[] = {"", " mono", " bold"};
    write("text", point(p) + number(size) + color(c) + aligns[static_cast<int>(align)] + fonts[static_cast<int>(font)] +
                      (vertical ? " vertical" : "") + " \"" + std::string(s) + "\"");
  }
  bool turns_text() const override { return turns_; }
  void turned_text(Point p, std::string_view s, double size, Color c, double radians, Align align, Font font) override {
    texts.push_back({p, std::string(s), size, text_width(s, size, font), align, true});
    write("turned_text",
          point(p) + number(size) + color(c) + number(radians * 57.29577951308232) + " \"" + std::string(s) + "\"");
  }
  double text_width(std::string_view s, double size, Font) const override {
    int letters = 0;
    for (char c : s) letters += (static_cast<unsigned char>(c) & 0xC0) != 0x80;
    return 0.55 * size * letters;
  }
  // Shades belong to core/raster: here only which cells are inked.
  void image(Rect r, int w, int h, std::span<const std::uint32_t> rgba) override {
    const std::set<std::uint32_t> shades(rgba.begin(), rgba.end());
    write("image", rect(r) + number(w) + number(h) + (shades.size() > 1 ? " shaded" : " plain"));
  }
  void push_clip(Rect r) override {
    ++clips;
    write("push_clip", rect(r));
  }
  void pop_clip() override {
    --clips;
    write("pop_clip", "");
  }

 private:
  bool turns_;
  void write(const char* what, const std::string& rest) { calls.append(what).append(rest).append("\n"); }
  std::string number(double v) {
    if (v != v) saw_nan = true;
    if (v < lowest) lowest = v;
    if (v > highest) highest = v;
    char buffer[400];
    std::snprintf(buffer, sizeof buffer, " %.1f", v);
    return std::string(buffer) == " -0.0" ? " 0.0" : buffer;
  }
  std::string point(Point p) { return number(p.x) + number(p.y); }
  std::string rect(Rect r) { return number(r.x) + number(r.y) + number(r.w) + number(r.h); }
  std::string points(std::span<const Point> list) {
    std::string s;
    for (Point p : list) s += point(p);
    return s;
  }
  static std::string color(Color c) {
    char buffer[16];
    std::snprintf(buffer, sizeof buffer, " #%02X%02X%02X%02X", c.r, c.g, c.b, c.a);
    return buffer;
  }
};

}  // namespace warpspy::plot
