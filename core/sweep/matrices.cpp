#include "core/sweep/matrices.hpp"

#include <glob.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <utility>

#include "core/base/csv.hpp"
#include "core/base/hash.hpp"
#include "core/base/json_text.hpp"
#include "core/base/source_name.hpp"
#include "core/io/folder.hpp"
#include "core/io/reader.hpp"
#include "core/reorder/recipe.hpp"
#include "core/run/sweep_axes.hpp"

namespace warpspy {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

// Expands every range of values in a generator's name.
std::vector<std::string> recipes_of(const std::string& source) {
  const auto question = source.find('?');
  if (question == std::string::npos) return {source};
  std::vector<std::string> all = {source.substr(0, question)};
  std::size_t from = question + 1;
  for (char between = '?'; from <= source.size(); between = '&') {
    const std::size_t end = std::min(source.find('&', from), source.size());
    const std::string part = source.substr(from, end - from);
    const std::size_t equals = part.find('=');
    std::vector<std::string> values = {part};
    if (equals != std::string::npos && is_range(part)) {
      values.clear();
      for (const double v : range_values(part.substr(equals + 1)))
        values.push_back(part.substr(0, equals + 1) + csv::number(v));
    }
    std::vector<std::string> next;
    for (const std::string& before : all)
      for (const std::string& value : values) next.push_back(before + between + value);
    if (next.size() > kMostSweepCells) throw Error("the ranges make too many matrices", source, "take larger steps");
    all = std::move(next);
    from = end + 1;
  }
  return all;
}

std::vector<std::string> files_of(const std::string& pattern) {
  glob_t found = {};
  const int status = ::glob(pattern.c_str(), 0, nullptr, &found);
  std::vector<std::string> files;
  for (std::size_t k = 0; status == 0 && k < found.gl_pathc; ++k) files.emplace_back(found.gl_pathv[k]);
  ::globfree(&found);
  if (files.empty()) throw Error("no file fits this pattern", pattern, "look for a slip, or leave it out");
  return files;
}

std::vector<std::string> plain_sources(const std::string& asked, const std::string& folder) {
  if (asked.empty()) throw Error("a matrix has no name", {}, "name a file, a folder or gen:NAME");
  if (is_generated(asked)) return recipes_of(asked);
  const fs::path path = fs::path(with_home(asked));
  const std::string source = (path.is_absolute() ? path : fs::path(folder) / path).lexically_normal().string();
  std::error_code failed;
  if (fs::exists(place_of(source).path, failed) || source.find_first_of("*?[") == std::string::npos)
    return sources_of(source);
  // A name with options, such as "list.txt?base=1", is no pattern of file names.
  if (source.find('=') != std::string::npos && source.find_first_of("*[") == std::string::npos) return {source};
  std::vector<std::string> all;
  for (const std::string& file : files_of(source))
    for (std::string& one : sources_of(file)) all.push_back(std::move(one));
  return all;
}

std::vector<std::string> sources_meant(const std::string& asked, const std::string& folder) {
  MatrixRecipe recipe = recipe_of(asked);
  if (recipe.steps.empty()) return plain_sources(asked, folder);
  for (ReorderStep& step : recipe.steps)
    if (!step.file.empty()) step.file = (fs::path(folder) / with_home(step.file)).lexically_normal().string();
  std::vector<std::string> all;
  for (const std::string& source : plain_sources(recipe.source, folder)) {
    recipe.source = source;
    all.push_back(recipe.text());
  }
  return all;
}

// Each matrix in each order; "none" is its own order.
std::vector<SweepPlan::Of> crossed(const std::vector<SweepPlan::Of>& asked, const std::vector<std::string>& orders) {
  if (orders.empty()) return asked;
  std::vector<SweepPlan::Of> all;
  for (const SweepPlan::Of& of : asked)
    for (const std::string& order : orders) {
      SweepPlan::Of in = {in_order(of.source, order), of.name};
      if (!of.name.empty() && order != "none") in.name = name_in_order(of.name, {step_of(order)});
      all.push_back(std::move(in));
    }
  return all;
}

}  // namespace

std::string matrix_name(const std::string& text) {
  const auto [source, steps] = recipe_of(text);
  if (!steps.empty()) return name_in_order(matrix_name(source), steps);
  if (is_generated(source)) return short_name(source);
  std::string path = source;
  try {
    path = place_of(source).path;
  } catch (const Error&) {
    // The options after the name are wrong, which reading the file will report.
  }
  const std::string name = stem_of(path);
  return name.empty() ? source : name;
}

std::string short_name(const std::string& source) {
  if (is_generated(source)) return source.substr(4);
  const std::string name = fs::path(source).filename().string();
  return name.empty() ? source : name;
}

std::vector<SweepPlan::Of> matrices_meant(const std::vector<SweepPlan::Of>& asked, const std::string& folder,
                                          const std::vector<std::string>& orders) {
  std::vector<SweepPlan::Of> all;
  for (const SweepPlan::Of& of : crossed(asked, orders)) {
    const std::vector<std::string> sources = sources_meant(of.source, folder);
    for (const std::string& source : sources) {
      const bool known = std::any_of(all.begin(), all.end(), [&](const auto& m) { return m.source == source; });
      if (known) continue;
      std::string name = of.name.empty() || sources.size() > 1 ? matrix_name(source) : of.name;
      // "a.mtx" and "a.rb" are two matrices.
      if (std::any_of(all.begin(), all.end(), [&](const auto& m) { return m.name == name; }))
        name = fs::path(source).filename().string();
      all.push_back({source, name});
    }
  }
  return all;
}

MatrixHashes::MatrixHashes(const std::string& json) {
  const Json j = Json::parse(json, nullptr, false);
  if (!j.is_object()) return;
  for (const auto& [path, mark] : j.items()) {
    try {
      marks_[path] = {whole_of<std::uint64_t>(mark.at("bytes")), whole_of<std::int64_t>(mark.at("modified_ns")),
                      mark.at("hash").get<std::string>()};
    } catch (const std::exception&) {
      changed_ = true;  // only the hash is new, so nothing has changed
    }
  }
}

std::string MatrixHashes::hash_of(const std::string& source, Progress& progress) {
  if (is_generated(source)) return hash_of_text(source);
  // Orders and options after a file's name are part of the matrix's identity.
  const std::size_t bar = std::min(source.find(" | "), source.size());
  const std::string file = source.substr(0, bar);
  if (is_generated(file)) return hash_of_text(source);
  const std::string path = place_of(file).path, more = source.substr(path.size());
  const auto now = mark_of(path);
  FileMark& mark = marks_[path];
  // A file that no longer exists counts as unchanged, so its results can still be read.
  const bool gone = !now && !mark.hash.empty();
  if (!gone && (!now || !now->same_state(mark) || mark.hash.empty())) {
    mark = {};
    mark = hashed_mark_of(path, progress);
    changed_ = true;
  }
  return more.empty() ? mark.hash : hash_of_text(mark.hash + more);
}

std::string MatrixHashes::text() const {
  Json j = Json::object();
  for (const auto& [path, mark] : marks_)
    if (!mark.hash.empty()) j[path] = {{"bytes", mark.bytes}, {"modified_ns", mark.modified_ns}, {"hash", mark.hash}};
  return json_text(j) + "\n";
}

}  // namespace warpspy
