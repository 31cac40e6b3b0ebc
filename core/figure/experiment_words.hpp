// Tells how commands name the experiments that a figure shows, if these are neither matrices nor saved runs: for
// Row::named.
#pragma once

#include <string>

#include "core/figure/figure.hpp"

namespace warpspy::figure {

std::string words_of_search(const Subject& s);
std::string words_of_analysis(const Subject& s);
std::string words_of_study(const Subject& s);
std::string words_of_warp(const Subject& s);
std::string words_of_roofs(const Subject& s);
std::string words_of_pattern(const Subject& s);  // with the run whose data the pattern shows

}  // namespace warpspy::figure
