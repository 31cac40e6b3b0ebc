#include "app/cli/figure_options.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <iostream>
#include <map>

#include "app/version.hpp"
#include "core/base/foreign_text.hpp"
#include "core/base/source_name.hpp"
#include "core/base/target.hpp"
#include "core/io/reader.hpp"
#include "core/plot/text.hpp"
#include "core/session/file_mark.hpp"

namespace warpspy::cli {
namespace {

const std::map<std::string, plot::Colours> colour_names = {
    {"screen", plot::Colours::screen}, {"print", plot::Colours::print}, {"grey", plot::Colours::grey}};

// What was typed, without where the figure goes.
std::string command_of(const CLI::App& app) {
  std::string text = app.get_parent() ? command_of(*app.get_parent()) + " " + app.get_name() : app.get_name();
  for (const CLI::Option* o : app.get_options()) {
    if (o->count() == 0 || o->check_name("--output")) continue;
    if (!o->get_positional()) text += " " + o->get_name();
    if (o->get_expected_max() == 0) continue;
    // Several of an option that takes commas are one word.
    const std::string between(1, o->get_delimiter() != '\0' ? o->get_delimiter() : ' ');
    std::string values;
    for (const std::string& value : o->results())
      values += (values.empty() ? "" : between) + shell_quoted(is_standard_input(value) ? "-" : value);
    text += " " + values;
  }
  return text;
}

}  // namespace

void FigureOptions::add(CLI::App& app) {
  app.add_option("-o,--output", out, "File to write: .svg .pdf .png .pgf (for LaTeX), or the numbers as .csv .json")
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
  look(app.add_option("--colours", colours_, "screen; print: darker words; grey: told apart without colours, too")
           ->transform(CLI::CheckedTransformer(colour_names)));
  look(app.add_flag("--no-title", no_title_, "Without title and subtitle: the caption says it"));
  look(app.add_flag("--no-legend", no_legend_, "Without the legend"));
  size_given_ =
      look(app.add_option("--size", size_, "WIDTHxHEIGHT in pixels, of the page screen")->capture_default_str());
  look(app.add_flag("--dark", dark_, "Dark ground"));
}

bool FigureOptions::page_given() const {
  return std::any_of(look_.begin(), look_.end(), [](const CLI::Option* o) { return o->count() > 0; });
}

void FigureOptions::of_matrix(const std::string& source) {
  plot::FigureRecipe::Matrix m{as_told(source), ""};
  if (!is_generated(source)) {
    Progress progress;
    m.hash = hashed_mark_of(place_of(source).path, progress).hash;
  }
  if (std::find(recipe_.matrices.begin(), recipe_.matrices.end(), m) == recipe_.matrices.end())
    recipe_.matrices.push_back(m);
}

void FigureOptions::of_run(const RunRecord& run, bool kept) { plot::add_run(recipe_, run, kept); }

void FigureOptions::of_device(const std::string& device, Provenance provenance) {
  plot::add_device(recipe_, device, provenance);
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

void FigureOptions::write(const plot::Plot& figure) const { write_file(out, made(figure).bytes); }

void FigureOptions::write(const plot::Plot& figure, const Folder& folder) const {
  folder.write(out, made(figure).bytes);
}

plot::Exported FigureOptions::made(const plot::Plot& figure) const {
  const plot::Page wanted = page();
  plot::FigureRecipe recipe = recipe_;
  recipe.command = command_of(*app_);
  recipe.version = std::string(version().number) + " (" + version().commit + ")";
  plot::Exported made = plot::exported(figure, out, wanted, recipe);
  if (made.fitted.font_pt < wanted.font_pt)
    std::cerr << "warpspy: " << out << ": texts are " << plot::significant(made.fitted.font_pt, 2)
              << " pt, since not all have room at " << plot::significant(wanted.font_pt, 2) << "\n";
  return made;
}

}  // namespace warpspy::cli
