// The arrows of the architecture, held: which room may include which, which folder of a room may include which, and
// which library belongs to which room.
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <set>
#include <string>
#include <vector>

#include "sources.hpp"
#include "tests/paths.hpp"

namespace fs = std::filesystem;

namespace {

using namespace warpspy::arch;

struct Room {
  std::string name;
  std::vector<std::string> may_include;  // project paths by prefix
  std::vector<std::string> may_use;      // system headers by prefix that are forbidden elsewhere
};

const std::vector<Room> rooms = {
    {"core", {"core/"}, {"cairo", "archive", "curl/", "md4c", "nlohmann/", "SQLiteCpp/", "sqlite3", "tbb/"}},
    {"kernels", {"kernels/", "core/"}, {"cuda", "cub/", "cusparse", "boost/", "tbb/"}},
    {"profiling", {"profiling/", "kernels/", "core/"}, {"archive", "cuda", "cupti", "nvperf", "tbb/", "nlohmann/"}},
    {"ui", {"ui/", "core/"}, {"imgui", "GLFW/", "epoxy/", "nlohmann/", "backends/imgui"}},
    {"app", {"app/", "ui/", "profiling/", "kernels/", "core/"}, {"CLI/", "nlohmann/", "matio", "hdf5", "mpi"}},
};

// A room's folders from the bottom up. A folder includes itself and folders of rows before its own: so there is no
// circle.
struct Folder {
  std::string name;
  std::vector<std::string> may_include;
};
struct Line {
  std::string room;  // or a folder of one, whose own files stand above its folders
  std::vector<Folder> folders;
  std::vector<std::string> also = {};  // paths, for a folder of a room
};
const std::vector<Folder> core_folders = {
    {"base", {}},
    {"matrix", {"base"}},
    {"jobs", {"base"}},
    {"gpu", {"base"}},
    {"catalog", {"base", "gpu"}},
    {"raster", {"base", "matrix", "jobs"}},
    {"generate", {"base", "matrix", "jobs", "catalog"}},
    {"formats", {"base", "matrix", "jobs", "catalog"}},
    {"reorder", {"base", "matrix", "jobs", "catalog"}},
    {"partition", {"base", "matrix", "jobs", "reorder"}},
    {"collection", {"base", "jobs"}},
    {"io", {"base", "matrix", "jobs", "catalog", "generate", "reorder", "collection"}},
    {"solve", {"base", "matrix", "jobs"}},
    {"run", {"base", "matrix", "jobs", "gpu", "catalog", "partition", "solve"}},
    {"model", {"base", "matrix", "jobs", "gpu", "catalog", "run"}},
    {"diagnosis", {"base", "matrix", "jobs", "gpu", "catalog", "reorder", "run", "model"}},
    {"session", {"base", "matrix", "jobs", "gpu", "catalog", "reorder", "io", "run", "model"}},
    {"sweep", {"base", "matrix", "jobs", "gpu", "catalog", "reorder", "io", "run", "session"}},
    {"experiment", {"base", "matrix", "jobs", "gpu", "catalog", "run", "model", "diagnosis", "sweep"}},
    {"study",
     {"base", "matrix", "jobs", "gpu", "catalog", "formats", "run", "model", "diagnosis", "sweep", "experiment"}},
    {"lesson",
     {"base", "matrix", "jobs", "gpu", "catalog", "generate", "run", "model", "diagnosis", "experiment", "study"}},
    {"plot", {"base", "matrix", "jobs", "gpu", "catalog", "raster", "formats", "run", "model", "study"}},
    {"figure", {"base", "matrix", "jobs", "gpu", "catalog", "raster", "formats", "run", "model", "study", "plot"}},
};
const std::vector<Folder> kernels_folders = {
    {"simt", {}},
    {"product", {"simt"}},
    {"spmv", {"simt", "product"}},
    {"device", {"simt", "product", "spmv"}},
    {"solve", {"simt", "product", "spmv", "device"}},
    {"convert", {"simt", "product", "spmv", "device"}},
    {"vendor", {"product", "spmv", "device"}},
    {"parts", {"simt", "product", "spmv", "device", "solve", "vendor"}},
    {"table", {"simt", "product", "spmv", "device", "vendor"}},
};
const std::vector<Folder> profiling_folders = {
    {"tuner", {}},
    {"simulated", {}},
    {"metrics", {"simulated"}},
    {"timing", {}},
    {"ceilings", {"timing"}},
    {"cupti", {"metrics", "timing"}},
    {"wire", {}},
    {"ranks", {"wire"}},
    {"engine", {"tuner", "simulated", "metrics", "timing", "ceilings", "cupti", "wire", "ranks"}},
    {"bench", {"tuner", "timing", "ceilings", "engine"}},
    {"remote", {"wire"}},
    {"validate", {"simulated", "timing", "ceilings"}},
};
const std::vector<Folder> ui_folders = {
    {"look", {}},
    {"platform", {}},
    {"state", {"look", "platform"}},
    {"figures", {"look", "platform", "state"}},
    {"services", {"look", "state", "figures"}},
    {"widgets", {"look", "platform"}},
    {"canvas", {"look", "platform"}},
    {"spy", {"look", "platform", "state", "widgets"}},
    {"views", {"look", "platform", "state", "figures", "widgets", "canvas", "spy"}},
    {"commands", {"platform", "state", "figures", "views"}},
    {"window", {"look", "platform", "state", "services", "widgets", "canvas", "spy", "views", "commands"}},
};
const std::vector<Folder> service_folders = {
    {"workspace", {}},
    {"runs", {"workspace"}},
    {"experiments", {"workspace", "runs"}},
    {"desk", {"workspace", "runs", "experiments"}},
    {"lessons", {"workspace"}},
};
// What all services may include beside their folders: what every service has, and what the folder may.
const std::vector<std::string> of_services = {"ui/services/service.hpp",
                                              "ui/services/session.hpp",
                                              "ui/services/follows.hpp",
                                              "ui/services/reads.hpp",
                                              "ui/services/kept_files.hpp",
                                              "ui/look/",
                                              "ui/state/",
                                              "ui/figures/"};
const std::vector<Line> lines = {{"core", core_folders},
                                 {"kernels", kernels_folders},
                                 {"profiling", profiling_folders},
                                 {"ui", ui_folders},
                                 {"ui/services", service_folders, of_services}};

// A header of one of these libraries may appear only in the rooms that list its prefix.
const std::vector<std::string> guarded = {"cairo", "archive", "curl/",      "nlohmann/", "tbb/",  "cuda",   "cusparse",
                                          "cupti", "nvperf",  "boost/",     "imgui",     "GLFW/", "epoxy/", "GL/",
                                          "CLI/",  "sqlite3", "SQLiteCpp/", "matio",     "hdf5",  "mpi"};

bool starts_with_any(const std::string& text, const std::vector<std::string>& prefixes) {
  for (const auto& prefix : prefixes)
    if (text.rfind(prefix, 0) == 0) return true;
  return false;
}

// What a file of this folder may include, as the paths of a room: of its own room only those folders.
Room as_room(const Line& line, const Folder& folder) {
  const std::string top = line.room.substr(0, line.room.find('/'));
  Room room = *std::find_if(rooms.begin(), rooms.end(), [&](const Room& r) { return r.name == top; });
  std::erase(room.may_include, top + "/");
  room.may_include.insert(room.may_include.end(), line.also.begin(), line.also.end());
  room.may_include.push_back(line.room + "/" + folder.name + "/");
  for (const auto& below : folder.may_include) room.may_include.push_back(line.room + "/" + below + "/");
  return room;
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

TEST(IncludeArrows, EveryFolderPointsTheRightWay) {
  for (const Line& line : lines)
    for (const Folder& folder : line.folders)
      for (const auto& file : sources_below(fs::path(WARPSPY_SOURCE_DIR) / line.room / folder.name))
        for (const auto& v : violations(as_room(line, folder), file, fs::relative(file, WARPSPY_SOURCE_DIR).string()))
          ADD_FAILURE() << v;
}

TEST(IncludeArrows, FoldersAreALine) {
  for (const Line& line : lines) {
    std::set<std::string> below;
    for (const Folder& folder : line.folders) {
      for (const auto& name : folder.may_include)
        EXPECT_TRUE(below.count(name)) << folder.name << " may include " << name << ", which is not below it";
      below.insert(folder.name);
    }
    for (const auto& entry : fs::directory_iterator(fs::path(WARPSPY_SOURCE_DIR) / line.room)) {
      const bool folder = entry.is_directory();
      EXPECT_TRUE(!folder || below.count(entry.path().filename().string()) == 1) << entry.path();
      const bool source = entry.is_regular_file() && is_source(entry.path());
      EXPECT_TRUE(!source || !line.also.empty()) << entry.path() << " lies in no folder";
    }
  }
}

TEST(IncludeArrows, AWrongArrowIsFound) {
  const fs::path file = fs::temp_directory_path() / ("warpspy_wrong_arrow_" + std::to_string(getpid()) + ".hpp");
  std::ofstream(file) << "#include <vector>\n#include \"ui/state.hpp\"\n#include <imgui.h>\n"
                         "#include \"core/run/record.hpp\"\n#include \"core/base/types.hpp\"\n";
  const auto found = violations(rooms[0], file, "core/x.hpp");
  const auto below = violations(as_room(lines[0], {"formats", {"base", "matrix"}}), file, "core/formats/x.hpp");
  fs::remove(file);
  ASSERT_EQ(below.size(), 3u);
  EXPECT_EQ(below[2], "core/formats/x.hpp:4 includes core/run/record.hpp");
  ASSERT_EQ(found.size(), 2u);
  EXPECT_EQ(found[0], "core/x.hpp:2 includes ui/state.hpp");
  EXPECT_EQ(found[1], "core/x.hpp:3 includes imgui.h");
}

TEST(IncludeArrows, HeadersOfCoreStayLight) {
  // A heavy header in a header is paid by every file of the program.
  const std::vector<std::string> heavy = {"nlohmann/", "archive", "cairo", "curl/", "tbb/", "iostream", "regex"};
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
