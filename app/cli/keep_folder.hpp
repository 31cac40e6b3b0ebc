// --keep DIR: a plan that can be stopped, or killed, and goes on where it was by the same command.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/experiment/executor.hpp"

namespace CLI {
class App;
}

namespace warpspy::cli {

class KeepFolder {
 public:
  void add(CLI::App& app);
  bool given() const { return !path_.empty(); }
  const std::string& path() const { return path_; }

  // Makes the folder or goes on in it: it then takes the products, and what lies there is not run again. `plan` is what
  // a new one is known by. Nothing where none was given. Throws Error: another build ran there, another program does,
  // or a matrix is standard input.
  void open(ExecutorOptions& options, const SweepPlan& plan, const Catalog& catalog);
  // These kernels on these matrices: what such a folder is known by.
  static SweepPlan plan_of(const std::vector<std::string>& files, const std::vector<std::string>& kernels);
  // When the first of these commands began (utc_now_ms), which later ones go on with; "": none was given.
  std::string began() const;
  // Behind the last product: what is kept beside them, and what was wrong with the folder.
  void close();

 private:
  std::string path_;
  std::optional<SweepFolder> folder_;
};

}  // namespace warpspy::cli
