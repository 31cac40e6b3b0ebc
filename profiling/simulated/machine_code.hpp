// assets/kernels/machine_code.json: registers and instructions of nvcc's code for the kernels, the same on every
// machine.
#pragma once

#include <string>

#include "kernels/product/machine_code.hpp"

namespace warpspy {

// counted.json, into `code`: the factor of each kernel whose code is that of `code`. Throws Error, naming the file.
void take_counted(const std::string& text, const std::string& file, MachineCode& code);

// The file as text, and back. Throws Error for what is no such thing, naming the file.
std::string to_json(const MachineCode& code);
MachineCode machine_code_from_json(const std::string& text, const std::string& file);
// Of `assets`/kernels, with counted.json where that is of the same code; empty where there is no such file.
MachineCode read_machine_code(const std::string& assets);

}  // namespace warpspy
