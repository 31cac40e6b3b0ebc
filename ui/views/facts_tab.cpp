#include <imgui.h>

#include <algorithm>
#include <cmath>

#include "ui/views/view.hpp"
#include "ui/views/waiting.hpp"
#include "ui/widgets/controls.hpp"
#include "ui/widgets/text.hpp"

namespace warpspy::ui {

namespace {

struct Fact {
  std::string name, value, help;
};
struct Group {
  std::string title;
  std::vector<Fact> facts;
};

std::string symmetry_text(double share) {
  if (share < 0) return "not square";
  return share == 1 ? "symmetric" : percent_text(share) + " mirrored";
}

std::vector<Group> groups_of(const OpenMatrix& m) {
  const Csr& a = *m.matrix->csr;
  const auto& src = m.matrix->source;
  const auto rows = static_cast<double>(a.rows()), cols = static_cast<double>(a.cols()),
             nnz = static_cast<double>(a.nnz());
  std::vector<Group> out;
  out.push_back(
      {"Size",
       {{"rows", count_text(a.rows()), ""},
        {"columns", count_text(a.cols()), ""},
        {"entries (nnz)", count_text(a.nnz()), "Stored entries: zeros that are stored count as well."},
        {"density", rows * cols > 0 ? percent_text(nnz / (rows * cols)) : kDash, "nnz / (rows \xC2\xB7 columns)"},
        {"memory (CSR, host)", bytes_text(static_cast<double>(a.bytes())),
         "Row pointers, column indices and values as kept by this program."}}});
  out.push_back(
      {"Source",
       {{"from", src.location.empty() ? m.source : src.location, ""},
        {"field", src.field, "What the file says its values are."},
        {"symmetry in the file", src.symmetry, "A symmetric file stores one half only; here both halves are stored."},
        {"entries in the file", count_text(src.entries_in_file), ""},
        {"duplicates summed", count_text(src.duplicates),
         "Entries given more than once at the same place; their values are added."}}});
  if (!m.facts) return out;
  const auto& r = m.facts->rows;
  const auto& t = m.facts->structure;
  out.push_back(
      {"Row lengths",
       {{"shortest", count_text(r.min), ""},
        {"first quartile", real_text(r.q1), "A quarter of the rows have at most this many entries."},
        {"median", real_text(r.median), "Half of the rows have at most this many entries."},
        {"third quartile", real_text(r.q3), "Three quarters of the rows have at most this many entries."},
        {"longest", count_text(r.max), ""},
        {"mean", real_text(r.mean, 5), "nnz / rows"},
        {"standard deviation", real_text(std::sqrt(r.variance), 5),
         "Root of the population variance: how uneven the rows are."},
        {"skew", real_text(r.skew, 4), "Third standardised moment: above 0 when a few rows are much longer than most."},
        {"empty rows", count_text(r.empty), "Rows without any entry."}}});
  out.push_back(
      {"Structure",
       {{"bandwidth", count_text(t.bandwidth()),
         "max |i \xE2\x88\x92 j| over stored entries: how far from the diagonal."},
        {"lower, upper", count_text(t.lower_bandwidth) + ", " + count_text(t.upper_bandwidth),
         "max (i \xE2\x88\x92 j), max (j \xE2\x88\x92 i)"},
        {"pattern", symmetry_text(t.pattern_symmetry),
         "Share of off-diagonal entries (i, j) whose mirror (j, i) is stored."},
        {"values", symmetry_text(t.value_symmetry), "The same, with equal values."},
        {"diagonal entries", count_text(t.diagonal_entries), ""},
        {"stored zeros", count_text(t.explicit_zeros), "Entries that are stored although their value is 0."}}});
  return out;
}

class FactsTab final : public View {
 public:
  void draw(const AppState& s, Ui& ui) override {
    const Look& l = ui.look;
    const auto* m = s.current();
    if (waits_for_matrix(ui, m)) return;
    if (!m) {
      if (empty_state(l, "No matrix yet",
                      "Its size, density, symmetry, bandwidth, row lengths and memory are listed here.",
                      "Open a matrix"))
        ui.out(AskForFiles{});
      return;
    }
    label(l, Face::bold, 18, l.palette->ink, m->name);
    gap(l, 8);
    const auto groups = groups_of(*m);
    const float room = ImGui::GetContentRegionAvail().x, gutter = l.u(40);
    const int columns = room > l.u(640) ? 2 : 1;
    const float width =
        std::min(l.u(400), (room - gutter * static_cast<float>(columns - 1)) / static_cast<float>(columns));
    const ImVec2 top = ImGui::GetCursorPos();
    float height[2] = {0, 0};
    for (std::size_t k = 0; k < groups.size(); ++k) {
      const int column = static_cast<int>(k) % columns;
      ImGui::SetCursorPos(ImVec2(top.x + static_cast<float>(column) * (width + gutter), top.y + height[column]));
      const float from = ImGui::GetCursorPosY();
      group(ui, groups[k], width);
      height[column] += ImGui::GetCursorPosY() - from + l.u(20);
    }
    ImGui::SetCursorPos(ImVec2(top.x, top.y + std::max(height[0], height[1])));
    if (m->facts && !m->matrix->source.warnings.empty()) {
      heading(l, "Said while reading");
      for (const auto& w : m->matrix->source.warnings) paragraph(l, l.palette->warning, "! " + w);
    }
    ImGui::Dummy(ImVec2(1, 1));
  }

 private:
  static void group(Ui& ui, const Group& g, float width) {
    const Look& l = ui.look;
    const float left = ImGui::GetCursorPosX();
    heading(l, g.title);
    for (const auto& f : g.facts) {
      ImGui::SetCursorPosX(left);
      const ImVec2 at = ImGui::GetCursorScreenPos();
      auto* list = ImGui::GetWindowDrawList();
      const float name = draw_text(l, list, ImVec2(at.x, at.y + l.u(2)), Face::ui, 13, l.palette->muted, f.name);
      const std::string value = fit_text(l, Face::mono, 13, f.value, width - name - l.u(16));
      draw_text(l, list, ImVec2(at.x + width - text_width(l, Face::mono, 13, value), at.y + l.u(2)), Face::mono, 13,
                l.palette->ink, value);
      const float y = at.y + l.u(21) + 0.5f;
      list->AddLine(ImVec2(at.x, y), ImVec2(at.x + width, y), u32(l.palette->hairline));
      ImGui::PushID(f.name.c_str());
      if (ImGui::InvisibleButton("fact", ImVec2(width, l.u(22) - ImGui::GetStyle().ItemSpacing.y)))
        ui.out(CopyText{f.value});
      ImGui::PopID();
      tip(l, (f.help.empty() ? "" : f.help + "\n") + "Click copies the value.");
    }
  }
};

}  // namespace

extern const ViewRow facts_tab = {
    .id = "facts",
    .label = "Facts",
    .place = Place::tab,
    .group = Topic::matrix,
    .help = "Size, density, symmetry, bandwidth, memory.",
    .scrolls = true,
    .make = make<FactsTab>,
};

}  // namespace warpspy::ui
