// The history of all runs: lists them, writes notes, repeats runs.
#include <algorithm>
#include <utility>

#include "ui/services/runs/runs.hpp"

namespace warpspy::ui {

void Runs::on(const ListRuns& a) {
  s_.list.all = a.all;
  s_.list.query = a.query;
}

void Runs::on(const SetNote& a) {
  for (SavedRun& k : s_.list.rows)
    if (k.record->id == a.run) k.note = a.text;
  for (const auto& r : s_.runs.all())
    if (r->id == a.run) s_.notes[a.run] = a.text;
  trail_.keep(a.run);
  if (a.run < kUnsaved) edit_history([this, a] { history_.set_note(a.run, a.text); });
}

void Runs::on(const ForgetRun& a) {
  if (a.id < kUnsaved) edit_history([this, a] { history_.remove({a.id}); });
  std::erase_if(s_.list.rows, [&](const SavedRun& k) { return k.record->id == a.id; });
  if (s_.looked_at && s_.looked_at->id == a.id) s_.looked_at = nullptr;
  for (OpenMatrix& m : s_.matrices)
    if (m.best_kept && m.best_kept->id == a.id) m.best_kept = nullptr;
  on(RemoveRun{a.id});
}

void Runs::edit_history(std::function<void()> edit) {
  const std::uint64_t ticket = next_edit_++;
  edits_[ticket] = edit;
  workers_.submit(
      JobQueue::tiles, "Runs",
      [this, edit](Progress&) {
        edit();
        tell_history_problems();
      },
      [this, ticket] {
        edits_.erase(ticket);
        ++s_.list.edits;
      },
      [this, ticket](const Failure& f) {
        edits_.erase(ticket);
        say(f);
      });
}

void Runs::finish_edits() {
  for (const auto& [ticket, edit] : edits_) {
    try {
      edit();
    } catch (const Error&) {
      // The window has closed, so nobody can be told; the runs themselves are saved.
    }
  }
}

void Runs::on(const RepeatRun& a) {
  const auto old = s_.run(a.id);
  if (!old) return;
  const std::string source = absolute_source(old->request.matrix);
  for (const auto& m : s_.matrices)
    if (absolute_source(m.source) == source && m.status == OpenMatrix::Status::ready) return repeat_on(m, old);
  if (source.find(" | ") != std::string::npos)
    return say(Message::Kind::warning,
               "Run " + run_title(*old) + " cannot be repeated: its matrix was a reordered one, which is not open.",
               "open " + source.substr(0, source.find(" | ")) + ", reorder it by " +
                   source.substr(source.find(" | ") + 3) + ", then repeat the run");
  act(OpenSource{source.starts_with("gen:") ? old->request.matrix : source});
  // Whether the job started now and was not running before.
  for (const auto& m : s_.matrices)
    if (absolute_source(m.source) == source && m.status == OpenMatrix::Status::opening) repeats_[m.id] = old;
}

void Runs::repeat_on(const OpenMatrix& m, const std::shared_ptr<const RunRecord>& old) {
  const Csr& csr = *m.matrix->csr;
  const std::string other = why_not_the_same(*old, csr.rows(), csr.cols(), csr.nnz());
  if (!other.empty())
    return say(Message::Kind::warning, "Run " + run_title(*old) + " cannot be repeated: " + other + ".",
               "press F5 to run a kernel on the matrix as it is now");
  if (s_.selected != m.id) act(SelectMatrix{m.id});
  RunRequest request = repeat_request(*old);
  request.matrix = m.source;
  run_beside(old, m, request);
}

void Runs::run_beside(const std::shared_ptr<const RunRecord>& old, const OpenMatrix& m, const RunRequest& request) {
  submit(
      m, request,
      [this, old](RunRecord r) {
        const bool ok = r.status == RunStatus::ok && old->status == RunStatus::ok;
        const std::uint64_t id = record(std::move(r), false);
        if (!ok) return id;
        // The old run may no longer be in any list.
        s_.looked_at = old;
        on(CompareRuns{{old->id, id}});
        return id;
      },
      false);
}

void Runs::on(const MatrixFailed& e) {
  if (const auto waiting = repeats_.extract(e.id))
    say(Message::Kind::error, "Run " + run_title(*waiting.mapped()) + " cannot be repeated: its matrix did not open.");
}

void Runs::on(const MatrixClosing& e) { repeats_.erase(e.id); }

}  // namespace warpspy::ui
