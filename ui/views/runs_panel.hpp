// Shows the runs of this session, or of all sessions, as a table. It has numbers with provenance, filters, notes and
// comparison.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/run/history.hpp"
#include "ui/views/ui.hpp"

struct ImVec2;

namespace warpspy::ui {

class RunsPanel {
 public:
  // beside: a few columns, for a corner of the window; whole: all of them, with filters.
  enum class Size : std::uint8_t { beside, whole };
  explicit RunsPanel(Size size = Size::beside) : size_(size) {}
  void draw(const AppState& s, Ui& ui, ImVec2 size);

 private:
  struct Row;
  struct Column;
  static const std::vector<Column>& columns();

  // Both functions return the height that they used.
  float head(const AppState& s, Ui& ui, ImVec2 origin, float width);
  float filters(const AppState& s, Ui& ui, float width);
  void table(const AppState& s, Ui& ui, ImVec2 size);
  void sort_by(const Column* c);
  std::vector<const SavedRun*> in_order(const AppState& s) const;
  void row(const Row& row, const std::vector<const Column*>& shown);
  void click(const AppState& s, Ui& ui, std::uint64_t run, bool extends) const;
  void menu(const Row& row);
  void edit_note(const Look& l, Ui& ui, const SavedRun& kept, float width);
  void number_cell(const Row& row);
  void started_cell(const Row& row);
  void kernel_cell(const Row& row);
  void matrix_cell(const Row& row);
  void time_cell(const Row& row);
  void speed_cell(const Row& row);
  template <Level L>
  void share_cell(const Row& row);
  void note_cell(const Row& row);
  void remove_cell(const Row& row);

  Size size_;
  const Column* sort_ = nullptr;  // nullptr: the order of the list
  bool descending_ = false;
  std::uint64_t seen_ = 0;    // the selected run to which the table scrolled last
  std::uint64_t edited_ = 0;  // the run whose note is being written
  bool focus_ = false;
  // "Compare" is on: a click adds a run to the comparison, as with Ctrl.
  bool comparing(const AppState& s) const { return adds_ || s.comparison; }
  bool adds_ = false;  // it was switched on, and nothing need be compared yet
  std::string words_, note_;
  bool typing_ = false;  // the user types into the filter: the field's text is newer than the state's
};

// "threads per row 8, block size 128": the parameters of a run, for a table cell.
std::string params_text(const AppState& s, const RunRecord& r);

}  // namespace warpspy::ui
