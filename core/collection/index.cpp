#include "core/collection/index.hpp"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cstddef>
#include <numeric>
#include <utility>

namespace warpspy {
namespace {

constexpr std::size_t kFields = 12;  // fields of a line: group, name, rows, columns, entries, ..., kind
constexpr std::size_t kCandidates = 6;

std::string lower(std::string_view text) {
  std::string small(text);
  for (char& c : small) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return small;
}

std::string_view next_line(std::string_view& text) {
  const std::size_t end = text.find('\n');
  std::string_view line = text.substr(0, end);
  text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
  return line;
}

bool read_number(std::string_view text, index_t& number) {
  const auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), number);
  return failed == std::errc() && end == text.data() + text.size() && number >= 0;
}

bool read_entry(std::string_view line, CollectionEntry& e) {
  std::vector<std::string_view> fields;
  for (std::string_view rest = line;;) {
    const std::size_t comma = rest.find(',');
    fields.push_back(rest.substr(0, comma));
    if (comma == std::string_view::npos) break;
    rest.remove_prefix(comma + 1);
  }
  if (fields.size() < kFields) return false;
  e.group = fields[0], e.name = fields[1], e.kind = fields[kFields - 1];
  return is_collection_name(e.group) && is_collection_name(e.name) && read_number(fields[2], e.rows) &&
         read_number(fields[3], e.cols) && read_number(fields[4], e.nnz);
}

// The number of letters to change, insert or delete (Levenshtein).
std::size_t distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 0; i < a.size(); ++i) {
    std::size_t diagonal = std::exchange(row[0], i + 1);
    for (std::size_t j = 0; j < b.size(); ++j) {
      const std::size_t changed = diagonal + (a[i] != b[j]);
      diagonal = std::exchange(row[j + 1], std::min({row[j + 1] + 1, row[j] + 1, changed}));
    }
  }
  return row.back();
}

std::string listed(const std::vector<const CollectionEntry*>& entries) {
  std::string text;
  for (const CollectionEntry* e : entries) text += (text.empty() ? "" : ", ") + e->full();
  return text;
}

// Entries with a similar name; those with fewer wrong letters come first. A wrong group alone does not exclude an
// entry.
std::vector<const CollectionEntry*> near(const CollectionIndex& index, const std::string& wanted) {
  const std::size_t slash = wanted.find('/');
  const std::string name = lower(slash == std::string::npos ? wanted : wanted.substr(slash + 1));
  const std::size_t most = std::max<std::size_t>(2, name.size() / 3);
  std::vector<std::pair<std::size_t, const CollectionEntry*>> found;
  for (const CollectionEntry& e : index.entries) {
    const std::string other = lower(e.name);
    const std::size_t longer = std::max(other.size(), name.size()), shorter = std::min(other.size(), name.size());
    if (longer - shorter > most) continue;
    if (const std::size_t d = distance(name, other); d <= most) found.emplace_back(d, &e);
  }
  std::stable_sort(found.begin(), found.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  std::vector<const CollectionEntry*> entries;
  for (const auto& [d, e] : found)
    if (entries.size() < kCandidates) entries.push_back(e);
  return entries.empty() ? matching(index, name, kCandidates) : entries;
}

}  // namespace

bool is_collection_name(std::string_view name) {
  return !name.empty() && name.size() <= 100 && name[0] != '.' && std::all_of(name.begin(), name.end(), [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) || std::string_view("_-.+").find(c) != std::string_view::npos;
  });
}

CollectionIndex parse_index(std::string_view text, const std::string& where) {
  constexpr const char* remedy = "fetch it again: warpspy fetch --update";
  const bool ends_well = text.empty() || text.back() == '\n';
  CollectionIndex index;
  index_t promised = 0;
  if (!read_number(next_line(text), promised)) throw Error("this is no index of the collection", where + ":1", remedy);
  index.dated = next_line(text);
  std::ptrdiff_t commas = 0;
  for (int line = 3; !text.empty(); ++line) {
    const std::string_view words = next_line(text);
    if (words.empty() && text.empty()) break;
    CollectionEntry e;
    const std::ptrdiff_t here = std::count(words.begin(), words.end(), ',');
    if (!read_entry(words, e) || (text.empty() && !ends_well && here < commas))
      throw Error(text.empty() && !ends_well ? "the index of the collection is cut" : "this is no line of the index",
                  where + ":" + std::to_string(line), remedy);
    commas = here;
    index.entries.push_back(std::move(e));
  }
  if (const index_t there = static_cast<index_t>(index.entries.size()); there != promised)
    throw Error("the index of the collection is cut: it has " + std::to_string(there) + " of " +
                    std::to_string(promised) + " matrices",
                where, remedy);
  return index;
}

bool is_listed(const CollectionIndex& index, const std::string& full_name) {
  const std::string wanted = lower(full_name);
  return std::any_of(index.entries.begin(), index.entries.end(),
                     [&](const CollectionEntry& e) { return lower(e.full()) == wanted; });
}

const CollectionEntry& find_entry(const CollectionIndex& index, const std::string& wanted) {
  const bool full = wanted.find('/') != std::string::npos;
  std::vector<const CollectionEntry*> same, alike;
  for (const CollectionEntry& e : index.entries) {
    const std::string name = full ? e.full() : e.name;
    if (name == wanted) same.push_back(&e);
    if (lower(name) == lower(wanted)) alike.push_back(&e);
  }
  if (same.empty()) same = alike;
  if (same.size() == 1) return *same.front();
  if (!same.empty())
    throw Error("the collection has " + std::to_string(same.size()) + " matrices of this name", wanted,
                "say which: " + listed(same));
  const std::string others = listed(near(index, wanted));
  throw Error("the collection has no such matrix", wanted,
              others.empty() ? "warpspy fetch --list shows what it has" : "it has " + others);
}

std::vector<const CollectionEntry*> matching(const CollectionIndex& index, std::string_view words, std::size_t most) {
  const std::string asked = lower(words);
  std::vector<const CollectionEntry*> first, later;
  for (const CollectionEntry& e : index.entries) {
    const std::size_t at = lower(e.full()).find(asked);
    if (at == std::string::npos) continue;
    (at == 0 || at == e.group.size() + 1 ? first : later).push_back(&e);
  }
  first.insert(first.end(), later.begin(), later.end());
  if (first.size() > most) first.resize(most);
  return first;
}

}  // namespace warpspy
