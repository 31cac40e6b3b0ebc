// A stranger's folder that says it is a sweep, with links, pipes and files of others in it: whatever is done with it,
// nothing outside changes, and nothing inside that is not a sweep's.
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <functional>
#include <map>

#include "core/sweep/folder.hpp"
#include "core/sweep/stored.hpp"
#include "core/sweep/table.hpp"
#include "tests/fuzz/fuzz.hpp"
#include "tests/unit/sweep/samples.hpp"

namespace warpspy::fuzz {
namespace {

namespace fs = std::filesystem;
using samples::catalog;
using samples::plan;

fs::path root() { return fs::path(folder()) / "sweep"; }
fs::path sweep() { return root() / "sweep"; }
fs::path home() { return root() / "home"; }

void lay_home() {
  fs::remove_all(root());
  fs::create_directories(home() / "cells");
  write_file((home() / "profile").string(), "mine\n");
  write_file((home() / "number").string(), "42\n");
  write_file((home() / "plan.json").string(), to_json(plan()));
}

// Of every file below: a link by where it leads, another by its contents.
std::map<std::string, std::string> all_below(const fs::path& folder) {
  std::map<std::string, std::string> files;
  std::error_code failed;
  for (const auto& e : fs::recursive_directory_iterator(folder, failed)) {
    std::string& is = files[e.path().string()];
    if (e.is_symlink())
      is = "link " + fs::read_symlink(e.path()).string();
    else if (e.is_regular_file())
      is = "file " + contents(e.path().string());
    else
      is = e.is_directory() ? "folder" : "other";
  }
  return files;
}

bool is_ours(const fs::path& path) {
  const std::string name = path.filename().string();
  if (path.parent_path() == sweep() / "cells") return true;
  return path == sweep() / "cells" || name == "sweep.json" || name == "matrices.json" || name == "lock" ||
         name.starts_with("table.csv") || name.ends_with(".part");
}

// One line of the input: what lies there, under which name, with what in it. "%" is the number of this process.
void lay(std::string_view line) {
  const auto word = [&] {
    const std::size_t end = std::min(line.find(' '), line.size());
    std::string w(line.substr(0, end));
    line.remove_prefix(std::min(end + 1, line.size()));
    return w;
  };
  const std::string kind = word();
  std::string name = word();
  if (const std::size_t at = name.find('%'); at != std::string::npos) name.replace(at, 1, std::to_string(::getpid()));
  const std::string rest(line.substr(0, line.find('\0')));
  const auto plain = [](const std::string& n) {
    return !n.empty() && n != "." && n != ".." && n.size() < 200 && n.find_first_of(std::string("/\0", 2)) == n.npos;
  };
  const bool in_cells = name.starts_with("cells/");
  if (!plain(in_cells ? name.substr(6) : name)) return;
  std::error_code failed;
  // A link of an earlier line is not walked through by the fuzzer itself.
  if (in_cells && fs::symlink_status(sweep() / "cells", failed).type() != fs::file_type::directory) return;
  const fs::path path = sweep() / name;
  if (fs::exists(fs::symlink_status(path, failed))) return;
  const fs::path target = plain(rest) ? home() / rest : home();
  if (kind == "folder") fs::create_directory(path, failed);
  if (kind == "file") write_file(path.string(), line);
  if (kind == "link") fs::create_symlink(target, path, failed);
  if (kind == "name") fs::create_hard_link(target, path, failed);
  if (kind == "pipe") require(::mkfifo(path.c_str(), 0600) == 0, "no pipe");
}

void attempt(const std::function<void()>& what) {
  try {
    what();
  } catch (const Error&) {
    // The next one must be as safe.
  }
}

void do_all(SweepFolder::For use) {
  attempt([&] {
    SweepFolder folder(sweep().string(), use);
    Progress progress;
    attempt([&] { (void)folder.plan(); });
    Sweep sweep(plan(), catalog());
    StoredSweep stored;
    attempt([&] { stored = take_in(sweep, folder, progress); });
    if (!stored.records.empty())
      attempt([&] { folder.folder().write("table.csv", table_of(sweep, stored, catalog())); });
    folder.remarks();
    if (use == SweepFolder::For::reading) return;
    attempt([&] { folder.write_plan(plan()); });
    attempt([&] { folder.keep_hashes(); });
    for (const SweepCell& c : sweep.cells())
      attempt([&] { folder.write({folder.id_of(c, progress), samples::here, {}, 0.5, samples::record_of(c)}); });
  });
}

void run(Bytes bytes) {
  lay_home();
  fs::create_directory(sweep());
  for (std::size_t from = 0; from < bytes.size();) {
    const std::size_t end = std::min(bytes.find('\n', from), bytes.size());
    lay(bytes.substr(from, end - from));
    from = end + 1;
  }
  const auto outside = all_below(home()), inside = all_below(sweep());
  for (const SweepFolder::For use : {SweepFolder::For::reading, SweepFolder::For::running}) {
    do_all(use);
    require(all_below(home()) == outside, "a file outside the sweep was changed");
    const auto now = all_below(sweep());
    for (const auto& [path, is] : inside) {
      const auto at = now.find(path);
      require(is_ours(path) || (at != now.end() && at->second == is), "a file that is no sweep's was changed: " + path);
    }
  }
}

// A sweep that has run, and the same with something else in the place of each file.
Words seeds() {
  lay_home();
  {
    SweepFolder folder(sweep().string(), SweepFolder::For::running);
    folder.write_plan(plan());
    Progress progress;
    const Sweep whole(plan(), catalog());
    for (const SweepCell& c : whole.cells())
      folder.write({folder.id_of(c, progress), samples::here, {}, 0.5, samples::record_of(c)});
  }
  std::map<std::string, std::string> files = {{"table.csv", "file table.csv matrix"},
                                              {"notes.txt", "file notes.txt x"}};
  for (const auto& e : fs::recursive_directory_iterator(sweep())) {
    if (!e.is_regular_file()) continue;
    const std::string name = fs::relative(e.path(), sweep()).string();
    std::string text = contents(e.path().string());
    std::replace(text.begin(), text.end(), '\n', ' ');
    files[name] = "file " + name + " " + text;
  }
  const auto joined = [&](const std::string& instead, const std::string& line) {
    std::string all = "folder cells\n";
    for (const auto& [name, text] : files) all += (name == instead ? line : text) + "\n";
    return all;
  };
  Words all = {joined("", ""), joined("table.csv", "link table.csv.%.part profile")};
  for (const auto& [name, text] : files)
    for (const char* kind : {"link", "name", "pipe", "folder"})
      all.push_back(joined(name, std::string(kind) + " " + name + " profile"));
  return all;
}

std::string mutate(const std::string& text, Random& r) {
  static const Words words = {"file",  "link",       "name", "pipe",          "folder",    "cells", "table.csv",
                              "lock",  "sweep.json", "home", "matrices.json", "profile",   "..",    "number",
                              ".part", ".json",      "%",    "plan.json",     "notes.txt", "null",  "[]"};
  return mutate_text(text, words, r);
}

}  // namespace

Target sweep_target() { return {.name = "sweep", .run = run, .mutate = mutate, .seeds = seeds}; }

}  // namespace warpspy::fuzz
