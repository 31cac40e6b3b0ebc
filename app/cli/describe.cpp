#include "app/cli/describe.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <iostream>
#include <vector>

#include "core/io/reader.hpp"
#include "core/io/words.hpp"
#include "core/session/desk.hpp"
#include "kernels/device/architectures.hpp"
#include "profiling/cupti/compiled_code.hpp"
#include "profiling/simulated/machine_code.hpp"

namespace warpspy::cli {
namespace {

struct Type {
  std::string name, label, begins;
  std::vector<std::string_view> endings;
};

std::vector<Type> types() {
  std::vector<Type> result;
  for (const MatrixReader& reader : matrix_readers()) {
    const std::string name(reader.mime.empty() ? "application/x-warpspy-" + std::string(reader.id) : reader.mime);
    Type type{name, std::string(reader.label) + " matrix", std::string(reader.magic), {}};
    const auto shared = words_of(reader.shared_extensions);
    for (const auto ending : words_of(reader.extensions))
      if (std::find(shared.begin(), shared.end(), ending) == shared.end()) type.endings.push_back(ending);
    if (!type.endings.empty()) result.push_back(std::move(type));
  }
  result.push_back({"application/x-warpspy-session", "Warpspy session", "", {kDeskEnding}});
  return result;
}

// The content of assets/kernels/machine_code.json. Needs a build with machine code for compute capability 9.0.
std::string machine_code() {
  const MachineCode code = compiled_machine_code();
  if (code.registers.empty())
    throw Error("this program has no machine code of compute capability 9.0", text_of(compiled_gpu_code()),
                "build it with: cmake --preset release -DWARPSPY_GPUS=9.0");
  return to_json(code);
}

struct Description {
  const char* name;
  std::string (*text)();
};
constexpr Description kDescriptions[] = {
    {"man", man_page}, {"mime", mime_types}, {"desktop", desktop_entry}, {"machine-code", machine_code}};

int describe(CLI::App& app, std::vector<std::string> args) {
  std::string what;
  std::vector<std::string> names;
  for (const Description& d : kDescriptions) names.emplace_back(d.name);
  app.add_option("WHAT", what, "man, mime, desktop, or machine-code: the asset that the model reads")
      ->required()
      ->check(CLI::IsMember(names));
  app.parse(std::move(args));
  for (const Description& d : kDescriptions)
    if (what == d.name) std::cout << d.text();
  return 0;
}

}  // namespace

std::string mime_types() {
  std::string xml =
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
      "<mime-info xmlns=\"http://www.freedesktop.org/standards/shared-mime-info\">\n";
  for (const Type& type : types()) {
    xml += "  <mime-type type=\"" + type.name + "\">\n    <comment>" + type.label + "</comment>\n";
    if (!type.begins.empty())
      xml += "    <magic priority=\"60\">\n      <match type=\"string\" offset=\"0\" value=\"" + type.begins +
             "\"/>\n    </magic>\n";
    for (const auto ending : type.endings) xml.append("    <glob pattern=\"*").append(ending).append("\"/>\n");
    xml += "  </mime-type>\n";
  }
  return xml + "</mime-info>\n";
}

std::string desktop_entry() {
  std::string text =
      "[Desktop Entry]\nType=Application\nName=Warpspy\nGenericName=Sparse matrix and GPU viewer\n"
      "Comment=See what a GPU does with a sparse matrix\nExec=warpspy %F\nIcon=warpspy\nTerminal=false\n"
      "Categories=Science;Math;\nKeywords=sparse;matrix;SpMV;GPU;CUDA;roofline;\nStartupWMClass=warpspy\nMimeType=";
  for (const Type& type : types()) text += type.name + ";";
  return text + "\n";
}

const Command& describe_command() {
  static const Command command = {"describe", "What a system wants to know when the program is installed", describe};
  return command;
}

}  // namespace warpspy::cli
