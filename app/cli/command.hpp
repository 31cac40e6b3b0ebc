// The command line. Each command is a row, and each command or group of commands has a file. The list of commands is in
// commands.cpp.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "core/catalog/catalog.hpp"
#include "core/jobs/progress.hpp"
#include "core/matrix/csr.hpp"
#include "core/run/record.hpp"

namespace CLI {
class App;
}

namespace warpspy::figure {
struct Row;
}

namespace warpspy::cli {

struct Command {
  const char* name;
  const char* help;
  // Declares options on `app`, parses `args` (without the command's name) and does the work. Returns the exit code.
  // Throws Error and CLI::ParseError.
  int (*run)(CLI::App& app, std::vector<std::string> args);
};
const std::vector<Command>& commands();

// Parses and runs a command. It reports every failure on standard error: one line, or one JSON object with --json.
int run_command(const Command& command, std::vector<std::string> args);
// Returns an error text for a first argument that is neither a command, a file, a generator nor a name of the
// collection. It suggests the nearest command, or --help. "" if the argument is one of these.
std::string unknown_word(const std::string& word);
// Reports failures outside a command in the same form.
int report(const std::string& reason, const std::string& where, const std::string& remedy, bool json, int code);

// Reports that one matrix of a list failed; the command continues with the others.
void report_failure(const Error& e, const std::string& file);

// The name of a file in messages and records. Standard input is copied to a temporary file, but keeps the name "-".
std::string as_told(std::string text);
bool is_standard_input(const std::string& file);

// Runs `work`. Shows its progress on standard error if that is a terminal.
void with_meter(const std::string& name, const std::function<void(Progress&)>& work);
// Opens a matrix and shows the progress in the same way.
Matrix open_with_progress(const std::string& source);

// A size such as "900x600". Throws Error if the text is no size.
struct PictureSize {
  double width = 900, height = 600;
};
PictureSize parse_size(const std::string& text);

// --param NAME=VALUE. A parameter of the format is set there. All others go to the kernel, which refuses names that it
// does not know. Throws Error.
void set_param(RunRequest& r, const std::string& text, const KernelInfo& kernel, const FormatInfo* format);

int info(CLI::App& app, std::vector<std::string> args);
int spy(CLI::App& app, std::vector<std::string> args);
int histogram(CLI::App& app, std::vector<std::string> args);
int bench(CLI::App& app, std::vector<std::string> args);
int roofline(CLI::App& app, std::vector<std::string> args);
int run(CLI::App& app, std::vector<std::string> args);
int solve(CLI::App& app, std::vector<std::string> args);
int tune(CLI::App& app, std::vector<std::string> args);
int reorder_matrix(CLI::App& app, std::vector<std::string> args);
int generate_file(CLI::App& app, std::vector<std::string> args);
int devices(CLI::App& app, std::vector<std::string> args);
int metrics(CLI::App& app, std::vector<std::string> args);
int formats(CLI::App& app, std::vector<std::string> args);
int engine(CLI::App& app, std::vector<std::string> args);
int figure(CLI::App& app, std::vector<std::string> args);
int layout(CLI::App& app, std::vector<std::string> args);
int convert(CLI::App& app, std::vector<std::string> args);
int runs(CLI::App& app, std::vector<std::string> args);
int fetch(CLI::App& app, std::vector<std::string> args);
int cache(CLI::App& app, std::vector<std::string> args);
int roofs(CLI::App& app, std::vector<std::string> args);
int validate(CLI::App& app, std::vector<std::string> args);
int calibrate(CLI::App& app, std::vector<std::string> args);
int analyse(CLI::App& app, std::vector<std::string> args);
int memory(CLI::App& app, std::vector<std::string> args);
int warp(CLI::App& app, std::vector<std::string> args);
int sweep(CLI::App& app, std::vector<std::string> args);
int study(CLI::App& app, std::vector<std::string> args);
int lesson(CLI::App& app, std::vector<std::string> args);
int best(CLI::App& app, std::vector<std::string> args);
int plan(CLI::App& app, std::vector<std::string> args);
int heatmap(CLI::App& app, std::vector<std::string> args);
int profile(CLI::App& app, std::vector<std::string> args);
int line(CLI::App& app, std::vector<std::string> args);
int lengths(CLI::App& app, std::vector<std::string> args);
int draw_study(CLI::App& app, std::vector<std::string> args);
int draw(CLI::App& app, std::vector<std::string> args);
// Draws a figure that shows saved runs only.
int draw_runs(const figure::Row& row, CLI::App& app, std::vector<std::string> args);

}  // namespace warpspy::cli
