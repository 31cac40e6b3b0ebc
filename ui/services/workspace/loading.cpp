// Makes a matrix from its recipe: the jobs that open files, and what follows when one is open.
#include <filesystem>
#include <utility>

#include "core/base/source_name.hpp"
#include "core/io/io.hpp"
#include "core/io/reader.hpp"
#include "core/sweep/matrices.hpp"
#include "ui/services/workspace/collection.hpp"
#include "ui/services/workspace/recent.hpp"
#include "ui/services/workspace/workspace.hpp"

namespace warpspy::ui {

// Loads a matrix of the list by its recipe. If its file has a recorded hash, the two are compared.
void Workspace::load(MatrixId id) {
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

void Workspace::opened(const Opening& opening, Loaded got) {
  auto* m = find(opening);
  if (!m) return;  // closed meanwhile
  const MatrixId id = opening.id;
  const bool quiet = quiet_.erase(id) > 0;
  for (const auto& w : got.matrix.source.warnings)
    if (!quiet) say(Message::Kind::warning, m->name + ": " + w);
  if (!got.fetched.empty()) say(Message::Kind::note, m->name + ": " + got.fetched + ".");
  if (is_of_collection(m->recipe.source)) act(AskCollection{});
  m->file = std::move(got.file);
  const bool fresh = !quiet && m->recipe.steps.empty();
  if (fresh) remember(s_, m->source);
  take(*m, std::move(got.matrix));
  came(id, got.changed, nullptr);
  start_waiting();
  if (const auto& h = s_.highlight; h && id == s_.selected) on(SetHighlight{h->lo, h->hi, h->first, h->past});
  tell(MatrixOpened{id});
  const bool one_of_many = groups_.contains(id);
  settle_group(id, "");
  tell(MatrixSettled{id, fresh && !one_of_many});
}

void Workspace::not_opened(const Opening& opening, const Failure& f) {
  const MatrixId id = opening.id;
  auto* open = find(opening);
  if (!open && find(id)) return;  // the matrix is being opened again
  if (!coming_back_.waits_for(id)) say(f, open ? id : 0);
  quiet_.erase(id);
  if (!open) return;
  open->status = OpenMatrix::Status::failed;
  open->failure = f;
  open->job = nullptr;
  settle_group(id, short_name(open->source));
  came(id, false, &f);
  start_waiting();
  tell(MatrixFailed{id});
}

void Workspace::take(OpenMatrix& m, Matrix got) {
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
        find_best_saved(*open);
      },
      failed);
}

// Finds the best saved run on the matrix.
void Workspace::find_best_saved(const OpenMatrix& m) {
  workers_.submit(
      JobQueue::tiles, "Runs of before",
      [this, source = m.source, catalog = s_.catalog](Progress&) -> std::shared_ptr<const RunRecord> {
        constexpr std::size_t most = 50;  // later ones are slower
        for (auto& r : history_.fastest(source, most))
          if (good_product(*r, *catalog)) return r;
        return nullptr;
      },
      [this, opening = opening_of(m)](std::shared_ptr<const RunRecord> best) {
        auto* open = find(opening);
        if (open && best) open->best_kept = std::move(best);
      },
      [this](const Failure&) { tell_history_problems(); });
}

void Workspace::open_all(const std::vector<std::string>& sources) {
  if (sources.size() == 1) return on(OpenSource{sources[0]});
  const auto group = std::make_shared<OpenGroup>();
  MatrixId first = 0;
  for (const std::string& source : sources) {
    on(OpenSource{source});
    if (first == 0) first = s_.selected;
    const OpenMatrix* m = s_.current();
    if (!m || m->status != OpenMatrix::Status::opening || groups_.contains(m->id)) continue;
    groups_[m->id] = group;
    ++group->left;
  }
  group->all = group->left;
  on(SelectMatrix{first});
}

// One of several files is open or has failed; after the last one, a message says how many.
void Workspace::settle_group(MatrixId id, const std::string& failed) {
  const auto found = groups_.extract(id);
  if (!found) return;
  OpenGroup& g = *found.mapped();
  if (!failed.empty()) g.failed.push_back(failed);
  if (--g.left > 0) return;
  // A matrix that is open is shown, and not one that failed; a sweep runs the others.
  const auto ready = [](const OpenMatrix& m) { return m.status == OpenMatrix::Status::ready; };
  if (const auto any = std::find_if(s_.matrices.begin(), s_.matrices.end(), ready);
      any != s_.matrices.end() && !(s_.current() && ready(*s_.current())))
    on(SelectMatrix{any->id});
  if (s_.has_matrix()) tell(FirstRunDue{s_.selected});
  if (g.all < 2) return;
  const std::string opened = std::to_string(g.all - g.failed.size()) + " of " + std::to_string(g.all);
  if (g.failed.empty()) return say(Message::Kind::note, opened + " matrices are open.");
  std::sort(g.failed.begin(), g.failed.end());
  std::string names;
  for (const std::string& name : g.failed) names += (names.empty() ? "" : ", ") + name;
  say(Message::Kind::warning, opened + " opened; not " + names + ".",
      "Each says why, in the messages and where it is listed.");
}

}  // namespace warpspy::ui
