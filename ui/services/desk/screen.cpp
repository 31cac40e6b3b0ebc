#include "ui/services/desk/screen.hpp"

#include <algorithm>
#include <string>

#include "ui/state/choice_rows.hpp"

namespace warpspy::ui {

void Screen::on(const SetChoice& a) {
  const ChoiceRow* row = choice_row(a.id);
  if (!row) return;
  const std::string before = row->get(s_);
  row->set(s_, a.value);
  if (row->also && row->get(s_) != before) row->also(s_);
}

void Screen::on(const ShowTab& a) {
  s_.word.clear();
  choice_row("tab")->set(s_, a.id);
}

// A frame shows them.
void Screen::frame() {
  std::vector<std::string>& seen = s_.tabs_seen;
  const std::string& beside = s_.panes.beside;
  if (!seen.empty() && seen[0] == s_.tab && (beside.empty() || (seen.size() > 1 && seen[1] == beside))) return;
  for (const std::string& id : {beside, s_.tab}) {
    if (id.empty()) continue;
    std::erase(seen, id);
    seen.insert(seen.begin(), id);
  }
}

void Screen::on(const ShowWord& a) {
  on(ShowTab{"help"});
  s_.word = a.id;
  ++s_.words_shown;
}

void Screen::on(const ShowDialog& a) { s_.dialog = a.id; }

void Screen::on(const SetPanes& a) {
  s_.panes = a.panes;
  if (s_.panes.beside == s_.tab) s_.panes.beside.clear();
}

void Screen::on(const SetMatricesView& a) { s_.matrices_view = a.view; }

void Screen::on(const CopyText& a) {
  if (options_.clipboard) options_.clipboard(a.text);
}

void Screen::on(const Notify& a) { say(a.message.kind, a.message.text, a.message.remedy); }

void Screen::on(const ReadMessages&) { s_.unread = 0; }

void Screen::on(const ClearMessages&) {
  s_.messages.clear();
  s_.unread = 0;
}

void Screen::on(const CancelJob& a) {
  for (auto& j : workers_.pending())
    if (j->id == a.id) j->cancel();
}

void Screen::on(const Quit&) { s_.quit = true; }

}  // namespace warpspy::ui
