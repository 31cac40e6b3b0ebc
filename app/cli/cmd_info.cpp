#include <CLI/CLI.hpp>
#include <cinttypes>
#include <cstdio>
#include <iostream>
#include <optional>
#include <vector>

#include "app/cli/command.hpp"
#include "core/matrix/stats.hpp"

namespace warpspy::cli {
namespace {

void print(const Matrix& m, const MatrixFacts& f) {
  const Csr& a = *m.csr;
  const auto row = [](const char* name, const std::string& value) { std::printf("%-22s %s\n", name, value.c_str()); };
  const auto number = [](double v) {
    char text[32];
    std::snprintf(text, sizeof text, "%.6g", v);
    return std::string(text);
  };
  row("name", m.source.name);
  row("size", std::to_string(a.rows()) + " x " + std::to_string(a.cols()));
  row("nnz", std::to_string(a.nnz()));
  row("entries in file", std::to_string(m.source.entries_in_file));
  row("field, symmetry", m.source.field + ", " + m.source.symmetry);
  row("explicit zeros", std::to_string(f.structure.explicit_zeros));
  row("empty rows", std::to_string(f.rows.empty));
  row("bandwidth", std::to_string(f.structure.bandwidth()) + " (lower " + std::to_string(f.structure.lower_bandwidth) +
                       ", upper " + std::to_string(f.structure.upper_bandwidth) + ")");
  row("row length", "min " + std::to_string(f.rows.min) + ", quartiles " + number(f.rows.q1) + " " +
                        number(f.rows.median) + " " + number(f.rows.q3) + ", max " + std::to_string(f.rows.max));
  row("", "mean " + number(f.rows.mean) + ", variance " + number(f.rows.variance) + ", skew " + number(f.rows.skew));
  if (f.structure.pattern_symmetry >= 0)
    row("symmetric entries", number(100 * f.structure.pattern_symmetry) + " % of the pattern, " +
                                 number(100 * f.structure.value_symmetry) + " % of the values");
  row("memory", number(a.bytes() / 1e6) + " MB as CSR");
  for (const std::string& w : m.source.warnings) row("warning", w);
}

}  // namespace

int info(CLI::App& app, std::vector<std::string> args) {
  std::vector<std::string> files;
  bool json = false;
  app.add_option("FILE", files, "Matrix files, or gen:NAME; - is standard input")->required();
  app.add_flag("--json", json, "Print JSON: an object for each FILE, one after another");
  app.parse(std::move(args));
  std::optional<Error> last;
  for (const std::string& file : files) {
    try {
      const Matrix m = open_with_progress(file);
      const MatrixFacts facts = facts_of(*m.csr);
      if (json)
        std::cout << info_json(m, facts) << "\n";
      else
        print(m, facts);
      if (!json && &file != &files.back()) std::cout << "\n";
    } catch (const Error& e) {
      // A file that cannot be read does not stop the others.
      if (last) report(last->reason, last->where, last->remedy, json, 1);
      last = e;
    }
  }
  if (last) throw Error(*last);
  return 0;
}

}  // namespace warpspy::cli
