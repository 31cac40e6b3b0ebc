// What a window, a child, a group, a popup, a table or a tooltip ends with in ui says how large it is
// (ui/platform/compat.hpp).
#include <gtest/gtest.h>

#include <filesystem>
#include <regex>
#include <set>
#include <string>

#include "sources.hpp"
#include "tests/paths.hpp"

namespace warpspy::arch {
namespace {

namespace fs = std::filesystem;

TEST(MovedCursors, NothingEndsBesideThem) {
  const fs::path root = WARPSPY_SOURCE_DIR;
  const std::regex ends(R"(\bImGui::End(Child|Group|Popup|Table|Tooltip)?\()");
  std::set<std::string> who;
  for (const fs::path& file : sources_below(root / "ui"))
    if (std::regex_search(code_of(text_of(file)), ends)) who.insert(fs::relative(file, root).string());
  EXPECT_EQ(who, (std::set<std::string>{"ui/platform/compat.hpp"})) << "end_child() and its like know a moved cursor";
}

}  // namespace
}  // namespace warpspy::arch
