#include "core/plot/pgfplots.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "core/base/types.hpp"
#include "core/plot/cairo_canvas.hpp"
#include "core/plot/pgf_canvas.hpp"
#include "core/plot/scale.hpp"

namespace warpspy::plot {
namespace {

std::string digits(double v) {
  if (!std::isfinite(v)) return "nan";
  char text[40];
  std::snprintf(text, sizeof text, "%.9g", v);
  return text;
}

std::string colour(Color c, Colours colours) {
  c = on_page(c, colours);
  char text[64];
  std::snprintf(text, sizeof text, "{rgb,255:red,%d;green,%d;blue,%d}", c.r, c.g, c.b);
  return text;
}

// pgfplots' name of a mark. It has fewer half-filled marks; those become hollow.
std::string mark_of(Mark mark, Fill fill) {
  struct Name {
    Mark mark;
    const char *solid, *half, *hollow, *more;
  };
  constexpr Name names[] = {{Mark::circle, "*", "halfcircle*", "o", ""},
                            {Mark::square, "square*", "halfsquare*", "square", ""},
                            {Mark::diamond, "diamond*", "halfdiamond*", "diamond", ""},
                            {Mark::triangle, "triangle*", "triangle", "triangle", ""},
                            {Mark::cross, "x", "x", "x", ""},
                            {Mark::down, "triangle*", "triangle", "triangle", ", rotate=180"},
                            {Mark::plus, "+", "+", "+", ""},
                            {Mark::star, "asterisk", "asterisk", "asterisk", ""},
                            {Mark::right, "triangle*", "triangle", "triangle", ", rotate=270"},
                            {Mark::hourglass, "pentagon*", "pentagon", "pentagon", ""}};
  for (const Name& n : names)
    if (n.mark == mark) {
      const char* name = fill == Fill::solid ? n.solid : fill == Fill::half ? n.half : n.hollow;
      return std::string("mark=") + name + ", mark options={solid" + n.more + "}";
    }
  return "mark=none";
}

std::string list_of(const std::vector<std::string>& texts) {
  std::string list;
  for (const std::string& t : texts) list += (list.empty() ? "{" : ",{") + latex_of(t) + "}";
  return list;
}

void ends_of(std::string& out, char which, const Axis& given) {
  const Axis a = sane(given);
  const std::string w(1, which);
  out += "  " + w + "min=" + digits(a.min) + ", " + w + "max=" + digits(a.max);
  if (a.scale == Scale::log10) out += ", " + w + "mode=log";
  if (a.inverted) out += ", " + w + " dir=reverse";
  if (!a.label.empty()) out += ", " + w + "label={" + latex_of(a.label) + "}";
  if (!a.categories.empty()) {
    std::string places;
    for (std::size_t k = 0; k < a.categories.size(); ++k) places += (k > 0 ? "," : "") + std::to_string(k);
    out += ",\n  " + w + "tick={" + places + "}, " + w + "ticklabels={" + list_of(a.categories) + "}";
    if (a.upright && which == 'x') out += ", xticklabel style={rotate=90, anchor=east}";
  }
  out += ",\n";
}

class Source {
 public:
  Source(const Plot& plot, const Page& page, const Fitted& fitted, const std::string& name)
      : plot_(plot), page_(page), fitted_(fitted), name_(name) {}

  std::string axes() {
    std::string out = axis(false);
    if (plot_.y2) out += axis(true);
    return out;
  }

 private:
  std::string axis(bool right) {
    std::string out = "\\begin{axis}[\n  width=" + digits(fitted_.width / kPxPerMm) +
                      "mm, height=" + digits(fitted_.height / kPxPerMm) +
                      "mm, scale only axis=false, unbounded coords=jump, clip=true,\n";
    ends_of(out, 'x', plot_.x);
    ends_of(out, 'y', right ? *plot_.y2 : plot_.y);
    if (right) out += "  axis y line*=right, axis x line=none,\n";
    if (!right && plot_.y2) out += "  axis y line*=left,\n";
    if (!right && page_.title && !plot_.title.empty()) out += "  title={" + latex_of(plot_.title) + "},\n";
    if (!right) out += colorbar();
    out += "  legend style={font=\\small, at={(0.5,-0.25)}, anchor=north}]\n";
    if (!right) out += images();
    for (std::size_t k = 0; k < plot_.series.size(); ++k)
      if (plot_.series[k].right_axis == right) out += series(plot_.series[k], k, right);
    if (!right) out += words();
    return out + "\\end{axis}\n";
  }

  std::string colorbar() const {
    if (!plot_.colorbar || plot_.colorbar->rgba.empty()) return "";
    const ColorBar& bar = *plot_.colorbar;
    std::string map, places;
    std::vector<std::string> names;
    const std::size_t every = std::max<std::size_t>(1, bar.rgba.size() / 16);
    for (std::size_t k = 0; k < bar.rgba.size(); k += every) {
      const std::uint32_t v = bar.rgba[k];
      map += " rgb255=(" + std::to_string(v & 255) + "," + std::to_string(v >> 8 & 255) + "," +
             std::to_string(v >> 16 & 255) + ")";
    }
    for (const auto& [at, name] : bar.ticks) places += (places.empty() ? "" : ",") + digits(at), names.push_back(name);
    return "  colormap={warpspy}{" + map +
           "}, colorbar, point meta min=0, point meta max=1,\n  colorbar style={ytick={" + places + "}, yticklabels={" +
           list_of(names) + "}, ylabel={" + latex_of(bar.label) + "}},\n";
  }

  std::string images() const {
    std::string out;
    for (std::size_t k = 0; k < plot_.images.size(); ++k) {
      const Image& i = plot_.images[k];
      out += "\\addplot[forget plot] graphics[xmin=" + digits(std::min(i.x0, i.x1)) +
             ",xmax=" + digits(std::max(i.x0, i.x1)) + ",ymin=" + digits(std::min(i.y0, i.y1)) +
             ",ymax=" + digits(std::max(i.y0, i.y1)) + "] {" + image_name(name_, k) + "};\n";
    }
    return out;
  }

  std::string table(std::size_t k) const {
    return "table[x=x" + std::to_string(k) + ", y=y" + std::to_string(k) + "] {" + name_ + ".dat}";
  }

  std::string series(const Series& s, std::size_t k, bool right) const {
    if (s.kind == Series::Kind::bars && s.base != 0)
      throw Error("bars that stand on each other have no source of pgfplots", {}, "use .pgf or .pdf");
    const std::string paint = colour(s.color, page_.colours);
    std::string how = "color=" + paint, end = ";";
    const Axis y = sane(right ? *plot_.y2 : plot_.y), x = sane(plot_.x);
    std::string data = table(k);
    switch (s.kind) {
      case Series::Kind::line:
        if (s.x.empty() && s.name.empty()) return "";
        how += ", line width=" + digits(0.5 * s.width) + "pt, " + mark_of(s.mark, s.fill);
        break;
      case Series::Kind::points:
        how += ", only marks, mark size=" + digits(0.45 * s.width) + "pt, " + mark_of(s.mark, s.fill);
        break;
      case Series::Kind::bars:
        how += ", fill=" + paint + ", ybar interval, mark=none";
        break;
      case Series::Kind::area:
        how += ", fill=" + paint + ", draw=none, mark=none", end = " \\closedcycle;";
        break;
      case Series::Kind::vline:
        if (s.x.empty() || s.width <= 0) return "";
        data = "coordinates {(" + digits(s.x[0]) + "," + digits(y.min) + ") (" + digits(s.x[0]) + "," + digits(y.max) +
               ")}";
        how += ", mark=none";
        break;
      case Series::Kind::hline:
        if (s.y.empty()) return "";
        data = "coordinates {(" + digits(x.min) + "," + digits(s.y[0]) + ") (" + digits(x.max) + "," + digits(s.y[0]) +
               ")}";
        how += ", mark=none";
        break;
    }
    if (s.dashed) how += ", dashed";
    if (s.name.empty() || !page_.legend) how += ", forget plot";
    std::string out = "\\addplot[" + how + "] " + data;
    if (!s.label.empty()) out += " node[pos=0.9, above, sloped, font=\\scriptsize] {" + latex_of(s.label) + "}";
    out += end + "\n";
    if (!s.name.empty() && page_.legend) out += "\\addlegendentry{" + latex_of(s.name) + "}\n";
    return out;
  }

  std::string words() const {
    std::string out;
    const auto at = [](double x, double y) { return "(axis cs:" + digits(x) + "," + digits(y) + ")"; };
    for (const Arrow& a : plot_.arrows)
      out += "\\draw[->] " + at(a.x0, a.y0) + " -- " + at(a.x1, a.y1) + " node[midway, above, font=\\scriptsize] {" +
             latex_of(a.label) + "};\n";
    for (const Note& n : plot_.notes)
      out += "\\node[font=\\scriptsize] at " + at(n.x, n.y) + " {" + latex_of(n.text) + "};\n";
    for (const CellText& c : plot_.cell_texts)
      out += "\\node[font=\\tiny, text=" + colour(c.color, page_.colours) + "] at " + at(c.x, c.y) + " {" +
             latex_of(c.text) + "};\n";
    return out;
  }

  const Plot& plot_;
  const Page& page_;
  const Fitted& fitted_;
  const std::string& name_;
};

// A column of x and one of y for each series, with gaps at the end of shorter ones. Bars have one column of x and
// several of y.
std::string table_of(const Plot& plot) {
  std::size_t rows = 0;
  std::string text;
  for (std::size_t k = 0; k < plot.series.size(); ++k) {
    rows = std::max({rows, plot.series[k].x.size(), plot.series[k].y.size()});
    text += (k > 0 ? " x" : "x") + std::to_string(k) + " y" + std::to_string(k);
  }
  if (rows == 0) return "";
  text += "\n";
  for (std::size_t row = 0; row < rows; ++row) {
    for (std::size_t k = 0; k < plot.series.size(); ++k) {
      const Series& s = plot.series[k];
      const auto value = [&](const std::vector<double>& of) { return row < of.size() ? digits(of[row]) : "nan"; };
      const bool closing = s.kind == Series::Kind::bars && row > 0 && row + 1 == s.x.size() && row == s.y.size();
      text += (k > 0 ? " " : "") + value(s.x) + " " + (closing ? digits(s.y.back()) : value(s.y));
    }
    text += "\n";
  }
  return text;
}

}  // namespace

// NAME.png may be the figure itself, from an earlier export.
std::string image_name(const std::string& name, std::size_t k) {
  return name + "-tex" + (k == 0 ? "" : "-" + std::to_string(k + 1)) + ".png";
}

PgfPlots pgfplots_of(const Plot& plot, const Page& page, const Fitted& fitted, const std::string& name,
                     const std::string& facts) {
  if (!plot.tables.empty() || plot.diagram || !plot.warps.empty())
    throw Error("this figure has no axes, so there is no source of pgfplots", {}, "use .pgf or .pdf");
  PgfPlots out;
  std::string comment = facts;
  std::replace_if(comment.begin(), comment.end(), [](char c) { return static_cast<unsigned char>(c) < 0x20; }, ' ');
  out.source =
      "% Drawn by Warpspy" + (comment.empty() ? "" : ": " + comment) +
      "\n% \\usepackage{pgfplots} \\pgfplotsset{compat=1.16} in the preamble; then \\input this file. Its numbers "
      "are in the table beside it.\n\\begin{tikzpicture}\n" +
      Source(plot, page, fitted, name).axes() + "\\end{tikzpicture}\n";
  out.table = table_of(plot);
  for (const Image& i : plot.images)
    out.images.push_back(i.rgba ? encode_png(i.width, i.height, i.rgba->data()) : std::string());
  return out;
}

}  // namespace warpspy::plot
