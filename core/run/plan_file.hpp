// A plan as a file (docs/plans.md): a command that runs products, and its options as fields.
#pragma once

#include <string>
#include <vector>

namespace warpspy {

struct PlanFile {
  struct Field {
    std::string id;  // the command's option without its dashes
    std::vector<std::string> values;
    bool operator==(const Field&) const = default;
  };
  std::string command;  // one of plan_commands()
  std::vector<std::string> matrices;
  std::vector<Field> fields;
};

// The one list of plans that a file may name: commands that run products.
const std::vector<std::string>& plan_commands();

// Reads the file of a plan. A file without the field "plan" is a sweep. Then only the command is returned, and
// core/run/sweep.hpp reads the rest of the file. Paths of matrices begin at the folder of the file. Throws Error with
// the place if the file is no plan.
PlanFile read_plan_file(const std::string& path);
PlanFile plan_file_from_json(const std::string& text, const std::string& path);

}  // namespace warpspy
