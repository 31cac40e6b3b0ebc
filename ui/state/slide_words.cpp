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

struct OfTab {
  const char* tab;
  SlideWords (*words)(const AppState&);
};
constexpr OfTab kOfTabs[] = {{"rows", of_rows}, {"facts", of_pattern}, {"formats", of_format},
                             {"warp", of_warp}, {"memory", of_memory}, {"traffic", of_memory}};

}  // namespace

SlideWords slide_words(const AppState& s) {
  for (const OfTab& of : kOfTabs)
    if (s.tab == of.tab) return of.words(s);
  return of_run(s);
}

}  // namespace warpspy::ui
