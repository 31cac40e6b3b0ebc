#include "ui/services/desk/lectures.hpp"

#include <algorithm>
#include <filesystem>
#include <set>
#include <utility>

#include "core/base/source_name.hpp"
#include "core/base/target.hpp"
#include "core/run/run_name.hpp"
#include "ui/services/desk/desk_state.hpp"
#include "ui/state/desk_words.hpp"
#include "ui/state/slide_words.hpp"

namespace warpspy::ui {

namespace fs = std::filesystem;

namespace {

const DeskMatrix* active_of(const Desk& desk) {
  const bool any = desk.active >= 0 && desk.active < static_cast<int>(desk.matrices.size());
  return any ? &desk.matrices[static_cast<std::size_t>(desk.active)] : nullptr;
}

// The path that the user asked for, else one beside the session, else in the working directory. Never an existing file.
std::string free_path(const std::string& asked, const std::string& session) {
  fs::path path = asked;
  if (asked.empty()) path = session.empty() ? fs::path("lecture") : fs::path(session).parent_path() / "lecture";
  path = absolute_source(path.string());
  if (path.extension() == slides_ending) path.replace_extension();
  std::string name = path.string() + slides_ending;
  std::error_code ignored;
  for (int k = 2; fs::exists(name, ignored); ++k) name = path.string() + "-" + std::to_string(k) + slides_ending;
  return name;
}

}  // namespace

// Adds a slide after the shown one, with one key.
void Lectures::on(const AddSlide& a) {
  if (slides_.size() >= most_slides)
    return say(Message::Kind::warning, "A lecture has at most " + std::to_string(most_slides) + " slides");
  Desk desk = desk_of(s_);
  leave_own(desk);
  if (s_.lecture.path.empty()) s_.lecture.path = free_path(a.path, s_.session);
  desk.folder = fs::path(s_.lecture.path).parent_path().string();
  const std::size_t at = slides_.empty() ? 0 : s_.lecture.at + 1;
  slides_.insert(slides_.begin() + static_cast<std::ptrdiff_t>(at), {slide_title(s_), std::move(desk)});
  s_.lecture.titles.insert(s_.lecture.titles.begin() + static_cast<std::ptrdiff_t>(at), slides_[at].title);
  s_.lecture.at = at;
  s_.lecture.hidden.clear();
  note_shown();
  prepared_.reset();
  save("Kept as slide " + std::to_string(at + 1) + " of " + std::to_string(slides_.size()));
}

void Lectures::on(const RemoveSlide&) {
  std::size_t& at = s_.lecture.at;
  if (at >= slides_.size()) return say(Message::Kind::note, "No slide is shown.");
  if (slides_.size() == 1) return say(Message::Kind::note, "It is the only slide of this lecture: remove the file.");
  slides_.erase(slides_.begin() + static_cast<std::ptrdiff_t>(at));
  s_.lecture.titles.erase(s_.lecture.titles.begin() + static_cast<std::ptrdiff_t>(at));
  save("Slide " + std::to_string(at + 1) + " is removed, " + std::to_string(slides_.size()) + " are left");
  on(ShowSlide{std::min(at, slides_.size() - 1)});
}

// Writes the lecture, and says what was done.
void Lectures::save(const std::string& done) {
  workers_.submit(
      JobQueue::load, "Saving " + fs::path(s_.lecture.path).filename().string(),
      [write = files_.write(
           s_.lecture.path, [slides = slides_] { return to_json(slides); }, Readers::as_masked)](Progress&) {
        write();
        return write.path;
      },
      [this, done](const std::string& path) { say(Message::Kind::note, done + ": " + path); },
      [this](const Failure& f) { say(f); });
}

// What the title of the shown slide is of.
void Lectures::note_shown() {
  const Desk& desk = slides_[s_.lecture.at].desk;
  const auto tab = desk.choices.find("tab");
  const DeskMatrix* active = active_of(desk);
  s_.lecture.tab = tab == desk.choices.end() ? "" : tab->second;
  s_.lecture.source = active ? active->recipe.text() : "";
}

void Lectures::on(const OpenLecture& a) {
  s_.dialog.clear();
  const std::string path = absolute_source(a.path);
  workers_.submit(
      JobQueue::load, "Opening " + fs::path(path).filename().string(),
      [path](Progress&) {
        SlidesRead read = load_slides(path);
        for (Slide& slide : read.slides) leave_own(slide.desk);  // whoever wrote it
        return read;
      },
      [this, path](SlidesRead read) {
        for (const std::string& remark : read.remarks) say(Message::Kind::warning, remark);
        if (read.slides.empty()) return say(Message::Kind::error, "This lecture has no slide: " + path);
        // Files are searched beside the lecture's file too.
        for (Slide& slide : read.slides)
          for (DeskMatrix& m : slide.desk.matrices)
            m.recipe.source = found_source(m.recipe.source, slide.desk.folder, fs::path(path).parent_path().string());
        take(path, std::move(read.slides));
        on(ShowSlide{0});
      },
      [this](const Failure& f) { say(f); });
}

void Lectures::take(std::string path, std::vector<Slide> slides) {
  slides_ = std::move(slides);
  s_.lecture.path = std::move(path);
  s_.lecture.titles.clear();
  for (const Slide& slide : slides_) s_.lecture.titles.push_back(slide.title);
  s_.lecture.at = 0;
  s_.lecture.tab.clear(), s_.lecture.source.clear(), s_.lecture.hidden.clear();
}

void Lectures::on(const ShowSlide& a) {
  if (a.at >= slides_.size()) return;
  s_.lecture.at = a.at;
  prepared_.reset();
  const Desk& desk = slides_[a.at].desk;
  desk_.show(desk);
  if (desk.selected_run == 0) act(SelectRun{});  // not the last one on its matrix
  note_shown();
  // Runs of other slides, and those that were made meanwhile, stay in the session.
  std::set<std::string> own;
  for (const DeskRun& run : desk.runs)
    if (run.record) own.insert(run_name(*run.record));
  s_.lecture.hidden.clear();
  for (const auto& run : s_.runs.all())
    if (!own.contains(run_name(*run))) s_.lecture.hidden.insert(run->id);
}

void Lectures::on(const Project& a) { s_.lecture.projects = a.on; }

// Loads what the next slide needs in advance. What failed is tried again when the slide is shown, since its failure
// then matters.
void Lectures::prepare(const Slide& slide) {
  std::vector<MatrixId> ids;
  for (const DeskMatrix& m : slide.desk.matrices) {
    const std::string source = m.recipe.text();
    const bool open =
        std::any_of(s_.matrices.begin(), s_.matrices.end(), [&](const auto& o) { return o.source == source; });
    if (!open) ids.push_back(workspace_.put(m));
  }
  workspace_.load_what_waits(ids);
}

void Lectures::frame() {
  if (slides_.empty()) return;
  const auto* m = s_.current();
  const DeskMatrix* wanted = active_of(slides_[s_.lecture.at].desk);
  const bool gone = wanted && m && m->status == OpenMatrix::Status::failed && m->source == wanted->recipe.text();
  s_.lecture.missing = gone ? "The matrix of this slide is gone: " + m->name + " (" + m->failure.reason + ")" : "";
  const std::size_t next = s_.lecture.at + 1;
  // If nothing is open, the next slide's matrix would be shown too early.
  const bool busy = !m || s_.warp.job || m->status == OpenMatrix::Status::opening;
  if (next >= slides_.size() || busy) return;
  const Slide& slide = slides_[next];
  if (prepared_ != next) {
    prepare(slide);
    prepared_ = next;
    warp_asked_ = false;
  }
  if (warp_asked_) return;
  const auto words = slide.desk.choices.find("warp");
  const auto tab = slide.desk.choices.find("tab");
  const DeskMatrix* of = active_of(slide.desk);
  if (words == slide.desk.choices.end() || tab == slide.desk.choices.end() || tab->second != "warp" || !of) return;
  const auto show = warp_desk_of(words->second).show;
  const auto run = std::find_if(slide.desk.runs.begin(), slide.desk.runs.end(),
                                [&](const DeskRun& r) { return r.record && r.id == slide.desk.selected_run; });
  if (!show || run == slide.desk.runs.end()) return;
  for (const OpenMatrix& open : s_.matrices)
    if (open.source == of->recipe.text() && open.matrix) {
      warps_.prepare(open, *run->record, *show);
      warp_asked_ = true;
    }
}

}  // namespace warpspy::ui
