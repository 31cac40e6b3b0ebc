#include "ui/views/newton_table.hpp"

#include <imgui.h>

#include <string>
#include <vector>

#include "core/solve/newton_table.hpp"
#include "ui/widgets/table.hpp"
#include "ui/widgets/text.hpp"

namespace warpspy::ui {

namespace {

struct Rows {
  const Look& l;
  Table& table;
  Provenance modelled;  // of the iterations' times

  void add(const std::string& name, const NewtonStep& s, Face face) const {
    const Palette& p = *l.palette;
    const auto ms = [&](double us, Provenance from) {
      table.cell({.text = real_text(us * 1e-3, 3), .ink = p.ink, .from = from});
    };
    table.row();
    table.text(name, p.ink, face);
    table.text(real_text(s.norm, 3), p.ink);
    table.text(count_text(static_cast<index_t>(s.iterations)), p.ink);
    ms(s.assembly_us, Provenance::measured);
    ms(s.preparation_us, Provenance::measured);
    ms(s.solve_us, modelled);
    ms(s.products_us, modelled);
    table.text(percent_text(share_of_products(s)), p.ink);
  }
};

std::vector<TableColumn> columns() {
  return {{.name = "step", .help = "And which part of y was taken, if not all of it.", .width = 58, .inset = 6},
          {.name = "|F|", .help = "Before the step, in the 2-norm; in the last row, at the end.", .right = true},
          {.name = "iterations", .help = "Of the linear solve J y = F.", .right = true},
          {.name = "F, J",
           .help = "F and the values of J, computed by this machine's processors in f64: the kernel has no part in it.",
           .right = true},
          {.name = "prepare",
           .help = "The preparation of J for the kernel: its values change in each step. With a polynomial also the "
                   "estimate of its eigenvalues.",
           .right = true},
          {.name = "solve", .help = "All iterations, and the steps of a refinement.", .right = true},
          {.name = "products", .help = "Those among the iterations.", .right = true},
          {.name = "share", .help = "Of the products in preparation and iterations.", .share = 0.8f, .right = true}};
}

}  // namespace

void newton_table(const RunRecord& run, Ui& ui) {
  const Look& l = ui.look;
  const NewtonResult& n = *run.newton;
  caption(l, "Times in ms: F and J, the preparation of J, all iterations, and the products among them.");
  constexpr std::size_t most = 10;  // rows that are shown at once
  const bool many = n.steps.size() > most;
  Table table(l, "newton", columns(), ImVec2(0, many ? l.u(23 * (most + 1)) : 0), {.scrolls = many, .follows = false});
  if (!table) return;
  table.head();
  const Rows rows{l, table, run.time.provenance};
  const std::vector<NewtonRow> all = newton_rows(n);
  for (const NewtonRow& row : all) rows.add(row.name, row.step, &row == &all.back() ? Face::bold : Face::ui);
}

}  // namespace warpspy::ui
