// Every name of the standard library is used under its own header. One library brings along what another does not: what
// compiles here by such luck stops compiling with the next GCC, and no compiler at hand would say so.
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "sources.hpp"
#include "standard_headers.hpp"
#include "tests/paths.hpp"

namespace fs = std::filesystem;

namespace {

using namespace warpspy::arch;

struct File {
  std::set<std::string> standard;   // headers in <>
  std::vector<fs::path> ours;       // headers of the project
  std::map<std::string, int> uses;  // name without std::, and the line where it comes first
};

// The names behind std:: in a line; std::ranges::sort is as good as std::sort.
std::vector<std::string> names_in(const std::string& line) {
  constexpr const char* word = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_";
  std::vector<std::string> names;
  for (std::size_t at = line.find("std::"); at != std::string::npos; at = line.find("std::", at)) {
    const bool whole = at == 0 || std::string(word).find(line[at - 1]) == std::string::npos;
    at += 5;
    if (line.compare(at, 8, "ranges::") == 0) at += 8;
    const std::size_t end = std::min(line.find_first_not_of(word, at), line.size());
    if (whole && end > at) names.push_back(line.substr(at, end - at));
  }
  return names;
}

std::string listed(const std::set<std::string>& headers) {
  std::string text;
  for (const auto& header : headers) text += (text.empty() ? "<" : " or <") + header + ">";
  return text;
}

class Project {
 public:
  explicit Project(fs::path root) : root_(std::move(root)) {}

  const File& file(const fs::path& path) {
    const auto at = files_.find(path);
    return at != files_.end() ? at->second : files_.emplace(path, read(path)).first->second;
  }

  // The standard headers of a file: its own, and those of the project's headers below it. What other libraries' headers
  // include is theirs to change.
  void headers_below(const fs::path& path, std::set<fs::path>& seen, std::set<std::string>& headers) {
    if (!seen.insert(path).second) return;
    for (const auto& header : file(path).standard) add(header, headers);
    for (const auto& header : file(path).ours) headers_below(header, seen, headers);
  }

  std::vector<std::string> violations(const fs::path& path) {
    std::set<fs::path> seen;
    std::set<std::string> headers;
    headers_below(path, seen, headers);
    std::vector<std::string> found;
    for (const auto& [name, line] : file(path).uses) {
      if (comes_with_every_header(name)) continue;
      const auto& wanted = headers_of(name);
      const auto has = [&](const std::string& header) { return headers.count(header) > 0; };
      if (std::any_of(wanted.begin(), wanted.end(), has)) continue;
      found.push_back(fs::relative(path, root_).string() + ":" + std::to_string(line) + " uses std::" + name +
                      (wanted.empty()
                           ? ", which tests/unit/arch/standard_headers.cpp does not list: add it to its header's row"
                           : ": include " + listed(wanted)));
    }
    return found;
  }

 private:
  static void add(const std::string& header, std::set<std::string>& headers) {
    if (!headers.insert(header).second) return;
    for (const auto& more : brought_by(header)) add(more, headers);
  }

  File read(const fs::path& path) const {
    File f;
    std::istringstream lines(text_of(path));
    std::string line, code;
    while (std::getline(lines, line)) {
      const auto include = include_of(line);
      if (include && include->quoted) {
        for (const auto& folder : {root_, path.parent_path()})
          if (fs::exists(folder / include->target)) {
            f.ours.push_back((folder / include->target).lexically_normal());
            break;
          }
      } else if (include) {
        f.standard.insert(include->target);
      }
      code += (include ? "" : line) + "\n";
    }
    std::istringstream coded(code_of(code));
    for (int number = 1; std::getline(coded, line); ++number)
      for (const auto& name : names_in(line)) f.uses.emplace(name, number);
    return f;
  }

  fs::path root_;
  std::map<fs::path, File> files_;
};

}  // namespace

TEST(StandardIncludes, EveryFileIncludesWhatItUses) {
  const fs::path root = WARPSPY_SOURCE_DIR;
  Project project(root);
  int files = 0;
  for (const char* room : {"core", "kernels", "profiling", "ui", "app", "tests"})
    for (const auto& path : sources_below(root / room)) {
      ++files;
      for (const auto& v : project.violations(path)) ADD_FAILURE() << v;
    }
  EXPECT_GT(files, 400) << "the rooms were not found below " << root;
}

TEST(StandardIncludes, AMissingHeaderIsFound) {
  const fs::path root = fs::temp_directory_path() / ("warpspy_standard_includes_" + std::to_string(getpid()));
  fs::create_directories(root / "core");
  std::ofstream(root / "core/a.hpp") << "#pragma once\n#include <vector>\n#include \"core/b.hpp\"\n";
  std::ofstream(root / "core/b.hpp")
      << "#include \"core/a.hpp\"\n#include <algorithm>\ninline int b = std::ranges::max(1, 2);\n";
  std::ofstream(root / "core/a.cpp")
      << "#include \"a.hpp\"\n"
         "// std::map\n"
         "const char* quoted = \"std::map \\\" std::map\"; /* std::map\n std::map */\n"
         "const char* raw = R\"x(std::map)\" std::map)x\"; long big = 1'000'000;\n"
         "std::vector<int> v; std::size_t s = std::max<std::size_t>(1, v.size()); my_std::map m;\n"
         "char quote = '\"'; std::optional<int> missing = std::nullopt;\n"
         "std::no_such_thing other;\n";
  Project project(root);
  const auto found = project.violations(root / "core/a.cpp");
  const auto none = project.violations(root / "core/b.hpp");
  fs::remove_all(root);
  ASSERT_EQ(found.size(), 3u);
  EXPECT_EQ(found[0].find("core/a.cpp:8 uses std::no_such_thing, which"), 0u);
  EXPECT_EQ(found[1], "core/a.cpp:7 uses std::nullopt: include <optional>");
  EXPECT_EQ(found[2], "core/a.cpp:7 uses std::optional: include <optional>");
  EXPECT_TRUE(none.empty());
}
