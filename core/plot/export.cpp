#include "core/plot/export.hpp"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "core/base/csv.hpp"
#include "core/base/json_text.hpp"
#include "core/base/target.hpp"
#include "core/base/types.hpp"
#include "core/plot/cairo_canvas.hpp"
#include "core/plot/svg_canvas.hpp"

namespace warpspy::plot {
namespace {

struct Drawing {
  const Plot& plot;
  double width, height;
  const Theme& theme;
  double png_scale;

  template <class C>
  std::string on(C canvas) const {
    draw(plot, canvas, {0, 0, width, height}, theme);
    return canvas.finish();
  }
};

struct Writer {
  const char* extension;
  std::string (*make)(const Drawing&);
};
constexpr Writer kWriters[] = {
    {".svg", [](const Drawing& d) { return d.on(SvgCanvas(d.width, d.height, d.plot.title)); }},
    {".pdf", [](const Drawing& d) { return d.on(CairoCanvas::pdf(d.width, d.height, d.plot.title)); }},
    {".png", [](const Drawing& d) { return d.on(CairoCanvas::raster(d.width, d.height, d.png_scale)); }},
    {".csv", [](const Drawing& d) { return to_csv(d.plot); }},
    {".json", [](const Drawing& d) { return to_json(d.plot); }},
};

// Numbers leave as numbers. Only the plain decimal form counts as one: "0x1" and "nan" are text.
nlohmann::ordered_json value_of(const std::string& s) {
  const auto parsed = nlohmann::ordered_json::parse(s, nullptr, false);
  return parsed.is_number() ? parsed : nlohmann::ordered_json(s);
}

}  // namespace

void export_plot(const Plot& plot, const std::string& path, double width, double height, const Theme& theme,
                 double png_scale) {
  std::string extension = std::filesystem::path(path).extension().string();
  std::transform(extension.begin(), extension.end(), extension.begin(),
                 [](unsigned char c) { return std::tolower(c); });
  const auto* writer =
      std::find_if(std::begin(kWriters), std::end(kWriters), [&](const Writer& w) { return extension == w.extension; });
  if (writer == std::end(kWriters)) {
    std::string known;
    for (const Writer& w : kWriters) known.append(known.empty() ? "" : ", ").append(w.extension);
    throw Error(extension.empty() ? "the file name has no extension" : "unknown figure format " + extension, path,
                "use one of " + known);
  }
  if (!(width >= 1 && height >= 1 && png_scale > 0 && width * png_scale <= 32767 && height * png_scale <= 32767))
    throw Error("a figure cannot be that size", path, "use 1 to 32767 device pixels a side");
  write_file(path, writer->make({plot, width, height, theme, png_scale}));
}

std::string to_csv(const Plot& plot) {
  std::string text;
  csv::add_line(text, plot.columns, "\n");
  for (const auto& row : plot.rows) csv::add_line(text, row, "\n");
  return text;
}

std::string to_json(const Plot& plot) {
  nlohmann::ordered_json rows = nlohmann::ordered_json::array();
  for (const auto& row : plot.rows) {
    auto& object = rows.emplace_back(nlohmann::ordered_json::object());
    for (std::size_t k = 0; k < plot.columns.size() && k < row.size(); ++k)
      // An empty field is a number that does not exist, which JSON can say.
      object[plot.columns[k]] = row[k].empty() ? nlohmann::ordered_json() : value_of(row[k]);
  }
  const nlohmann::ordered_json document = {{"title", plot.title}, {"subtitle", plot.subtitle}, {"x", plot.x.label},
                                           {"y", plot.y.label},   {"columns", plot.columns},   {"rows", rows}};
  // Bytes that are not UTF-8 (a file's name) are replaced rather than refused.
  return json_text(document, 1) + "\n";
}

void write_png(const std::string& path, int width, int height, const std::uint32_t* rgba) {
  write_file(path, encode_png(width, height, rgba));
}

}  // namespace warpspy::plot
