#include "core/study/study.hpp"

#include <algorithm>

#include "core/base/splitmix.hpp"

namespace warpspy {
namespace {

template <class Map>
const auto& found(const Map& map, const std::string& name, const char* what, const std::string& study) {
  const auto at = map.find(name);
  if (at != map.end()) return at->second;
  std::string known;
  for (const auto& [id, value] : map) known += (known.empty() ? "" : ", ") + id;
  throw Error("there is no " + std::string(what) + " called " + name, "study " + study,
              known.empty() ? "it has none" : "known: " + known);
}

}  // namespace

const char* name_of(StudyMatrix::Kind kind) {
  constexpr const char* names[] = {"generator", "stand-in", "file"};
  return names[static_cast<int>(kind)];
}

const char* name_of(Claim claim) {
  constexpr const char* names[] = {"exact", "rate", "ratio", "order", "winner"};
  return names[static_cast<int>(claim)];
}

const StudyMatrix& Study::matrix(const std::string& name) const { return found(matrices, name, "matrix", id); }
const StudySetup& Study::setup(const std::string& name) const { return found(setups, name, "setup", id); }

void Study::replace(const std::string& name, const std::string& file) {
  matrix(name);  // throws
  StudyMatrix& m = matrices[name];
  m.source = file, m.given = true;
  m.kind = StudyMatrix::Kind::file;
  m.other.clear();
}

std::vector<std::string> drawn(const StudyLot& lot) {
  std::vector<std::string> all;
  std::uint64_t n = 0;
  for (const auto& [paper, ids] : lot.papers) {
    std::vector<std::pair<std::uint64_t, std::string>> keys;
    for (const std::string& id : ids) keys.emplace_back(splitmix::after(lot.seed + n++ * splitmix::kGolden), id);
    std::sort(keys.begin(), keys.end());
    for (std::size_t k = 0; k < keys.size() / 2; ++k) all.push_back(keys[k].second);
  }
  std::sort(all.begin(), all.end());
  return all;
}

}  // namespace warpspy
