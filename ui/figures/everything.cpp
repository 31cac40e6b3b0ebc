#include "ui/figures/everything.hpp"

#include <stdlib.h>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <optional>
#include <set>
#include <system_error>
#include <vector>

#include "core/base/foreign_text.hpp"
#include "core/base/regular_file.hpp"
#include "core/base/target.hpp"
#include "core/io/zip_writer.hpp"
#include "core/plot/export.hpp"
#include "core/plot/text.hpp"
#include "ui/figures/figure.hpp"

namespace warpspy::ui {

namespace fs = std::filesystem;

namespace {

struct Written {
  const FigureRow* row;
  std::string name;  // name of its files, without an ending
  std::string title, caption, facts;
  std::string svg;  // of pictures
};

// Reads a file that the program itself has drawn.
std::string text_of(const fs::path& path) { return read_file(path, std::uint64_t{1} << 30); }

// The first unused name for a new folder or archive.
fs::path new_place(const std::string& where, bool zip, const std::string& archive) {
  if (!archive.empty()) return archive;
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

// The files while they are being made. They are deleted unless all of them succeed.
class Files {
 public:
  explicit Files(const ReportPlace& to)
      : place_(new_place(to.folder, to.zip, to.archive)),
        folder_(to.zip || !to.archive.empty() ? temporary() : place_) {}
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

// A figure of the report. A row gives one figure, or one for each matrix, for each device and precision, or for each
// analysis.
struct Part {
  Figure figure;
  std::string name;
};

// A name that any file system takes.
std::string file_word(const std::string& name) {
  std::string word;
  for (const char c : name)
    word += std::isalnum(static_cast<unsigned char>(c)) || c == '-' || c == '_' || c == '.' ? c : '-';
  return word;
}

std::vector<Part> of_each_matrix(const AppState& s, const FigureRow& row) {
  std::vector<Part> parts;
  std::set<std::string> taken;
  for (const OpenMatrix& m : s.matrices) {
    if (m.status != OpenMatrix::Status::ready || !m.facts || (row.has && !row.has(m))) continue;
    std::string name = std::string(row.id) + "-" + file_word(figure::written_name(m.name));
    while (!taken.insert(name).second) name += "-2";
    parts.push_back({figure_of(s, row, &m), name});
  }
  if (parts.size() == 1) parts.front().name = row.id;
  return parts;
}

// One part for each device and precision with runs.
std::vector<Part> of_each_plane(const AppState& s, const FigureRow& row) {
  std::vector<std::shared_ptr<const RunRecord>> runs;
  for (const auto& r : s.runs.all())
    if (!s.on_trail(r->id)) runs.push_back(r);
  const std::vector<figure::Plane> planes = figure::planes_of(runs);
  std::vector<Part> parts;
  for (const figure::Plane& plane : planes) {
    Part part{figure_of(s, row), row.id + plane.suffix};
    figure::Subject& subject = part.figure.subject;
    const DeviceInfo* d = s.catalog->device(plane.device);
    subject.runs = plane.runs;
    subject.device = d ? d->name : plane.runs.front()->device_name;
    subject.roofs = d ? roofs_of(d->spec, plane.precision, s.measured_roofs_of(d->id)) : std::vector<Roof>{};
    part.figure.options.roof_precision.reset();
    if (planes.size() > 1 || !s.roofline_device || plane.device != s.roofline_device->id) {
      part.figure.options.limits = {};
      part.figure.options.roofline.color = figure::telling_colour(plane.runs);
    }
    parts.push_back(std::move(part));
  }
  return parts;
}

// Its part of the report fills in what it shows.
Figure empty_of(const AppState& s, const FigureRow& row) {
  Figure f{.row = &row, .subject = {}, .options = {}};
  f.subject.catalog = s.catalog;
  return f;
}

std::vector<Part> of_each_analysis(const AppState& s, const FigureRow& row) {
  std::vector<Part> parts;
  for (const auto& [id, a] : s.analyses) {
    if (!a.result) continue;
    parts.push_back({empty_of(s, row), std::string(row.id) + "-" + id});
    parts.back().figure.subject.analysis = a.result;
  }
  if (parts.size() == 1) parts.front().name = row.id;
  return parts;
}

// One part for each device with measured roofs.
std::vector<Part> of_each_device(const AppState& s, const FigureRow& row) {
  std::vector<Part> parts;
  for (const auto& [id, roofs] : s.measured_roofs) {
    const DeviceInfo* d = s.catalog->device(id);
    if (!d) continue;
    parts.push_back({empty_of(s, row), std::string(row.id) + "-" + file_word(id)});
    figure::Subject& subject = parts.back().figure.subject;
    subject.measured = roofs, subject.device = d->name, subject.device_id = id;
    subject.l2_bytes = d->spec.l2_bytes;
  }
  if (parts.size() == 1) parts.front().name = row.id;
  return parts;
}

// The runs of this session, even if the list shows others.
std::vector<Part> of_all_runs(const AppState& s, const FigureRow& row) {
  Part part{empty_of(s, row), row.id};
  for (const auto& r : s.runs.all())
    if (!s.on_trail(r->id)) part.figure.subject.runs.push_back(r);
  return part.figure.subject.runs.empty() ? std::vector<Part>{} : std::vector<Part>{part};
}

std::vector<Part> parts_of(const AppState& s, const FigureRow& row) {
  const std::string id = row.id;
  if (id == "roofs") return of_each_device(s, row);
  if (id == "runs") return of_all_runs(s, row);
  if (id == "analysis") return of_each_analysis(s, row);
  if (id == "mesh") return of_each_matrix(s, row);
  if (!row.reason(s).empty()) return {};
  if (id == "spy" || id == "histogram" || id == "layout") return of_each_matrix(s, row);
  if (id == "roofline") return of_each_plane(s, row);
  return {{figure_of(s, row), id}};
}

// `drawn`: empty for a part that has only numbers.
Written write_part(const AppState& s, const Part& part, const plot::Plot* drawn, const fs::path& folder,
                   const plot::Page& page, const std::function<std::string(const Figure&)>& desk_of) {
  const auto file = [&](const char* ending) { return (folder / (part.name + ending)).string(); };
  const FigureRow& row = *part.figure.row;
  Written w{&row, part.name, row.word, "", "", ""};
  if (!drawn) {
    write_file(file(".csv"), part.figure.csv());
    write_file(file(".json"), part.figure.json());
    return w;
  }
  const plot::FigureRecipe recipe = recipe_of(s, part.figure, desk_of(part.figure));
  for (const char* ending : {".svg", ".pdf", ".csv", ".json"}) plot::export_plot(*drawn, file(ending), page, recipe);
  w.title = drawn->title.empty() ? row.word : drawn->title;
  w.caption = drawn->subtitle;
  w.facts = plot::facts_line(recipe);
  w.svg = text_of(file(".svg"));
  return w;
}

std::string readme_of(const std::vector<Written>& all, const std::string& left_out) {
  std::string text =
      "# Figures of Warpspy\n\nEach as SVG and PDF, its numbers as JSON, and as CSV, beside which a JSON file tells "
      "how they were made. `warpspy figure FILE` tells how a figure was made, and draws it again.\n";
  for (const Written& w : all) {
    text += "\n## " + markdown_escaped(w.title) + "\n\n";
    if (!w.svg.empty()) text += std::string("![") + w.row->word + "](" + w.name + ".svg)\n\n";
    text += "`" + w.name + "`" + (w.caption.empty() ? "" : ": " + markdown_escaped(w.caption)) + "\n";
    if (!w.facts.empty()) text += "\n" + markdown_escaped(w.facts) + "\n";
  }
  return left_out.empty() ? text : text + "\n## Not drawn\n\n" + markdown_escaped(left_out) + "\n";
}

std::string note_of(const AppState& s, std::uint64_t run) {
  const auto note = s.notes.find(run);
  return note == s.notes.end() ? "" : note->second;
}

std::string table_of_runs(const AppState& s) {
  std::string rows;
  for (const auto& r : s.runs.all()) {
    if (s.on_trail(r->id)) continue;
    const auto cell = [](const std::string& text) { return "<td>" + escaped(text) + "</td>"; };
    rows += "<tr>" + cell(r->matrix_name) + cell(r->kernel_label.empty() ? r->request.kernel : r->kernel_label) +
            cell(name_of(r->request.precision)) + cell(r->device_name) +
            (r->status == RunStatus::ok ? cell(plot::significant(r->time.value, 5)) +
                                              cell(plot::significant(r->gflops.value, 4)) + cell(name_of(r->provenance))
                                        : cell("") + cell("") + cell(name_of(r->status) + (": " + r->error))) +
            cell(note_of(s, r->id)) + "</tr>\n";
  }
  if (rows.empty()) return "";
  return "<h2>Runs</h2>\n<table>\n<tr><th>matrix</th><th>kernel</th><th>precision</th><th>device</th><th>time "
         "(\xC2\xB5s)</th><th>GFLOP/s</th><th>numbers</th><th>note</th></tr>\n" +
         rows + "</table>\n";
}

// Ids inside a picture must be unique on a page with several pictures.
std::string inlined(std::string svg, const std::string& id) {
  if (const std::size_t at = svg.find("<svg"); at != std::string::npos) svg.erase(0, at);
  for (const std::string& before : {std::string("id=\"clip"), std::string("url(#clip")})
    for (std::size_t at = 0; (at = svg.find(before, at)) != std::string::npos; at += before.size() + id.size())
      svg.insert(at + before.size() - 4, id);
  return svg;
}

// Plain HTML that contains everything: no scripts, nothing to download.
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
    text += "<figure>\n<h2>" + escaped(w.title) + "</h2>\n" + inlined(w.svg, w.name) + "<figcaption>" +
            escaped(w.caption) + "<br>" + escaped(w.facts) + "</figcaption>\n</figure>\n";
  }
  text += table_of_runs(s);
  if (!left_out.empty()) text += "<h2>Not drawn</h2>\n<p>" + escaped(left_out) + "</p>\n";
  return text + "</body>\n</html>\n";
}

}  // namespace

ExportedAll export_everything(const AppState& s, const ReportPlace& to, const plot::Page& page,
                              const std::function<std::string(const Figure&)>& desk_of, const Progress& progress) {
  Files files(to);
  const fs::path& folder = files.folder();
  ExportedAll result;
  std::vector<Written> all;
  for (const FigureRow* row : figure_rows()) {
    progress.check();
    const auto leave_out = [&](const std::string& what, const Error& e) {
      result.left_out += (result.left_out.empty() ? "" : "; ") + what + ": " + e.reason;
    };
    // A figure that fails or does not fit on the page does not stop the others; a full disk does.
    std::vector<Part> parts;
    try {
      parts = parts_of(s, *row);
    } catch (const Error& e) {
      leave_out(row->word, e);
    }
    for (const Part& part : parts) {
      progress.check();
      const std::string what = part.name == row->id ? row->word : part.name;
      std::optional<plot::Plot> drawn;
      try {
        if (row->picture()) drawn = part.figure.draw(page, progress);
      } catch (const Error& e) {
        leave_out(what, e);
        continue;
      }
      try {
        all.push_back(write_part(s, part, drawn ? &*drawn : nullptr, folder, page, desk_of));
      } catch (const plot::NoRoom& e) {
        leave_out(what, e);
      }
    }
  }
  result.figures = static_cast<int>(all.size());
  write_file((folder / "README.md").string(), readme_of(all, result.left_out));
  write_file((folder / "report.html").string(), report_of(s, all, result.left_out));
  result.place = files.finish();
  return result;
}

}  // namespace warpspy::ui
