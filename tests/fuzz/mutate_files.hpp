// Mutations that know a binary format.
#pragma once

#include "tests/fuzz/fuzz.hpp"

namespace warpspy::fuzz {

// A zip archive of NumPy arrays: an array's header or numbers.
std::string mutate_npz(const std::string& bytes, Random& random);
// MATLAB version 5: an element, compressed ones inside.
std::string mutate_matlab(const std::string& bytes, Random& random);

}  // namespace warpspy::fuzz
