// The command line: one row per command, one file per command or group of commands. commands.cpp has the one list of
// commands.
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

// Parses, runs, and reports every failure on standard error: one line, or one JSON object when --json was given.
int run_command(const Command& command, std::vector<std::string> args);
// A word in the place of a command that is no file, no generator and no name of the collection either: the command
// that it is nearest to, or --help. "": it is one of those.
std::string unknown_word(const std::string& word);
// The same report for failures outside a command.
int report(const std::string& reason, const std::string& where, const std::string& remedy, bool json, int code);

// Of one matrix of a list, which goes on.
void report_failure(const Error& e, const std::string& file);

// What a file is called where it is told or kept: standard input is not the file that holds it meanwhile.
std::string as_told(std::string text);
bool is_standard_input(const std::string& file);

// Work with its progress on standard error when that is a terminal.
void with_meter(const std::string& name, const std::function<void(Progress&)>& work);
// open_matrix with such a meter.
Matrix open_with_progress(const std::string& source);

// "900x600"; throws Error.
struct PictureSize {
  double width = 900, height = 600;
};
PictureSize parse_size(const std::string& text);

// --param NAME=VALUE: a name of the format goes there; everything else goes to the kernel, which knows its names and
// says so. Throws Error.
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
// A figure of the registry that is of saved runs and of nothing else.
int draw_runs(const figure::Row& row, CLI::App& app, std::vector<std::string> args);

}  // namespace warpspy::cli
