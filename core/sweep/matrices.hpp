// The matrices of a sweep: which matrices a text means, and hashes of their contents.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "core/jobs/progress.hpp"
#include "core/run/sweep.hpp"
#include "core/session/file_mark.hpp"

namespace warpspy {

// The matrices that these texts mean, each once, with names: a folder means the matrices in it, "*.mtx" the files of
// that pattern, "gen:random?rows=100:1000:100" one for each value of the range (sweep_axes.hpp). Paths that are not
// absolute begin at `folder`, and are absolute afterwards. Throws Error for a pattern without files and a folder
// without matrices. A file that does not exist is kept, since its cells report that. Each matrix appears in each order
// (core/reorder/recipe.hpp). Throws Error.
std::vector<SweepPlan::Of> matrices_meant(const std::vector<SweepPlan::Of>& asked, const std::string& folder,
                                          const std::vector<std::string>& orders = {});

// The name of the matrix from this source, as in its runs: "memplus" of memplus.mtx.gz, a generator without "gen:".
std::string matrix_name(const std::string& source);
// The name of the file itself; a generator without "gen:".
std::string short_name(const std::string& source);

// Hashes of matrices. A file's hash comes from its contents, so a file of another name may be the same matrix. A
// generator's hash comes from its text. A hash is remembered until the size or time of the file changes.
class MatrixHashes {
 public:
  MatrixHashes() = default;
  // Reads hashes from a file that text() wrote; entries that cannot be read are hashed again.
  explicit MatrixHashes(const std::string& json);
  // 32 hexadecimal digits. Reads the file. Throws Error and Cancelled.
  std::string hash_of(const std::string& source, Progress& progress);
  std::string text() const;
  bool changed() const { return changed_; }

 private:
  std::map<std::string, FileMark> marks_;  // by path
  bool changed_ = false;
};

}  // namespace warpspy
