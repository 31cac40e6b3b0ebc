#include "ui/views/both_panel.hpp"

#include <imgui.h>

#include <algorithm>
#include <string>
#include <vector>

#include "core/run/compare.hpp"
#include "ui/state/choice_rows.hpp"
#include "ui/widgets/controls.hpp"
#include "ui/widgets/table.hpp"
#include "ui/widgets/text.hpp"

namespace warpspy::ui {

namespace {

using Run = std::shared_ptr<const RunRecord>;

// The newest good runs of a kernel, precision and device on each of the two matrices.
struct Pair {
  std::string name, where;
  Run left, right;
};

std::vector<Pair> pairs_of(const AppState& s, const OpenMatrix& left, const OpenMatrix& right) {
  std::vector<Pair> pairs;
  const auto& all = s.runs.all();
  for (auto it = all.rbegin(); it != all.rend(); ++it) {
    const RunRecord& r = **it;
    const bool is_left = r.request.matrix == left.source, is_right = r.request.matrix == right.source;
    if ((!is_left && !is_right) || r.status != RunStatus::ok || s.on_trail(r.id)) continue;
    const std::string name = r.kernel_label + ", " + warpspy::name_of(r.request.precision);
    auto at =
        std::find_if(pairs.begin(), pairs.end(), [&](const Pair& p) { return p.name == name && p.where == r.device; });
    if (at == pairs.end()) at = pairs.insert(pairs.end(), {name, r.device, nullptr, nullptr});
    Run& place = is_left ? at->left : at->right;
    if (!place) place = *it;
  }
  // Formats that both matrices have come first.
  std::stable_partition(pairs.begin(), pairs.end(), [](const Pair& p) { return p.left && p.right; });
  return pairs;
}

const Estimate* estimate_of(const OpenMatrix& m, const std::string& format) {
  const FormatCost* cost = m.costs ? m.costs->of(format) : nullptr;
  return cost && cost->estimate ? &*cost->estimate : nullptr;
}

std::string per_entry(const OpenMatrix& m, const Estimate& e) {
  const auto nnz = static_cast<double>(m.matrix->csr->nnz());
  return nnz > 0 ? real_text(static_cast<double>(e.bytes()) / nnz, 3) + " B per entry" : "";
}

}  // namespace

const Delta& BothPanel::speeds(const AppState& s, const Run& a, const Run& b) {
  constexpr std::size_t most_kept = 256;  // the most pairs in the panel, which limits how many records it keeps alive
  const auto key = std::pair(a, b);
  if (const auto known = deltas_.find(key); known != deltas_.end()) return known->second;
  if (deltas_.size() >= most_kept) deltas_.clear();
  const RunComparison c = compare_runs({a, b}, *s.catalog);
  const auto row = std::find_if(c.rows.begin(), c.rows.end(), [](const DeltaRow& r) { return r.id == "gflops"; });
  return deltas_[key] = row == c.rows.end() ? Delta{} : row->runs[1];
}

void BothPanel::draw(const AppState& s, Ui& ui, ImVec2 size, const OpenMatrix& left, const OpenMatrix& right) {
  const Look& l = ui.look;
  const Palette& p = *l.palette;
  const ImVec2 at = ImGui::GetCursorScreenPos();
  heading(l, "Formats and runs of both",
          "Bytes of each format, and the speed of the newest run of each kernel, precision and device, on either "
          "matrix.\nBold: the difference is larger than the noise of both runs. Click a run to select it.");
  ImGui::SetCursorScreenPos(ImVec2(at.x, at.y + l.u(24)));
  Table table(l, "both",
              {{.name = "GFLOP/s, bytes", .share = 1.7f},
               {.name = left.name, .share = 1.2f, .right = true},
               {.name = right.name, .share = 1.2f, .right = true},
               {.name = "change", .help = "Of the right one, against the left.", .right = true}},
              ImVec2(size.x, std::max(l.u(40), size.y - l.u(24))), {.pad_x = 4});
  if (!table) return;
  table.head();
  const auto side = [&](const std::string& text, const std::string& help, bool known) {
    table.text(known ? text : kDash, known ? p.ink : p.muted, Face::mono, help);
  };
  int id = 0;
  for (const Pair& pair : pairs_of(s, left, right)) {
    ImGui::PushID(id++);
    const auto selected = [&](const Run& r) { return r && r->id == s.selected_run; };
    table.row(selected(pair.left) || selected(pair.right));
    if (table.pick()) {
      if (s.left == 0) ui.out(CompareMatrices{left.id, right.id});  // the two matrices stay beside each other
      ui.out(SelectRun{(pair.right ? pair.right : pair.left)->id});
    }
    const auto* device = s.catalog->device(pair.where);
    table.text(pair.name, p.ink, Face::ui, pair.name + "\n" + (device ? device->name : pair.where));
    for (const Run& r : {pair.left, pair.right})
      side(r ? real_text(r->gflops.value) : "",
           r ? "Run " + run_title(*r) + ", " + warpspy::name_of(r->gflops.provenance) : "No such run.", r != nullptr);
    if (pair.left && pair.right) {
      const Delta& d = speeds(s, pair.left, pair.right);
      const bool real = d.verdict == Verdict::beyond_noise;
      table.text(d.percent ? percent_or_times(*d.percent) : kDash, real ? p.ink : p.muted,
                 real ? Face::bold : Face::mono, warpspy::name_of(d.verdict));
    } else {
      table.text(kDash, p.muted);
    }
    ImGui::PopID();
  }
  for (const auto& row : formats()) {
    const Estimate *a = estimate_of(left, row.info.id), *b = estimate_of(right, row.info.id);
    if (!a && !b) continue;
    table.row(row.info.id == s.knobs.format);
    ImGui::PushID(row.info.id.c_str());
    if (table.pick()) ui.out(choose("format", row.info.id));
    ImGui::PopID();
    table.text(row.info.label, p.muted, Face::ui, row.info.help);
    side(a ? bytes_text(static_cast<double>(a->bytes())) : "", a ? per_entry(left, *a) : "Not known.", a);
    side(b ? bytes_text(static_cast<double>(b->bytes())) : "", b ? per_entry(right, *b) : "Not known.", b);
    const bool both = a && b && a->bytes() > 0;
    table.text(
        both ? signed_percent(100 * (static_cast<double>(b->bytes()) / static_cast<double>(a->bytes()) - 1)) : kDash,
        p.muted);
  }
}

}  // namespace warpspy::ui
