// The matrices of a sweep: which a text means, and by what their contents are known.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "core/jobs/progress.hpp"
#include "core/run/sweep.hpp"
#include "core/session/file_mark.hpp"

namespace warpspy {

// The matrices that these mean, each once, with their names: a folder is the matrices in it, "*.mtx" the files of that
// pattern, "gen:random?rows=100:1000:100" one for each value of the range (sweep_axes.hpp). Paths that are not absolute
// begin at `folder`, and are absolute afterwards. Throws Error for a pattern that fits nothing and a folder without
// matrices; a file that is not there stays, since its cells say so.
// Orders as in core/reorder/recipe.hpp: each matrix is there in each of them. Throws Error.
std::vector<SweepPlan::Of> matrices_meant(const std::vector<SweepPlan::Of>& asked, const std::string& folder,
                                          const std::vector<std::string>& orders = {});

// What a matrix is called that comes from there, as in its runs: "memplus" of memplus.mtx.gz, a generator without
// "gen:".
std::string matrix_name(const std::string& source);
// What the file itself is called; a generator without "gen:".
std::string short_name(const std::string& source);

// By its contents: a file of another name is the same matrix. A generator is its recipe. What was hashed is remembered
// while size and time of the file stay.
class MatrixHashes {
 public:
  MatrixHashes() = default;
  // From a file that text() wrote; what cannot be read there is hashed again.
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
