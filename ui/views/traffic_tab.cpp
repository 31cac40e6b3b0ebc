#include <imgui.h>

#include <algorithm>
#include <cmath>

#include "core/plot/text.hpp"
#include "core/run/check_words.hpp"
#include "core/run/time_interval.hpp"
#include "ui/views/counter_table.hpp"
#include "ui/views/lesson_ghosts.hpp"
#include "ui/views/runs_panel.hpp"
#include "ui/views/source_panel.hpp"
#include "ui/views/view.hpp"
#include "ui/views/waiting.hpp"
#include "ui/widgets/controls.hpp"
#include "ui/widgets/table.hpp"
#include "ui/widgets/text.hpp"

namespace warpspy::ui {

namespace {

// Where the bytes of the selected run go: counters, then tables by array and by source line of the kernel.
class TrafficTab final : public View {
 public:
  void draw(const AppState& s, Ui& ui) override {
    const Look& l = ui.look;
    const auto run = s.run(s.selected_run);
    if (!run && waits_for_run(s, ui)) return;
    if (!run) {
      if (empty_state(l, "No run selected",
                      "The memory traffic of a run is shown here: per array of the format and per line of the "
                      "kernel, in requests and 32-byte sectors.",
                      s.can_run() ? "Run" + keys_behind(s, ui.commands, "run.start") : std::string()))
        ui.out(StartRun{});
      return;
    }
    label(l, Face::bold, 18, l.palette->ink, run->kernel_label.empty() ? run->request.kernel : run->kernel_label);
    caption(l, "Run " + run_title(*run) + ": " + run->matrix_name + " on " + run->device_name + ", " +
                   warpspy::name_of(run->request.precision) +
                   (params_text(s, *run).empty() ? "" : ", " + params_text(s, *run)));
    gap(l, 12);
    if (run->status != RunStatus::ok) {
      paragraph(l, l.palette->error, "\xE2\x9C\x97 This run failed: " + run->error);
      return;
    }
    verdict(s, ui, *run);
    const std::string none = "This run recorded none: only the emulator sees every access.";
    table(s, ui, "Arrays",
          "One row per array of the format and the vectors. Sectors are the 32-byte pieces that its requests touch.",
          run->arrays, none, "arrays", arrays_);
    lines(s, ui, *run);
    counters_.draw(s, ui, *run);
    for (const auto& n : run->notes) caption(l, n);
  }

 private:
  // Source lines of the selected run; beside them the sectors of the run that the memory chart compares.
  void lines(const AppState& s, Ui& ui, const RunRecord& run) {
    const RunRecord* other = nullptr;
    const auto both = memory_runs(s);
    for (const auto& r : both)
      if (r->id != run.id && !r->lines.empty()) other = r.get();
    const bool measured = run.provenance != Provenance::modelled;
    const std::string none = !run.lines_reason.empty() ? "unavailable: " + run.lines_reason
                             : measured
                                 ? "This run did not count them: switch on Source lines below Counters and run again."
                                 : "This run recorded none.";
    const std::string how = measured ? "Measured by CUPTI: the kernel's instructions counted themselves; efficiency "
                                       "and lanes are derived from that."
                                     : "Modelled: every access that the emulator saw.";
    table(s, ui, "Source lines", "One row per line of the kernel that touches memory. " + how, run.lines, none, "lines",
          lines_, other);
    source(s, ui, run, how);
  }

  void source(const AppState& s, Ui& ui, const RunRecord& run, const std::string& how) {
    if (run.lines.empty()) return;  // the table says why
    const Look& l = ui.look;
    heading(l, "Source",
            "The kernel as it was compiled, and what its lines ask for. " + how +
                " A click marks a line and its arrays, and goes to it in the warp that is shown.");
    caption(l, how);
    if (const std::string mark = source_mark(s.catalog->sources, run.lines); !run.source.empty() && mark != run.source)
      paragraph(l, l.palette->warning,
                "! This run was made by another version of the kernel: its lines may have moved. Run it again.");
    gap(l, 4);
    source_.draw(s, ui, run.lines, "", ImGui::GetContentRegionAvail().x, l.u(420), false);
    gap(l, 20);
  }

  static void verdict(const AppState& s, Ui& ui, const RunRecord& r) {
    const Look& l = ui.look;
    const auto line = [&](const std::string& name, const std::string& value, std::optional<Provenance> from,
                          const std::string& note) {
      const ImVec2 at = ImGui::GetCursorScreenPos();
      auto* list = ImGui::GetWindowDrawList();
      draw_text(l, list, at, Face::ui, 13, l.palette->muted, name);
      float x = at.x + l.u(120);
      x += draw_text(l, list, ImVec2(x, at.y), Face::mono, 13, l.palette->ink, value) + l.u(10);
      if (from) {
        draw_provenance(l, list, ImVec2(x, at.y + l.u(8)), l.u(4), *from, l.palette->muted);
        x += l.u(10);
      }
      draw_text(l, list, ImVec2(x, at.y), Face::ui, 13, l.palette->muted, note,
                std::max(l.u(20), at.x + ImGui::GetContentRegionAvail().x - x));
      ImGui::Dummy(ImVec2(ImGui::GetContentRegionAvail().x, l.u(16)));
      tip(l, note);
    };
    line("time", real_text(r.time.value) + " \xC2\xB5s", r.time.provenance,
         warpspy::name_of(r.time.provenance) + std::string(": ") + plot::with_micro(r.time_how));
    if (const std::string interval = interval_text(r); !interval.empty())
      line("90 % interval", "", {}, plot::with_micro(interval));
    line("speed", real_text(r.gflops.value) + " GFLOP/s", r.gflops.provenance, "2 nnz / time");
    line("arrays once", bytes_text(r.minimum_bytes.value), r.minimum_bytes.provenance,
         "every array, x and y once, without padding that can be skipped; warm caches keep a part, so DRAM can move "
         "less");
    line("traffic", warpspy::name_of(r.traffic_source), {},
         r.traffic_source == TrafficSource::counters
             ? "counters of the set " + r.request.counters + " or below, read after the timing"
         : r.traffic_source == TrafficSource::simulated ? "the emulator's, through the model of the GPU"
                                                        : "no counters were read: bytes are of every array once");
    if (r.sampled_share < 1)
      line("emulated", percent_text(r.sampled_share), {}, "of the blocks; the rest is scaled up");
    if (const std::string why = why_not_checked(r); !why.empty())
      line("result", "not checked", {}, "because " + why);
    else if (r.check)
      line("result", verdict_of(*r.check), {},
           "largest error " + real_text(r.check->max_of_bound, 3) + " of the rounding bound, " +
               count_text(r.check->rows_checked) + " rows checked" +
               (r.check->rows_left_out > 0
                    ? ", " + count_text(r.check->rows_left_out) + " left out (infinities, NaN, or beyond the precision)"
                    : ""));
    if (const auto* p = s.nearest_roof(r.id))
      line("limit", r.findings.empty() ? p->limit : r.findings.front().title, p->provenance,
           r.findings.empty() ? "" : p->limit + "; Diagnosis has the evidence");
    gap(l, 16);
  }

  // `none`: the text if there are no rows. `other`: a run whose lines are in a second column.
  static void table(const AppState& s, Ui& ui, const char* title, const std::string& help, std::vector<Traffic> rows,
                    const std::string& none, const char* id, TableSort& sort, const RunRecord* other = nullptr) {
    const Look& l = ui.look;
    heading(l, title, help);
    if (rows.empty()) {
      caption(l, none);
      gap(l, 16);
      return;
    }
    if (other) add_missing(rows, *other);
    double all = 0;
    for (const auto& t : rows) all += t.sectors;
    if (Table table(l, id, columns_of(other, std::string(id) == "arrays"), ImVec2(0, 0), {.scrolls = false}); table) {
      sort.head(table);
      const bool arrays = std::string(id) == "arrays";
      const std::vector<std::string> marked = marked_arrays(s);
      const auto key_of = [&](std::size_t k, int column) { return key(rows[k], other, arrays, column); };
      for (const std::size_t k : sort.order(rows.size(), key_of)) {
        const Traffic& t = rows[k];
        const bool chosen = t.name == (arrays ? s.array : s.line);
        table.row(chosen || (arrays && std::find(marked.begin(), marked.end(), t.name) != marked.end()));
        ImGui::PushID(t.name.c_str());
        const std::string name = chosen ? "" : t.name;
        if (table.pick()) ui.out(arrays ? SelectPart{name, s.line} : SelectPart{s.array, name});
        ImGui::PopID();
        row(l, table, t, all, other, arrays, arrays ? ghost_words(s, t.name) : "");
      }
    }
    gap(l, 20);
  }

  static double sectors_in(const RunRecord& run, const std::string& line) {
    for (const Traffic& t : run.lines)
      if (t.name == line) return t.sectors;
    return -1;
  }

  // Arrays have one column more: padding.
  static SortKey key(const Traffic& t, const RunRecord* other, bool arrays, int column) {
    const double each = t.sectors > 0 ? 1 / t.sectors : 0;
    if (!arrays && column >= 6) ++column;
    const SortKey keys[] = {{0, t.name},
                            {t.sectors, ""},
                            {t.sectors, ""},
                            {t.requests, ""},
                            {t.requests > 0 ? t.sectors / t.requests : -1, ""},
                            {(t.bytes_used - t.bytes_padding) * each, ""},
                            {t.bytes_padding * each, ""},
                            {t.active_lanes, ""},
                            {other ? sectors_in(*other, t.name) : 0, ""}};
    return keys[column];
  }

  // For arrays it is known which slots hold an entry; for source lines it is not.
  static std::vector<TableColumn> columns_of(const RunRecord* other, bool arrays) {
    std::vector<TableColumn> columns = {
        {.name = arrays ? "array" : "line", .share = 2.0f, .inset = 6},
        {.name = "sectors",
         .help = "32-byte sectors touched: the traffic between SM and L1.",
         .share = 1.2f,
         .right = true},
        {.name = "share", .help = "Of all sectors.", .share = 1.4f},
        {.name = "requests", .help = "Memory instructions issued by warps.", .share = 1.2f, .right = true},
        {.name = "sectors/request",
         .help = "1 sector per 8 f32 lanes is the best for neighbours (4 for a full warp of f32); 32 is the worst.",
         .share = 2.0f,
         .right = true}};
    const std::string above =
        " / bytes of the sectors moved. Above 100 % where lanes read the same bytes: a sector moves once and serves "
        "all "
        "of them, so 8 lanes that read one 4-byte word use it 8 times.";
    if (arrays) {
      columns.push_back({.name = "efficiency",
                         .help = "Bytes of entries that the lanes asked for" + above,
                         .share = 1.2f,
                         .right = true});
      columns.push_back(
          {.name = "padding",
           .help =
               "Bytes of slots without an entry / bytes of the sectors touched: read to learn that nothing is there.",
           .right = true});
    } else {
      columns.push_back({.name = "efficiency",
                         .help = "Bytes that the lanes asked for, padding too" + above,
                         .share = 1.2f,
                         .right = true});
    }
    columns.push_back({.name = "lanes",
                       .help = "Mean active lanes of a request, of 32. A lane that reads padding is active too.",
                       .right = true});
    if (!other) return columns;
    const std::string from = warpspy::name_of(other->lines.front().provenance);
    columns.push_back({.name = from,
                       .help = "Sectors of the same line in run " + run_title(*other) + ", on " + other->device_name +
                               ": " + from + ".",
                       .share = 1.2f,
                       .right = true});
    return columns;
  }

  // Lines that only the other run has.
  static void add_missing(std::vector<Traffic>& rows, const RunRecord& other) {
    for (const auto& t : other.lines)
      if (std::none_of(rows.begin(), rows.end(), [&](const auto& r) { return r.name == t.name; }))
        rows.push_back({t.name, 0, 0, 0, 0, rows.front().provenance});
  }

  static void row(const Look& l, Table& table, const Traffic& t, double all, const RunRecord* other, bool arrays,
                  const std::string& ghost) {
    const Palette& p = *l.palette;
    table.text(t.name + ghost, p.ink);
    table.text(count_text(std::llround(t.sectors)), p.ink);
    share_bar(l, table, all > 0 ? static_cast<float>(t.sectors / all) : 0);
    table.text(count_text(std::llround(t.requests)), p.ink);
    table.text(t.requests > 0 ? real_text(t.sectors / t.requests, 3) : kDash, p.ink);
    const auto share = [&](double bytes) { return t.sectors > 0 ? percent_text(bytes / (32 * t.sectors)) : kDash; };
    table.text(share(t.bytes_used - t.bytes_padding), p.ink);
    if (arrays)
      table.text(t.bytes_padding > 0 ? share(t.bytes_padding) : kDash, t.bytes_padding > 0 ? p.warning : p.muted);
    table.text(real_text(t.active_lanes, 3), p.ink);
    if (!other) return;
    const double there = sectors_in(*other, t.name);
    table.text(there < 0 ? kDash : count_text(std::llround(there)), p.muted);
  }

  static void share_bar(const Look& l, Table& table, float share) {
    const float room = table.next(percent_text(share)), h = l.u(6);
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float y = at.y + l.u(6);
    auto* list = ImGui::GetWindowDrawList();
    list->AddRectFilled(ImVec2(at.x, y), ImVec2(at.x + room, y + h), u32(l.palette->control), l.u(1));
    list->AddRectFilled(ImVec2(at.x, y), ImVec2(at.x + std::max(1.f, room * share), y + h), u32(plot::kL1), l.u(1));
    ImGui::Dummy(ImVec2(room, l.u(17)));
    tip(l, percent_text(share) + " of all sectors");
  }

  TableSort arrays_, lines_;
  SourcePanel source_;
  CounterTable counters_;
};

}  // namespace

extern const ViewRow traffic_tab = {
    .id = "traffic",
    .label = "Traffic",
    .place = Place::tab,
    .group = Topic::performance,
    .help = "Where the selected run's bytes go: per array and per source line.",
    .scrolls = true,
    .make = make<TrafficTab>,
};

}  // namespace warpspy::ui
