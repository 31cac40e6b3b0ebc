#include "ui/views/delta_panel.hpp"

#include <imgui.h>

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "ui/widgets/controls.hpp"
#include "ui/widgets/table.hpp"
#include "ui/widgets/text.hpp"

namespace warpspy::ui {

namespace {

// A significant difference has the colour of text, others are grey; the sign shows the direction.
Cell change(const Look& l, const Delta& d, const std::string& unit) {
  const Palette& p = *l.palette;
  if (!d.absolute) return {.text = kDash, .ink = p.muted, .help = d.reason};
  const bool real = d.verdict == Verdict::beyond_noise;
  std::string help = (*d.absolute >= 0 ? "+" : "\xE2\x88\x92") + real_text(std::fabs(*d.absolute)) + " " +
                     (unit == "us" ? "\xC2\xB5s" : unit);
  const std::string text = change_text(d, unit);
  if (text.empty()) help += "; the baseline is 0, so there is no percentage";
  return {.text = text.empty() ? kDash : text,
          .ink = real ? p.ink : p.muted,
          .face = real ? Face::bold : Face::mono,
          .help = help};
}

Cell verdict(const Look& l, const Delta& d) {
  const Palette& p = *l.palette;
  static constexpr const char* helps[] = {
      "The others are compared with this.",
      "The two numbers are equal.",
      "The difference is not larger than the noise of both runs added up: another pair of runs might differ as much.",
      "The difference is larger than the noise of both runs added up.",
      "The noise of one of the two was not recorded, so nothing is said about this difference.",
      "One of the two runs has no such number."};
  const std::string help =
      d.verdict == Verdict::unavailable && !d.reason.empty() ? d.reason : helps[static_cast<int>(d.verdict)];
  return {.text = warpspy::name_of(d.verdict),
          .ink = d.verdict == Verdict::beyond_noise ? p.ink : p.muted,
          .face = Face::ui,
          .help = help};
}

// Bytes have a prefix, and long counts are grouped, as everywhere in the window.
std::string amount_text(double v, const std::string& unit) {
  if (unit == "B") return bytes_text(v);
  const bool count = std::fabs(v) >= 1e4 && std::fabs(v) < 1e15 && v == std::floor(v);
  return count ? count_text(static_cast<index_t>(v)) : real_text(v, 5);
}

Cell value(const Look& l, const Delta& d, const std::string& unit) {
  const Palette& p = *l.palette;
  if (!d.value) return {.text = "unavailable", .ink = p.muted, .face = Face::ui, .help = d.reason};
  return {.text = amount_text(*d.value, unit),
          .ink = p.ink,
          .help = std::string(warpspy::name_of(d.provenance)) + ", " + real_text(*d.value, 9),
          .from = d.provenance};
}

Cell noise(const Look& l, const Delta& d) {
  return {.text = d.noise ? (*d.noise == 0 ? "none" : "\xC2\xB1" + real_text(*d.noise, 2)) : "unknown",
          .ink = l.palette->muted,
          .help =
              "Median absolute deviation of the timed samples, in percent of the median. A model that ran whole "
              "has none."};
}

// With many runs there is no room for the word of the verdict. Then bold text and the tooltip show it. What still does
// not fit scrolls.
struct Widths {
  static constexpr float name = 128, unit = 54, value = 84, change = 62, verdict = 88, pad = 10;
  int others;
  bool words, fits;

  Widths(const Look& l, int others_, float room) : others(others_) {
    words = needed(l, true) <= room;
    fits = needed(l, words) <= room;
  }
  float needed(const Look& l, bool in_words) const {
    const float each = value + change + (in_words ? verdict + pad : 0) + 2 * pad;
    return l.u(name + unit + value + 3 * pad + static_cast<float>(others) * each + 16);
  }
  // Spare room is divided between names and numbers.
  std::vector<TableColumn> columns() const {
    const auto wide = [&](float w, bool right) {
      return TableColumn{.width = fits ? 0 : w, .share = w, .right = right};
    };
    std::vector<TableColumn> out = {wide(name, false), {.width = unit}, wide(value, true)};
    for (int k = 0; k < others; ++k) {
      out.push_back(wide(value, true));
      out.push_back({.width = change, .right = true});
      if (words) out.push_back({.width = verdict});
    }
    return out;
  }
};

// The rows of one comparison.
class Deltas {
 public:
  Deltas(const AppState& s, Ui& ui, Table& table, bool words, std::vector<float>& columns)
      : s_(s),
        c_(*s.comparison),
        ui_(ui),
        l_(ui.look),
        p_(*l_.palette),
        table_(table),
        words_(words),
        columns_(columns) {}

  void draw() {
    std::vector<float> left;
    row("runs");
    table_.text("", p_.muted);
    table_.skip(1);
    each([&](std::size_t k) {
      table_.text("#" + run_number(*s_.comparing[k]) + (k == 0 ? " base" : ""), p_.ink, Face::bold, c_.names[k]);
      left.push_back(ImGui::GetItemRectMin().x);
      if (c_.ids[k] == s_.selected_run) ImGui::TableSetBgColor(ImGuiTableBgTarget_CellBg, u32(p_.select));
    });
    for (const Difference& d : c_.differences) difference(d);
    for (const DeltaRow& row : c_.rows) {
      quantity(row);
      if (row.id == "time") noise_of(row);
    }
    columns_ = std::move(left);
  }

 private:
  // A row. A click or the arrow keys select the run of the column; the comparison stays.
  void row(const std::string& id) {
    table_.row();
    ImGui::PushID(id.c_str());
    const bool clicked = table_.pick();
    ImGui::PopID();
    const int along = table_.row_keys().along;
    const std::size_t n = c_.ids.size();
    if (along != 0) {
      const auto at = std::find(c_.ids.begin(), c_.ids.end(), s_.selected_run) - c_.ids.begin();
      const auto next = std::clamp<std::ptrdiff_t>(at + along, 0, static_cast<std::ptrdiff_t>(n) - 1);
      ui_.out(SelectRun{c_.ids[static_cast<std::size_t>(next)], true});
    } else if (clicked) {
      const float x = ImGui::GetIO().MousePos.x;
      const auto past = std::upper_bound(columns_.begin(), columns_.end(), x) - columns_.begin();
      if (past > 0) ui_.out(SelectRun{c_.ids[static_cast<std::size_t>(past) - 1], true});
    }
  }

  // Draws a cell for each run; the change that follows stays empty.
  template <class F>
  void each(F&& cell) {
    for (std::size_t k = 0; k < c_.ids.size(); ++k) {
      cell(k);
      if (k > 0) table_.skip(words_ ? 2 : 1);
    }
  }

  void difference(const Difference& d) {
    row(d.label);
    table_.text(d.label, p_.muted, Face::ui);
    table_.skip(1);
    each([&](std::size_t k) {
      const std::string& text = d.runs[k];
      table_.text(text.empty() ? kDash : text, p_.ink, Face::ui, text);
    });
  }

  void quantity(const DeltaRow& row) {
    this->row(row.id);
    const auto* metric = s_.catalog->metric(row.id);
    table_.text(row.label, p_.ink, Face::ui, metric ? metric->help : row.label);
    table_.text(row.unit == "us"                     ? "\xC2\xB5s"
                : row.unit == "1" || row.unit == "B" ? ""
                                                     : row.unit,
                p_.muted, Face::ui);
    for (std::size_t k = 0; k < row.runs.size(); ++k) {
      table_.cell(value(l_, row.runs[k], row.unit));
      if (k == 0) continue;
      Cell t = change(l_, row.runs[k], row.unit);
      if (!words_) t.help += std::string("\n") + warpspy::name_of(row.runs[k].verdict);
      table_.cell(t);
      if (words_) table_.cell(verdict(l_, row.runs[k]));
    }
  }

  void noise_of(const DeltaRow& row) {
    this->row("noise");
    table_.text("   noise", p_.muted, Face::ui);
    table_.text("%", p_.muted, Face::ui);
    each([&](std::size_t k) { table_.cell(noise(l_, row.runs[k])); });
  }

  const AppState& s_;
  const RunComparison& c_;
  Ui& ui_;
  const Look& l_;
  const Palette& p_;
  Table& table_;
  bool words_;
  std::vector<float>& columns_;
};

// Heading and buttons.
void head(const AppState& s, const RunComparison& c, Ui& ui, ImVec2 origin, float width) {
  const Look& l = ui.look;
  heading(l, "Comparison",
          "Each quantity of the other runs against the first one selected. A difference counts when it is larger than "
          "the noise of both runs added up. Click a column to select its run; with the keys, left and right do.");
  const float left = text_width(l, Face::bold, 13, "Comparison") + l.u(10);
  draw_text(l, ImGui::GetWindowDrawList(), ImVec2(origin.x + left, origin.y + l.u(1)), Face::ui, 12, l.palette->muted,
            "against run " + run_title(*s.comparing.front()), width - left);
  float x = origin.x + width;
  const auto at_right = [&](const char* words) {
    x -= text_width(l, Face::ui, 13, words) + l.u(16);
    ImGui::SetCursorScreenPos(ImVec2(x, origin.y - l.u(6)));
  };
  at_right("Stop");
  if (button(l, "Stop##comparing", Weight::quiet)) ui.out(CompareRuns{});
  tip(l, "Stops comparing: the roofline shows all runs again.");
  at_right("Export\xE2\x80\xA6");
  if (button(l, "Export\xE2\x80\xA6##comparison", Weight::quiet)) ui.out(ShowExport{"comparison"});
  tip(l, "Writes this table as CSV or JSON; the picture with its arrows is the roofline's export.");
  at_right("Copy");
  if (button(l, "Copy##comparison", Weight::quiet)) ui.out(CopyText{to_csv(c)});
  tip(l, "Copies this table as CSV.");
}

}  // namespace

void DeltaPanel::draw(const AppState& s, Ui& ui, ImVec2 size) {
  const Look& l = ui.look;
  if (!s.comparison) return;
  const RunComparison& c = *s.comparison;
  const ImVec2 origin = ImGui::GetCursorScreenPos();
  head(s, c, ui, origin, size.x);
  float top = origin.y + l.u(24);
  for (const std::string& w : c.warnings) {
    ImGui::SetCursorScreenPos(ImVec2(origin.x, top));
    const FontScope font(*l.fonts, Face::ui, 12);
    paragraph(l, l.palette->warning, "! " + w, size.x);
    top = ImGui::GetItemRectMax().y + l.u(4);
  }
  ImGui::SetCursorScreenPos(ImVec2(origin.x, top));
  const Widths widths(l, static_cast<int>(c.ids.size()) - 1, size.x);
  TableStyle style{.pad_x = Widths::pad / 2, .pad_y = 2, .follows = false};
  if (!widths.fits) style.frozen = 2;
  Table table(l, "deltas", widths.columns(), ImVec2(size.x, std::max(l.u(40), origin.y + size.y - top)), style);
  if (table) Deltas(s, ui, table, widths.words, columns_).draw();
}

}  // namespace warpspy::ui
