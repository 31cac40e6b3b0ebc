// What commands about formats share: the matrix, the precision, parameters by name, the memory budget.
#pragma once

#include <string>
#include <vector>

#include "app/cli/command.hpp"
#include "app/cli/request_options.hpp"
#include "core/catalog/catalog.hpp"

namespace warpspy::cli {

struct FormatOptions {
  std::string file;
  std::vector<std::string> params;  // NAME=VALUE
  RequestOptions run{for_values()};

  void add(CLI::App& app);
  Precision of_values() const { return run.request.precision; }
  const MemoryBudget& memory() const { return run.request.memory; }

 private:
  static RunRequest for_values() {
    RunRequest r;
    r.precision = Precision::f64;
    return r;
  }
};

// Those of the given NAME=VALUE that are parameters of `info`, the others at their defaults; marks them as used. The
// values of a choice are given by name or by number. Throws Error.
ParamSet params_for(const FormatInfo& info, const std::vector<std::string>& given, std::vector<bool>& used);
// Throws Error for one that no format took.
void require_used(const std::vector<std::string>& given, const std::vector<bool>& used);
// All of them are parameters of `info`, or it throws Error.
ParamSet params_for(const FormatInfo& info, const std::vector<std::string>& given);

}  // namespace warpspy::cli
