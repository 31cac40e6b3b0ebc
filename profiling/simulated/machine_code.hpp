// Reads assets/kernels/machine_code.json: registers and instructions of the code that nvcc makes of the kernels.
#pragma once

#include <string>

#include "kernels/product/machine_code.hpp"

namespace warpspy {

// Puts the factors of counted.json into `code`, for each kernel whose code is the same. Throws Error with the file's
// name.
void take_counted(const std::string& text, const std::string& file, MachineCode& code);

// The file as text, and back. Throws Error with the file's name if the text is no such file.
std::string to_json(const MachineCode& code);
MachineCode machine_code_from_json(const std::string& text, const std::string& file);
// Reads the file from `assets`/kernels, and counted.json for the same code. Returns an empty one if there is no file.
MachineCode read_machine_code(const std::string& assets);

}  // namespace warpspy
