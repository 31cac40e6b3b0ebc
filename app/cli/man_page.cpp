// The manual page, in roff. It is made from the options that commands declare, so it is complete and correct.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <iostream>
#include <sstream>

#include "app/cli/describe.hpp"
#include "app/gui.hpp"
#include "app/version.hpp"
#include "app/wiring.hpp"
#include "core/formats/format.hpp"
#include "core/gpu/gpu_spec.hpp"
#include "core/io/io.hpp"
#include "kernels/table/table.hpp"

namespace warpspy::cli {
namespace {

// Escapes text for roff: no control character at the start of a line, no special backslash or hyphen.
std::string roff(const std::string& text) {
  std::string result;
  bool line_begins = true;
  for (const char c : text) {
    if (line_begins && (c == '.' || c == '\'')) result += "\\&";
    if (static_cast<unsigned char>(c) < 0x20 && c != '\n') continue;
    if (c == '\\')
      result += "\\e";
    else if (c == '-')
      result += "\\-";
    else
      result += c;
    line_begins = c == '\n';
  }
  return result;
}

std::string bold(const std::string& text) { return "\\fB" + roff(text) + "\\fR"; }
std::string italic(const std::string& text) { return "\\fI" + roff(text) + "\\fR"; }

// The value of an option: CLI11's name of its type, without the check after a colon.
std::string value_of(const CLI::Option& option) {
  const std::string type = option.get_type_name();
  const auto colon = type.find(':');
  if (colon == std::string::npos) return type;
  if (type.compare(colon, 2, ":{") == 0) return type.substr(colon + 1);
  return type.substr(0, colon) == "ENUM" ? "NAME" : type.substr(0, colon);
}

// "-o, --output TEXT", or the name of a positional argument.
std::string heading(const CLI::Option& option) {
  if (option.get_positional()) return italic(option.get_name(true));
  std::string names;
  const auto add = [&](const std::string& name) { names += (names.empty() ? "" : ", ") + bold(name); };
  for (const std::string& name : option.get_snames()) add("-" + name);
  for (const std::string& name : option.get_lnames()) add("--" + name);
  if (option.get_items_expected_max() > 0) names += " " + italic(value_of(option));
  return names;
}

void print_options(std::ostream& out, const CLI::App& app) {
  for (const CLI::Option* option : app.get_options()) {
    if (option->get_group().empty() || option->check_lname("help")) continue;
    out << ".TP\n" << heading(*option) << "\n" << roff(option->get_description());
    if (option->get_required()) out << " (required)";
    if (!option->get_default_str().empty()) out << " [default: " << roff(option->get_default_str()) << "]";
    out << "\n";
  }
}

void print_synopsis(std::ostream& out, const std::string& name, const CLI::App& app) {
  out << bold(name);
  for (const CLI::Option* option : app.get_options())
    if (option->get_positional())
      out << " " << italic(option->get_name(true)) << (option->get_items_expected_max() > 1 ? "..." : "");
  out << " [" << italic("options") << "]\n";
}

void print_command(std::ostream& out, const std::string& name, const CLI::App& app) {
  out << ".SS " << name << "\n" << roff(app.get_description()) << ".\n.PP\n";
  print_synopsis(out, name, app);
  print_options(out, app);
  for (const CLI::App* sub : app.get_subcommands([](const CLI::App*) { return true; }))
    print_command(out, name + " " + sub->get_name(), *sub);
  // A footer is a table in fixed columns.
  if (!app.get_footer().empty()) out << ".PP\n.nf\n" << roff(app.get_footer()) << "\n.fi\n";
}

// Prints the options of a command. It is run with --help, and stops when it has declared all options.
void print_command(std::ostream& out, const std::string& name, const Command& command) {
  CLI::App app(command.help, name);
  try {
    command.run(app, {"--help"});
  } catch (const CLI::CallForHelp&) {
    print_command(out, name, app);
  }
}

void print_entry(std::ostream& out, const std::string& id, const std::string& what) {
  out << ".TP\n" << bold(id) << "\n" << roff(what) << "\n";
}

std::string told(const std::string& label, const std::string& help, const std::string& source) {
  return label + ". " + help + (source.empty() ? "" : " (" + source + ")");
}

// The values that options may have, from the tables. Kernels of libraries are those of this machine.
void print_tables(std::ostream& out) {
  out << ".SH FORMATS\n";
  for (const FormatRow& f : warpspy::formats())
    print_entry(out, f.info.id, told(f.info.label, f.info.help, f.info.source));
  out << ".SH KERNELS\n";
  for (const KernelRow& k : warpspy::kernels())
    if (k.info.library.empty())
      print_entry(
          out, k.info.id,
          told(k.info.label + (k.info.format.empty() ? "" : ", of " + k.info.format), k.info.help, k.info.source));
  out << ".SH SIMULATED DEVICES\n";
  for (const GpuSpec& g : read_gpu_specs(assets_folder() + "/gpus"))
    print_entry(out, "sim:" + g.id, g.name + ", " + g.architecture + ", " + std::to_string(g.year));
}

}  // namespace

std::string man_page() {
  std::ostringstream out;
  out << ".TH WARPSPY 1 \"\" \"warpspy " << version().number << "\" \"User Commands\"\n"
      << ".SH NAME\nwarpspy \\- shows what a GPU does with a sparse matrix\n"
      << ".SH SYNOPSIS\n.B warpspy\n[" << italic("FILE") << "...]\n.br\n.B warpspy\n"
      << italic("COMMAND") << " [" << italic("options") << "]\n"
      << ".SH DESCRIPTION\n"
      << "Opens a matrix, draws its pattern and its row lengths, runs kernels for sparse matrix-vector products on it, "
         "on an NVIDIA GPU or in an emulator of one, and tells from the roofline what limits them.\n"
      << "Without a command, the window opens; every command does its work without one.\n.PP\n"
      << italic("FILE") << " is a matrix file, or " << roff("gen:NAME?key=value&...")
      << ", a generated matrix. Read are " << roff(readable_formats())
      << ". A file that has the name of a command opens as ./NAME.\n";
  if (const Command* window = window_command()) {
    out << ".SH THE WINDOW\n";
    print_command(out, "warpspy", *window);
  }
  out << ".SH COMMANDS\n";
  for (const Command& command : commands()) print_command(out, std::string("warpspy ") + command.name, command);
  print_tables(out);
  out << ".SH EXIT STATUS\n0: done; 1: it failed, and one line on standard error says what, where and what to do (one "
         "JSON object with "
      << bold("--json")
      << "); 2: the options were not understood; 3: products of "
         "the sweep that --status asks about have yet to run; 130: stopped by Ctrl+C.\n"
      << ".SH ENVIRONMENT\n"
      << ".TP\n"
      << bold("WARPSPY_ASSETS")
      << "\nThe folder of simulated GPUs and of what their models read, instead of the one beside the program.\n"
      << ".TP\n"
      << bold("WARPSPY_CACHE") << "\nThe folder of copies of large files, or " << bold("off") << ".\n"
      << ".TP\n"
      << bold("WARPSPY_RUNS") << "\nThe file that keeps all runs, or " << bold("off") << ".\n";
  return out.str();
}

}  // namespace warpspy::cli
