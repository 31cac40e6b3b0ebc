// A command for each row of the tables of reorderings and formats.
#include <deque>
#include <utility>

#include "ui/commands.hpp"

namespace warpspy::ui {

namespace {

// Reorderings that ask something open the dialog.
template <std::size_t K>
void reordering(const AppState&, ActionSink& out) {
  const ReorderInfo& info = reorderings()[K].info;
  if (info.takes_file || !info.params.empty())
    out(ShowReorder{info.id});
  else
    out(Reorder{info.id, {}, {}});
}
template <std::size_t K>
bool can_reorder(const AppState& s) {
  if (!s.current() || !s.current()->matrix) return false;
  const Csr& a = *s.current()->matrix->csr;
  return !reorderings()[K].info.square_only || a.rows() == a.cols();
}

template <std::size_t K>
void look_at(const AppState&, ActionSink& out) {
  out(SetFormat{formats()[K].info.id});
  out(ShowTab{"formats"});
}
template <std::size_t K>
bool is_looked_at(const AppState& s) {
  return s.knobs.format == formats()[K].info.id;
}

// Commands point to their words: these live as long as the program.
constexpr std::size_t kMostRows = 24;
const char* kept(std::string s) {
  static std::deque<std::string> words;
  return words.emplace_back(std::move(s)).c_str();
}

template <std::size_t K>
void add_rows(std::vector<Command>& out) {
  if (K < reorderings().size()) {
    const ReorderInfo& r = reorderings()[K].info;
    const bool asks = r.takes_file || !r.params.empty();
    out.push_back({kept("reorder." + r.id),
                   "Reorder",
                   kept(r.label + (asks ? "..." : "")),
                   {},
                   kept(r.help),
                   can_reorder<K>,
                   reordering<K>});
  }
  if (K < formats().size()) {
    const FormatInfo& f = formats()[K].info;
    out.push_back({kept("format." + f.id),
                   "",
                   kept("Look at format " + f.label),
                   {},
                   kept(f.help),
                   nullptr,
                   look_at<K>,
                   is_looked_at<K>});
  }
  if constexpr (K + 1 < kMostRows) add_rows<K + 1>(out);
}

}  // namespace

void add_table_commands(std::vector<Command>& out) { add_rows<0>(out); }

}  // namespace warpspy::ui
