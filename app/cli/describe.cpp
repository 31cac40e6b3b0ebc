#include "app/cli/describe.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <iostream>
#include <vector>

#include "core/io/reader.hpp"
#include "core/io/words.hpp"

namespace warpspy::cli {
namespace {

// Names that others use for the formats, and how their files begin. A format that is not here gets a name of our own.
struct Known {
  std::string_view reader, type, begins;
};
constexpr Known kKnown[] = {
    {"matrix-market", "application/x-matrix-market", "%%MatrixMarket"},
    {"boeing", "application/x-harwell-boeing", ""},
    {"matlab", "application/x-matlab-data", "MATLAB 5.0 MAT-file"},
    {"scipy", "application/x-numpy-npz", ""},
};

// Endings that belong to everybody: a file manager should not take every such file for a matrix.
constexpr std::string_view kShared[] = {".txt", ".tsv", ".csv", ".dat", ".edges"};

struct Type {
  std::string name, label, begins;
  std::vector<std::string_view> endings;
};

std::vector<Type> types() {
  std::vector<Type> result;
  for (const MatrixReader& reader : matrix_readers()) {
    Type type{"application/x-warpspy-" + std::string(reader.id), std::string(reader.label), "", {}};
    for (const Known& known : kKnown)
      if (known.reader == reader.id) type.name = known.type, type.begins = known.begins;
    for (const auto ending : words_of(reader.extensions))
      if (std::find(std::begin(kShared), std::end(kShared), ending) == std::end(kShared))
        type.endings.push_back(ending);
    if (!type.endings.empty()) result.push_back(std::move(type));
  }
  return result;
}

struct Description {
  const char* name;
  std::string (*text)();
};
constexpr Description kDescriptions[] = {{"man", man_page}, {"mime", mime_types}, {"desktop", desktop_entry}};

int describe(CLI::App& app, std::vector<std::string> args) {
  std::string what;
  app.add_option("WHAT", what, "man, mime or desktop")->required()->check(CLI::IsMember({"man", "mime", "desktop"}));
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
    xml += "  <mime-type type=\"" + type.name + "\">\n    <comment>" + type.label + " matrix</comment>\n";
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
