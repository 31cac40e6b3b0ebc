#include "core/run/source_page.hpp"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <cstdio>
#include <map>
#include <set>
#include <system_error>

namespace warpspy {
namespace {

std::vector<SourceLine> lines_of(std::string_view text) {
  std::vector<SourceLine> lines;
  while (!text.empty()) {
    const auto end = text.find('\n');
    lines.push_back({.number = static_cast<int>(lines.size()) + 1, .text = text.substr(0, end)});
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  }
  return lines;
}

}  // namespace

SourcePlace source_place(const std::string& name) {
  const auto colon = name.rfind(':');
  if (colon == std::string::npos) return {name, 0};
  int line = 0;
  const char* const past = name.data() + name.size();
  const auto [end, failed] = std::from_chars(name.data() + colon + 1, past, line);
  if (failed != std::errc{} || end != past) return {name, 0};
  return {name.substr(0, colon), line};
}

std::vector<SourcePage> source_pages(const Catalog& catalog, const std::vector<Traffic>& traffic) {
  std::vector<SourcePage> pages;
  std::map<std::string, double> sectors;
  for (const Traffic& t : traffic) {
    const SourcePlace place = source_place(t.name);
    const SourceFile* file = catalog.source(place.file);
    if (!file || place.line < 1) continue;
    auto page = std::find_if(pages.begin(), pages.end(), [&](const SourcePage& p) { return p.file == place.file; });
    if (page == pages.end()) page = pages.insert(pages.end(), {place.file, lines_of(file->text), place.line});
    if (static_cast<std::size_t>(place.line) > page->lines.size()) continue;
    page->lines[static_cast<std::size_t>(place.line) - 1].traffic = &t;
    page->first_counted = std::min(page->first_counted, place.line);
    sectors[place.file] += t.sectors;
  }
  std::stable_sort(pages.begin(), pages.end(),
                   [&](const SourcePage& a, const SourcePage& b) { return sectors[a.file] > sectors[b.file]; });
  return pages;
}

// An FNV-1a hash, which only needs to recognise the same source.
std::string source_mark(const std::vector<SourceFile>& sources, const std::vector<Traffic>& lines) {
  std::set<std::string> files;
  for (const Traffic& t : lines) files.insert(source_place(t.name).file);
  std::uint64_t hash = 0xCBF29CE484222325u;
  for (const std::string& name : files) {
    const auto file = std::find_if(sources.begin(), sources.end(), [&](const SourceFile& f) { return f.name == name; });
    if (file == sources.end()) return {};
    for (const char c : file->text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001B3u;
  }
  if (files.empty()) return {};
  char text[20];
  std::snprintf(text, sizeof text, "%016llx", static_cast<unsigned long long>(hash));
  return text;
}

}  // namespace warpspy
