// THE table of choices: what a user can choose that is one word or number. Undo, desk, preferences, settings, the run
// request and SetChoice loop over it, so that a row is all that a choice needs beside its field and its control.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "ui/state/actions.hpp"
#include "ui/state/state.hpp"

namespace warpspy::ui {

// What the settings offer for a choice of an empty desk.
struct UsualChoice {
  const char* key;  // in the file of preferences
  const char* title;
  const char* help;
  struct Option {
    std::string value, label;
    std::string note = {};  // behind the label, or why it is not possible
    bool possible = true;
  };
  std::vector<Option> (*options)(const AppState& s);
  bool now = true;  // what is set is chosen at once; else by whoever looks whether it is there (the device)
};

struct ChoiceRow {
  const char* id;               // of SetChoice, and in the file that keeps it
  const char* label = nullptr;  // of the step that undo takes back; none: it is no step
  enum class Saved : std::uint8_t { no, desk, preferences } saved = Saved::desk;
  std::string (*get)(const AppState& s) = nullptr;
  void (*set)(AppState& s, const std::string& text) = nullptr;  // what is not understood changes nothing
  // What it says of the next run; undo brings back all of these together, since each matrix has its own.
  void (*ask)(const AppState& s, RunRequest& request) = nullptr;
  const UsualChoice* usual = nullptr;
  void (*also)(AppState& s) = nullptr;  // what SetChoice changes beside; undo knows that by itself
};

const std::vector<ChoiceRow>& choice_rows();
const ChoiceRow* choice_row(const std::string& id);  // nullptr when there is none
// A row more as long as it lives, for tests.
class PlantedChoice {
 public:
  explicit PlantedChoice(const ChoiceRow& row);
  ~PlantedChoice();
  PlantedChoice(const PlantedChoice&) = delete;
  PlantedChoice& operator=(const PlantedChoice&) = delete;
};

// Those that are kept there, and those that undo knows.
std::map<std::string, std::string> saved_choices(const AppState& s, ChoiceRow::Saved where);
void set_saved_choices(AppState& s, ChoiceRow::Saved where, const std::map<std::string, std::string>& choices);
std::map<std::string, std::string> undone_choices(const AppState& s);

// The action that sets one.
inline SetChoice choose(const char* id, std::string value) { return {id, std::move(value)}; }
inline SetChoice choose(const char* id, const char* value) { return {id, value}; }
inline SetChoice choose(const char* id, bool on) { return {id, on ? "yes" : "no"}; }
inline SetChoice choose(const char* id, std::uint64_t number) { return {id, std::to_string(number)}; }
template <class Enum>
  requires std::is_enum_v<Enum>
SetChoice choose(const char* id, Enum value) {
  return {id, name_of(value)};
}
// The order of a table: "3 down".
template <class Column>
std::string order_text(Column column, bool descending) {
  return std::to_string(static_cast<int>(column)) + (descending ? " down" : "");
}

}  // namespace warpspy::ui
