#include "ui/figures/everything.hpp"

#include <stdlib.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <optional>
#include <system_error>
#include <vector>

#include "core/base/foreign_text.hpp"
#include "core/base/regular_file.hpp"
#include "core/base/target.hpp"
#include "core/io/zip_writer.hpp"
#include "core/plot/export.hpp"
#include "ui/figures/figure.hpp"

namespace warpspy::ui {

namespace fs = std::filesystem;

namespace {

struct Written {
  const FigureRow* row;
  std::string title, caption, facts;
  std::string svg;  // of pictures
};

// What was drawn into a file of our own.
std::string text_of(const fs::path& path) { return read_file(path, std::uint64_t{1} << 30); }

// The first name that is free, of a folder that is made, or of an archive.
fs::path new_place(const std::string& where, bool zip) {
  const fs::path base = (where.empty() ? fs::path(".") : fs::path(where)) / "warpspy-figures";
  for (int k = 1; k < 1000; ++k) {
    const fs::path place = base.string() + (k == 1 ? "" : "-" + std::to_string(k)) + (zip ? ".zip" : "");
    std::error_code failed;
    if (zip ? !fs::exists(place, failed) : fs::create_directories(place, failed)) return place;
    if (failed && !zip)
      throw Error("the folder could not be made: " + failed.message(), place.string(), "choose another one");
  }
  throw Error("there are a thousand such names already", base.string(), "remove some");
}

// Where the files are while they are made, gone again unless they are all there.
class Files {
 public:
  Files(const std::string& where, bool zip) : place_(new_place(where, zip)), folder_(zip ? temporary() : place_) {}
  ~Files() {
    std::error_code ignored;
    if (!done_ || folder_ != place_) fs::remove_all(folder_, ignored);
  }
  Files(const Files&) = delete;
  Files& operator=(const Files&) = delete;
  const fs::path& folder() const { return folder_; }
  std::string finish() {
    if (folder_ != place_) pack();
    done_ = true;
    return place_.string();
  }

 private:
  static fs::path temporary() {
    std::string name = (fs::temp_directory_path() / "warpspy-figures-XXXXXX").string();
    if (!::mkdtemp(name.data()))
      throw Error("the folder could not be made: " + std::string(std::strerror(errno)), name, "set TMPDIR");
    return name;
  }
  void pack() const {
    std::vector<fs::path> names;
    for (const auto& entry : fs::directory_iterator(folder_)) names.push_back(entry.path().filename());
    std::sort(names.begin(), names.end());
    ZipWriter zip(place_.string(), true);
    for (const fs::path& name : names) {
      const std::string bytes = text_of(folder_ / name);
      zip.begin((place_.stem() / name).string(), bytes.size());
      zip.put(bytes.data(), bytes.size());
    }
    zip.commit();
  }

  fs::path place_, folder_;
  bool done_ = false;
};

std::string escaped(const std::string& s) {
  std::string result;
  for (const char c : harmless(s))
    result += c == '&' ? "&amp;" : c == '<' ? "&lt;" : c == '>' ? "&gt;" : std::string(1, c);
  return result;
}

// `figure`: nothing where there are numbers alone.
Written write_row(const AppState& s, const FigureRow& row, const plot::Plot* figure, const fs::path& folder,
                  const plot::Page& page, const std::function<std::string(const FigureRow&)>& desk_of) {
  const auto file = [&](const char* ending) { return (folder / (std::string(row.id) + ending)).string(); };
  Written w{&row, row.word, "", "", ""};
  if (!figure) {
    write_file(file(".csv"), row.csv(s));
    write_file(file(".json"), row.json(s));
    return w;
  }
  const plot::FigureRecipe recipe = recipe_of(s, row, desk_of(row));
  for (const char* ending : {".svg", ".pdf", ".csv", ".json"}) plot::export_plot(*figure, file(ending), page, recipe);
  w.title = figure->title.empty() ? row.word : figure->title;
  w.caption = figure->subtitle;
  w.facts = plot::facts_line(recipe);
  w.svg = text_of(file(".svg"));
  return w;
}

std::string readme_of(const std::vector<Written>& all, const std::string& left_out) {
  std::string text =
      "# Figures of Warpspy\n\nEach as SVG and PDF, its numbers as CSV and JSON. `warpspy figure FILE` "
      "tells how one was made, and draws it again.\n";
  for (const Written& w : all) {
    text += "\n## " + markdown_escaped(w.title) + "\n\n";
    if (!w.svg.empty()) text += std::string("![") + w.row->word + "](" + w.row->id + ".svg)\n\n";
    text += "`" + std::string(w.row->id) + "`" + (w.caption.empty() ? "" : ": " + markdown_escaped(w.caption)) + "\n";
    if (!w.facts.empty()) text += "\n" + markdown_escaped(w.facts) + "\n";
  }
  return left_out.empty() ? text : text + "\n## Not drawn\n\n" + markdown_escaped(left_out) + "\n";
}

std::string table_of_runs(const AppState& s) {
  std::string rows;
  for (const auto& r : s.runs.all()) {
    if (r->status != RunStatus::ok) continue;
    const auto cell = [](const std::string& text) { return "<td>" + escaped(text) + "</td>"; };
    rows += "<tr>" + cell(r->matrix_name) + cell(r->kernel_label.empty() ? r->request.kernel : r->kernel_label) +
            cell(name_of(r->request.precision)) + cell(r->device_name) + cell(std::to_string(r->time.value)) +
            cell(std::to_string(r->gflops.value)) + cell(name_of(r->provenance)) + "</tr>\n";
  }
  if (rows.empty()) return "";
  return "<h2>Runs</h2>\n<table>\n<tr><th>matrix</th><th>kernel</th><th>precision</th><th>device</th><th>time "
         "(\xC2\xB5s)</th><th>GFLOP/s</th><th>numbers</th></tr>\n" +
         rows + "</table>\n";
}

// Names inside a picture must not meet those of another in one page.
std::string inlined(std::string svg, const std::string& id) {
  if (const std::size_t at = svg.find("<svg"); at != std::string::npos) svg.erase(0, at);
  for (const std::string& before : {std::string("id=\"clip"), std::string("url(#clip")})
    for (std::size_t at = 0; (at = svg.find(before, at)) != std::string::npos; at += before.size() + id.size())
      svg.insert(at + before.size() - 4, id);
  return svg;
}

// Plain HTML with everything inside: no scripts, nothing to be fetched.
std::string report_of(const AppState& s, const std::vector<Written>& all, const std::string& left_out) {
  std::string text =
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<title>Warpspy: report</title>\n<style>\n"
      "body { font-family: Inter, 'DejaVu Sans', sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; }\n"
      "svg { max-width: 100%; height: auto; } figure { margin: 2rem 0; } figcaption, td, th { font-size: 0.9rem; }\n"
      "td, th { padding: 0.2rem 0.8rem 0.2rem 0; text-align: left; }\n</style>\n</head>\n<body>\n<h1>Warpspy: "
      "report</h1>\n";
  if (!s.matrices.empty()) text += "<h2>Matrices</h2>\n<ul>\n";
  for (const OpenMatrix& m : s.matrices)
    text += "<li>" + escaped(m.name) + ": " + escaped(m.source) +
            (m.file && !m.file->hash.empty() ? ", contents " + m.file->hash : "") + "</li>\n";
  if (!s.matrices.empty()) text += "</ul>\n";
  for (const Written& w : all) {
    if (w.svg.empty()) continue;
    text += "<figure>\n<h2>" + escaped(w.title) + "</h2>\n" + inlined(w.svg, w.row->id) + "<figcaption>" +
            escaped(w.caption) + "<br>" + escaped(w.facts) + "</figcaption>\n</figure>\n";
  }
  text += table_of_runs(s);
  if (!left_out.empty()) text += "<h2>Not drawn</h2>\n<p>" + escaped(left_out) + "</p>\n";
  return text + "</body>\n</html>\n";
}

}  // namespace

ExportedAll export_everything(const AppState& s, const std::string& where, const plot::Page& page, bool zip,
                              const std::function<std::string(const FigureRow&)>& desk_of, const Progress& progress) {
  Files files(where, zip);
  const fs::path& folder = files.folder();
  ExportedAll result;
  std::vector<Written> all;
  for (const FigureRow* row : figure_rows()) {
    progress.check();
    if (!row->reason(s).empty()) continue;
    const auto leave_out = [&](const Error& e) {
      result.left_out += (result.left_out.empty() ? "" : "; ") + std::string(row->word) + ": " + e.reason;
    };
    // What cannot be drawn, or does not fit the page, does not end the others; a full disk does.
    std::optional<plot::Plot> figure;
    try {
      if (row->picture) figure = row->picture(s, {.what = row->id, .page = page}, plot::theme_of(page), progress);
    } catch (const Error& e) {
      leave_out(e);
      continue;
    }
    try {
      all.push_back(write_row(s, *row, figure ? &*figure : nullptr, folder, page, desk_of));
    } catch (const plot::NoRoom& e) {
      leave_out(e);
    }
  }
  result.figures = static_cast<int>(all.size());
  write_file((folder / "README.md").string(), readme_of(all, result.left_out));
  write_file((folder / "report.html").string(), report_of(s, all, result.left_out));
  result.place = files.finish();
  return result;
}

}  // namespace warpspy::ui
