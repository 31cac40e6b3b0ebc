// Reads and writes vectors. A vector's file is a NumPy array (.npy), or a matrix of one column in any format that
// open_matrix() reads.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "core/jobs/progress.hpp"

namespace warpspy {

// Throws Error for a file that cannot be read or holds no vector of real numbers, and Cancelled.
std::vector<double> read_vector(const std::string& path, Progress& progress);
// Writes a vector as .npy (f64), or for any other name as a Matrix Market array. Throws Error if it cannot be written.
void write_vector(const std::string& path, std::span<const double> v);

}  // namespace warpspy
