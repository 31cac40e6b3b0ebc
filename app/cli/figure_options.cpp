#include "app/cli/figure_options.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <iostream>
#include <memory>
#include <utility>

#include "app/version.hpp"
#include "core/base/foreign_text.hpp"
#include "core/base/source_name.hpp"
#include "core/base/target.hpp"
#include "core/io/reader.hpp"
#include "core/plot/text.hpp"
#include "core/run/history.hpp"
#include "core/session/file_mark.hpp"

namespace warpspy::cli {
namespace {

constexpr plot::Colours kColours[] = {plot::Colours::screen, plot::Colours::print, plot::Colours::grey};

// The command as typed, without the option of the figure's file.
std::string command_of(const CLI::App& app) {
  std::string text = app.get_parent() ? command_of(*app.get_parent()) + " " + app.get_name() : app.get_name();
  for (const CLI::Option* o : app.get_options()) {
    if (o->count() == 0 || o->check_name("--output")) continue;
    if (!o->get_positional()) text += " " + o->get_name();
    if (o->get_expected_max() == 0) continue;
    // Several values of an option that is separated by commas become one word.
    const std::string between(1, o->get_delimiter() != '\0' ? o->get_delimiter() : ' ');
    std::string values;
    // Matrices get absolute paths, so that the recipe works in any folder.
    const bool matrices = o->check_name("FILE") || o->check_name("OF");
    for (const std::string& value : o->results()) {
      const bool file = matrices && is_path(value) && std::filesystem::exists(place_of(value).path);
      values += (values.empty() ? "" : between) + shell_quoted(is_standard_input(value) ? "-"
                                                               : file                   ? absolute_source(value)
                                                                                        : value);
    }
    text += " " + values;
  }
  return text;
}

}  // namespace

void FigureOptions::add(CLI::App& app) {
  app.add_option("-o,--output", out,
                 "File to write: .svg .pdf .png, for LaTeX .pgf or .tex (pgfplots, its numbers beside it), or the "
                 "numbers as .csv .json")
      ->required();
  add_look(app);
}

void FigureOptions::add_look(CLI::App& app) {
  app_ = &app;
  const auto look = [this](CLI::Option* o) {
    look_.push_back(o);
    return o;
  };
  std::string help = "The page: ";
  std::vector<std::string> ids;
  for (const plot::PagePreset& p : plot::page_presets()) {
    help += (ids.empty() ? "" : "; ") + std::string(p.id) + ", " + p.help;
    ids.emplace_back(p.id);
  }
  look(app.add_option("--preset", preset_, help)->check(CLI::IsMember(ids))->capture_default_str());
  look(app.add_option("--font", font_pt_, "Size of the texts in pt (default: 8; on a slide 14)")
           ->check(CLI::Range(plot::kLeastPt, plot::kMostPt)));
  look(app.add_option("--width", width_mm_, "Another width of the page in mm, such as a journal's 88.9")
           ->check(CLI::Range(40.0, 600.0)));
  std::vector<std::string> colours;
  for (const plot::Colours c : kColours) colours.emplace_back(name_of(c));
  look(app.add_option_function<std::string>(
              "--colours",
              [this](const std::string& word) {
                for (const plot::Colours c : kColours)
                  if (word == name_of(c)) colours_ = c;
              },
              "screen; print: darker text; grey: no colours, lines and marks differ without them")
           ->check(CLI::IsMember(colours)));
  look(app.add_flag("--no-title", no_title_, "Without title and subtitle, if a caption replaces them"));
  look(app.add_flag("--no-legend", no_legend_, "Without the legend"));
  size_given_ =
      look(app.add_option("--size", size_, "WIDTHxHEIGHT in pixels, of the page screen")->capture_default_str());
  look(app.add_flag("--dark", dark_, "Dark ground"));
}

bool FigureOptions::page_given() const {
  return std::any_of(look_.begin(), look_.end(), [](const CLI::Option* o) { return o->count() > 0; });
}

void FigureOptions::add_fields(CLI::App& app, const figure::Row& row) {
  for (const figure::Field& f : figure::fields()) {
    if (!row.takes_field(f.id) || f.own) continue;
    const std::string name = std::string("--") + f.id;
    if (f.is_switch) {
      app.add_flag_callback(name, [this, field = &f] { field->set(chosen, "yes"); }, f.help);
      continue;
    }
    CLI::Option* o = app.add_option_function<std::string>(
        name, [this, field = &f](const std::string& text) { field->set(chosen, text); }, f.help);
    if (!f.words.empty()) o->check(CLI::IsMember(std::vector<std::string>(f.words.begin(), f.words.end())));
  }
}

plot::Page FigureOptions::page() const {
  plot::Page page = plot::page_of(*plot::page_preset(preset_));
  const PictureSize size = parse_size(size_);
  if (page.on_paper()) {
    if (size_given_ && size_given_->count() > 0)
      throw Error("--size is of the page screen", {}, "leave it out, or say --width MM");
    if (width_mm_) page.width = *width_mm_ * plot::kPxPerMm;
  } else {
    if (width_mm_) throw Error("--width is of a page on paper", {}, "add --preset column, or say --size WIDTHxHEIGHT");
    page.width = size.width, page.height = size.height;
  }
  if (font_pt_) page.font_pt = *font_pt_;
  if (colours_) page.colours = *colours_;
  page.title = !no_title_, page.legend = !no_legend_, page.dark = dark_;
  return page;
}

plot::Plot FigureOptions::drawn(const figure::Row& row, const figure::Subject& subject) const {
  Progress progress;
  return figure::draw(row, subject, chosen, figure::look_of(page()), progress);
}

void FigureOptions::write(const figure::Row& row, const figure::Subject& subject, bool kept) const {
  plot::write_exported(out, made(row, subject, kept));
}

void FigureOptions::write(const figure::Row& row, const figure::Subject& subject, bool kept,
                          const Folder& folder) const {
  const plot::Exported all = made(row, subject, kept);
  for (const auto& [name, bytes] : all.beside) folder.write(name, bytes);
  folder.write(out, all.bytes);
}

plot::Exported FigureOptions::made(const figure::Row& row, const figure::Subject& subject, bool kept) const {
  if (!row.picture()) {
    if (const std::string wrong = plot::wrong_ending(out, false); !wrong.empty())
      throw Error(row.word + (": " + wrong), out);
    return {std::filesystem::path(out).extension() == ".csv" ? row.csv(subject, chosen) : row.json(subject, chosen),
            {},
            {}};
  }
  const plot::Page wanted = page();
  plot::FigureRecipe recipe;
  figure::describe(recipe, subject, kept);
  recipe.command = command_of(*app_);
  recipe.version = std::string(version().number) + " (" + version().commit + ")";
  plot::Exported made = plot::exported(drawn(row, subject), out, wanted, recipe);
  if (made.fitted.font_pt < wanted.font_pt)
    std::cerr << "warpspy: " << out << ": texts are " << plot::significant(made.fitted.font_pt, 2)
              << " pt, since not all have room at " << plot::significant(wanted.font_pt, 2) << "\n";
  return made;
}

figure::Subject::OfMatrix figure_matrix(const std::string& source, Matrix matrix) {
  figure::Subject::OfMatrix m;
  m.source = as_told(absolute_source(source));
  m.name = matrix.source.name;
  m.matrix = std::make_shared<const Matrix>(std::move(matrix));
  if (is_generated(source)) return m;
  Progress progress;
  m.hash = hashed_mark_of(place_of(source).path, progress).hash;
  return m;
}

void of_device(figure::Subject& subject, const Services& services, const RunRecord& run,
               const figure::Options& options) {
  const DeviceInfo* device = services.catalog.device(run.device);
  const auto measured = services.engine->saved_roofs(run.device);
  subject.device = device ? device->name : run.device_name;
  const Precision precision = options.roof_precision.value_or(run.request.precision);
  if (device) subject.roofs = roofs_of(device->spec, precision, measured ? &*measured : nullptr);
}

void share_of_roofs(figure::Subject& subject, const Services& services) {
  subject.share_of = std::make_shared<const ShareOf>([&services](const RunRecord& r) -> std::optional<RoofShare> {
    const DeviceInfo* device = services.catalog.device(r.device);
    if (!device) return std::nullopt;
    const auto measured = services.engine->saved_roofs(r.device);
    return roof_share(roofline_points(r, roofs_of(device->spec, r.request.precision, measured ? &*measured : nullptr)));
  });
}

}  // namespace warpspy::cli
