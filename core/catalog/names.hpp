// The name of a parameter in all texts for people. Its id is for the command line and for files.
#pragma once

#include <string>

#include "core/catalog/catalog.hpp"

namespace warpspy {

// "Threads per row (coop)": the label, with the papers' name in brackets if that is different.
std::string full_label(const ParamSpec& spec);

// "threads per row": the label in the middle of a sentence.
std::string label_in_sentence(const ParamSpec& spec);

}  // namespace warpspy
