#include "core/plot/export.hpp"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <utility>

#include "core/base/csv.hpp"
#include "core/base/json_text.hpp"
#include "core/base/target.hpp"
#include "core/base/types.hpp"
#include "core/plot/cairo_canvas.hpp"
#include "core/plot/pgf_canvas.hpp"
#include "core/plot/pgfplots.hpp"
#include "core/plot/png.hpp"
#include "core/plot/svg_canvas.hpp"
#include "core/plot/text.hpp"

namespace warpspy::plot {
namespace {

struct Drawing {
  const Plot& plot;
  const Page& page;
  const Fitted& fitted;
  const FileNotes& notes;
  const FigureRecipe& recipe;
  const std::string& path;
  std::vector<std::pair<std::string, std::string>>& beside;

  template <class C>
  std::string on(C canvas) const {
    draw_page(plot, page, fitted, canvas);
    return canvas.finish();
  }
};

// Its table and pictures are files beside it.
std::string made_pgfplots(const Drawing& d) {
  const std::string name = std::filesystem::path(d.path).stem().string();
  PgfPlots made = pgfplots_of(d.plot, d.page, d.fitted, name, d.notes.facts);
  if (!made.table.empty()) d.beside.emplace_back(name + ".dat", std::move(made.table));
  for (std::size_t k = 0; k < made.images.size(); ++k)
    d.beside.emplace_back(image_name(name, k), std::move(made.images[k]));
  return made.source;
}

// Most CSV readers would take a comment for a row. So the recipe goes into a file beside it, where W3C's "CSV on the
// Web" expects it.
std::string made_csv(const Drawing& d) {
  if (d.recipe == FigureRecipe{}) return to_csv(d.plot);
  const std::string name = std::filesystem::path(d.path).filename().string();
  nlohmann::ordered_json metadata = {{"@context", "http://www.w3.org/ns/csvw"},
                                     {"url", name},
                                     {"dc:title", d.plot.title},
                                     {"dc:description", facts_line(d.recipe)}};
  metadata["notes"].push_back(nlohmann::ordered_json::parse(facts_json(d.recipe)));
  d.beside.emplace_back(name + "-metadata.json", json_text(metadata, 1) + "\n");
  return to_csv(d.plot);
}

struct Writer {
  const char* extension;
  bool picture;
  std::string (*make)(const Drawing&);
};
constexpr Writer kWriters[] = {
    {".svg", true,
     [](const Drawing& d) {
       return d.on(SvgCanvas(d.fitted.width, d.fitted.height, d.plot.title, d.page.on_paper(), d.notes));
     }},
    {".pdf", true,
     [](const Drawing& d) { return d.on(CairoCanvas::pdf(d.fitted.width, d.fitted.height, d.plot.title, d.notes)); }},
    {".png", true,
     [](const Drawing& d) {
       return with_density(d.on(CairoCanvas::raster(d.fitted.width, d.fitted.height, d.page.png_scale)),
                           kPxPerMm * d.page.png_scale);
     }},
    {".pgf", true,
     [](const Drawing& d) {
       return d.on(PgfCanvas(d.fitted.width, d.fitted.height, d.plot.title, d.notes.facts)) +
              as_comment(d.notes.recipe);
     }},
    {".tex", true, [](const Drawing& d) { return made_pgfplots(d) + as_comment(d.notes.recipe); }},
    {".csv", false, made_csv},
    {".json", false, [](const Drawing& d) { return to_json(d.plot, d.recipe); }},
};

std::string ending_of(const std::string& path) {
  std::string extension = std::filesystem::path(path).extension().string();
  std::transform(extension.begin(), extension.end(), extension.begin(),
                 [](unsigned char c) { return std::tolower(c); });
  return extension;
}

const Writer* writer_of(const std::string& path, bool pictures) {
  const std::string ending = ending_of(path);
  const auto* at = std::find_if(std::begin(kWriters), std::end(kWriters),
                                [&](const Writer& w) { return ending == w.extension && (pictures || !w.picture); });
  return at == std::end(kWriters) ? nullptr : at;
}

std::string known_endings(bool pictures) {
  std::string known;
  for (const Writer& w : kWriters)
    if (pictures || !w.picture) known.append(known.empty() ? "" : ", ").append(w.extension);
  return known;
}

// Only the plain decimal form becomes a number: "0x1" and "nan" stay text.
nlohmann::ordered_json value_of(const std::string& s) {
  const auto parsed = nlohmann::ordered_json::parse(s, nullptr, false);
  return parsed.is_number() ? parsed : nlohmann::ordered_json(s);
}

}  // namespace

std::string wrong_ending(const std::string& path, bool pictures) {
  if (writer_of(path, pictures)) return "";
  const std::string ending = ending_of(path);
  std::string text = ending.empty() ? "The name has no ending" : "Nothing is written as " + ending;
  return text + ": use one of " + known_endings(pictures) + ".";
}

bool is_figure_name(const std::string& path) {
  const Writer* writer = writer_of(path, true);
  return writer && writer->picture;
}

Exported exported(const Plot& plot, const std::string& path, const Page& page, const FigureRecipe& recipe) {
  const Writer* writer = writer_of(path, true);
  if (!writer) {
    const std::string ending = ending_of(path);
    throw Error(ending.empty() ? "the file name has no extension" : "unknown figure format " + ending, path,
                "use one of " + known_endings(true));
  }
  const double scale = page.png_scale;
  if (!(page.width >= 1 && page.height >= 1 && scale > 0 && page.width * scale <= 32767 &&
        page.height * scale <= 32767))
    throw Error("a figure cannot be that size", path, "use 1 to 32767 device pixels a side");
  const Fitted fitted = writer->picture ? fitted_to(plot, page) : Fitted{page.width, page.height, page.font_pt, 0};
  if (page.on_paper() && fitted.left_out > 0)
    throw NoRoom(
        "the figure has no room on this page: words would be cut even at " + significant(fitted.font_pt, 2) + " pt",
        path, "choose a larger page, or show less");
  FileNotes notes;
  if (writer->picture && recipe != FigureRecipe{}) notes = {facts_line(recipe), recipe_text(recipe, plot, page)};
  std::vector<std::pair<std::string, std::string>> beside;
  std::string bytes = writer->make({plot, page, fitted, notes, recipe, path, beside});
  if (!notes.recipe.empty()) bytes = sealed(std::move(bytes), writer->extension, notes.recipe);
  return {std::move(bytes), fitted, std::move(beside)};
}

// Files that the main file names are written first, so they exist when it can be seen.
void write_exported(const std::string& path, const Exported& made) {
  const std::filesystem::path folder = std::filesystem::path(path).parent_path();
  for (const auto& [name, bytes] : made.beside) write_file((folder / name).string(), bytes);
  write_file(path, made.bytes);
}

Fitted export_plot(const Plot& plot, const std::string& path, const Page& page, const FigureRecipe& recipe) {
  const Exported made = exported(plot, path, page, recipe);
  write_exported(path, made);
  return made.fitted;
}

void export_plot(const Plot& plot, const std::string& path, double width, double height, const Theme& theme,
                 double png_scale) {
  Page page;
  page.width = width, page.height = height, page.png_scale = png_scale, page.dark = theme.dark;
  export_plot(plot, path, page);
}

std::string to_csv(const Plot& plot) {
  std::string text;
  csv::add_line(text, plot.columns, "\n");
  for (const auto& row : plot.rows) csv::add_line(text, row, "\n");
  return text;
}

std::string to_json(const Plot& plot, const FigureRecipe& recipe) {
  nlohmann::ordered_json rows = nlohmann::ordered_json::array();
  for (const auto& row : plot.rows) {
    auto& object = rows.emplace_back(nlohmann::ordered_json::object());
    for (std::size_t k = 0; k < plot.columns.size() && k < row.size(); ++k)
      // An empty field means that there is no number: null in JSON.
      object[plot.columns[k]] = row[k].empty() ? nlohmann::ordered_json() : value_of(row[k]);
  }
  nlohmann::ordered_json document = {{"title", plot.title}, {"subtitle", plot.subtitle}, {"x", plot.x.label},
                                     {"y", plot.y.label},   {"columns", plot.columns},   {"rows", rows}};
  if (recipe != FigureRecipe{}) document["recipe"] = nlohmann::ordered_json::parse(facts_json(recipe));
  // Bytes that are not UTF-8 (in a file name) are replaced and do not cause an error.
  return json_text(document, 1) + "\n";
}

void write_png(const std::string& path, int width, int height, const std::uint32_t* rgba) {
  write_file(path, encode_png(width, height, rgba));
}

}  // namespace warpspy::plot
