// Finds which stand-in a user's file replaces, and where the products of a study are kept.
#pragma once

#include <string>

#include "core/study/study.hpp"

namespace warpspy {

struct Matrix;

// Returns which matrix of the study this file has. It is found by its name (in the study, of the stand-in, or in the
// collection), else by a size that only one matrix has. Throws Error if the file is no matrix of the study, and for
// another matrix of the same name.
std::string matrix_of_file(const Study& study, const std::string& path, const Matrix& opened);

// The folder in which window and command line keep the products of a study, beside the history; each build has a folder
// of its own, since results of two builds must not be mixed. "": nothing is kept.
std::string kept_study_folder(const std::string& history, const std::string& program, const std::string& study);

}  // namespace warpspy
