// From a recipe to a matrix: the jobs that open files, and what follows when one has come.
#include <filesystem>
#include <utility>

#include "core/base/source_name.hpp"
#include "core/io/io.hpp"
#include "core/io/reader.hpp"
#include "core/sweep/matrices.hpp"
#include "ui/session/session.hpp"

namespace warpspy::ui {

// A matrix of the list, by its recipe. One that has a mark is compared with it.
void Session::load(MatrixId id) {
  OpenMatrix* m = find(id);
  if (!m) return;
  m->status = OpenMatrix::Status::opening;
  m->opening = next_opening_++;
  if (!m->recipe.steps.empty()) return start_reordering(id);
  const bool quiet = quiet_.contains(id);
  const Opening opening = opening_of(*m);
  const auto fetch_from = to_fetch_.contains(m->recipe.source) ? options_.collection : std::nullopt;
  m->job = workers_.submit(
      JobQueue::load, "Opening " + m->name,
      [source = m->recipe.source, generated = m->recipe.generated(), was = m->file, quiet, fetch_from](Progress& p) {
        Loaded got;
        if (fetch_from) got.fetched = fetched(*fetch_from, source, p);
        const std::string path = generated ? "" : place_of(source).path;
        std::error_code ignored;
        if (quiet && !generated && !std::filesystem::exists(path, ignored))
          throw Error("the file is not there any more", path, "put it back, or close the matrix");
        got.file = generated ? std::nullopt : mark_of(path);
        got.matrix = open_matrix(source, p);
        if (!was || !got.file) return got;
        p.stage("comparing");
        const Compared c = compare_with(*was, path, p);
        got.file = c.now, got.changed = c.changed;
        return got;
      },
      [this, opening](Loaded got) { opened(opening, std::move(got)); },
      [this, opening](const Failure& f) { not_opened(opening, f); },
      [this, opening] {
        if (find(opening)) on(CloseMatrix{opening.id});
      });
}

void Session::opened(const Opening& opening, Loaded got) {
  auto* m = find(opening);
  if (!m) return;  // closed meanwhile
  const MatrixId id = opening.id;
  const bool quiet = quiet_.erase(id) > 0;
  for (const auto& w : got.matrix.source.warnings)
    if (!quiet) say(Message::Kind::warning, m->name + ": " + w);
  if (!got.fetched.empty()) say(Message::Kind::note, m->name + ": " + got.fetched + ".");
  if (is_of_collection(m->recipe.source)) on(AskCollection{});
  m->file = std::move(got.file);
  const bool fresh = !quiet && m->recipe.steps.empty();
  if (fresh) remember(m->source);
  take(*m, std::move(got.matrix));
  read_hash(*m);
  came(id, got.changed, nullptr);
  start_waiting();
  if (id == s_.selected) mark_when_read(SetHighlight(marks_wait_));  // a copy: they wait no more
  if (id == s_.selected && warp_waits_) on(*std::exchange(warp_waits_, std::nullopt));
  const bool one_of_many = groups_.contains(id);
  settle_group(id, "");
  if (const auto waiting = repeats_.extract(id)) return repeat_on(*m, waiting.mapped());
  if (fresh && !one_of_many) run_by_itself(*m);
}

void Session::not_opened(const Opening& opening, const Failure& f) {
  const MatrixId id = opening.id;
  auto* open = find(opening);
  if (!open && find(id)) return;  // it is being opened again
  const bool told_later = bringing_ && bringing_->left.contains(id);
  if (!told_later) say(f, open ? id : 0);
  quiet_.erase(id);
  if (!open) return;
  open->status = OpenMatrix::Status::failed;
  open->failure = f;
  open->job = nullptr;
  settle_group(id, short_name(open->source));
  came(id, false, &f);
  start_waiting();
  if (const auto waiting = repeats_.extract(id))
    say(Message::Kind::error, "Run " + run_title(*waiting.mapped()) + " cannot be repeated: its matrix did not open.");
}

// For the desk: a file that is moved or touched is known again by it. Reading a large file takes a moment, so it comes
// after everything that is looked at.
void Session::read_hash(const OpenMatrix& m) {
  if (!m.file || !m.file->hash.empty() || !desk_place_) return;
  workers_.submit(
      JobQueue::load, "Fingerprint of " + m.name,
      [path = place_of(m.recipe.source).path](Progress& p) { return hashed_mark_of(path, p); },
      [this, opening = opening_of(m)](const FileMark& mark) {
        auto* open = find(opening);
        if (open && open->file && open->file->same_state(mark)) open->file = mark;
      });
}

// Rows are marked when the matrix that is shown is there.
void Session::mark_when_read(const SetHighlight& marks) {
  const bool wait = marks.any() && !s_.has_matrix();
  marks_wait_ = wait ? marks : SetHighlight{};
  if (!wait && (marks.any() || s_.highlight)) on(marks);
}

}  // namespace warpspy::ui
