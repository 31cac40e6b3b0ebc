// Standard output and standard error. Here control characters in foreign text are removed, and here the program notices
// whether all output was written.
#pragma once

#include <string>

namespace warpspy::cli {

// From now on control characters are removed from everything that is printed, through streams or stdio
// (core/base/foreign_text.hpp). `data`: another program reads standard output and needs every byte, unless it is a
// terminal.
void make_output_harmless(bool data);

// The exit code after all output was written. If standard output could not take it, prints an error and returns 1
// instead of 0. Silent if the reader has closed the pipe.
int told(int code, bool json);

// Shows one line on standard error, which the next call replaces.
void show_progress(const std::string& line);
void clear_progress();

}  // namespace warpspy::cli
