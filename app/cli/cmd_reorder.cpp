// reorder: writes a matrix in another order, and the order itself.
#include <CLI/CLI.hpp>
#include <cstdio>
#include <iostream>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "app/cli/command.hpp"
#include "core/base/json_text.hpp"
#include "core/base/target.hpp"
#include "core/io/io.hpp"
#include "core/reorder/reorder.hpp"

namespace warpspy::cli {
namespace {

using Json = nlohmann::ordered_json;

std::string list_of_orders() {
  std::string text = "Orders (parameters with their defaults):\n";
  for (const ReorderRow& row : reorderings()) {
    text += "  " + row.info.id + (row.info.takes_file ? " FILE" : "");
    for (const ParamSpec& p : row.info.params) {
      char value[32];
      std::snprintf(value, sizeof value, "%.12g", p.def);
      text += " " + p.id + "=" + (p.choices.empty() ? value : p.choices.at(static_cast<std::size_t>(p.def)));
    }
    text += "\n      " + row.info.help + "\n";
  }
  return text + "The same stands behind the name of a matrix in every command: warpspy run 'cant.mtx | rcm'";
}

// Composes two orders: row i of the result is row first[second[i]] of the original.
std::vector<index_t> after(const std::vector<index_t>& first, const std::vector<index_t>& second) {
  if (first.empty()) return second;
  if (second.empty()) return first;
  std::vector<index_t> both;
  both.reserve(second.size());
  for (const index_t k : second) both.push_back(first[static_cast<std::size_t>(k)]);
  return both;
}

// The order in the form that `file` can read again: for each new row the number of the original row, from 1.
std::string lines_of(const std::vector<index_t>& rows, const std::string& what) {
  std::string text = "% " + what + ": the row that becomes the first, the second, ...; counted from 1\n";
  for (const index_t row : rows) text += std::to_string(row + 1) + "\n";
  return text;
}

Json json_of(const std::optional<Envelope>& e) {
  return e ? Json{{"bandwidth", e->bandwidth}, {"profile", e->profile}} : Json();
}

std::optional<Envelope> envelope_if_square(const Csr& a) {
  if (a.rows() != a.cols()) return std::nullopt;
  return envelope_of(a);
}

}  // namespace

int reorder_matrix(CLI::App& app, std::vector<std::string> args) {
  std::string file, out, saved;
  std::vector<std::string> by;
  bool json = false;
  app.add_option("FILE", file, "The matrix: a file or gen:NAME")->required();
  app.add_option("--by", by,
                 "The order, with its parameters: rcm, 'metis parts=64'; several are taken one after another")
      ->required()
      ->allow_extra_args(false);
  app.add_option("-o,--output", out, "The .mtx file to write");
  app.add_option("--permutation", saved, "Write the order too, as a text file that '--by \"file NAME\"' reads");
  app.add_flag("--json", json, "Print JSON");
  app.footer(list_of_orders());
  app.parse(std::move(args));
  std::vector<ReorderStep> steps;
  for (const std::string& text : by) steps.push_back(step_of(text));
  Matrix m = open_with_progress(file);
  const std::string original = m.source.name;
  const auto before = envelope_if_square(*m.csr);
  WriteOptions options;
  Permutation whole;
  std::string note;
  with_meter("reorder", [&](Progress& progress) {
    options = options_like(m);
    for (const ReorderStep& step : steps) {
      Reordered r = reordered(m, step, progress);
      m = std::move(r.matrix);
      whole = {after(whole.row, r.order.permutation.row), after(whole.col, r.order.permutation.col)};
      if (!r.order.note.empty()) note += (note.empty() ? "" : "; ") + r.order.note;
    }
    // If only rows are moved, the matrix is no longer symmetric.
    if (!whole.is_symmetric()) options.symmetry = "general";
    const std::string made = name_in_order(original, steps);
    options.comment = made;
    if (!out.empty()) write_matrix_market(*m.csr, out, options, &progress);
    if (!saved.empty()) write_file(saved, lines_of(whole.row, made));
  });
  const auto now = envelope_if_square(*m.csr);
  if (json) {
    std::cout << json_text(Json{{"matrix", original},
                                {"by", by},
                                {"rows", m.csr->rows()},
                                {"cols", m.csr->cols()},
                                {"nnz", m.csr->nnz()},
                                {"before", json_of(before)},
                                {"after", json_of(now)},
                                {"note", note}})
              << "\n";
    return 0;
  }
  std::cout << m.source.name << ": " << m.csr->rows() << " x " << m.csr->cols() << ", " << m.csr->nnz() << " entries\n";
  if (before && now)
    std::cout << "bandwidth " << before->bandwidth << " -> " << now->bandwidth << ", profile " << before->profile
              << " -> " << now->profile << "\n";
  if (!note.empty()) std::cout << note << "\n";
  return 0;
}

}  // namespace warpspy::cli
