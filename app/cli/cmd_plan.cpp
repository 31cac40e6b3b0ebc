// plan: runs a command described by a file. The file's fields are that command's options, so both ways do the same.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <vector>

#include "app/cli/command.hpp"
#include "core/run/plan_file.hpp"

namespace warpspy::cli {
namespace {

// A plan has the same name as the command that runs it (plan_commands()).
int run(const std::string& name, CLI::App& app, std::vector<std::string> args) {
  const auto command =
      std::find_if(commands().begin(), commands().end(), [&](const Command& c) { return name == c.name; });
  if (command == commands().end()) throw std::logic_error("no command runs the plan " + name);
  return command->run(app, std::move(args));
}

// Adds the options of a command. Asking for help makes a command declare them.
void declare(CLI::App& app, const std::string& command) {
  try {
    run(command, app, {"--help"});
  } catch (const CLI::CallForHelp&) {
  }
}

// "known: precision, kernels, ...": of the command.
std::string known_fields(const CLI::App& app) {
  std::string known = "known: matrices";
  for (const CLI::Option* o : app.get_options())
    for (const std::string& name : o->get_lnames())
      if (name != "help") known += ", " + name;
  return known;
}

bool given(const std::vector<std::string>& args, const std::string& option) {
  return std::any_of(args.begin(), args.end(), [&](const std::string& a) {
    return a == "--" + option || a.starts_with("--" + option + "=") || (option == "output" && a == "-o");
  });
}

// Writes a field as words of the command line, unless the user gave that option already.
void add_field(std::vector<std::string>& words, const CLI::App& app, const PlanFile::Field& f,
               const std::vector<std::string>& typed) {
  const CLI::Option* option = nullptr;
  for (const CLI::Option* o : app.get_options())
    if (o->check_lname(f.id)) option = o;
  if (!option || f.id == "help") throw Error("the plan has an unknown field \"" + f.id + "\"", {}, known_fields(app));
  if (given(typed, f.id)) return;
  if (option->get_expected_max() == 0) {  // a switch
    if (f.values.size() != 1 || (f.values[0] != "on" && f.values[0] != "off"))
      throw Error("the field \"" + f.id + "\" is true or false");
    if (f.values[0] == "on") words.push_back("--" + f.id);
    return;
  }
  for (const std::string& value : f.values) words.push_back("--" + f.id + "=" + value);
}

// CLI11 expects the words in reverse order.
int run_words(CLI::App& app, const std::string& command, std::vector<std::string> words) {
  std::reverse(words.begin(), words.end());
  app.name("warpspy " + command);
  return run(command, app, std::move(words));
}

}  // namespace

int plan(CLI::App& app, std::vector<std::string> args) {
  const std::string file = args.empty() || args.back().starts_with("-") ? "" : args.back();
  if (file.empty()) {
    std::string wanted;
    app.add_option("FILE", wanted, "A plan (docs/plans.md): a sweep, or options of another command that runs products")
        ->required();
    app.footer("Options behind the file are those of its command, and take the place of its fields.");
    app.parse(std::move(args));
    return 0;  // never reached: without a file, or with --help, parsing has ended already
  }
  args.pop_back();
  std::reverse(args.begin(), args.end());  // the original order
  PlanFile plan;
  if (std::filesystem::is_directory(file))
    plan.command = "sweep";
  else
    plan = read_plan_file(file);
  std::vector<std::string> words;
  if (plan.command == "sweep") {
    words = {file};
    words.insert(words.end(), args.begin(), args.end());
    return run_words(app, "sweep", std::move(words));
  }
  CLI::App declared;
  declare(declared, plan.command);
  try {
    for (const PlanFile::Field& f : plan.fields) add_field(words, declared, f, args);
  } catch (const Error& e) {
    throw Error(e.reason, file, e.remedy);
  }
  words.insert(words.end(), args.begin(), args.end());
  const bool one_at_a_time = declared.get_option("FILE")->get_expected_max() == 1;
  if (!one_at_a_time) {
    words.insert(words.end(), plan.matrices.begin(), plan.matrices.end());
    return run_words(app, plan.command, std::move(words));
  }
  for (const std::string& matrix : plan.matrices) {
    CLI::App each;
    std::vector<std::string> of_this = words;
    of_this.push_back(matrix);
    if (const int code = run_words(each, plan.command, std::move(of_this)); code != 0) return code;
  }
  return 0;
}

}  // namespace warpspy::cli
