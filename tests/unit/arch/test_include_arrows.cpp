// The arrows of the architecture, held: which room may include which, and which library belongs to which room.
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "sources.hpp"

namespace fs = std::filesystem;

namespace {

using namespace warpspy::arch;

struct Room {
  std::string name;
  std::vector<std::string> may_include;  // project paths by prefix
  std::vector<std::string> may_use;      // system headers by prefix that are forbidden elsewhere
};

const std::vector<Room> rooms = {
    {"core", {"core/"}, {"cairo", "archive", "nlohmann/", "sqlite3", "tbb/"}},
    {"kernels", {"kernels/", "core/"}, {"cuda", "cusparse", "boost/", "tbb/"}},
    {"profiling", {"profiling/", "kernels/", "core/"}, {"archive", "cuda", "cupti", "nvperf", "tbb/", "nlohmann/"}},
    {"ui", {"ui/", "core/"}, {"imgui", "GLFW/", "epoxy/", "nlohmann/", "backends/imgui"}},
    {"app", {"app/", "ui/", "profiling/", "kernels/", "core/"}, {"CLI/", "nlohmann/", "matio"}},
};

// A header of one of these libraries may appear only in the rooms that list its prefix.
const std::vector<std::string> guarded = {"cairo", "archive", "nlohmann/", "tbb/",  "cuda",  "cusparse",
                                          "cupti", "nvperf",  "boost/",    "imgui", "GLFW/", "epoxy/",
                                          "GL/",   "CLI/",    "sqlite3",   "matio"};

bool starts_with_any(const std::string& text, const std::vector<std::string>& prefixes) {
  for (const auto& prefix : prefixes)
    if (text.rfind(prefix, 0) == 0) return true;
  return false;
}

std::vector<std::string> violations(const Room& room, const fs::path& file, const std::string& shown) {
  std::vector<std::string> found;
  std::ifstream in(file);
  std::string line;
  for (int number = 1; std::getline(in, line); ++number) {
    const auto include = include_of(line);
    if (!include) continue;
    const auto& [target, quoted] = *include;
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
    for (const auto& file : sources_below(fs::path(WARPSPY_SOURCE_DIR) / room.name)) {
      ++files;
      const auto shown = fs::relative(file, WARPSPY_SOURCE_DIR).string();
      for (const auto& v : violations(room, file, shown)) ADD_FAILURE() << v;
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
  for (const auto& entry : fs::recursive_directory_iterator(fs::path(WARPSPY_SOURCE_DIR) / "core")) {
    if (entry.path().extension() != ".hpp") continue;
    std::ifstream in(entry.path());
    std::string line;
    while (std::getline(in, line)) {
      const auto include = include_of(line);
      if (include && !include->quoted && starts_with_any(include->target, heavy))
        ADD_FAILURE() << entry.path().filename() << " includes " << include->target;
    }
  }
}
