#include "app/cli/format_options.hpp"

#include <CLI/CLI.hpp>

namespace warpspy::cli {
void FormatOptions::add(CLI::App& app) {
  app.add_option("FILE", file, "A matrix file, or gen:NAME")->required();
  app.add_option("--param", params, "NAME=VALUE, a parameter of a format; may be repeated")->allow_extra_args(false);
  run.add_only(app, {"precision", "host_memory_bytes", "device_memory_bytes"});
}

ParamSet params_for(const FormatInfo& info, const std::vector<std::string>& given, std::vector<bool>& used) {
  ParamSet set;
  for (std::size_t k = 0; k < given.size(); ++k) {
    const auto equals = given[k].find('=');
    const std::string id = given[k].substr(0, equals);
    for (const ParamSpec& spec : info.params) {
      if (spec.id != id || equals == std::string::npos) continue;
      set[id] = param_value(spec, given[k].substr(equals + 1));
      used[k] = true;
    }
  }
  return checked_params(info.params, set);
}

void require_used(const std::vector<std::string>& given, const std::vector<bool>& used) {
  for (std::size_t k = 0; k < given.size(); ++k)
    if (!used[k])
      throw Error("--param " + given[k] + " is a parameter of no format here", {},
                  "write NAME=VALUE; warpspy formats FILE --json lists the parameters");
}

ParamSet params_for(const FormatInfo& info, const std::vector<std::string>& given) {
  std::vector<bool> used(given.size(), false);
  const ParamSet params = params_for(info, given, used);
  require_used(given, used);
  return params;
}

}  // namespace warpspy::cli
