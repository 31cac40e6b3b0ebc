// The options of a run (core/run/request_options.hpp) on the command line of whatever makes one.
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

// --engine-command, for every command that runs products: engines of other machines (make_services).
void add_engines(CLI::App& app, std::vector<std::string>& commands);

class RequestOptions {
 public:
  // What is not given stays as it is here.
  explicit RequestOptions(RunRequest defaults);
  RequestOptions(const RequestOptions&) = delete;
  RequestOptions& operator=(const RequestOptions&) = delete;

  // All of a product that have a flag, but for these ids; or these alone. With the device come the engines that may have it.
  void add(CLI::App& app, std::initializer_list<const char*> without = {});
  // Those that only a solve has.
  void add_solve(CLI::App& app);
  void add_only(CLI::App& app, std::initializer_list<const char*> ids);
  // Throws Error when the matrix is complex and no view was named.
  RealView view_of(const Matrix& m, const std::string& file) const;

  // What was given, once the app has parsed.
  RunRequest request;
  std::vector<std::string> engines;

 private:
  void add(CLI::App& app, const RequestOption& option);
  bool view_named_ = false;
};

// What a single run gets: full depth, 2 s on a real GPU.
RunRequest for_one_run();

}  // namespace warpspy::cli
