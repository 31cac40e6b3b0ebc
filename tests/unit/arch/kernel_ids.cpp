// A kernel is known by what its file says of it: an id of the table stands in no other room, but where this list says
// why. A row whose file names none any more is to go, so the list only gets shorter.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <set>
#include <string>
#include <vector>

#include "sources.hpp"
#include "tests/paths.hpp"

namespace warpspy::arch {
namespace {

namespace fs = std::filesystem;
const fs::path root = WARPSPY_SOURCE_DIR;

// File, ids that it names at most, and why.
struct Exception {
  const char* file;
  std::size_t most;
  const char* why;
};
constexpr Exception exceptions[] = {
    {"core/run/record.hpp", 1, "the kernel where none is named"},
    {"core/catalog/catalog.hpp", 1, "an operation is called as its one kernel is"},
    {"core/model/analyses.cpp", 1, "the strided axpy is what an analysis of the papers is of"}};
// Who chooses among kernels names no format that is a kernel's, either.
constexpr const char* choosers[] = {"core/diagnosis", "profiling/tuner", "app/cli/cmd_validate.cpp"};

// Of kernels.list, with or without those that are called as their format is.
std::set<std::string> kernel_ids(bool with_formats = false) {
  std::set<std::string> ids;
  std::ifstream list(root / "kernels/table/kernels.list");
  for (std::string line; std::getline(list, line);)
    if (!line.empty() && line[0] != '#' && (with_formats || !fs::exists(root / "core/formats" / (line + ".cpp"))))
      ids.insert(line);
  return ids;
}

// Ids at the beginning of a literal: "csr_even", "csr_even:narrow=1".
std::set<std::string> ids_in(const std::string& text, const std::set<std::string>& ids) {
  static const std::regex literal("\"([a-z0-9_]+)[\":, ]"), comment("//[^\n]*");
  const std::string code = std::regex_replace(text, comment, "");
  std::set<std::string> found;
  for (std::sregex_iterator at(code.begin(), code.end(), literal), end; at != end; ++at)
    if (ids.contains((*at)[1])) found.insert((*at)[1]);
  return found;
}

TEST(KernelIds, StandInTheKernelsRoomAlone) {
  const std::set<std::string> ids = kernel_ids();
  ASSERT_GT(ids.size(), 20u);
  std::map<std::string, Exception> left;
  for (const Exception& e : exceptions) left[e.file] = e;
  for (const char* room : {"core", "ui", "profiling", "app"})
    for (const fs::path& file : sources_below(root / room)) {
      const std::string name = fs::relative(file, root).generic_string();
      const std::set<std::string> named = ids_in(text_of(file), ids);
      if (named.empty()) continue;
      std::string all;
      for (const std::string& id : named) all += " " + id;
      const auto at = left.find(name);
      if (at == left.end()) {
        ADD_FAILURE() << name << " names kernels:" << all << "\nlet the kernel's file say what is to be known of it";
        continue;
      }
      EXPECT_LE(named.size(), at->second.most) << name << " names more kernels than it did:" << all;
      left.erase(at);
    }
  for (const auto& [name, e] : left)
    ADD_FAILURE() << name << " names no kernel any more: its row goes (" << e.why << ")";
}

TEST(KernelIds, WhoChoosesAmongKernelsAsksWhatTheyAreLike) {
  const std::set<std::string> ids = kernel_ids(true);
  ASSERT_TRUE(ids.contains("ell"));
  std::size_t files = 0;
  for (const char* chooser : choosers) {
    std::vector<fs::path> of{root / chooser};
    if (fs::is_directory(of.front())) of = sources_below(of.front());
    for (const fs::path& file : of) {
      ++files;
      for (const std::string& id : ids_in(text_of(file), ids))
        ADD_FAILURE() << fs::relative(file, root) << " names kernel " << id << ": ask for its tags (kernel_traits.hpp)";
    }
  }
  EXPECT_GT(files, 20u);
}

TEST(KernelIds, AreFoundInLiteralsAndNotInComments) {
  const std::set<std::string> ids{"csr_even"};
  EXPECT_EQ(ids_in("tries = {\"csr_even:narrow=1\"}", ids).size(), 1u);
  EXPECT_TRUE(ids_in("// as csr_even does: \"csr_even\"", ids).empty());
  EXPECT_TRUE(ids_in("\"csr_even_striped\"", ids).empty());
}

}  // namespace
}  // namespace warpspy::arch
