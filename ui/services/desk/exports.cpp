#include "ui/services/desk/exports.hpp"

#include <filesystem>
#include <utility>

#include "core/base/source_name.hpp"
#include "core/io/reader.hpp"
#include "core/plot/export.hpp"
#include "core/plot/figure_recipe.hpp"
#include "core/run/history.hpp"
#include "core/session/desk.hpp"
#include "core/session/file_mark.hpp"
#include "ui/figures/everything.hpp"
#include "ui/figures/figure.hpp"
#include "ui/services/desk/desk_state.hpp"

namespace warpspy::ui {

namespace fs = std::filesystem;

void Exports::on(const ShowExport& a) {
  Exporting& e = s_.exporting;
  e.what = a.what;
  e.problem.clear(), e.exists.clear();
  e.preview.reset(), e.no_preview.clear();
  s_.dialog = "export";
}

void Exports::on(const PreviewFigure& a) {
  if (preview_job_) preview_job_->cancel();
  auto snapshot = std::make_shared<const AppState>(s_);
  const auto ticket = preview_asked_.next();
  const auto is_current = [this, ticket] { return preview_asked_.is_current(ticket); };
  preview_job_ = workers_.submit(
      JobQueue::tiles, "Preview",
      [snapshot, a](Progress& p) -> std::shared_ptr<const PagePicture> {
        return std::make_shared<PagePicture>(preview_figure(*snapshot, a, p));
      },
      [this, is_current](std::shared_ptr<const PagePicture> picture) {
        if (!is_current()) return;
        s_.exporting.preview = std::move(picture);
        s_.exporting.no_preview.clear();
      },
      [this, is_current](const Failure& f) {
        if (!is_current()) return;
        s_.exporting.preview.reset();
        s_.exporting.no_preview = f.one_line();
      });
}

// The dialog stays open until the file is written, so that a wrong name can be corrected there.
void Exports::on(const ExportFigure& a) {
  Exporting& e = s_.exporting;
  e.writing = true;
  e.problem.clear(), e.exists.clear();
  e.page = a.page;
  auto snapshot = std::make_shared<const AppState>(s_);
  struct Written {
    bool exists = false;  // the file exists and was not changed
    plot::Fitted fitted = {};
  };
  const std::string path = a.path;
  workers_.submit(
      JobQueue::load, "Writing " + fs::path(path).filename().string(),
      [snapshot, a](Progress& p) -> Written {
        std::error_code ignored;
        if (!a.overwrite && fs::exists(a.path, ignored)) return {.exists = true};
        const FigureRow* row = figure_row(a.what);
        return {.fitted = export_figure(
                    *snapshot, a,
                    row && row->reason(*snapshot).empty() ? desk_of_figure(*snapshot, figure_of(*snapshot, *row)) : "",
                    p)};
      },
      [this, path, wanted = a.page](const Written& w) {
        Exporting& now = s_.exporting;
        now.writing = false;
        if (w.exists) {
          now.exists = path;
          if (s_.dialog != "export") say(Message::Kind::warning, path + " exists already, and was left as it is.");
          return;
        }
        if (s_.dialog == "export") s_.dialog.clear();
        const bool smaller = w.fitted.font_pt > 0 && w.fitted.font_pt < wanted.font_pt;
        say(Message::Kind::note,
            "Written: " + path + (smaller ? ", with smaller texts than asked for: not all had room" : ""));
        now.folder = fs::absolute(path).parent_path().string();
      },
      [this](const Failure& f) { not_written(f); }, [this] { s_.exporting.writing = false; });
}

void Exports::not_written(const Failure& f) {
  s_.exporting.writing = false;
  s_.exporting.problem = f.one_line();
  say(f);
}

void Exports::on(const ExportAll& a) {
  s_.exporting.page = a.page;
  s_.exporting.writing = true;
  s_.exporting.problem.clear(), s_.exporting.exists.clear();
  auto snapshot = std::make_shared<const AppState>(s_);
  workers_.submit(
      JobQueue::load, "Writing all figures",
      [snapshot, a](Progress& p) {
        return export_everything(
            *snapshot, {.folder = a.folder, .zip = a.zip}, a.page,
            [&](const Figure& figure) { return desk_of_figure(*snapshot, figure); }, p);
      },
      [this](const ExportedAll& all) {
        s_.exporting.writing = false;
        if (s_.dialog == "export") s_.dialog.clear();
        say(all.left_out.empty() ? Message::Kind::note : Message::Kind::warning,
            "Written: " + std::to_string(all.figures) + " figures and tables in " + all.place +
                (all.left_out.empty() ? "" : "; not " + all.left_out));
        s_.exporting.folder = fs::absolute(all.place).parent_path().string();
      },
      [this](const Failure& f) { not_written(f); }, [this] { s_.exporting.writing = false; });
}

// Opening a figure restores what it shows: its matrices, tab, runs and selection. A figure of the command line names
// its matrices and runs, which are opened.
void Exports::on(const FigureOpened& e) {
  struct Of {
    DeskRead desk;
    DeskRunsFound runs;
    bool edited = false;
  };
  workers_.submit(
      JobQueue::tiles, "Reading " + fs::path(e.path).filename().string(),
      [this, path = e.path](Progress& p) -> Of {
        const plot::FoundFigure found = plot::read_figure(plot::figure_bytes(path));
        for (const auto& m : found.recipe.matrices) {
          if (is_generated(m.source)) continue;
          const std::string file = place_of(m.source).path;
          if (!mark_of(file))
            throw Error("the matrix of this figure is gone: " + file, path, "bring it back, or open another");
          if (!m.hash.empty() && hashed_mark_of(file, p).hash != m.hash)
            throw Error("the matrix of this figure has changed since it was drawn: " + file, path,
                        "open the matrix itself");
        }
        Of of;
        of.edited = found.edited;
        if (!found.recipe.desk.empty()) of.desk = desk_from_json(found.recipe.desk);
        Desk& desk = of.desk.desk;
        leave_own(desk);  // whoever wrote it
        if (desk.matrices.empty())
          for (const auto& m : found.recipe.matrices) {
            DeskMatrix& of_figure = desk.matrices.emplace_back();
            of_figure.recipe.source = absolute_source(m.source);
            of_figure.name = matrix_name(m.source);
          }
        if (desk.active < 0 && !desk.matrices.empty()) desk.active = 0;
        if (desk.runs.empty())
          for (const std::uint64_t id : found.recipe.runs) desk.runs.push_back({.id = id});
        of.runs = find_runs(desk, history_);
        return of;
      },
      [this, path = e.path](Of of) {
        const std::string name = fs::path(path).filename().string();
        if (of.edited) say(Message::Kind::warning, name + " was changed by hand since it was drawn.");
        if (of.desk.desk.empty()) return say(Message::Kind::warning, name + " says of no matrix that it could open.");
        // The figure's runs are selected instead of the current one.
        act(SelectRun{});
        s_.selected = 0;
        const std::string tab = s_.tab;
        desk_.bring_back(std::move(of.desk), of.runs, name);
        if (s_.tab != tab) act(ShowTab{std::exchange(s_.tab, tab)});
      },
      [this](const Failure& f) { say(f); });
}

}  // namespace warpspy::ui
