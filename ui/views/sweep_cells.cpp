#include <imgui.h>

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/run/sweep_axes.hpp"
#include "ui/views/matrices_tab.hpp"
#include "ui/widgets/controls.hpp"
#include "ui/widgets/table.hpp"
#include "ui/widgets/text.hpp"

namespace warpspy::ui {

namespace {

using Phase = SweepRun::Phase;

// Options by which otherwise equal products differ: "coop 8, caches cold".
std::string turned_text(const std::vector<Turned>& turned) {
  std::string text;
  for (const Turned& t : turned) text += (text.empty() ? "" : ", ") + t.id + " " + t.text;
  return text;
}

SortKey turned_key(const std::vector<Turned>& turned) {
  return {turned.empty() ? -1 : turned.front().number, turned_text(turned)};
}

SortKey sort_key(const AppState& s, const SweepCell& c, int column) {
  const KernelInfo* kernel = s.catalog->kernel(c.request.kernel);
  const DeviceInfo* device = s.catalog->device(c.request.device);
  const auto run = c.run != 0 ? s.run(c.run) : nullptr;
  const SortKey keys[] = {{0, c.matrix_name},
                          {0, kernel ? kernel->label : c.request.kernel},
                          turned_key(turned_in(s.sweep->sweep.plan(), c, *s.catalog)),
                          {static_cast<double>(c.request.precision), ""},
                          {0, device ? device->name : c.request.device},
                          {static_cast<double>(c.state), ""},
                          {run && run->status == RunStatus::ok ? run->gflops.value : -1, ""},
                          {0, c.reason}};
  return keys[column];
}

void cell_row(const AppState& s, Ui& ui, Table& table, const SweepCell& c) {
  const Palette& p = *ui.look.palette;
  const RunRequest& r = c.request;
  const KernelInfo* kernel = s.catalog->kernel(r.kernel);
  const DeviceInfo* device = s.catalog->device(r.device);
  const auto run = c.run != 0 ? s.run(c.run) : nullptr;
  const Color ink = c.state == CellState::failed ? p.ink : ink_of(c.state, p);
  table.row(c.run != 0 && c.run == s.selected_run);
  if (table.pick() && run) ui.out(SelectRun{c.run});
  table.text(c.matrix_name, ink, Face::ui, r.matrix);
  table.text(kernel ? kernel->label : r.kernel, ink, Face::ui);
  const std::string turned = turned_text(turned_in(s.sweep->sweep.plan(), c, *s.catalog));
  table.text(turned, ink, Face::ui, turned);
  table.text(name_of(r.precision), ink, Face::ui);
  table.text(device ? device->name : r.device, ink, Face::ui);
  table.text(state_text(c.state), ink_of(c.state, p), Face::ui);
  const bool ok = run && run->status == RunStatus::ok;
  table.cell({.text = ok ? real_text(run->gflops.value, 3) : kDash,
              .ink = ok ? p.ink : p.muted,
              .from = ok ? std::optional(run->gflops.provenance) : std::nullopt});
  table.text(c.reason, c.state == CellState::failed ? p.error : p.muted, Face::ui, c.reason);
}

// "; tasks: 3 run, 12 wait, 2 lack products".
std::string tasks_text(const SweepRun& b) {
  constexpr std::pair<TaskState, const char*> kinds[] = {
      {TaskState::running, "run"}, {TaskState::waiting, "wait"}, {TaskState::lacking, "lack products"}};
  std::string text;
  for (const auto& [state, words] : kinds) {
    const auto n = std::count_if(b.tasks.begin(), b.tasks.end(), [&](const TaskStand& t) { return t.state == state; });
    if (n > 0) text += (text.empty() ? "; tasks: " : ", ") + std::to_string(n) + " " + words;
  }
  return text + (b.held_by_other ? "; another program collects" : "");
}

std::string progress_line(const SweepRun& b) {
  std::string text = progress_text(b.sweep.counts());
  switch (b.phase) {
    case Phase::watched:
      return text + (b.tasks.empty() ? "; its folder is being read" : tasks_text(b));
    case Phase::paused:
      return text + (b.job ? "; pauses after this one" : "; paused");
    case Phase::stopped:
      return text + (b.job ? "; its folder is being read" : "; stopped");
    case Phase::finished:
      return text;
    case Phase::running:
      break;
  }
  if (const auto eta = b.sweep.eta_s()) text += "; " + seconds_text(*eta) + " left";
  return text;
}

// A sign and a word, as of a cell.
std::string state_text(TaskState state) {
  constexpr const char* words[] = {"waiting", "\xE2\x80\xA6 running", "\xE2\x9C\x97 lacks products",
                                   "\xE2\x9C\x93 done"};
  return words[static_cast<int>(state)];
}

// The tasks of a cluster that are not done, or have failed products, with the command that runs each again; those that
// need it first. Returns the height taken.
float tasks_table(const AppState& s, Ui& ui, ImVec2 size) {
  const Look& l = ui.look;
  const Palette& p = *l.palette;
  std::vector<std::pair<const TaskStand*, std::string>> listed;
  for (const bool again : {true, false})
    for (const TaskStand& t : s.sweep->tasks) {
      const std::string command = command_for(t, s.sweep->path);
      if (again != command.empty() && (again || t.state != TaskState::done)) listed.emplace_back(&t, command);
    }
  if (listed.empty()) return 0;
  const float rows = static_cast<float>(std::min<std::size_t>(listed.size(), 6));
  const float high = std::min(l.u(26 + 21 * rows), 0.4f * size.y);
  Table table(l, "tasks",
              {{.name = "Task", .width = 40, .inset = 6},
               {.name = "State", .width = 104},
               {.name = "Done", .help = "Of its products.", .width = 62, .right = true},
               {.name = "Failed", .width = 48, .right = true},
               {.name = "Why", .inset = 8},
               {.name = "Run it again",
                .help = "Runs this task alone, on this machine; a click copies the command. With --slurm in place of "
                        "--task and its number, all tasks that lack products are submitted again.",
                .inset = 8}},
              ImVec2(size.x, high), {.pad_x = 4, .pad_y = 1, .row = 19, .head = 12, .least_share = 90});
  if (!table) return 0;
  table.head();
  table.rows(static_cast<int>(listed.size()), [&](int place) {
    const auto& [task, command] = listed[static_cast<std::size_t>(place)];
    const bool bad = !command.empty();
    ImGui::PushID(static_cast<int>(task->task));
    table.row();
    if (table.pick() && bad) ui.out(CopyText{command});
    table.text(std::to_string(task->task), p.ink);
    table.text(state_text(task->state), bad ? p.error : p.muted, Face::ui);
    table.text(std::to_string(task->done) + " of " + std::to_string(task->products), p.ink);
    table.text(task->failed > 0 ? std::to_string(task->failed) : kDash, task->failed > 0 ? p.error : p.muted);
    table.text(task->why, p.muted, Face::ui, task->why);
    table.text(command, p.ink, Face::mono, command);
    ImGui::PopID();
  });
  return high + l.u(8);
}

}  // namespace

std::string state_text(CellState state) {
  constexpr const char* signs[] = {"", "\xE2\x80\xA6", "\xE2\x9C\x93", "\xE2\x9C\x97", "\xE2\x80\x93"};
  return std::string(signs[static_cast<int>(state)]) + " " + name_of(state);
}

Color ink_of(CellState state, const Palette& p) {
  switch (state) {
    case CellState::failed:
      return p.error;
    case CellState::waiting:
    case CellState::skipped:
      return p.muted;
    case CellState::running:
    case CellState::done:
      break;
  }
  return p.ink;
}

RightOf::RightOf(const Look& l, float width) : l_(l), at_(ImGui::GetCursorScreenPos()), right_(at_.x + width) {}

bool RightOf::button(const char* words, Weight weight, const char* help) {
  right_ -= text_width(l_, weight == Weight::primary ? Face::bold : Face::ui, 13, words) +
            l_.u(weight == Weight::quiet ? 16 : 24) + l_.u(4);
  ImGui::SetCursorScreenPos(ImVec2(right_, at_.y - l_.u(3)));
  const bool clicked = ui::button(l_, words, weight);
  tip(l_, help);
  return clicked;
}

void RightOf::progress(const std::string& text, Color ink, double share) {
  const float words = text_width(l_, Face::ui, 12, text), bar = share >= 0 ? l_.u(72) : 0;
  const float from = std::max(at_.x + l_.u(8), right_ - words - l_.u(10));
  draw_text(l_, ImGui::GetWindowDrawList(), ImVec2(from, at_.y + l_.u(3)), Face::ui, 12, ink, text, right_ - from);
  if (bar <= 0 || from - at_.x < bar + l_.u(16)) return;
  ImGui::SetCursorScreenPos(ImVec2(from - bar - l_.u(8), at_.y + l_.u(2)));
  progress_bar(l_, bar, share);
}

void draw_sweep_line(const AppState& s, Ui& ui, float width) {
  RightOf line(ui.look, width);
  if (!s.sweep) {
    if (line.button("Run a sweep\xE2\x80\xA6", Weight::plain,
                    "Kernels x matrices x precisions x devices, in the background."))
      ui.out(ShowDialog{"sweep"});
    return;
  }
  const SweepRun& b = *s.sweep;
  const SweepCounts n = b.sweep.counts();
  const bool under_way = b.phase == Phase::running || b.phase == Phase::paused;
  using To = SteerSweep::To;
  if (b.phase == Phase::watched) {
    if (line.button("Stop watching", Weight::quiet, "The tasks go on; what they write is collected later."))
      ui.out(SteerSweep{To::stop});
  } else if (under_way) {
    if (line.button("Stop", Weight::quiet, "Ends it now. What has run stays; the rest can be resumed."))
      ui.out(SteerSweep{To::stop});
    if (b.phase == Phase::running && line.button("Pause", Weight::quiet, "The product under way still ends."))
      ui.out(SteerSweep{To::pause});
  } else {
    if (line.button("New sweep\xE2\x80\xA6", Weight::quiet, "Another one; the runs of this one stay."))
      ui.out(ShowDialog{"sweep"});
    if (!b.tasks.empty() && line.button("Watch", Weight::quiet, "Collects again what its tasks write."))
      ui.out(SteerSweep{To::watch});
    if (n.failed > 0 && line.button("Retry failed", Weight::quiet, "Runs once more what failed."))
      ui.out(SteerSweep{To::retry});
  }
  if ((b.phase == Phase::paused || b.phase == Phase::stopped) && n.left() > 0 &&
      line.button("Resume", Weight::quiet, "Goes on with what has not run yet."))
    ui.out(SteerSweep{To::resume});
  line.progress(progress_line(b), n.failed > 0 ? ui.look.palette->warning : ui.look.palette->muted,
                under_way || b.phase == Phase::watched
                    ? static_cast<double>(n.all() - n.left()) / static_cast<double>(n.all())
                    : -1);
}

void draw_sweep_cells(const AppState& s, Ui& ui, TableSort& sort, ImVec2 size) {
  const Look& l = ui.look;
  const ImVec2 at = ImGui::GetCursorScreenPos();
  if (!s.sweep) {
    if (empty_state(
            l, "No sweep yet",
            "A sweep runs every chosen kernel on every chosen matrix, at every precision, on every device. Each "
            "product is listed here: done, failed and why, or still waiting. Ctrl+O opens the folder of a sweep, also "
            "of "
            "one that runs on a cluster.",
            s.matrices.empty() ? "" : "Run a sweep\xE2\x80\xA6"))
      ui.out(ShowDialog{"sweep"});
    return;
  }
  const float above = tasks_table(s, ui, size);
  size.y -= above;
  ImGui::SetCursorScreenPos(ImVec2(at.x, at.y + above));
  Table table(l, "cells",
              {{.name = "Matrix", .inset = 6},
               {.name = "Kernel"},
               {.name = "Varied", .help = "What takes several values in this sweep, as in its file.", .share = 1.2f},
               {.name = "Precision", .width = 58},
               {.name = "Device"},
               {.name = "State", .width = 76},
               {.name = "GFLOP/s", .width = 66, .right = true},
               {.name = "Why not", .inset = 8}},
              size, {.pad_x = 4, .pad_y = 1, .row = 19, .head = 12, .least_share = 90});
  if (!table) return;
  sort.head(table);
  const auto& cells = s.sweep->sweep.cells();
  const auto order =
      sort.order(cells.size(), [&](std::size_t row, int column) { return sort_key(s, cells[row], column); });
  table.rows(static_cast<int>(cells.size()), [&](int place) {
    const std::size_t k = order[static_cast<std::size_t>(place)];
    ImGui::PushID(static_cast<int>(k));
    cell_row(s, ui, table, cells[k]);
    ImGui::PopID();
  });
}

}  // namespace warpspy::ui
