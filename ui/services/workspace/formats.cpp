#include <algorithm>
#include <chrono>

#include "core/formats/compare.hpp"
#include "ui/services/reads.hpp"
#include "ui/services/workspace/workspace.hpp"

namespace warpspy::ui {

void Workspace::on(const BuildFormat& a) {
  auto* m = s_.matrices.empty() ? nullptr : find(s_.selected);
  if (!m || !m->matrix || m->building.count(a.id)) return;
  const FormatRow& row = format_row(a.id);
  BuiltFormat wanted{a.id, format_params_of(s_, a.id), s_.knobs.precision, s_.knobs.view, nullptr, 0};
  const Opening opening = opening_of(*m);
  // The format that it replaces is freed first, since the memory may not hold both.
  std::erase_if(m->built, [&](const BuiltFormat& b) { return b.format == a.id; });
  const auto ended = [this, opening, format = a.id] {
    if (auto* open = find(opening)) open->building.erase(format);
  };
  m->building[a.id] = workers_.submit(
      JobQueue::load, "Building " + row.info.label + " of " + m->name,
      [wanted, matrix = m->matrix, facts = m->format_facts, &row, budget = budget_of(cost_reads(s_, *m))](Progress& p) {
        BuiltFormat out = wanted;
        if (row.slow_estimate) p.stage(kUninterrupted);
        const Estimate estimate = row.estimate(*facts, wanted.precision, wanted.params);
        if (!fits(estimate, budget).fits) throw refusal(wanted.format, estimate, *facts, wanted.precision, budget);
        p.stage("converting");
        const auto start = std::chrono::steady_clock::now();
        out.arrays = row.build(*facts, wanted.precision, wanted.view, wanted.params, p);
        out.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
        p.stage("comparing");
        const std::string wrong = difference(*matrix->csr, *out.arrays, wanted.precision, wanted.view, p);
        if (!wrong.empty()) throw Error("the conversion to " + row.info.label + " is wrong: " + wrong);
        return out;
      },
      [this, opening, ended](BuiltFormat built) {
        ended();
        if (auto* open = find(opening)) open->built.push_back(std::move(built));
      },
      [this, ended](const Failure& f) {
        ended();
        say(f);
      },
      ended);
}

void Workspace::on(const ReleaseFormat& a) {
  if (auto* m = find(s_.selected)) std::erase_if(m->built, [&](const BuiltFormat& b) { return b.format == a.id; });
}

}  // namespace warpspy::ui
