// figure: draws a figure again from the recipe that its file contains.
#include <CLI/CLI.hpp>
#include <filesystem>
#include <iostream>

#include "app/cli/figure_options.hpp"
#include "app/version.hpp"
#include "core/base/source_name.hpp"
#include "core/io/reader.hpp"
#include "core/plot/export.hpp"
#include "core/plot/figure_recipe.hpp"
#include "core/session/file_mark.hpp"

namespace warpspy::cli {
namespace {

// The matrix must be unchanged, since the figure names it.
void require_same(const plot::FigureRecipe::Matrix& m) {
  if (is_generated(m.source) || m.hash.empty()) return;
  constexpr const char* remedy = "--as-recorded draws from the numbers that the figure carries";
  if (m.source == kStandardInput) throw Error("the matrix of this figure came on standard input", m.source, remedy);
  const std::string path = place_of(m.source).path;
  if (!mark_of(path))
    throw Error("the matrix of this figure is gone", path,
                is_of_collection(m.source)
                    ? "warpspy fetch " + m.source.substr(m.source.find(':') + 1) + " brings it back"
                    : std::string(remedy));
  Progress progress;
  if (hashed_mark_of(path, progress).hash != m.hash)
    throw Error("the matrix of this figure has changed since it was drawn", path, remedy);
}

void tell(const plot::FoundFigure& found) {
  const plot::FigureRecipe& r = found.recipe;
  const auto line = [](const char* name, const std::string& value) {
    if (!value.empty()) std::cout << name << value << "\n";
  };
  line("figure      ", found.plot.title);
  line("command     ", r.command);
  line("version     ", r.version);
  for (const auto& m : r.matrices) line("matrix      ", m.source + (m.hash.empty() ? "" : ", contents " + m.hash));
  for (const std::string& device : r.devices) line("device      ", device);
  for (const std::uint64_t id : r.runs) line("run         ", "#" + std::to_string(id));
  line("numbers     ", r.provenance);
  line("page        ", found.page.preset);
}

// Prints whether the new file has the same bytes, if the page is the same.
void compare(const std::string& before, const std::string& file, const std::string& out,
             const plot::FoundFigure& found) {
  if (plot::figure_bytes(out) == before) {
    std::cout << out << ": the same as " << file << ", byte for byte\n";
    return;
  }
  const std::string now = std::string(version().number) + " (" + version().commit + ")";
  std::cout << out << ": differs from " << file << ": "
            << (found.edited                  ? "that was changed by hand"
                : found.recipe.version != now ? "drawn by Warpspy " + found.recipe.version + ", this is " + now
                                              : "drawn with other libraries (warpspy --version names them)")
            << "\n";
}

}  // namespace

int figure(CLI::App& app, std::vector<std::string> args) {
  FigureOptions options;
  std::string file;
  bool as_recorded = false;
  app.add_option("FILE", file, "A figure that Warpspy wrote: .svg, .pdf, .png, .pgf or .tex")->required();
  app.add_option("-o,--output", options.out,
                 "File to write: .svg .pdf .png .pgf .tex, or the numbers as .csv .json; without it what the recipe "
                 "says is printed");
  app.add_flag("--as-recorded", as_recorded, "Also where the matrix is gone or has changed");
  options.add_look(app);
  app.parse(std::move(args));
  const std::string before = plot::figure_bytes(file);
  const plot::FoundFigure found = plot::read_figure(before);
  if (found.edited)
    std::cerr << "warpspy: " << file
              << ": changed by hand since it was drawn; its recipe is whole, and is what counts\n";
  if (options.out.empty()) {
    tell(found);
    return 0;
  }
  if (!as_recorded)
    for (const auto& m : found.recipe.matrices) require_same(m);
  const auto ending = [](const std::string& path) { return std::filesystem::path(path).extension().string(); };
  if (!found.has_rows && (ending(options.out) == ".csv" || ending(options.out) == ".json"))
    throw Error("the numbers behind this figure were too many to be kept in it", file,
                "make them again: " + found.recipe.command);
  const plot::Page page = options.page_given() ? options.page() : found.page;
  plot::export_plot(found.plot, options.out, page, found.recipe);
  if (!options.page_given() && ending(options.out) == ending(file)) compare(before, file, options.out, found);
  return 0;
}

}  // namespace warpspy::cli
