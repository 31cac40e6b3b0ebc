#include "core/plot/plot_json.hpp"

#include <cmath>
#include <concepts>
#include <nlohmann/json.hpp>
#include <type_traits>

#include "core/base/json_depth.hpp"
#include "core/base/json_members.hpp"
#include "core/base/json_text.hpp"
#include "core/base/types.hpp"
#include "core/plot/plot_check.hpp"

namespace warpspy::plot {
namespace {

using json = nlohmann::ordered_json;

// The last value of each enum, to check a number that is read.
constexpr int last_of(Scale) { return static_cast<int>(Scale::log10); }
constexpr int last_of(Mark) { return static_cast<int>(Mark::hourglass); }
constexpr int last_of(Fill) { return static_cast<int>(Fill::hollow); }
constexpr int last_of(Series::Kind) { return static_cast<int>(Series::Kind::hline); }
constexpr int last_of(Align) { return static_cast<int>(Align::right); }

struct PlotJson {
  using Json = nlohmann::ordered_json;
  // JSON has no infinity. A gap in a curve is NaN.
  static json write(std::same_as<double> auto v) {
    return std::isfinite(v) ? json(v) : std::isnan(v) ? json() : json(v > 0 ? "+" : "-");
  }
  static void read(const json& j, double& v) {
    if (j.is_number())
      v = j.get<double>();
    else
      v = j.is_null() ? NAN : j.get<std::string>() == "+" ? INFINITY : -INFINITY;
  }
  static json write(const Color& c) {
    return static_cast<std::uint32_t>(c.r) << 24 | static_cast<std::uint32_t>(c.g) << 16 |
           static_cast<std::uint32_t>(c.b) << 8 | c.a;
  }
  static void read(const json& j, Color& c) {
    const auto v = whole_of<std::uint32_t>(j);
    c = {static_cast<std::uint8_t>(v >> 24), static_cast<std::uint8_t>(v >> 16), static_cast<std::uint8_t>(v >> 8),
         static_cast<std::uint8_t>(v)};
  }
  template <class E>
    requires std::is_enum_v<E>
  static json write(E v) {
    return static_cast<int>(v);
  }
  template <class E>
    requires std::is_enum_v<E>
  static void read(const json& j, E& v) {
    const int n = whole_of<int>(j);
    if (n < 0 || n > last_of(E{})) throw Error("a word of a figure is not known: " + std::to_string(n));
    v = static_cast<E>(n);
  }
  using Pixels = std::vector<std::uint32_t>;
  static json write(const std::shared_ptr<const Pixels>& v) { return v ? json_of<PlotJson>(*v) : json(); }
  static void read(const json& j, std::shared_ptr<const Pixels>& v) {
    if (j.is_null()) return v.reset();
    auto pixels = std::make_shared<Pixels>();
    read_json_of<PlotJson>(j, *pixels);
    v = std::move(pixels);
  }
};

template <class IO>
void members(IO& io, Point& p) {
  io("x", p.x), io("y", p.y);
}
template <class IO>
void members(IO& io, Rect& r) {
  io("x", r.x), io("y", r.y), io("w", r.w), io("h", r.h);
}
template <class IO>
void members(IO& io, Axis& a) {
  io("label", a.label), io("scale", a.scale), io("min", a.min), io("max", a.max), io("inverted", a.inverted);
  io("integers", a.integers), io("from_one", a.from_one), io("categories", a.categories), io("upright", a.upright);
  io("named", a.named);
}
template <class IO>
void members(IO& io, Series& s) {
  io("kind", s.kind), io("name", s.name), io("label", s.label), io("x", s.x), io("y", s.y), io("color", s.color);
  io("width", s.width), io("dashed", s.dashed), io("mark", s.mark), io("fill", s.fill), io("right", s.right_axis);
  io("faint", s.faint), io("joined", s.joined), io("base", s.base);
}
template <class IO>
void members(IO& io, Image& i) {
  io("x0", i.x0), io("x1", i.x1), io("y0", i.y0), io("y1", i.y1), io("width", i.width), io("height", i.height);
  io("rgba", i.rgba);
}
template <class IO>
void members(IO& io, Arrow& a) {
  io("x0", a.x0), io("y0", a.y0), io("x1", a.x1), io("y1", a.y1), io("label", a.label), io("color", a.color);
  io("width", a.width), io("gap", a.gap);
}
template <class IO>
void members(IO& io, Note& n) {
  io("x", n.x), io("y", n.y), io("text", n.text), io("color", n.color), io("gives_way", n.gives_way);
  io("align", n.align);
}
template <class IO>
void members(IO& io, CellText& c) {
  io("x", c.x), io("y", c.y), io("text", c.text), io("color", c.color);
}
template <class IO>
void members(IO& io, ColorBar& b) {
  io("label", b.label), io("rgba", b.rgba), io("ticks", b.ticks), io("classes", b.classes);
}
template <class IO>
void members(IO& io, Table::Cell& c) {
  io("text", c.text), io("padding", c.padding);
}
template <class IO>
void members(IO& io, Table& t) {
  io("name", t.name), io("note", t.note), io("rows", t.rows), io("cols", t.cols), io("cells", t.cells);
}
template <class IO>
void members(IO& io, Diagram::Box& b) {
  io("at", b.at), io("title", b.title), io("lines", b.lines), io("color", b.color);
}
template <class IO>
void members(IO& io, Diagram::Arrow& a) {
  io("from", a.from), io("to", a.to), io("share", a.share), io("fill", a.fill), io("missing", a.missing);
  io("color", a.color), io("above", a.above), io("below", a.below), io("room", a.room);
}
template <class IO>
void members(IO& io, Diagram::Heading& h) {
  io("at", h.at), io("text", h.text), io("note", h.note);
}
template <class IO>
void members(IO& io, Diagram& d) {
  io("width", d.width), io("height", d.height), io("boxes", d.boxes), io("arrows", d.arrows);
  io("headings", d.headings);
}
template <class IO>
void members(IO& io, WarpPanel::Lane& l) {
  io("text", l.text), io("brief", l.brief), io("color", l.color), io("idle", l.idle), io("line", l.line);
  io("word", l.word);
}
template <class IO>
void members(IO& io, WarpPanel::Line& l) {
  io("name", l.name), io("brief", l.brief), io("sectors", l.sectors), io("asked", l.asked), io("words", l.words);
}
template <class IO>
void members(IO& io, WarpPanel::Entry& e) {
  io("x", e.x), io("y", e.y), io("color", e.color);
}
template <class IO>
void members(IO& io, WarpPanel& p) {
  io("heading", p.heading), io("facts", p.facts), io("code", p.code), io("lanes", p.lanes), io("lines", p.lines);
  io("sums", p.sums), io("entries", p.entries), io("aspect", p.aspect), io("columns", p.columns);
  io("steps", p.steps), io("now", p.now), io("steps_name", p.steps_name);
}
template <class IO>
void members(IO& io, Plot& p) {
  io("title", p.title), io("subtitle", p.subtitle), io("x", p.x), io("y", p.y), io("y2", p.y2);
  io("images", p.images), io("series", p.series), io("arrows", p.arrows), io("notes", p.notes);
  io("cell_texts", p.cell_texts), io("colorbar", p.colorbar), io("tables", p.tables), io("diagram", p.diagram);
  io("tall", p.tall), io("warps", p.warps), io("keys", p.keys), io("foot", p.foot), io("legend", p.legend);
  io("square_cells", p.square_cells), io("columns", p.columns), io("rows", p.rows);
}

}  // namespace

std::string plot_text(const Plot& plot) { return json_text(json_of<PlotJson>(plot), -1); }

Plot plot_of(const std::string& text) {
  try {
    if (nested_deeply(text)) throw Error("nested too deeply");
    if (parts_of(text) > kMostJsonParts) throw Error("the figure in the recipe has more parts than any that is drawn");
    Plot plot;
    read_json_of<PlotJson>(json::parse(text), plot);
    require_drawable(plot);
    return plot;
  } catch (const nlohmann::json::exception&) {
    throw Error("the figure in the recipe cannot be read");
  }
}

}  // namespace warpspy::plot
