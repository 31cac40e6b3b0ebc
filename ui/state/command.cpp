#include "ui/state/command.hpp"

#include "ui/state/lesson_cover.hpp"

namespace warpspy::ui {

std::string why_not(const AppState& s, const Command& c) {
  const std::string why = c.why_not ? c.why_not(s) : "";
  return why.empty() && leads_to_covered(s, c.perform) ? std::string(kCovered) + "." : why;
}

bool has_own_keys(const AppState& s, const Command& c) { return s.settings.keys.contains(c.id); }

Chord keys_of(const AppState& s, const Command& c) {
  const auto set = s.settings.keys.find(c.id);
  if (set == s.settings.keys.end()) return c.keys;
  if (set->second.empty()) return {};
  // Keys that this keyboard or program does not know count as not set.
  const Chord chosen = chord_from_text(set->second);
  return chosen.key == Key::none ? c.keys : chosen;
}

std::string title_of(const AppState& s, const Command& c) { return c.title ? c.title(s) : c.label; }

std::string keys_behind(const AppState& s, std::span<const Command> commands, const std::string& id) {
  for (const Command& c : commands)
    if (c.id == id && keys_of(s, c).key != Key::none) return " (" + label_of(keys_of(s, c)) + ")";
  return "";
}

bool has_keys(const AppState& s, const Command& c, Chord chord) {
  if (chord.key == Key::none) return false;
  return keys_of(s, c) == chord || (!has_own_keys(s, c) && c.also == chord);
}

}  // namespace warpspy::ui
