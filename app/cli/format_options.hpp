// Options that all commands about formats share: the matrix, the precision, parameters, the memory limit.
#pragma once

#include <string>
#include <vector>

#include "app/cli/command.hpp"
#include "app/cli/request_options.hpp"
#include "core/catalog/catalog.hpp"

namespace warpspy::cli {

struct FormatOptions {
  std::string file;
  std::vector<std::string> params;  // NAME=VALUE, as given
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

// The parameters of `info`, set from `given` (NAME=VALUE) or to their defaults. Marks those that it uses. A choice can
// be given by its name or its number. Throws Error.
ParamSet params_for(const FormatInfo& info, const std::vector<std::string>& given, std::vector<bool>& used);
// Throws Error if a parameter was given that no format has.
void require_used(const std::vector<std::string>& given, const std::vector<bool>& used);
// Throws Error if any of them is not a parameter of `info`.
ParamSet params_for(const FormatInfo& info, const std::vector<std::string>& given);

}  // namespace warpspy::cli
