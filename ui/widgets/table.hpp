// A table in the window's own look: columns as data, rows drawn cell by cell.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/base/types.hpp"
#include "ui/look/look.hpp"
#include "ui/widgets/focus.hpp"

struct ImVec2;
struct ImGuiStorage;

namespace warpspy::ui {

struct TableColumn {
  std::string name = {}, help = {};
  float width = 0;     // at 100 %; 0: shares the room that is left
  float share = 1;     // of that room
  bool right = false;  // numbers
  float inset = 0;     // apart from the column before
};

struct Cell {
  std::string text;
  Color ink;
  Face face = Face::mono;
  std::string help = {};
  std::optional<Provenance> from = {};  // provenance mark after the number
  std::string second = {};              // a line below, smaller
  std::optional<Color> second_ink = {};
  std::optional<Color> chip = {};  // a small square before the text, in this colour
};

// Lengths at 100 %.
struct TableStyle {
  float pad_x = 6, pad_y = 3;  // of a cell
  float row = 17;              // height of a cell's content
  float head = 13;             // text size of the columns' names
  bool scrolls = true;         // below the names, which stay
  int frozen = -1;             // columns that stay while the others scroll sideways; -1: none scrolls so
  float least_share = 0;       // least width of one share; with less room the table scrolls sideways,
  int held = 1;                // and this many columns do not scroll
  bool follows = true;         // arrow keys pick the row that they reach
};

// The table ends with its scope. If it converts to false, it must not be drawn. Columns can be made wider. If the table
// has the focus, arrows go from row to row, and Enter picks. Above the first row they reach the names of columns, which
// sort rows. Ctrl+C copies the whole table with tabs between cells.
class Table {
 public:
  Table(const Look& l, const char* id, std::vector<TableColumn> columns, ImVec2 size, TableStyle style = {});
  ~Table();
  Table(const Table&) = delete;
  Table& operator=(const Table&) = delete;
  explicit operator bool() const { return open_; }

  // The names of the columns.
  void head();
  // The names of the columns; a click on a name sorts. Returns the clicked column, or -1.
  int sortable_head(int sorted, bool descending);
  void row(bool selected = false);
  // Makes the row clickable; call it before the row's first cell. A tip() may follow directly.
  bool pick(const char* id = "##row");
  // Directly after pick(): scrolls, if needed, so that the row is visible.
  void show_row() const;
  // Call it after the names, for a table that has only rows(): scrolls so that the row at this place is visible.
  void show_place(int place) const;
  // Returns what the keys do with the last picked row, for its menu.
  const Keys& row_keys() const { return row_keys_; }
  bool has_keys() const { return keys_.has; }
  // Whether the keys are on the names of columns.
  bool on_names() const { return keys_.has && cursor_ < 0; }
  // Whether the keys reached the row with Shift: the choice extends to this row.
  bool extends() const { return extends_; }
  // Copies the whole table to the clipboard.
  void copy();
  void cell(const Cell& c);
  void text(const std::string& s, Color ink, Face face = Face::mono, const std::string& help = {});
  // The next cell, for contents other than text; returns its width. `copied`: its text in a copy.
  float next(const std::string& copied = {});
  void skip(int cells);
  // `count` rows of the same height, each drawn by `draw` for its place. Invisible rows are left out, except from a
  // copy.
  void rows(int count, const std::function<void(int place)>& draw);

 private:
  // A cell's text in the room that is left; returns the x of its end.
  float draw(const Cell& c, bool right, float size, float down) const;

  void keys_of(const char* id, ImVec2 size);
  void begin_row();
  void scroll_to(float top, float bottom) const;
  void take_down(const std::string& text);
  void head_menu();

  const Look& l_;
  Keys keys_, row_keys_;
  ImGuiStorage* store_ = nullptr;  // storage of the window around the table
  unsigned int own_id_ = 0, cursor_id_ = 0, count_id_ = 0, column_id_ = 0, copy_id_ = 0, height_id_ = 0;
  int rows_ = -1, cursor_ = 0, count_ = 0;  // rows_: of which the last was begun; cursor_ -1: the names
  int selected_ = -1;                       // the row that is marked as chosen
  bool moved_ = false, extends_ = false, picks_ = false, copies_ = false;
  std::vector<std::vector<std::string>> copy_;  // the names, then row by row
  std::vector<TableColumn> columns_;
  TableStyle style_;
  bool open_ = false, picked_ = false;
  float first_x_ = 0, first_y_ = 0;  // position of the picked row's first cell
  float top_ = 0;                    // top of the table on the screen
  Look::TableArea area_;             // where tooltips of its cells do not go
  std::optional<Look::TableArea> outer_;
};

// Tells what a row is sorted by: numbers, and words where these are equal.
using SortKey = std::pair<double, std::string>;

// The column by which a table is sorted. The first click on a name sorts, the second reverses the order, the third
// restores the original order.
class TableSort {
 public:
  // The names of the columns.
  void head(Table& table);
  // The rows in the order in which they are shown.
  std::vector<std::size_t> order(std::size_t rows,
                                 const std::function<SortKey(std::size_t row, int column)>& key) const;

 private:
  int column_ = -1;
  bool descending_ = false;
};

}  // namespace warpspy::ui
