// Opens what the user asks for: files, several at once, folders. Makes small pictures of what was opened.
#include "ui/services/workspace/files.hpp"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <utility>

#include "core/base/regular_file.hpp"
#include "core/base/source_name.hpp"
#include "core/io/io.hpp"
#include "core/io/reader.hpp"
#include "core/session/slides.hpp"

namespace warpspy::ui {

namespace {

namespace fs = std::filesystem;

Listing listing_of(const std::string& folder) {
  Listing out;
  std::error_code failed;
  const fs::path place = folder.empty() ? fs::current_path(failed) : fs::path(with_home(folder));
  const fs::path path = fs::weakly_canonical(place, failed);
  out.folder = failed ? place.string() : path.string();
  try {
    out.entries = list_folder(out.folder, {kDeskEnding, slides_ending, ".md"});
  } catch (const Error& e) {
    out.problem = e.reason + ".";
  }
  return out;
}

// What a path is: a folder, a file or generator to open, or neither.
struct Found {
  std::optional<Listing> folder;
  std::string source, problem;
  bool sweep = false;  // the folder of one
};
Found look(const std::string& typed, const std::string& folder) {
  if (is_generated(typed)) return {{}, typed, ""};
  std::string place = with_home(typed);
  std::error_code failed;
  // A name without a folder is in the listed folder.
  if (!folder.empty() && fs::path(place).is_relative()) place = (fs::path(folder) / place).lexically_normal().string();
  if (SweepFolder::is_one(place)) return {{}, place, "", true};
  if (is_folder(place)) return {listing_of(place), "", ""};
  if (fs::exists(place_of(place).path, failed)) return {{}, place, ""};
  return {{}, "", "There is no file and no folder " + place + "."};
}

// What will be opened, and what cannot be.
struct Expanded {
  std::vector<std::string> sources;
  std::vector<Failure> failures;
  std::string sweep;  // the folder of one among them
  std::vector<std::string> studies;
};
// A small JSON file has its kind at its beginning.
bool is_study(const std::string& path) {
  if (!path.ends_with(".json")) return false;
  try {
    RegularFile file(path);
    std::string head(400, ' ');
    head.resize(file.read(head.data(), head.size()));
    return head.find("\"warpspy-study-1\"") != std::string::npos;
  } catch (const Error&) {
    return false;  // opening the file will report why
  }
}
Expanded expand(const std::vector<std::string>& asked, Progress& progress) {
  Expanded out;
  for (const std::string& source : asked) {
    progress.check();
    if (const std::string path = with_home(source); SweepFolder::is_one(path)) {
      out.sweep = path;
      continue;
    } else if (is_study(path)) {
      out.studies.push_back(path);
      continue;
    }
    try {
      for (std::string& each : sources_of(with_home(source)))
        if (std::find(out.sources.begin(), out.sources.end(), each) == out.sources.end())
          out.sources.push_back(std::move(each));
    } catch (const Error& e) {
      out.failures.push_back({e.reason, e.where, e.remedy});
    }
  }
  return out;
}

}  // namespace

void Files::on(const OpenSources& a) {
  if (a.sources.empty()) return;
  s_.dialog.clear();
  workers_.submit(
      JobQueue::tiles, "Looking for matrices", [asked = a.sources](Progress& p) { return expand(asked, p); },
      [this](const Expanded& e) {
        for (const Failure& f : e.failures) say(f);
        if (!e.sources.empty()) workspace_.open_all(e.sources);
        if (!e.sweep.empty()) act(OpenSweep{e.sweep});
        for (const std::string& path : e.studies) act(OpenStudyFile{path});
      },
      [this](const Failure& f) { say(f); });
}

void Files::on(const DropFiles& a) {
  if (s_.shows("studies") && s_.studies.shown())
    act(GiveStudyFiles{a.paths});
  else
    on(OpenSources{a.paths});
}

void Files::on(const BrowseFolder& a) {
  const auto ticket = listing_asked_.next();
  workers_.submit(
      JobQueue::tiles, "Listing", [folder = a.folder](Progress&) { return listing_of(folder); },
      [this, ticket](Listing l) {
        if (listing_asked_.is_current(ticket)) take(std::move(l));
      });
}

void Files::on(const GoTo& a) {
  if (a.place.empty()) return;
  if (is_of_collection(a.place)) return on(FetchMatrix{a.place.substr(kCollectionPrefix.size())});
  const auto ticket = listing_asked_.next();
  workers_.submit(
      JobQueue::tiles, "Looking", [a, folder = s_.listing.folder](Progress&) { return look(a.place, folder); },
      [this, ticket](Found found) {
        if (!listing_asked_.is_current(ticket)) return;
        if (found.folder) return take(std::move(*found.folder));
        s_.listing.problem = found.problem;
        if (found.sweep) return act(OpenSweep{found.source});
        if (!found.source.empty()) act(OpenSource{found.source});
      },
      [this](const Failure& f) { s_.listing.problem = f.one_line(); });
}

void Files::take(Listing l) { s_.listing = std::move(l); }

void Files::on(const AskForFiles&) {
  const auto answered = [this](std::vector<std::string> paths, std::string problem) {
    mail_.post([this, paths = std::move(paths), problem = std::move(problem)] {
      if (!problem.empty()) {
        say(Message::Kind::warning, "The system's dialog: " + problem, "Ctrl+Shift+O always opens Warpspy's own.");
        return on(ShowOpen{});
      }
      if (paths.empty()) return;
      s_.listing.folder = fs::path(paths.front()).parent_path().string();
      on(OpenSources{paths});
    });
  };
  if (!options_.ask_files || !s_.settings.system_dialogs) return on(ShowOpen{});
  if (!options_.ask_files(s_.listing.folder, answered))
    say(Message::Kind::note, "The dialog for files is open already.");
}

void Files::on(const ShowOpen& a) {
  s_.open_way = a.way;
  s_.open_generator = a.generator;
  s_.dialog = "open";
}

}  // namespace warpspy::ui
