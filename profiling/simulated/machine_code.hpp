// assets/kernels/machine_code.json: what nvcc made of the kernels, the same on every machine.
#pragma once

#include <string>

#include "kernels/product/machine_code.hpp"

namespace warpspy {

// The file as text, and back. Throws Error for what is no such thing, naming the file.
std::string to_json(const MachineCode& code);
MachineCode machine_code_from_json(const std::string& text, const std::string& file);
// Of `assets`/kernels; empty where there is no such file.
MachineCode read_machine_code(const std::string& assets);

}  // namespace warpspy
