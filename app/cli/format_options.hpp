// What commands about formats share: the matrix, the precision, parameters by name, the memory budget.
#pragma once

#include <string>
#include <vector>

#include "app/cli/command.hpp"
#include "core/catalog/catalog.hpp"

namespace warpspy::cli {

struct FormatOptions {
  std::string file, precision = "f64";
  std::vector<std::string> params;  // NAME=VALUE
  MemoryOptions memory;

  void add(CLI::App& app);
  Precision of_values() const { return precision == "f32" ? Precision::f32 : Precision::f64; }
};

// Those of the given NAME=VALUE that are parameters of `info`, the others at their defaults; marks them as used. The
// values of a choice are given by name or by number. Throws Error.
ParamSet params_for(const FormatInfo& info, const std::vector<std::string>& given, std::vector<bool>& used);
// Throws Error for one that no format took.
void require_used(const std::vector<std::string>& given, const std::vector<bool>& used);
// All of them are parameters of `info`, or it throws Error.
ParamSet params_for(const FormatInfo& info, const std::vector<std::string>& given);

}  // namespace warpspy::cli
