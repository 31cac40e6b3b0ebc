#include "ui/views/parts_table.hpp"

#include <imgui.h>

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "ui/spy/owners.hpp"
#include "ui/widgets/table.hpp"
#include "ui/widgets/text.hpp"

namespace warpspy::ui {

namespace {

struct PartColumn {
  const char *name, *help;
  index_t PartResult::* count = nullptr;
  double PartResult::* us = nullptr;
  bool of_solve = false;
};
constexpr PartColumn kPartColumns[] = {
    {"rows", "Rows of the matrix that the GPU has.", &PartResult::rows},
    {"entries", "Entries in them.", &PartResult::entries},
    {"boundary", "Boundary rows, with entries in the halo: they need x of other GPUs.", &PartResult::boundary_rows},
    {"halo in", "Numbers of x that the GPU gets from others.", &PartResult::halo_in},
    {"halo out", "Numbers of x that it gives to others.", &PartResult::halo_out},
    {"messages", "From how many GPUs it gets some.", &PartResult::messages},
    {"local (\xC2\xB5s)", "The product with the GPU's own x.", nullptr, &PartResult::local_us},
    {"link (\xC2\xB5s)", "Until its halo has arrived, from the begin on.", nullptr, &PartResult::link_us},
    {"waits (\xC2\xB5s)", "How much longer that is than the local product.", nullptr, &PartResult::waiting_us},
    {"halo (\xC2\xB5s)", "The product with the halo.", nullptr, &PartResult::halo_us},
    {"vectors (\xC2\xB5s)", "Updates of vectors.", nullptr, &PartResult::vectors_us, true},
    {"sums (\xC2\xB5s)", "Launches for its share of the sums.", nullptr, &PartResult::dots_us, true},
    {"waits in sums (\xC2\xB5s)", "Waiting for slower GPUs, and for the messages of sums.", nullptr,
     &PartResult::dots_waiting_us, true},
    {"all (\xC2\xB5s)", "All of these but link. The slowest GPU's is the time of the run.", nullptr,
     &PartResult::time_us}};

bool is_shown(const PartColumn& c, const RunRecord& run) { return run.solve || !c.of_solve; }

constexpr float kLeastShare = 56;  // of a column, at 100 %

std::vector<TableColumn> part_columns(const Look& l, const RunRecord& run) {
  std::vector<TableColumn> all = {
      {.name = "GPU", .help = "With its colour in the pattern. The slowest is marked.", .width = 44, .inset = 6}};
  for (const PartColumn& c : kPartColumns)
    if (is_shown(c, run)) {
      const float need = (text_width(l, Face::ui, 13, c.name) + l.u(10)) / l.u(kLeastShare);  // for its whole name
      all.push_back({.name = c.name, .help = c.help, .share = std::max(1.f, need), .right = true});
    }
  return all;
}

}  // namespace

void parts_table(const RunRecord& run, Ui& ui) {
  const Look& l = ui.look;
  constexpr std::size_t most = 9;  // rows that are shown at once
  const bool many = run.parts.size() > most;
  // With room for a scroll bar below, where the columns have too little.
  const float height = l.u(23 * static_cast<float>(std::min(run.parts.size(), most) + 1) + 10);
  Table table(l, "parts", part_columns(l, run), ImVec2(0, height),
              {.pad_x = 4, .scrolls = many, .least_share = kLeastShare, .follows = false});
  if (!table) return;
  table.head();
  const auto slowest = std::min_element(
      run.parts.begin(), run.parts.end(),
      [&](const PartResult& a, const PartResult& b) { return is_slower(a, b, run.solve.has_value()); });
  for (const PartResult& p : run.parts) {
    const bool slow = &p == &*slowest;
    table.row(slow);
    const auto part = static_cast<std::int32_t>(&p - run.parts.data());
    table.cell({.text = std::to_string(part + 1),
                .ink = l.palette->ink,
                .face = slow ? Face::bold : Face::ui,
                .chip = owner_color(part)});
    for (const PartColumn& c : kPartColumns) {
      if (!is_shown(c, run)) continue;
      if (c.count)
        table.text(count_text(p.*c.count), l.palette->ink);
      else
        table.text(real_text(p.*c.us, 3), l.palette->ink);
    }
  }
}

}  // namespace warpspy::ui
