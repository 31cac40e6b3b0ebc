// A plan as a file (docs/plans.md): a command that runs products, and its options as fields.
#pragma once

#include <string>
#include <vector>

namespace warpspy {

struct PlanFile {
  struct Field {
    std::string id;  // as the command's option without its dashes
    std::vector<std::string> values;
    bool operator==(const Field&) const = default;
  };
  std::string command;  // one of plan_commands()
  std::vector<std::string> matrices;
  std::vector<Field> fields;
};

// THE list of what a file may name as its plan: commands that run products.
const std::vector<std::string>& plan_commands();

// A file without the field "plan" is a sweep; of one only the command is told, since core/run/sweep.hpp reads it. Paths
// of matrices begin at the folder of the file. Throws Error with the place for what is no plan.
PlanFile read_plan_file(const std::string& path);
PlanFile plan_file_from_json(const std::string& text, const std::string& path);

}  // namespace warpspy
