#include "app/cli/keep_folder.hpp"

#include <CLI/CLI.hpp>
#include <filesystem>
#include <iostream>
#include <nlohmann/json.hpp>

#include "app/cli/command.hpp"
#include "app/wiring.hpp"
#include "core/base/source_name.hpp"
#include "core/base/utc.hpp"
#include "core/run/sweep_axes.hpp"
#include "core/sweep/stored.hpp"

namespace warpspy::cli {
namespace {

constexpr const char* kBegan = "began.json";

}  // namespace

void KeepFolder::add(CLI::App& app) {
  app.add_option("--keep", path_,
                 "Keep every product in this folder, as warpspy sweep does: the same command goes on where it was "
                 "stopped");
}

SweepPlan KeepFolder::plan_of(const std::vector<std::string>& files, const std::vector<std::string>& kernels) {
  SweepPlan plan;
  for (const std::string& file : files) plan.matrices.push_back({as_told(file), ""});
  plan.kernels = kernels;
  return plan;
}

void KeepFolder::open(ExecutorOptions& options, const SweepPlan& plan, const Catalog& catalog) {
  if (!given()) return;
  SweepPlan known_by = plan;
  for (const SweepPlan::Of& m : plan.matrices)
    if (m.source == kStandardInput)
      throw Error("what is kept in a folder may go on later, and standard input is gone then", "FILE -",
                  "write it to a file first");
  folder_.emplace(path_, SweepFolder::For::running);
  known_by.matrices = matrices_meant(plan.matrices, std::filesystem::current_path().string());
  if (!folder_->has_plan()) folder_->write_plan(known_by);
  if (began().empty()) folder_->folder().write(kBegan, nlohmann::json{{"began", utc_now_ms()}}.dump() + "\n");
  options.folder = &*folder_, options.here = maker_here(), options.look_first = true;
  refuse_mixing(*folder_, options.here, catalog);
}

std::string KeepFolder::began() const {
  const auto text = folder_ ? folder_->folder().read(kBegan) : std::nullopt;
  if (!text) return "";
  const auto j = nlohmann::json::parse(*text, nullptr, false);
  return j.is_object() && j.contains("began") && j["began"].is_string() ? j["began"].get<std::string>() : "";
}

void KeepFolder::close() {
  if (!folder_) return;
  folder_->keep_hashes();
  for (const std::string& remark : folder_->remarks()) std::cerr << "warpspy: " << remark << "\n";
}

}  // namespace warpspy::cli
