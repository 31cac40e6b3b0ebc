// Writes numbers as the sentences of findings do.
#pragma once

#include <string>

namespace warpspy {

std::string us_text(double us);                        // "12.3 µs"
std::string times_text(double times);                  // "1.6x"
std::string percent_of(double share);                  // "27 %", of 0.27
std::string count_text(double value, int digits = 3);  // "1.23 million", "17,758", "20.1"
std::string byte_words(double bytes);                  // "32.8 MB"

}  // namespace warpspy
