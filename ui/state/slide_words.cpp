#include "ui/state/slide_words.hpp"

#include "ui/look/numbers.hpp"
#include "ui/state/state.hpp"

namespace warpspy::ui {

namespace {

SlideWords of_run(const AppState& s) {
  const auto run = s.run(s.selected_run);
  if (!run) return {};
  SlideWords w;
  if (!run->findings.empty()) w.subject = run->findings.front().title, w.sentence = run->findings.front().limit;
  if (run->status == RunStatus::ok) w.number = real_text(run->gflops.value, 3) + " GFLOP/s";
  return w;
}

SlideWords of_memory(const AppState& s) {
  SlideWords w = of_run(s);
  w.subject = "memory";
  const auto run = s.run(s.selected_run);
  const auto hits = [&](const char* level, const char* counter) {
    const Counter* c = run ? run->counter(counter) : nullptr;
    return c && c->value ? std::string(level) + " hits " + percent_text(*c->value / 100) : std::string();
  };
  const std::string l1 = hits("L1", "l1_hit_rate"), l2 = hits("L2", "l2_hit_rate");
  if (!l1.empty() || !l2.empty()) w.sentence = l1 + (l1.empty() || l2.empty() ? "" : ", ") + l2 + ".";
  return w;
}

SlideWords of_rows(const AppState& s) {
  SlideWords w{"row lengths", "", "", false};
  const OpenMatrix* m = s.current();
  if (!m || !m->facts) return w;
  const RowStats& rows = m->facts->rows;
  w.sentence =
      "The median row has " + real_text(rows.median, 4) + " entries, the longest " + count_text(rows.max) + ".";
  w.number = real_text(rows.mean, 3) + " per row";
  return w;
}

SlideWords of_pattern(const AppState& s) {
  SlideWords w{"pattern", "", "", false};
  const OpenMatrix* m = s.current();
  if (!m || !m->matrix) return w;
  const Csr& a = *m->matrix->csr;
  w.sentence = count_text(a.rows()) + " rows and " + count_text(a.cols()) + " columns.";
  w.number = count_text(a.nnz()) + " nnz";
  return w;
}

SlideWords of_format(const AppState& s) {
  const std::string& id = s.knobs.format;
  SlideWords w{format_row(id).info.label, "", "", false};
  const OpenMatrix* m = s.current();
  const FormatCost* cost = m && m->costs ? m->costs->of(id) : nullptr;
  if (!cost || !cost->estimate || !m->matrix || m->matrix->csr->nnz() == 0) return w;
  const Estimate& e = *cost->estimate;
  w.sentence = w.subject + " takes " + bytes_text(static_cast<double>(e.bytes())) + "; " +
               (e.padding > 0 ? percent_text(e.padding_ratio()) + " of its slots are padding." : "no slot is padding.");
  w.number = real_text(static_cast<double>(e.bytes()) / static_cast<double>(m->matrix->csr->nnz()), 3) + " B per entry";
  return w;
}

SlideWords of_warp(const AppState& s) {
  SlideWords w{"one warp", "", "", false};
  if (!s.warp.trace) return w;
  const WarpTrace& t = *s.warp.trace;
  const auto lanes = 32 * static_cast<double>(t.ledger.instructions);
  WarpTraffic all;
  for (const WarpTraffic& a : t.arrays) all += a;
  w.sentence = t.kernel_label + ", one warp (" + t.why + ")";
  if (lanes > 0) w.sentence += ": " + percent_text(static_cast<double>(t.ledger.active()) / lanes) + " of lanes active";
  w.sentence += ".";
  if (all.requests > 0)
    w.number =
        real_text(static_cast<double>(all.sectors) / static_cast<double>(all.requests), 3) + " sectors per request";
  return w;
}

SlideWords of_overview(const AppState& s) { return s.run(s.selected_run) ? of_run(s) : of_pattern(s); }

SlideWords of_search(const AppState& s) {
  SlideWords w{"search for parameters", "", "", false};
  if (!s.tuning) return w;
  const TuneRecord& r = *s.tuning->record;
  const KernelInfo* kernel = s.catalog->kernel(r.request.run.kernel);
  if (kernel) w.subject = "search for parameters of " + kernel->label;
  // Of the kernel whose plane is drawn; a strategy may have gone to other kernels.
  const TuneOutcome* best = nullptr;
  for (const TuneOutcome& o : r.outcomes)
    if (o.us && o.kernel == r.request.run.kernel && (!best || *o.us < *best->us)) best = &o;
  if (!best) return w;
  w.sentence = verdict_text(r, best->strategy, *s.catalog);
  w.number = real_text(*best->us, 4) + " \xC2\xB5s";
  return w;
}

SlideWords of_solve(const AppState& s) {
  SlideWords w = of_run(s);
  const auto run = s.run(s.selected_run);
  if (!run || !run->solve) return w;
  w.subject = run->kernel_label;
  w.sentence = run->solve->why;
  w.number = count_text(static_cast<index_t>(run->solve->iterations)) + " iterations";
  w.of_run = false;
  return w;
}

// What one run has over the other: the first of those compared is the base.
SlideWords of_two_runs(const AppState& s) {
  if (s.comparing.size() < 2) return of_run(s);
  const RunRecord &base = *s.comparing.front(), &other = *s.comparing.back();
  SlideWords w{other.kernel_label + " against " + base.kernel_label, "", "", false};
  if (base.time.value <= 0 || other.time.value <= 0) return w;
  const double faster = base.time.value / other.time.value;
  w.sentence = other.kernel_label + " takes " + real_text(other.time.value, 3) + " \xC2\xB5s, " + base.kernel_label +
               " " + real_text(base.time.value, 3) + " \xC2\xB5s.";
  w.number = real_text(faster, 3) + "x as fast";
  return w;
}

struct OfTab {
  const char* tab;
  SlideWords (*words)(const AppState&);
};
constexpr OfTab kOfTabs[] = {{"matrix", of_overview},  {"rows", of_rows},   {"facts", of_pattern},
                             {"formats", of_format},   {"warp", of_warp},   {"memory", of_memory},
                             {"traffic", of_memory},   {"tune", of_search}, {"solve", of_solve},
                             {"two_runs", of_two_runs}};

}  // namespace

std::string slide_title(const AppState& s) {
  std::string title = s.current() ? s.current()->name : "";
  const SlideWords words = slide_words(s);
  const auto run = s.run(s.selected_run);
  if (run && words.of_run)
    title += (title.empty() ? "" : ", ") + (run->kernel_label.empty() ? run->request.kernel : run->kernel_label);
  return title + (title.empty() || words.subject.empty() ? "" : ": ") + words.subject;
}

SlideWords slide_words(const AppState& s) {
  for (const OfTab& of : kOfTabs)
    if (s.tab == of.tab) return of.words(s);
  return of_run(s);
}

}  // namespace warpspy::ui
