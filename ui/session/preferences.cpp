#include "ui/session/preferences.hpp"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <initializer_list>
#include <map>
#include <nlohmann/json.hpp>

#include "core/base/json_depth.hpp"
#include "core/base/json_text.hpp"
#include "core/base/regular_file.hpp"
#include "core/base/target.hpp"
#include "core/base/types.hpp"

namespace warpspy::ui {

namespace fs = std::filesystem;
using nlohmann::json;

namespace {

// The value whose name it is, else the first.
template <class Enum>
Enum named(const json& j, const char* key, std::initializer_list<Enum> values) {
  const std::string text = j.value(key, std::string());
  for (const Enum v : values)
    if (text == name_of(v)) return v;
  return *values.begin();
}

Settings settings_of(const json& j) {
  Settings s;
  s.scale = j.value("scale", 0.0);
  if (!(s.scale >= kLeastScale && s.scale <= kMostScale)) s.scale = 0;
  s.device = j.value("device", std::string());
  s.cache_state = named(j, "cache_state", {CacheState::warm, CacheState::cold});
  s.keep_desk = j.value("keep_desk", true);
  s.system_dialogs = j.value("system_dialogs", true);
  s.engines = j.value("engines", std::vector<std::string>{});
  s.keys = j.value("keys", std::map<std::string, std::string>{});
  for (const json& one : j.value("layouts", json::array()))
    s.layouts.push_back({one.value("name", std::string()), one.value("tab", std::string()),
                         panes_of(one.value("panes", std::string()))});
  return s;
}

}  // namespace

std::string preferences_path() {
  const auto set = [](const char* name) -> std::string {
    const char* v = std::getenv(name);
    return v ? v : "";
  };
  if (const std::string xdg = set("XDG_CONFIG_HOME"); !xdg.empty()) return xdg + "/warpspy/preferences.json";
  if (const std::string home = set("HOME"); !home.empty()) return home + "/.config/warpspy/preferences.json";
  return {};
}

bool is_first_start(const std::string& preferences, const std::string& history) {
  std::error_code ignored;
  return !preferences.empty() && !fs::exists(preferences, ignored) &&
         (history.empty() || !fs::exists(history, ignored));
}

Preferences load_preferences(const std::string& path, std::string* problem) {
  std::error_code ignored;
  if (path.empty() || !fs::exists(path, ignored)) return {};
  try {
    constexpr std::uint64_t kMostBytes = std::uint64_t{16} << 20;
    const std::string text = read_file(path, kMostBytes, {"file of preferences", ""});
    if (nested_deeply(text)) throw Error("nested too deeply");
    const json j = json::parse(text);
    Preferences p;
    p.theme = j.value("theme", std::string("paper")) == "dark" ? ThemeId::dark : ThemeId::paper;
    p.recent = j.value("recent", std::vector<std::string>{});
    p.folder = j.value("folder", std::string());
    p.export_folder = j.value("export_folder", std::string());
    const auto limit = [&](const char* name) -> std::optional<std::uint64_t> {
      if (!j.contains(name)) return std::nullopt;
      return std::max<std::uint64_t>(1, whole_of<std::uint64_t>(j.at(name)));
    };
    p.memory = {limit("host_memory_bytes"), limit("device_memory_bytes")};
    p.settings = settings_of(j);
    p.map = named(j, "colours", {Colormap::cividis, Colormap::viridis, Colormap::grey});
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
  if (!p.export_folder.empty()) j["export_folder"] = p.export_folder;
  if (p.memory.host_bytes) j["host_memory_bytes"] = *p.memory.host_bytes;
  if (p.memory.device_bytes) j["device_memory_bytes"] = *p.memory.device_bytes;
  const Settings& s = p.settings;
  j["scale"] = s.scale, j["device"] = s.device, j["cache_state"] = name_of(s.cache_state);
  j["keep_desk"] = s.keep_desk, j["system_dialogs"] = s.system_dialogs, j["keys"] = s.keys;
  j["engines"] = s.engines;
  j["layouts"] = json::array();
  for (const Layout& one : s.layouts)
    j["layouts"].push_back({{"name", one.name}, {"tab", one.tab}, {"panes", to_text(one.panes)}});
  j["colours"] = name_of(p.map);
  try {
    write_file(path, json_text(j) + '\n', Readers::owner);
  } catch (const Error&) {
    fail();
  }
}

}  // namespace warpspy::ui
