#include <algorithm>
#include <cctype>
#include <cstdio>
#include <vector>

#include "core/base/numbers.hpp"
#include "core/io/boeing.hpp"
#include "core/io/edge_list.hpp"
#include "core/io/io.hpp"
#include "core/io/matlab.hpp"
#include "core/io/matrix_market.hpp"
#include "core/io/metis.hpp"
#include "core/io/npz.hpp"
#include "core/io/reader.hpp"
#include "core/io/words.hpp"
#include "core/matrix/memory_guard.hpp"

namespace warpspy {
namespace {

constexpr MatrixReader kReaders[] = {
    {.id = "matrix-market",
     .label = "Matrix Market",
     .extensions = ".mtx",
     .sniff = looks_matrix_market,
     .read = read_matrix_market,
     .mime = "application/x-matrix-market",
     .magic = "%%MatrixMarket"},
    {.id = "boeing",
     .label = "Harwell-Boeing and Rutherford-Boeing",
     .extensions = ".rb .rua .rsa .rra .rza .pua .psa .pra .cua .csa .cha .cza .cra .iua .isa .ira .hb",
     .sniff = looks_boeing,
     .read = read_boeing,
     .mime = "application/x-harwell-boeing"},
    {.id = "matlab",
     .label = "MATLAB",
     .extensions = ".mat",
     .sniff = looks_matlab,
     .read = read_matlab,
     .mime = "application/x-matlab-data",
     .magic = "MATLAB 5.0 MAT-file"},
    {.id = "scipy",
     .label = "SciPy",
     .extensions = ".npz",
     .sniff = looks_npz,
     .read = read_scipy_npz,
     .mime = "application/x-numpy-npz"},
    {.id = "metis",
     .label = "METIS",
     .extensions = ".graph .metis .chaco",
     .sniff = looks_metis,
     .read = read_metis,
     .by_name = true},
    {.id = "edges",
     .label = "edge lists",
     .extensions = ".el .wel .edges .edgelist",
     .sniff = looks_edges,
     .read = read_edges,
     .by_name = true,
     .common_extensions = ".txt .tsv .csv",
     .shared_extensions = ".edges"},
};

constexpr std::string_view kPacked[] = {".gz", ".bz2", ".xz", ".zst", ".tgz", ".zip", ".tar"};

bool drop_suffix(std::string& name, std::string_view suffix) {
  if (name.size() <= suffix.size() || !ends_with_any_case(name, suffix)) return false;
  name.erase(name.size() - suffix.size());
  return true;
}

bool ends_with_one_of(std::string_view name, std::string_view extensions) {
  for (const auto extension : words_of(extensions))
    if (ends_with_any_case(name, extension)) return true;
  return false;
}

// Without what only says that it is packed.
std::string_view unpacked_name(std::string_view name) {
  for (const auto packed : packed_extensions())
    if (ends_with_any_case(name, packed)) return name.substr(0, name.size() - packed.size());
  return name;
}

}  // namespace

std::span<const MatrixReader> matrix_readers() { return kReaders; }

const MatrixReader* recognise(std::string_view head, std::string_view name) {
  for (const auto& r : kReaders)
    if (!r.by_name && r.sniff(head)) return &r;
  name = unpacked_name(name);
  for (const auto& r : kReaders)
    if (r.by_name && (ends_with_one_of(name, r.extensions) || ends_with_one_of(name, r.common_extensions)) &&
        r.sniff(head))
      return &r;
  return nullptr;
}

const MatrixReader& reader_of(const std::string& id) {
  std::string known;
  for (const auto& r : kReaders) {
    if (r.id == id) return r;
    known.append(known.empty() ? "" : ", ").append(r.id);
  }
  throw Error("unknown format " + in_quotes(id), {}, "known: " + known);
}

std::span<const std::string_view> packed_extensions() { return kPacked; }

std::string stem_of(const std::string& path) {
  std::string name = path;
  name.erase(0, name.find_last_of('/') + 1);
  for (const auto packed : kPacked)
    if (drop_suffix(name, packed)) break;
  drop_suffix(name, ".tar");
  for (const auto& reader : matrix_readers())
    for (const auto extensions : {reader.extensions, reader.common_extensions})
      for (const auto extension : words_of(extensions))
        if (drop_suffix(name, extension)) return name;
  return name;
}

std::string names_of_formats() {
  std::string names;
  for (const auto& r : kReaders) names.append(names.empty() ? "" : ", ").append(r.label);
  return names;
}

std::string readable_formats() {
  std::string text;
  for (const auto& r : kReaders) {
    const auto extensions = words_of(r.extensions);
    if (!text.empty()) text.append(", ");
    text.append(r.label).append(" (");
    for (std::size_t i = 0; i < std::min<std::size_t>(extensions.size(), 3); ++i) {
      if (i > 0) text.push_back(' ');
      text.append(extensions[i]);
    }
    text.append(extensions.size() > 3 ? " ...)" : ")");
  }
  text.append(", also packed (");
  for (const auto packed : packed_extensions())
    text.append(packed).append(packed == packed_extensions().back() ? ")" : " ");
  return text;
}

bool has_matrix_name(const std::string& name) {
  const auto ends = [&](std::string_view extension) { return ends_with_any_case(name, extension); };
  if (ends(".tgz") || ends(".zip") || ends(".tar")) return true;
  const std::string_view inner = unpacked_name(name);
  for (const auto& r : kReaders)
    if (ends_with_one_of(inner, r.common_extensions)) return true;
  return has_matrix_extension(inner) || ends_with_any_case(inner, ".tar");
}

bool has_matrix_extension(std::string_view name) {
  return std::any_of(std::begin(kReaders), std::end(kReaders),
                     [&](const auto& r) { return ends_with_one_of(name, r.extensions); });
}

bool has_common_name(std::string_view name) {
  name = unpacked_name(name);
  return !has_matrix_extension(name) && std::any_of(std::begin(kReaders), std::end(kReaders), [&](const auto& r) {
    return ends_with_one_of(name, r.common_extensions);
  });
}

std::vector<std::string> matrix_patterns() {
  std::vector<std::string> patterns;
  const auto add = [&](std::string_view extension) { patterns.push_back("*" + std::string(extension)); };
  for (const auto& r : kReaders)
    for (const auto extension : words_of(r.extensions)) add(extension);
  for (const auto packed : packed_extensions()) add(packed);
  for (const auto& r : kReaders)
    for (const auto extension : words_of(r.common_extensions)) add(extension);
  return patterns;
}

void require_memory(index_t rows, index_t cols, double stored, bool complex, const ReadLimits& limits,
                    const std::string& place) {
  const double index_bytes = Indices::fits32(rows) && Indices::fits32(cols) ? 4 : 8;
  const double entry = 2 * index_bytes + (complex ? 16 : 8);
  const double need = 2 * stored * entry + 8 * (static_cast<double>(rows) + 1);
  if (need <= static_cast<double>(limits.memory)) {
    if (limits.reservation)
      limits.reservation->raise(need, "the matrix in " + place, "close other matrices or programs");
    return;
  }
  char entries[32];
  std::snprintf(entries, sizeof entries, "%.0f", stored);
  throw Error("a matrix of " + std::to_string(rows) + " rows and " + entries + " entries needs " + byte_text(need) +
                  " of memory, but " + byte_text(static_cast<double>(limits.memory)) + " are free",
              place, "close other programs or use a machine with more memory");
}

Matrix finish_reading(Coo coo, SourceFacts facts, const std::string& location, Progress& progress) {
  progress.check();
  progress.stage("sorting " + stem_of(location));
  Matrix m;
  m.source = std::move(facts);
  m.source.name = stem_of(location);
  m.source.location = location;
  m.csr = std::make_shared<const Csr>(csr_from_coo(std::move(coo), &m.source.duplicates));
  if (m.source.duplicates > 0)
    m.source.warnings.push_back(std::to_string(m.source.duplicates) + " duplicate entries were summed.");
  progress.set(1);
  return m;
}

}  // namespace warpspy
