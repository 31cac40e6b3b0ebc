// The SuiteSparse collection: its list, and downloads.
#include "core/collection/collection.hpp"

#include <utility>

#include "core/base/source_name.hpp"
#include "ui/services/workspace/collection.hpp"
#include "ui/services/workspace/files.hpp"

namespace warpspy::ui {

void Files::on(const AskCollection& a) {
  CollectionShown& c = s_.collection;
  if (!options_.collection || c.asking) return;
  c.from = options_.collection->from;
  c.asking = true;
  if (a.fetch) c.problem.clear();
  struct Found {
    std::shared_ptr<const CollectionIndex> index;
    std::set<std::string> here;
    std::string remark;
  };
  const bool renew = a.fetch && c.index != nullptr;
  workers_.submit(
      a.fetch ? JobQueue::load : JobQueue::tiles, "List of the collection",
      [place = *options_.collection, fetch = a.fetch, renew](Progress& p) {
        Found found;
        if (fetch) {
          FetchedIndex got = fetch_index(place, p, renew);
          found.index = std::make_shared<const CollectionIndex>(std::move(got.index));
          found.remark = std::move(got.remark);
        } else if (auto kept = downloaded_index(place)) {
          found.index = std::make_shared<const CollectionIndex>(std::move(*kept));
        }
        for (std::string& name : downloaded_matrices(place)) found.here.insert(std::move(name));
        return found;
      },
      [this](Found found) {
        CollectionShown& now = s_.collection;
        now.asking = false;
        // A list that was downloaded but could not be saved is used until the window closes.
        if (found.index) now.index = std::move(found.index);
        now.here = std::move(found.here);
        if (!found.remark.empty()) now.problem = found.remark + ".";
      },
      [this](const Failure& f) {
        s_.collection.asking = false;
        s_.collection.problem = f.one_line() + ".";
      },
      [this] { s_.collection.asking = false; });
}

void Files::on(const FetchMatrix& a) {
  if (!options_.collection) return say(Message::Kind::warning, "There is no collection to fetch from.");
  CollectionShown& c = s_.collection;
  c.problem.clear();
  std::string name = a.name;
  try {
    const bool full = name.find('/') != std::string::npos;
    // Matrices that are newer than the list are known only to the server.
    if (c.index && (!full || is_listed(*c.index, name))) name = find_entry(*c.index, name).full();
    collection_file(*options_.collection, name);  // refuses what is no name
  } catch (const Error& e) {
    c.problem = std::string(e.what()) + ".";
    if (s_.dialog != "open") say(Failure{e.reason, e.where, e.remedy});
    return;
  }
  const std::string source = std::string(kCollectionPrefix) + name;
  workspace_.open_fetched(source);
}

// Runs in the job that opens the matrix. The download's messages are for the user.
std::string fetched(const CollectionPlace& place, const std::string& source, Progress& p) {
  const FetchedMatrix got = fetch_matrix(place, source.substr(kCollectionPrefix.size()), p);
  p.set(0);
  p.stage("reading");
  std::string text = got.remark;
  std::string removed;
  for (const std::string& name : got.removed) removed += (removed.empty() ? "" : ", ") + name;
  if (!removed.empty()) text += (text.empty() ? "" : "; ") + ("no longer kept, to make room: " + removed);
  return text;
}

}  // namespace warpspy::ui
