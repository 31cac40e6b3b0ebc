#include "core/study/files.hpp"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <vector>

#include "core/base/numbers.hpp"
#include "core/matrix/csr.hpp"
#include "core/study/plan.hpp"
#include "core/sweep/matrices.hpp"

namespace warpspy {
namespace {

// A name for files: only small letters and digits.
std::string plain(const std::string& name) {
  std::string out;
  for (const char c : name)
    if (std::isalnum(static_cast<unsigned char>(c)))
      out += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return out;
}

// "cant" of gen:like?name=cant&..., "consph" of collection:Williams/consph.
std::string name_in(const std::string& source) {
  if (const auto at = source.find("name="); source.starts_with("gen:") && at != std::string::npos)
    return source.substr(at + 5, source.find('&', at) - at - 5);
  if (source.starts_with("gen:")) return {};
  return matrix_name(source.substr(source.find_last_of('/') + 1));
}

bool of_size(const StudyMatrix& m, const Csr& a) {
  return m.rows == a.rows() && m.columns == a.cols() && m.nnz == a.nnz();
}

}  // namespace

std::string matrix_of_file(const Study& study, const std::string& path, const Matrix& opened) {
  const std::string name = plain(matrix_name(path));
  const auto taken = [&](const std::string& id) {
    Study with = study;
    with.replace(id, path);
    require_papers(with, id, opened);
    return id;
  };
  std::vector<std::string> sized;
  for (const auto& [id, m] : study.matrices) {
    if (m.kind == StudyMatrix::Kind::generator) continue;
    if (!name.empty() && (plain(id) == name || plain(name_in(m.source)) == name)) return taken(id);
    if (of_size(m, *opened.csr)) sized.push_back(id);
  }
  if (sized.size() == 1) return taken(sized.front());
  const Csr& a = *opened.csr;
  throw Error("this is no matrix of " + study.id + ": none is called so" +
                  (sized.empty() ? ", and none has " : ", and several have ") + counted(a.rows(), "row") + " and " +
                  counted(a.nnz(), "entry", "entries"),
              path, "name it as the study does");
}

std::string kept_study_folder(const std::string& history, const std::string& program, const std::string& study) {
  if (history.empty()) return {};
  std::string build;
  for (const char c : program)
    if (std::isalnum(static_cast<unsigned char>(c)) || c == '.')
      build += c;
    else if (!build.empty() && build.back() != '-')
      build += '-';
  while (build.ends_with('-')) build.pop_back();
  return (std::filesystem::path(history).parent_path() / "studies" / (build.empty() ? "unknown" : build) / study)
      .string();
}

}  // namespace warpspy
