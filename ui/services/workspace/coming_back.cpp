#include "ui/services/workspace/coming_back.hpp"

#include <algorithm>
#include <filesystem>
#include <utility>

#include "core/io/reader.hpp"

namespace warpspy::ui {

namespace fs = std::filesystem;

namespace {

// The full name of a file, since the user may have to search for it.
std::string name_of_source(const OpenMatrix& m) {
  if (m.recipe.generated() || !m.recipe.steps.empty()) return m.name;
  return fs::path(place_of(m.recipe.source).path).filename().string();
}

std::string listed(const std::vector<std::string>& names) {
  constexpr std::size_t most = 4;
  std::string text;
  for (std::size_t k = 0; k < std::min(most, names.size()); ++k) text += (k > 0 ? ", " : "") + names[k];
  if (names.size() > most) text += " and " + std::to_string(names.size() - most) + " more";
  return text;
}

}  // namespace

void ComingBack::begin(std::string what, std::vector<std::string> remarks, std::size_t lost_runs) {
  now_ = What{std::move(what), {}, {}, {}, std::move(remarks), lost_runs};
}

void ComingBack::add(MatrixId id) {
  if (now_) now_->left.insert(id);
}
void ComingBack::remark(std::string text) { now_->remarks.push_back(std::move(text)); }

bool ComingBack::came(MatrixId id, const OpenMatrix* m, bool changed, const Failure* failure) {
  if (!now_ || now_->left.erase(id) == 0) return false;
  const std::string name = m ? name_of_source(*m) : "";
  if (changed) now_->changed.push_back(name);
  if (failure) now_->failed.push_back(name + " (" + failure->reason + ")");
  return true;
}

std::optional<Message> ComingBack::told() {
  if (!now_ || !now_->left.empty()) return std::nullopt;
  const What b = *std::exchange(now_, std::nullopt);
  std::vector<std::string> parts = b.remarks;
  if (!b.failed.empty()) parts.push_back("Missing: " + listed(b.failed) + ".");
  if (!b.changed.empty()) parts.push_back("Changed since: " + listed(b.changed) + ".");
  if (b.lost_runs > 0)
    parts.push_back(std::to_string(b.lost_runs) + (b.lost_runs == 1 ? " run is" : " runs are") +
                    " no longer in the history.");
  if (parts.empty())
    return b.what == kTheDesk ? std::nullopt : std::optional(Message{Message::Kind::note, b.what + " is open.", "", 0});
  std::string text = b.what + " is back, but not all of it.";
  for (const std::string& part : parts) text += " " + part;
  return Message{Message::Kind::warning, text,
                 b.changed.empty() ? "" : "runs of a changed matrix belong to what it was: repeat those that matter",
                 0};
}

}  // namespace warpspy::ui
