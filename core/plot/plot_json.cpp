#include "core/plot/plot_json.hpp"

#include <cmath>
#include <nlohmann/json.hpp>
#include <type_traits>

#include "core/base/json_depth.hpp"
#include "core/base/json_text.hpp"
#include "core/base/types.hpp"
#include "core/plot/plot_check.hpp"

namespace warpspy::plot {
namespace {

using json = nlohmann::ordered_json;

// The last word of each: what a number may say.
constexpr int last_of(Scale) { return static_cast<int>(Scale::log10); }
constexpr int last_of(Mark) { return static_cast<int>(Mark::hourglass); }
constexpr int last_of(Fill) { return static_cast<int>(Fill::hollow); }
constexpr int last_of(Series::Kind) { return static_cast<int>(Series::Kind::hline); }
constexpr int last_of(Align) { return static_cast<int>(Align::right); }

// Each struct names its members once, for both ways: `io("name", member)` writes or reads.
class Writing {
 public:
  json j = json::object();
  template <class T>
  void operator()(const char* name, const T& v) {
    j[name] = text_of(v);
  }

 private:
  static json text_of(bool v) { return v; }
  static json text_of(int v) { return v; }
  static json text_of(std::uint8_t v) { return v; }
  static json text_of(std::uint32_t v) { return v; }
  static json text_of(std::uint64_t v) { return v; }
  // JSON knows no infinity; a gap in a curve is one that is not a number.
  static json text_of(double v) {
    return std::isfinite(v) ? json(v) : std::isnan(v) ? json() : json(v > 0 ? "+" : "-");
  }
  static json text_of(const std::string& v) { return v; }
  static json text_of(const Color& c) {
    return static_cast<std::uint32_t>(c.r) << 24 | static_cast<std::uint32_t>(c.g) << 16 |
           static_cast<std::uint32_t>(c.b) << 8 | c.a;
  }
  template <class E>
    requires std::is_enum_v<E>
  static json text_of(E v) {
    return static_cast<int>(v);
  }
  template <class A, class B>
  static json text_of(const std::pair<A, B>& v) {
    return json::array({text_of(v.first), text_of(v.second)});
  }
  template <class T>
  static json text_of(const std::optional<T>& v) {
    return v ? text_of(*v) : json();
  }
  template <class T>
  static json text_of(const std::vector<T>& v) {
    json list = json::array();
    for (const T& each : v) list.push_back(text_of(each));
    return list;
  }
  static json text_of(const std::vector<bool>&) = delete;
  template <class T, std::size_t N>
  static json text_of(const std::array<T, N>& v) {
    json list = json::array();
    for (const T& each : v) list.push_back(text_of(each));
    return list;
  }
  static json text_of(const std::shared_ptr<const std::vector<std::uint32_t>>& v) { return v ? text_of(*v) : json(); }
  template <class T>
    requires requires(Writing& w, T& v) { members(w, v); }
  static json text_of(const T& v) {
    Writing inner;
    members(inner, const_cast<T&>(v));  // reads alone
    return std::move(inner.j);
  }
};

class Reading {
 public:
  explicit Reading(const json& from) : j(from) {}
  const json& j;
  template <class T>
  void operator()(const char* name, T& v) {
    read(j.at(name), v);
  }

 private:
  static void read(const json& j, bool& v) { v = j.get<bool>(); }
  static void read(const json& j, int& v) { v = whole_of<int>(j); }
  static void read(const json& j, std::uint8_t& v) { v = whole_of<std::uint8_t>(j); }
  static void read(const json& j, std::uint32_t& v) { v = whole_of<std::uint32_t>(j); }
  static void read(const json& j, std::uint64_t& v) { v = whole_of<std::uint64_t>(j); }
  static void read(const json& j, double& v) {
    if (j.is_number())
      v = j.get<double>();
    else
      v = j.is_null() ? NAN : j.get<std::string>() == "+" ? INFINITY : -INFINITY;
  }
  static void read(const json& j, std::string& v) { v = j.get<std::string>(); }
  static void read(const json& j, Color& c) {
    const auto v = whole_of<std::uint32_t>(j);
    c = {static_cast<std::uint8_t>(v >> 24), static_cast<std::uint8_t>(v >> 16), static_cast<std::uint8_t>(v >> 8),
         static_cast<std::uint8_t>(v)};
  }
  template <class E>
    requires std::is_enum_v<E>
  static void read(const json& j, E& v) {
    const int n = whole_of<int>(j);
    if (n < 0 || n > last_of(E{})) throw Error("a word of a figure is not known: " + std::to_string(n));
    v = static_cast<E>(n);
  }
  template <class A, class B>
  static void read(const json& j, std::pair<A, B>& v) {
    read(j.at(0), v.first), read(j.at(1), v.second);
  }
  template <class T>
  static void read(const json& j, std::optional<T>& v) {
    v.reset();
    if (!j.is_null()) read(j, v.emplace());
  }
  template <class T>
  static void read(const json& j, std::vector<T>& v) {
    v.clear();
    for (const json& each : j) read(each, v.emplace_back());
  }
  template <class T, std::size_t N>
  static void read(const json& j, std::array<T, N>& v) {
    for (std::size_t k = 0; k < N; ++k) read(j.at(k), v[k]);
  }
  static void read(const json& j, std::shared_ptr<const std::vector<std::uint32_t>>& v) {
    if (j.is_null()) return v.reset();
    auto pixels = std::make_shared<std::vector<std::uint32_t>>();
    read(j, *pixels);
    v = std::move(pixels);
  }
  template <class T>
    requires requires(Reading& r, T& v) { members(r, v); }
  static void read(const json& j, T& v) {
    Reading inner(j);
    members(inner, v);
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

std::string plot_text(const Plot& plot) {
  Writing io;
  members(io, const_cast<Plot&>(plot));  // reads alone
  return json_text(io.j, -1);
}

Plot plot_of(const std::string& text) {
  try {
    if (nested_deeply(text)) throw Error("nested too deeply");
    if (parts_of(text) > kMostJsonParts) throw Error("the figure in the recipe has more parts than any that is drawn");
    const json j = json::parse(text);
    Reading io(j);
    Plot plot;
    members(io, plot);
    require_drawable(plot);
    return plot;
  } catch (const nlohmann::json::exception&) {
    throw Error("the figure in the recipe cannot be read");
  }
}

}  // namespace warpspy::plot
