// fetch: matrices of the SuiteSparse Matrix Collection by name.
#include <CLI/CLI.hpp>
#include <cstdio>
#include <iostream>
#include <nlohmann/json.hpp>

#include "app/cli/command.hpp"
#include "core/base/json_text.hpp"
#include "core/base/numbers.hpp"
#include "core/collection/collection.hpp"

namespace warpspy::cli {
namespace {

nlohmann::ordered_json json_of(const FetchedMatrix& m) {
  return {{"name", m.full_name},    {"path", m.path},       {"bytes", m.bytes},
          {"was_here", m.was_here}, {"removed", m.removed}, {"remark", m.remark}};
}

void tell_on_error_stream(const std::string& remark) {
  if (!remark.empty()) std::cerr << "warpspy: " << remark << "\n";
}

void list(const CollectionPlace& place, const std::string& words, bool renew, bool json) {
  FetchedIndex found;
  with_meter("collection", [&](Progress& p) { found = fetch_index(place, p, renew); });
  tell_on_error_stream(found.remark);
  auto all = nlohmann::ordered_json::array();
  for (const CollectionEntry* e : matching(found.index, words, found.index.entries.size())) {
    if (json)
      all.push_back({{"name", e->full()}, {"rows", e->rows}, {"cols", e->cols}, {"nnz", e->nnz}, {"kind", e->kind}});
    else
      std::printf("%-44s %12s x %-12s %14s  %s\n", e->full().c_str(), grouped(e->rows).c_str(),
                  grouped(e->cols).c_str(), grouped(e->nnz).c_str(), e->kind.c_str());
  }
  if (json) std::cout << json_text(all, 1) << "\n";
}

}  // namespace

int fetch(CLI::App& app, std::vector<std::string> args) {
  std::vector<std::string> names;
  std::string words;
  bool update = false, json = false;
  app.add_option("NAME", names, "GROUP/NAME, or a name that only one matrix of the collection has");
  const auto* listing =
      app.add_option("--list", words, "List what the collection has: rows x columns, entries, kind; of these letters")
          ->expected(0, 1);
  app.add_flag("--update", update, "Download the collection's list again, even if the kept one is new");
  app.add_flag("--json", json, "JSON");
  app.footer(
      "Prints where the file is; it is opened as any file, or as collection:GROUP/NAME. What was fetched is kept in "
      "the\n"
      "user's cache, 20 GB at most (WARPSPY_COLLECTION_BYTES); what was used longest ago goes first. Nothing is "
      "fetched\n"
      "unless it is asked for here or in the window. WARPSPY_COLLECTION names a mirror (https://...) or a folder.");
  app.parse(std::move(args));
  const CollectionPlace place = collection_place();
  if (listing->count() > 0 || (update && names.empty())) {
    if (!names.empty()) throw Error("--list takes no further names", {}, "fetch them with a command of its own");
    list(place, words, update, json);
    return 0;
  }
  if (names.empty()) throw Error("no matrix is named", {}, "warpspy fetch Williams/cant, or --list");
  if (update) with_meter("collection", [&](Progress& p) { fetch_index(place, p, true); });
  auto all = nlohmann::ordered_json::array();
  for (const std::string& name : names) {
    FetchedMatrix got;
    with_meter(name, [&](Progress& p) { got = fetch_matrix(place, name, p); });
    tell_on_error_stream(got.remark);
    for (const std::string& gone : got.removed) tell_on_error_stream("no longer kept, to make room: " + gone);
    if (json)
      all.push_back(json_of(got));
    else
      std::cout << got.path << std::endl;
  }
  if (json) std::cout << json_text(all, 1) << "\n";
  return 0;
}

}  // namespace warpspy::cli
