#include "core/solve/newton_table.hpp"

#include <cstdio>

namespace warpspy {
namespace {

std::string name_of(std::size_t number, double share) {
  char text[48];
  if (share == 1)
    std::snprintf(text, sizeof text, "%zu", number);
  else
    std::snprintf(text, sizeof text, "%zu: %.3g y", number, share);
  return text;
}

}  // namespace

NewtonStep all_steps(const NewtonResult& r) {
  NewtonStep all;
  all.norm = r.norm;
  for (const NewtonStep& s : r.steps) {
    all.iterations += s.iterations;
    all.assembly_us += s.assembly_us, all.preparation_us += s.preparation_us;
    all.solve_us += s.solve_us, all.products_us += s.products_us;
  }
  return all;
}

double share_of_products(const NewtonStep& s) {
  const double whole = s.preparation_us + s.solve_us;
  return whole > 0 ? s.products_us / whole : 0;
}

std::vector<NewtonRow> newton_rows(const NewtonResult& r) {
  std::vector<NewtonRow> rows;
  for (const NewtonStep& s : r.steps) rows.push_back({name_of(rows.size() + 1, s.share), s});
  rows.push_back({"all", all_steps(r)});
  return rows;
}

}  // namespace warpspy
