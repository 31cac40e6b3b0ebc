// --keep DIR: the folder in which a plan stores its products. After it was stopped or killed, the same command
// continues the plan.
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

  // Makes the folder, or opens it to continue. Products in it are not run again; new ones are stored there. A new
  // folder is identified by `plan`. Does nothing if no folder was given. Throws Error if another version of the program
  // ran there, another program uses it now, or a matrix is standard input.
  void open(ExecutorOptions& options, const SweepPlan& plan, const Catalog& catalog);
  // The plan that identifies such a folder: these kernels on these matrices.
  static SweepPlan plan_of(const std::vector<std::string>& files, const std::vector<std::string>& kernels);
  // Returns when the first of these commands began (utc_now_ms); commands that continue use the same time. "": no
  // folder was given.
  std::string began() const;
  // Call this after the last product. Stores what goes with the products, and prints problems of the folder.
  void close();

 private:
  std::string path_;
  std::optional<SweepFolder> folder_;
};

}  // namespace warpspy::cli
