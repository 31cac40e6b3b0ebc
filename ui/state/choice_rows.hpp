// The one table of choices. A choice is one word or number that the user sets. Undo, desk, preferences, settings, the
// run request and SetChoice loop over this table. So a choice needs only a row, its field and its control.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "ui/state/actions.hpp"
#include "ui/state/state.hpp"

namespace warpspy::ui {

// The values that the settings offer for a choice in an empty desk.
struct UsualChoice {
  const char* key;  // its key in the file of preferences
  const char* title;
  const char* help;
  struct Option {
    std::string value, label;
    std::string note = {};  // shown after the label, or why the value is not possible
    bool possible = true;
  };
  std::vector<Option> (*options)(const AppState& s);
  bool now = true;  // the set value is chosen at once; false: other code first checks whether it exists (the device)
};

struct ChoiceRow {
  const char* id;               // id in SetChoice, and in the file that keeps the choice
  const char* label = nullptr;  // name of the undo step; nullptr: it cannot be undone
  enum class Saved : std::uint8_t { no, desk, preferences } saved = Saved::desk;
  std::string (*get)(const AppState& s) = nullptr;
  void (*set)(AppState& s, const std::string& text) = nullptr;  // a text that is not understood changes nothing
  // Writes the choice into the next run's request. Undo restores all such choices together, since each matrix has its
  // own.
  void (*ask)(const AppState& s, RunRequest& request) = nullptr;
  const UsualChoice* usual = nullptr;
  void (*also)(AppState& s) = nullptr;  // what else SetChoice changes; undo handles that by itself
};

const std::vector<ChoiceRow>& choice_rows();
const ChoiceRow* choice_row(const std::string& id);  // nullptr when there is none
// Adds a row to the table while it lives, for tests.
class PlantedChoice {
 public:
  explicit PlantedChoice(const ChoiceRow& row);
  ~PlantedChoice();
  PlantedChoice(const PlantedChoice&) = delete;
  PlantedChoice& operator=(const PlantedChoice&) = delete;
};

// saved_choices: the choices that are kept in that file. The next function: the choices that undo restores.
std::map<std::string, std::string> saved_choices(const AppState& s, ChoiceRow::Saved where);
void set_saved_choices(AppState& s, ChoiceRow::Saved where, const std::map<std::string, std::string>& choices);
std::map<std::string, std::string> undone_choices(const AppState& s);

// The action that sets a choice.
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
