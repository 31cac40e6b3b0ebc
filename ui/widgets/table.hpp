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
  std::optional<Provenance> from = {};  // a mark behind the number
  std::string second = {};              // a line below, smaller
  std::optional<Color> second_ink = {};
  std::optional<Color> chip = {};  // a small square before the text: what its colour stands for
};

// Lengths at 100 %.
struct TableStyle {
  float pad_x = 6, pad_y = 3;  // of a cell
  float row = 17;              // height of a cell's content
  float head = 13;             // text size of the columns' names
  bool scrolls = true;         // below the names, which stay
  int frozen = -1;             // columns that stay while the others scroll sideways; -1: none scrolls so
  float least_share = 0;       // width of one share: where there is less room, the table scrolls sideways,
  int held = 1;                // and these columns stay
  bool follows = true;         // a row that the arrow keys come to is picked
};

// Ends with its scope. Nothing is drawn while it converts to false. Columns can be made wider. With the keys the arrows
// go from row to row, Enter picks, and above the first row stand the names, by which rows are sorted; Ctrl+C copies all
// of it, tab by tab, with the names.
class Table {
 public:
  Table(const Look& l, const char* id, std::vector<TableColumn> columns, ImVec2 size, TableStyle style = {});
  ~Table();
  Table(const Table&) = delete;
  Table& operator=(const Table&) = delete;
  explicit operator bool() const { return open_; }

  // The names of the columns.
  void head();
  // The same, by whose clicks rows are sorted; returns the column clicked, or -1.
  int sortable_head(int sorted, bool descending);
  void row(bool selected = false);
  // Makes the row, which has no cell yet, one that can be clicked. Its tip goes right behind.
  bool pick(const char* id = "##row");
  // Right behind pick(): scrolls, if need be, so that the row is seen.
  void show_row() const;
  // Behind the names, of a table whose rows() are all that it has: scrolls so that the row of this place is seen.
  void show_place(int place) const;
  // What the keys do with the row that was picked last; for its menu.
  const Keys& row_keys() const { return row_keys_; }
  bool has_keys() const { return keys_.has; }
  // They are on the names of the columns.
  bool on_names() const { return keys_.has && cursor_ < 0; }
  // The row was come to with Shift: what is chosen reaches to here.
  bool extends() const { return extends_; }
  // All of it goes to the clipboard.
  void copy();
  void cell(const Cell& c);
  void text(const std::string& s, Color ink, Face face = Face::mono, const std::string& help = {});
  // The next cell, for what is more than text; returns its width. `copied`: what stands for it in a copy.
  float next(const std::string& copied = {});
  void skip(int cells);
  // `count` rows of one height, each made by `draw` from its place; what is out of sight is left out, but not of a
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
  ImGuiStorage* store_ = nullptr;  // of the window around the table
  unsigned int own_id_ = 0, cursor_id_ = 0, count_id_ = 0, column_id_ = 0, copy_id_ = 0, height_id_ = 0;
  int rows_ = -1, cursor_ = 0, count_ = 0;  // rows_: of which the last was begun; cursor_ -1: the names
  int selected_ = -1;                       // the row that is marked as chosen
  bool moved_ = false, extends_ = false, picks_ = false, copies_ = false;
  std::vector<std::vector<std::string>> copy_;  // the names, then row by row
  std::vector<TableColumn> columns_;
  TableStyle style_;
  bool open_ = false, picked_ = false;
  float first_x_ = 0, first_y_ = 0;  // of the picked row's first cell
  float top_ = 0;                    // of the table, on the screen
};

// What a row is sorted by: numbers, and words where these are equal.
using SortKey = std::pair<double, std::string>;

// By which column a table is sorted. The first click on a name sorts, the second turns it round, the third is the order
// that the rows have by themselves.
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
