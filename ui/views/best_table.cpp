#include <imgui.h>
#include <imgui_stdlib.h>

#include <string>
#include <utility>
#include <vector>

#include "core/base/numbers.hpp"
#include "core/figure/figure.hpp"
#include "core/model/best_runs.hpp"
#include "ui/state/choice_rows.hpp"
#include "ui/views/matrices_tab.hpp"
#include "ui/widgets/focus.hpp"
#include "ui/widgets/table.hpp"
#include "ui/widgets/text.hpp"

namespace warpspy::ui {
namespace {

std::string device_of(const AppState& s, const RunRecord& r) {
  const DeviceInfo* device = s.catalog->device(r.device);
  return device ? device->name : r.device;
}
// What was timed: "f32, warm"; "f64, cold, transposed".
std::string product_of(const warpspy::BestRun& b) {
  const RunRequest& r = b.best->request;
  return std::string(name_of(r.precision)) + ", " + name_of(r.cache_state) +
         (b.operation == Operation::product ? "" : std::string(", ") + name_of(b.operation));
}

// Measured time / time of a product.
Provenance provenance_of_products(const warpspy::BestRun& b) {
  return b.csr->time.provenance == Provenance::modelled ? Provenance::modelled : Provenance::derived;
}

SortKey best_key(const AppState& s, const warpspy::BestRun& b, int column) {
  const RunRecord& r = *b.best;
  const SortKey keys[] = {{0, r.matrix_name},
                          {0, product_of(b)},
                          {0, device_of(s, r)},
                          {0, r.kernel_label},
                          {r.time.value, ""},
                          {r.gflops.value, ""},
                          {b.share ? b.share->share : -1, ""},
                          {b.preparation_products().value_or(-1), ""},
                          {b.second ? b.times_as_fast() : -1, ""},
                          {0, b.second ? b.second->kernel_label : ""}};
  return keys[column];
}

constexpr float kTwoLines = 33;  // two lines

constexpr const char* kBestFor = "Best for";
constexpr float kFieldWidth = 84;
// Numbers of products; others are typed.
struct OfferedCount {
  ProductCount count;
  const char* word;
};
constexpr OfferedCount kOffered[] = {{1, "1"}, {100, "100"}, {10'000, "10,000"}, {for_ever, "Ever"}};

// A line below a matrix that says why, across the columns between `from` and `to`, since a sentence does not fit in
// one.
struct WhyLine {
  ImVec2 from, to;

  void cell(const Look& l, Table& table, const std::string& matrix, const std::string& source, const std::string& why,
            Color ink) const {
    const float room = table.next(matrix + "; " + why);
    const ImVec2 at = ImGui::GetCursorScreenPos();
    auto* list = ImGui::GetWindowDrawList();
    draw_text(l, list, at, Face::ui, 13, l.palette->ink, matrix, room);
    list->PushClipRect(from, to, false);
    draw_text(l, list, ImVec2(at.x, at.y + l.u(17)), Face::ui, 12, ink, why, to.x - at.x - l.u(16));
    list->PopClipRect();
    ImGui::Dummy(ImVec2(room, l.u(kTwoLines)));
    tip(l, source + "\n" + why);
  }
};

void best_row(const AppState& s, Ui& ui, Table& table, const WhyLine& line, const warpspy::BestRun& b) {
  const Palette& p = *ui.look.palette;
  const RunRecord& r = *b.best;
  table.row(best_shown(s) == &b);
  if (table.pick()) ui.out(SelectRun{r.id});
  const std::string why = b.why + (b.limit.empty() ? "" : "; what limits it: " + b.limit);
  line.cell(ui.look, table, figure::written_name(r.matrix_name), r.request.matrix, why, p.muted);
  table.text(product_of(b), p.ink, Face::ui);
  table.text(device_of(s, r), p.ink, Face::ui);
  table.text(r.kernel_label, p.ink, Face::ui, b.params.empty() ? "its parameters are the defaults" : b.params);
  table.cell({.text = real_text(r.time.value, 4), .ink = p.ink, .from = r.time.provenance});
  table.cell({.text = real_text(r.gflops.value, 3), .ink = p.ink, .from = r.gflops.provenance});
  table.cell({.text = b.share ? real_text(100 * b.share->share, 2) + " %" : kDash,
              .ink = b.share ? p.ink : p.muted,
              .help = b.share ? "" : "its roof is not known"});
  const std::optional<double> prepared = b.preparation_products();
  table.cell({.text = prepared ? real_text(*prepared, 3) : kDash,
              .ink = prepared ? p.ink : p.muted,
              .help = prepared ? "of " + b.csr->kernel_label + ", the best kernel that reads CSR" : b.why_no_products(),
              .from = prepared ? std::optional(provenance_of_products(b)) : std::nullopt});
  table.cell({.text = b.second ? real_text(b.times_as_fast(), 3) : kDash, .ink = b.second ? p.ink : p.muted});
  table.text(b.second ? b.second->kernel_label : kDash, b.second ? p.ink : p.muted, Face::ui);
}

// Matrices that the search has not reached, or for which it failed.
std::vector<const BestSearch::Item*> not_found(const AppState& s) {
  std::vector<const BestSearch::Item*> items;
  if (s.best_search)
    for (const BestSearch::Item& item : s.best_search->items)
      if (item.state != CellState::done) items.push_back(&item);
  return items;
}

void left_row(const AppState& s, Ui& ui, Table& table, const WhyLine& line, const BestSearch::Item& item) {
  const Palette& p = *ui.look.palette;
  const BestSearch& b = *s.best_search;
  table.row();
  if (table.pick())
    for (const OpenMatrix& m : s.matrices)
      if (m.source == item.source) ui.out(SelectMatrix{m.id});
  const std::string why = item.state == CellState::running && b.job ? b.job->progress.stage() : item.reason;
  line.cell(ui.look, table, figure::written_name(item.name), item.source, why,
            item.state == CellState::failed ? p.error : p.muted);
  table.text(std::string(name_of(b.of.precisions.front())) + ", " + name_of(b.of.caches), p.muted, Face::ui);
  table.text(b.of.device.name, p.muted, Face::ui);
  table.text(state_text(item.state), ink_of(item.state, p), Face::ui);
  table.skip(6);
}

// "2 of 5 matrices searched; 12 s left"
std::string progress_text(const BestSearch& b) {
  std::string text = std::to_string(b.count(CellState::done)) + " of " +
                     counted(static_cast<index_t>(b.items.size()), "matrix", "matrices") + " searched";
  if (const std::size_t failed = b.count(CellState::failed)) text += ", " + std::to_string(failed) + " failed";
  if (const std::size_t skipped = b.count(CellState::skipped)) text += ", " + std::to_string(skipped) + " skipped";
  if (b.running || b.left() == 0) return text;
  return text + (b.job ? "; stops" : "; stopped");
}

}  // namespace

void draw_best_line(const AppState& s, Ui& ui, float width) {
  RightOf line(ui.look, width);
  const auto& b = s.best_search;
  using To = SteerBest::To;
  if (b && b->running) {
    if (line.button("Stop", Weight::quiet, "Ends it now. What was found stays; the rest can be resumed."))
      ui.out(SteerBest{To::stop});
  } else if (!s.matrices.empty() &&
             line.button("Search each best", s.best.empty() ? Weight::primary : Weight::plain,
                         "The fastest kernel of every open matrix, or of those chosen under Table: about a second of "
                         "search for each operation, on the device and with precision and caches of the run panel. As "
                         "warpspy best FILE... --search does.")) {
    ui.out(SearchBest{});
  }
  if (!b) return;
  if (!b->running && !b->resumes && b->left() > 0 &&
      line.button("Resume", Weight::quiet, "Goes on with the matrices that are left."))
    ui.out(SteerBest{To::resume});
  // The share of the current matrix's search that is done.
  const double part = b->job ? b->job->progress.fraction() : 0, all = static_cast<double>(b->items.size());
  line.progress(progress_text(*b), b->count(CellState::failed) > 0 ? ui.look.palette->warning : ui.look.palette->muted,
                b->running ? (all - static_cast<double>(b->left()) + part) / all : -1);
}

void BestFor::draw(const AppState& s, Ui& ui) {
  const Look& l = ui.look;
  const ImVec2 at = ImGui::GetCursorScreenPos();
  draw_text(l, ImGui::GetWindowDrawList(), ImVec2(at.x, at.y + l.u(5)), Face::ui, 13, l.palette->muted, kBestFor);
  float x = at.x + text_width(l, Face::ui, 13, kBestFor) + l.u(8);
  ImGui::SetCursorScreenPos(ImVec2(x, at.y));
  const ProductCount now = s.matrices_view.products;
  int chosen = -1;
  std::vector<std::string> words;
  for (const OfferedCount& o : kOffered) {
    if (o.count == now) chosen = static_cast<int>(words.size());
    words.emplace_back(o.word);
  }
  const int picked = segments(l, "best for", words, chosen);
  tip(l,
      "For how many products the best is the best: it has the least preparation + N x time. For ever, preparation does "
      "not count.");
  if (picked >= 0) ui.out(choose("best for", word_of(kOffered[picked].count)));
  x += segments_width(l, words) + l.u(8);
  if (!editing_) text_ = chosen < 0 ? word_of(now) : "";
  ImGui::SetCursorScreenPos(ImVec2(x, at.y + l.u(1)));
  {
    const FontScope font(*l.fonts, Face::mono, 13);
    ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, ImVec2(l.u(6), l.u(3)));
    ImGui::SetNextItemWidth(l.u(kFieldWidth));
    ImGui::InputTextWithHint("##products", "other", &text_, ImGuiInputTextFlags_AutoSelectAll);
    text_stop(l, "##products");
    ImGui::PopStyleVar();
  }
  show_item(l, "Number of products");
  editing_ = ImGui::IsItemActive();
  tip(l, "Another number of products, or ever.");
  if (!ImGui::IsItemDeactivatedAfterEdit() || text_.empty()) return;
  try {
    ui.out(choose("best for", word_of(products_from_text(text_))));
  } catch (const Error& e) {
    ui.out(Notify{{Message::Kind::error, e.reason, e.remedy}});
  }
}

float BestFor::width(const Look& l) {
  std::vector<std::string> words;
  for (const OfferedCount& o : kOffered) words.emplace_back(o.word);
  return text_width(l, Face::ui, 13, kBestFor) + segments_width(l, words) + l.u(kFieldWidth + 16);
}

void draw_best(const AppState& s, Ui& ui, TableSort& sort, ImVec2 size) {
  const ImVec2 from = ImGui::GetCursorScreenPos();
  const WhyLine line{from, ImVec2(from.x + size.x, from.y + size.y)};
  Table table(ui.look, "best",
              {{.name = "Matrix", .inset = 6},
               {.name = "Product", .help = "Precision, caches, operation", .width = 76},
               {.name = "Device"},
               {.name = "Best kernel"},
               {.name = "\xC2\xB5s", .help = "Of one product", .width = 66, .right = true},
               {.name = "GFLOP/s", .width = 66, .right = true},
               {.name = "Roof", .help = "What it reaches of its roof", .width = 48, .right = true},
               {.name = "Prepared, products",
                .help = "What is spent before the first product, in products of the best kernel that reads CSR: "
                        "conversion and what the kernel makes, without the copy to the device",
                .width = 112,
                .right = true},
               {.name = "Times as fast",
                .help = "As the best by another kernel, for so many products",
                .width = 84,
                .right = true},
               {.name = "As", .inset = 8}},
              size, {.pad_x = 4, .pad_y = 1, .row = kTwoLines, .head = 12, .least_share = 75});
  if (!table) return;
  sort.head(table);
  const auto order =
      sort.order(s.best.size(), [&](std::size_t row, int column) { return best_key(s, s.best[row], column); });
  const auto left = not_found(s);
  table.rows(static_cast<int>(s.best.size() + left.size()), [&](int place) {
    const auto k = static_cast<std::size_t>(place);
    ImGui::PushID(place);
    if (k < s.best.size())
      best_row(s, ui, table, line, s.best[order[k]]);
    else
      left_row(s, ui, table, line, *left[k - s.best.size()]);
    ImGui::PopID();
  });
}

}  // namespace warpspy::ui
