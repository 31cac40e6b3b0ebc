// The arrows of the architecture, held: which room may include which, and which library belongs to which room.
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <regex>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace fs = std::filesystem;

namespace {

struct Room {
  std::string name;
  std::vector<std::string> may_include;  // project paths by prefix
  std::vector<std::string> may_use;      // system headers by prefix that are forbidden elsewhere
};

const std::vector<Room> rooms = {
    {"core", {"core/"}, {"cairo", "archive", "nlohmann/", "tbb/"}},
    {"kernels", {"kernels/", "core/"}, {"cuda", "cusparse", "boost/", "tbb/"}},
    {"profiling", {"profiling/", "kernels/", "core/"}, {"cuda", "cupti", "nvperf", "tbb/", "nlohmann/"}},
    {"ui", {"ui/", "core/"}, {"imgui", "GLFW/", "epoxy/", "nlohmann/", "backends/imgui"}},
    {"app", {"app/", "ui/", "profiling/", "kernels/", "core/"}, {"CLI/", "nlohmann/"}},
};

// A header of one of these libraries may appear only in the rooms that list its prefix.
const std::vector<std::string> guarded = {"cairo", "archive", "nlohmann/", "tbb/",  "cuda",  "cusparse", "cupti",
                                          "nvperf", "boost/",   "imgui",     "GLFW/", "epoxy/", "GL/",      "CLI/"};

bool starts_with_any(const std::string& text, const std::vector<std::string>& prefixes) {
  for (const auto& prefix : prefixes)
    if (text.rfind(prefix, 0) == 0) return true;
  return false;
}

bool is_source(const fs::path& p) {
  static const std::vector<std::string> kinds = {".cpp", ".hpp", ".cu", ".cuh", ".h"};
  return std::find(kinds.begin(), kinds.end(), p.extension().string()) != kinds.end();
}

std::vector<std::string> violations(const Room& room, const fs::path& file, const std::string& shown) {
  static const std::regex include(R"re(^\s*#\s*include\s*(["<])([^">]+)[">])re");
  std::vector<std::string> found;
  std::ifstream in(file);
  std::string line;
  for (int number = 1; std::getline(in, line); ++number) {
    std::smatch m;
    if (!std::regex_search(line, m, include)) continue;
    const bool quoted = m[1] == "\"";
    const std::string target = m[2];
    const bool ok = quoted ? starts_with_any(target, room.may_include)
                           : !starts_with_any(target, guarded) || starts_with_any(target, room.may_use);
    if (!ok) found.push_back(shown + ":" + std::to_string(number) + " includes " + target);
  }
  return found;
}

}  // namespace

TEST(IncludeArrows, EveryFileOfEveryRoomPointsTheRightWay) {
  int files = 0;
  for (const Room& room : rooms) {
    for (const auto& entry : fs::recursive_directory_iterator(fs::path(WARPSPY_SOURCE_DIR) / room.name)) {
      if (!entry.is_regular_file() || !is_source(entry.path())) continue;
      ++files;
      const auto shown = fs::relative(entry.path(), WARPSPY_SOURCE_DIR).string();
      for (const auto& v : violations(room, entry.path(), shown)) ADD_FAILURE() << v;
    }
  }
  EXPECT_GT(files, 30) << "the rooms were not found below " << WARPSPY_SOURCE_DIR;
}

TEST(IncludeArrows, AWrongArrowIsFound) {
  const fs::path file = fs::temp_directory_path() / ("warpspy_wrong_arrow_" + std::to_string(getpid()) + ".hpp");
  std::ofstream(file) << "#include <vector>\n#include \"ui/state.hpp\"\n#include <imgui.h>\n";
  const auto found = violations(rooms[0], file, "core/x.hpp");
  fs::remove(file);
  ASSERT_EQ(found.size(), 2u);
  EXPECT_EQ(found[0], "core/x.hpp:2 includes ui/state.hpp");
  EXPECT_EQ(found[1], "core/x.hpp:3 includes imgui.h");
}

TEST(IncludeArrows, HeadersOfCoreStayLight) {
  // A heavy header in a header is paid by every file of the program.
  const std::vector<std::string> heavy = {"nlohmann/", "archive", "cairo", "tbb/", "iostream", "regex"};
  static const std::regex include(R"re(^\s*#\s*include\s*<([^>]+)>)re");
  for (const auto& entry : fs::recursive_directory_iterator(fs::path(WARPSPY_SOURCE_DIR) / "core")) {
    if (entry.path().extension() != ".hpp") continue;
    std::ifstream in(entry.path());
    std::string line;
    while (std::getline(in, line)) {
      std::smatch m;
      if (std::regex_search(line, m, include) && starts_with_any(m[1], heavy))
        ADD_FAILURE() << entry.path().filename() << " includes " << m[1];
    }
  }
}
