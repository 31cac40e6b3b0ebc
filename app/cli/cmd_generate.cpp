#include <CLI/CLI.hpp>
#include <cstdio>
#include <iostream>

#include "app/cli/command.hpp"
#include "core/generate/generate.hpp"
#include "core/io/io.hpp"

namespace warpspy::cli {
namespace {

std::string list_of_generators() {
  std::string text = "Generators (parameters with their defaults):\n";
  for (const GeneratorInfo& g : generators()) {
    text += "  " + g.id;
    const char* separator = "?";
    for (const ParamSpec& p : g.params) {
      char value[32];
      std::snprintf(value, sizeof value, "%.12g", p.def);
      const bool choice = p.type == ParamSpec::Type::choice;
      text += separator + p.id + "=" + (choice ? p.choices.at(static_cast<std::size_t>(p.def)) : value);
      separator = "&";
    }
    text += "\n      " + g.help + "\n      " + g.good_for + "\n";
  }
  return text;
}

}  // namespace

int generate_file(CLI::App& app, std::vector<std::string> args) {
  std::string name, out;
  app.add_option("NAME", name, "Generator with parameters, such as 'laplace5?nx=1000'")->required();
  app.add_option("-o,--output", out, "The .mtx file to write")->required();
  app.footer(list_of_generators());
  app.parse(std::move(args));
  Progress progress;
  const Matrix m = generate(name, progress);
  write_matrix_market(*m.csr, out, {.comment = "generated: " + m.source.location}, &progress);
  std::cerr << out << ": " << m.csr->rows() << " x " << m.csr->cols() << ", " << m.csr->nnz() << " entries\n";
  return 0;
}

}  // namespace warpspy::cli
