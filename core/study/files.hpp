// Files that take the place of stand-ins, and where the products of a study are kept.
#pragma once

#include <string>

#include "core/study/study.hpp"

namespace warpspy {

struct Matrix;

// The matrix of the study that this file is: by its name (that of the study, of the stand-in or of the collection),
// else by its size, where one alone has that. Throws Error for a file that is none of them, and for another matrix of
// the same name.
std::string matrix_of_file(const Study& study, const std::string& path, const Matrix& opened);

// The folder in which window and command line keep the products of a study, beside the history; one for each build,
// since results of two builds are no experiment. "": nothing is kept.
std::string kept_study_folder(const std::string& history, const std::string& program, const std::string& study);

}  // namespace warpspy
