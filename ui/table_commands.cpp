// A command for each row of the tables of reorderings and formats.
#include <deque>
#include <utility>

#include "ui/commands.hpp"

namespace warpspy::ui {

namespace {

// Reorderings that ask something open the dialog.
bool asks(const ReorderInfo& info) { return info.takes_file || !info.params.empty(); }

// Commands point to their words: these live as long as the program.
const char* kept(std::string s) {
  static std::deque<std::string> words;
  return words.emplace_back(std::move(s)).c_str();
}

Command reordering(const ReorderInfo& info) {
  return {kept("reorder." + info.id),
          "Reorder",
          kept(info.label + (asks(info) ? "..." : "")),
          {},
          kept(info.help),
          [&info](const AppState& s) {
            if (!s.current() || !s.current()->matrix) return false;
            const Csr& a = *s.current()->matrix->csr;
            return !info.square_only || a.rows() == a.cols();
          },
          [&info](const AppState&, ActionSink& out) {
            if (asks(info))
              out(ShowReorder{info.id});
            else
              out(Reorder{info.id, {}, {}});
          }};
}

Command look_at(const FormatInfo& info) {
  return {kept("format." + info.id),
          "",
          kept("Look at format " + info.label),
          {},
          kept(info.help),
          nullptr,
          [&info](const AppState&, ActionSink& out) {
            out(SetFormat{info.id});
            out(ShowTab{"formats"});
          },
          [&info](const AppState& s) { return s.knobs.format == info.id; }};
}

}  // namespace

void add_table_commands(std::vector<Command>& out) {
  for (const auto& row : reorderings()) out.push_back(reordering(row.info));
  for (const auto& row : formats()) out.push_back(look_at(row.info));
}

}  // namespace warpspy::ui
