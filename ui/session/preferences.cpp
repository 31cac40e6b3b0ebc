#include "ui/session/preferences.hpp"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>

#include "core/base/json_depth.hpp"
#include "core/base/json_text.hpp"
#include "core/base/target.hpp"
#include "core/base/types.hpp"

namespace warpspy::ui {

namespace fs = std::filesystem;
using nlohmann::json;

std::string preferences_path() {
  const auto set = [](const char* name) -> std::string {
    const char* v = std::getenv(name);
    return v ? v : "";
  };
  if (const std::string xdg = set("XDG_CONFIG_HOME"); !xdg.empty()) return xdg + "/warpspy/preferences.json";
  if (const std::string home = set("HOME"); !home.empty()) return home + "/.config/warpspy/preferences.json";
  return {};
}

Preferences load_preferences(const std::string& path, std::string* problem) {
  std::error_code ignored;
  if (path.empty() || !fs::exists(path, ignored)) return {};
  try {
    std::ifstream in(path);
    const std::string text{std::istreambuf_iterator<char>(in), {}};
    if (nested_deeply(text)) throw Error("nested too deeply");
    const json j = json::parse(text);
    Preferences p;
    p.theme = j.value("theme", std::string("paper")) == "dark" ? ThemeId::dark : ThemeId::paper;
    p.recent = j.value("recent", std::vector<std::string>{});
    p.folder = j.value("folder", std::string());
    const auto limit = [&](const char* name) -> std::optional<std::uint64_t> {
      if (!j.contains(name)) return std::nullopt;
      return std::max<std::uint64_t>(1, whole_of<std::uint64_t>(j.at(name)));
    };
    p.memory = {limit("host_memory_bytes"), limit("device_memory_bytes")};
    if (p.recent.size() > kRecent) p.recent.resize(kRecent);
    return p;
  } catch (const std::exception&) {
    if (problem) *problem = path + " is not a preferences file that can be read; it is ignored and will be replaced";
    return {};
  }
}

void save_preferences(const std::string& path, const Preferences& p) {
  if (path.empty()) return;
  const auto fail = [&] {
    throw Error("preferences could not be written", path, "check the folder's permissions and the free space");
  };
  std::error_code failed;
  fs::create_directories(fs::path(path).parent_path(), failed);
  if (failed) fail();
  json j = {{"theme", name_of(p.theme)}, {"recent", p.recent}};
  if (!p.folder.empty()) j["folder"] = p.folder;
  if (p.memory.host_bytes) j["host_memory_bytes"] = *p.memory.host_bytes;
  if (p.memory.device_bytes) j["device_memory_bytes"] = *p.memory.device_bytes;
  try {
    write_file(path, json_text(j) + '\n');
  } catch (const Error&) {
    fail();
  }
}

}  // namespace warpspy::ui
