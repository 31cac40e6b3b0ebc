#include "ui/session/session.hpp"

#include <algorithm>
#include <filesystem>
#include <utility>

#include "core/base/source_name.hpp"
#include "core/io/io.hpp"
#include "core/plot/export.hpp"
#include "core/sweep/matrices.hpp"
#include "ui/state/choice_rows.hpp"

namespace warpspy::ui {

namespace fs = std::filesystem;

Session::Session(const Catalog& catalog, Engine& engine, SessionOptions options)
    : engine_(engine),
      options_(std::move(options)),
      catalogs_{catalog},
      history_(options_.history),
      workers_(mail_, options_.workers, options_.idle_jobs ? take_idle_processors : let_others_go_first) {
  mail_.on_post(options_.wake);
  s_.catalog = &catalog;
  engine_.on_device_lost([this](const std::string& id, const std::string& reason) {
    mail_.post([this, id, reason] { lose_device(id, reason); });
  });
  engine_.on_devices([this](const std::string& host, const std::vector<DeviceInfo>& devices) {
    mail_.post([this, host, devices] { take_devices(host, devices); });
  });
  std::string problem;
  const Preferences p = load_preferences(options_.preferences, &problem);
  s_.recent = p.recent;
  s_.memory = p.memory;
  s_.listing.folder = p.folder;
  s_.exporting.folder = p.export_folder;
  s_.system_dialog = options_.system_dialog;
  s_.version = options_.version;
  s_.settings = p.settings;
  set_saved_choices(s_, ChoiceRow::Saved::preferences, p.choices);
  if (!problem.empty()) say(Message::Kind::warning, problem);
  for (const auto& notice : catalog.notices) say(Message::Kind::note, notice);
  s_.unread = problem.empty() ? 0 : 1;
  for (const ChoiceRow& c : choice_rows())
    if (const auto usual = s_.settings.usual.find(c.id); c.usual && c.usual->now && usual != s_.settings.usual.end())
      c.set(s_, usual->second);
  choose_device();
  use_engines();
  const std::string usual = RunRequest{}.kernel;
  if (!catalog.kernels.empty()) s_.knobs.kernel = catalog.kernel(usual) ? usual : catalog.kernels[0].id;
  preferences_.differs(preferences_of(s_));
  if (s_.settings.keep_desk) begin_desk();
  on(AskCollection{});  // what is here of it: the action search completes names
}

Session::~Session() {
  mail_.on_post({});
  keep_desk();
  // Notes and removals that no job came to yet.
  for (const auto& [ticket, edit] : edits_) {
    try {
      edit();
    } catch (const Error&) {
      // There is no one left to tell; the runs themselves are safe.
    }
  }
}

void Session::apply(const Action& a) {
  const auto step = undo_name(a, s_);
  const auto before = step ? std::optional(undo_state(s_)) : std::nullopt;
  a.visit([this](const auto& x) { on(x); });
  settle();
  if (step) undo_.record(*step, *before, undo_state(s_));
  tell_undo();
  desk_changed();
  touched_ = true;
}

// What is to hold after everything that changes the state.
void Session::settle() {
  // A trail is one of a kernel on a device.
  if (trail_of_.differs({s_.knobs.device, s_.knobs.kernel})) forget_trail();
  following_.list();
  settle_selected_run();
  following_.at_once();
  write_preferences();
}

void Session::update() {
  touched_ = false;
  take_mail();
  note_tabs_seen();
  s_.jobs.clear();
  for (auto& j : workers_.pending())
    if (j->queue != JobQueue::tiles) s_.jobs.push_back(std::move(j));
  if (s_.run_job && s_.run_job->status() == JobStatus::finished) s_.run_job = nullptr;
  if (!s_.run_job && live_is_due()) {
    start_run(*s_.current(), true);
  } else if (!s_.run_job && workers_.idle() && may_refresh()) {
    refresh_live();
  } else if (!s_.run_job && workers_.idle() && may_refine()) {
    refine_live();
  } else if (refresh_job_ && ((!may_refresh() && !may_refine()) || workers_.pending().size() > 1)) {
    refresh_job_->cancel();
  }
  follow_pattern();
  follow_warp();
  serve_sweep();
  serve_best();
  settle();
  following_.in_frame();
  start_keeping();
}

bool Session::idle() {
  const bool due = (desk_changed_ && may_keep_desk() && options_.autosave_s <= 0) || touched_ || live_is_due() ||
                   pattern_waits() || may_refine() ||
                   (s_.sweep && s_.sweep->phase == SweepRun::Phase::running && !s_.sweep->job) ||
                   (s_.best_search && s_.best_search->running && !s_.best_search->job);
  // A live run on a real GPU is measured again and again: that goes on while nothing else does, once it has begun.
  const bool at_rest = workers_.idle() || (refresh_job_ && s_.live_hz > 0 && workers_.pending().size() == 1);
  return !due && take_mail() == 0 && at_rest;
}

std::size_t Session::take_mail() {
  const std::size_t taken = mail_.drain();
  // What came may be news for the desk, unless it came of keeping it.
  const bool news = taken > std::exchange(desk_mail_, 0);
  if (news && (!s_.matrices.empty() || !s_.runs.all().empty())) desk_changed();
  settle();
  return taken;
}

OpenMatrix* Session::find(MatrixId id) {
  for (auto& m : s_.matrices)
    if (m.id == id) return &m;
  return nullptr;
}

OpenMatrix* Session::find(const Opening& o) {
  OpenMatrix* m = find(o.id);
  return m && m->opening == o.number ? m : nullptr;
}

void Session::say(Message::Kind kind, std::string text, std::string remedy, MatrixId about) {
  // A message is one line: what a library adds after a line break does not belong in a status bar.
  std::replace(text.begin(), text.end(), '\n', ' ');
  s_.messages.push_back({kind, std::move(text), std::move(remedy), about});
  ++s_.unread;
}

void Session::say(const Failure& f, MatrixId about) {
  say(Message::Kind::error, f.where.empty() ? f.reason : f.where + ": " + f.reason, f.remedy, about);
}

void Session::on(const OpenSource& a) {
  if (a.source.empty()) return;
  s_.dialog.clear();
  const std::string source = absolute_source(a.source);
  if (is_desk_name(source)) return on(OpenSession{source});
  if (plot::is_figure_name(source)) return open_figure(source);
  if (source.ends_with(".json")) return on(OpenSweep{source});
  for (const auto& m : s_.matrices)
    if (m.source == source && m.status != OpenMatrix::Status::failed) return on(SelectMatrix{m.id});
  drop_failed(source);
  OpenMatrix m;
  m.id = next_matrix_++;
  m.source = source;
  m.recipe.source = source;
  m.name = matrix_name(source);
  const MatrixId id = m.id;
  s_.matrices.push_back(std::move(m));
  load(id);
  on(SelectMatrix{id});
  if (s_.tab == "help") on(ShowTab{"matrix"});  // what is opened is not to lie behind it
}

void Session::run_by_itself(const OpenMatrix& m) {
  if (options_.run_on_open && s_.device() && s_.kernel() && s_.device()->available) start_run(m, false);
}

void Session::take(OpenMatrix& m, Matrix got) {
  const Opening opening = opening_of(m);
  m.matrix = std::make_shared<const Matrix>(std::move(got));
  m.name = m.matrix->source.name.empty() ? m.name : m.matrix->source.name;
  m.status = OpenMatrix::Status::ready;
  m.job = nullptr;
  m.format_facts = std::make_shared<const FormatFacts>(*m.matrix);
  const auto csr = m.matrix->csr;
  const auto failed = [this](const Failure& f) { say(f); };
  workers_.submit(
      JobQueue::load, "Counting " + m.name, [csr](Progress& p) { return Pyramid::build(csr, &p); },
      [this, opening](std::shared_ptr<const Pyramid> p) {
        if (auto* open = find(opening)) open->pyramid = std::move(p);
      },
      failed);
  workers_.submit(
      JobQueue::load, "Facts of " + m.name,
      [csr](Progress&) { return std::make_shared<const MatrixFacts>(facts_of(*csr)); },
      [this, opening](std::shared_ptr<const MatrixFacts> f) {
        auto* open = find(opening);
        if (!open) return;
        open->facts = std::move(f);
        find_best_kept(*open);
      },
      failed);
}

void Session::on(const SelectMatrix& a) {
  if (!find(a.id)) return;
  if (s_.selected != a.id) {
    forget_trail();
    change_knobs(s_.selected, *find(a.id));
    s_.layout = nullptr;
    s_.layout_problem.clear();
    s_.array.clear(), s_.line.clear();
    warp_waits_.reset();
  }
  s_.selected = a.id;
  select_run_of(*find(a.id));
  s_.highlight.reset();
  highlight_asked_.next();
}

void Session::on(const CloseMatrix& a) {
  auto* m = find(a.id);
  if (!m) return;
  const auto at = static_cast<std::size_t>(m - s_.matrices.data());
  const bool shown = s_.selected == a.id;
  drop_matrix(a.id);
  start_waiting();
  if (!shown || s_.matrices.empty()) return;
  on(SelectMatrix{s_.matrices[std::min(at, s_.matrices.size() - 1)].id});
}

// What failed makes room for another attempt.
void Session::drop_failed(const std::string& source) {
  std::vector<MatrixId> failed;
  for (const auto& m : s_.matrices)
    if (m.source == source && m.status == OpenMatrix::Status::failed) failed.push_back(m.id);
  for (const MatrixId id : failed) drop_matrix(id);
}

// Nothing is left of it; another one is to be shown then.
void Session::drop_matrix(MatrixId id) {
  auto* m = find(id);
  repeats_.erase(id);
  s_.matrices_view.chosen.erase(id);
  settle_group(id, short_name(m->source));
  quiet_.erase(id);
  if (m->job) m->job->cancel();
  for (const auto& [format, job] : m->building) job->cancel();
  forget_messages(id);
  s_.knobs_of.erase(id);
  if (s_.left == id || s_.right == id) s_.left = s_.right = 0;
  s_.matrices.erase(s_.matrices.begin() + (m - s_.matrices.data()));
  came(id, false, nullptr);
  if (s_.selected != id) return;
  s_.highlight.reset();
  s_.selected = 0;
}

void Session::on(const SetCamera& a) {
  auto* m = find(a.matrix);
  if (!m) return;
  m->camera = a.camera;
  // Side by side, matrices of one size are looked at in one place.
  const auto [left, right] = s_.compared();
  if (!s_.shows("compare") || !left || !right || !m->matrix || (m != left && m != right)) return;
  auto* other = find(m == left ? right->id : left->id);
  if (!other->matrix) return;
  const Csr &one = *m->matrix->csr, &two = *other->matrix->csr;
  if (one.rows() == two.rows() && one.cols() == two.cols()) other->camera = a.camera;
}
void Session::on(const SetChoice& a) {
  const ChoiceRow* row = choice_row(a.id);
  if (!row) return;
  const std::string before = row->get(s_);
  row->set(s_, a.value);
  if (row->also && row->get(s_) != before) row->also(s_);
}

void Session::on(const SetHighlight& a) {
  const auto ticket = highlight_asked_.next();
  s_.highlight.reset();
  const auto* m = s_.current();
  if ((a.lo >= a.hi && a.first >= a.past) || !m || !m->matrix) return;
  s_.highlight = Highlight{a.lo, a.hi, a.first, a.past, nullptr};
  workers_.submit(
      JobQueue::tiles, "Marking rows",
      [csr = m->matrix->csr, a](Progress& p) {
        return a.lo < a.hi ? RowMask::of_lengths(*csr, a.lo, a.hi, &p) : RowMask::of_rows(*csr, a.first, a.past, &p);
      },
      [this, ticket](std::shared_ptr<const RowMask> mask) {
        if (highlight_asked_.is_current(ticket) && s_.highlight) s_.highlight->rows = std::move(mask);
      });
}

void Session::on(const ShowTab& a) {
  s_.word.clear();
  choice_row("tab")->set(s_, a.id);
}
// A frame showed them.
void Session::note_tabs_seen() {
  std::vector<std::string>& seen = s_.tabs_seen;
  const std::string& beside = s_.panes.beside;
  if (!seen.empty() && seen[0] == s_.tab && (beside.empty() || (seen.size() > 1 && seen[1] == beside))) return;
  for (const std::string& id : {beside, s_.tab}) {
    if (id.empty()) continue;
    std::erase(seen, id);
    seen.insert(seen.begin(), id);
  }
}
void Session::on(const ShowWord& a) {
  on(ShowTab{"help"});
  s_.word = a.id;
  ++s_.words_shown;
}
void Session::on(const ShowDialog& a) { s_.dialog = a.id; }
void Session::on(const SetPanes& a) {
  s_.panes = a.panes;
  if (s_.panes.beside == s_.tab) s_.panes.beside.clear();
}

void Session::on(const SetSettings& a) {
  const bool desk = a.settings.keep_desk != s_.settings.keep_desk;
  const bool engines = a.settings.engines != s_.settings.engines;
  s_.settings = a.settings;
  if (engines) use_engines();
  if (!desk) return;
  if (s_.settings.keep_desk) return begin_desk();
  // What was kept so far stays where it is; it is neither brought back nor written over.
  if (desk_place_) desk_place_->leave();
  desk_place_.reset();
}

void Session::on(const CopyText& a) {
  if (options_.clipboard) options_.clipboard(a.text);
}
void Session::on(const Notify& a) { say(a.message.kind, a.message.text, a.message.remedy); }
void Session::on(const ReadMessages&) { s_.unread = 0; }
void Session::on(const ClearMessages&) {
  s_.messages.clear();
  s_.unread = 0;
}
void Session::on(const CancelJob& a) {
  for (auto& j : workers_.pending())
    if (j->id == a.id) j->cancel();
}
void Session::on(const Quit&) { s_.quit = true; }

void Session::remember(const std::string& source) {
  // Relative paths would mean something else from another folder.
  std::error_code failed;
  const bool is_file = is_path(source);
  const auto absolute = is_file ? fs::absolute(source, failed).lexically_normal().string() : source;
  const std::string entry = failed || absolute.empty() ? source : absolute;
  std::erase(s_.recent, entry);
  s_.recent.insert(s_.recent.begin(), entry);
  if (s_.recent.size() > kRecent) s_.recent.resize(kRecent);
}

// One writer at a time, so that an older state never lands on a newer one.
void Session::write_preferences() {
  const Preferences* p = options_.preferences.empty() ? nullptr : preferences_.begin(preferences_of(s_));
  if (!p) return;
  workers_.submit(
      JobQueue::tiles, "Preferences", [path = options_.preferences, p = *p](Progress&) { save_preferences(path, p); },
      [this] { preferences_.end(); },
      [this](const Failure& f) {
        if (!std::exchange(preferences_failed_, true)) say(f);
        preferences_.end();
      },
      [this] { preferences_.end(); });
}

}  // namespace warpspy::ui
