// What is printed, on its way out: the one place where text of others is made harmless, and where it is known whether
// all of it arrived.
#pragma once

#include <string>

namespace warpspy::cli {

// From now on all that is printed, by streams and by stdio alike, is made harmless (core/base/foreign_text.hpp).
// `data`: standard output is for a program that wants every byte, unless it is a terminal.
void make_output_harmless(bool data);

// What a program ends with, once all that it printed has left it: 1 instead of 0, and a line that says so, where
// standard output could not take it. Quiet where nobody reads any more.
int told(int code, bool json);

// One line on standard error that the next one replaces.
void show_progress(const std::string& line);
void clear_progress();

}  // namespace warpspy::cli
