// The options of a run (core/run/request_options.hpp) on the command line, for all commands that make runs.
#pragma once

#include <initializer_list>
#include <string>
#include <vector>

#include "core/matrix/csr.hpp"
#include "core/run/request_options.hpp"

namespace CLI {
class App;
}

namespace warpspy::cli {

// --engine-command: engines of other machines (make_services), for every command that runs products.
void add_engines(CLI::App& app, std::vector<std::string>& commands);

class RequestOptions {
 public:
  // Options that are not given keep the value that they have here.
  explicit RequestOptions(RunRequest defaults);
  RequestOptions(const RequestOptions&) = delete;
  RequestOptions& operator=(const RequestOptions&) = delete;

  // add() adds all options of a product that have a flag, except those with these ids. add_only() adds only the options
  // with these ids. Both add the option for other machines' engines together with the device.
  void add(CLI::App& app, std::initializer_list<const char*> without = {});
  // Adds the options that only a solve has.
  void add_solve(CLI::App& app);
  void add_only(CLI::App& app, std::initializer_list<const char*> ids);
  // Throws Error if the matrix is complex and no option says how to make it real.
  RealView view_of(const Matrix& m, const std::string& file) const;

  // valid after parsing
  RunRequest request;
  std::vector<std::string> engines;

 private:
  void add(CLI::App& app, const RequestOption& option);
  bool view_named_ = false;
};

// The defaults of a single run: full depth, 2 s on a real GPU.
RunRequest for_one_run();

}  // namespace warpspy::cli
