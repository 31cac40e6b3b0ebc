#include "ui/services/desk/preferences.hpp"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "core/base/json_depth.hpp"
#include "core/base/json_text.hpp"
#include "core/base/regular_file.hpp"
#include "core/base/target.hpp"
#include "core/base/types.hpp"
#include "ui/state/choice_rows.hpp"

namespace warpspy::ui {

namespace fs = std::filesystem;
using nlohmann::json;

namespace {

Settings settings_of(const json& j) {
  Settings s;
  s.scale = j.value("scale", 0.0);
  if (!(s.scale >= kLeastScale && s.scale <= kMostScale)) s.scale = 0;
  for (const ChoiceRow& c : choice_rows())
    if (std::string usual = c.usual ? j.value(c.usual->key, std::string()) : ""; !usual.empty())
      s.usual[c.id] = std::move(usual);
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

Preferences preferences_of(const AppState& s) {
  return {s.recent,   s.memory,           s.listing.folder,
          s.settings, s.exporting.folder, saved_choices(s, ChoiceRow::Saved::preferences)};
}

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
    for (const ChoiceRow& c : choice_rows())
      if (c.saved == ChoiceRow::Saved::preferences && j.contains(c.id)) p.choices[c.id] = j.at(c.id).get<std::string>();
    p.recent = j.value("recent", std::vector<std::string>{});
    p.folder = j.value("folder", std::string());
    p.export_folder = j.value("export_folder", std::string());
    const auto limit = [&](const char* name) -> std::optional<std::uint64_t> {
      if (!j.contains(name)) return std::nullopt;
      return std::max<std::uint64_t>(1, whole_of<std::uint64_t>(j.at(name)));
    };
    p.memory = {limit("host_memory_bytes"), limit("device_memory_bytes")};
    p.settings = settings_of(j);
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
  json j = p.choices;
  j["recent"] = p.recent;
  if (!p.folder.empty()) j["folder"] = p.folder;
  if (!p.export_folder.empty()) j["export_folder"] = p.export_folder;
  if (p.memory.host_bytes) j["host_memory_bytes"] = *p.memory.host_bytes;
  if (p.memory.device_bytes) j["device_memory_bytes"] = *p.memory.device_bytes;
  const Settings& s = p.settings;
  j["scale"] = s.scale;
  for (const ChoiceRow& c : choice_rows())
    if (const auto usual = s.usual.find(c.id); c.usual)
      j[c.usual->key] = usual == s.usual.end() ? std::string() : usual->second;
  j["keep_desk"] = s.keep_desk, j["system_dialogs"] = s.system_dialogs, j["keys"] = s.keys;
  j["engines"] = s.engines;
  j["layouts"] = json::array();
  for (const Layout& one : s.layouts)
    j["layouts"].push_back({{"name", one.name}, {"tab", one.tab}, {"panes", to_text(one.panes)}});
  try {
    write_file(path, json_text(j) + '\n', Readers::owner);
  } catch (const Error&) {
    fail();
  }
}

}  // namespace warpspy::ui
