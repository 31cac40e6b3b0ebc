// Guesses the kind of a file that has no matrix, so that the error message can name it.
#pragma once

#include <string>
#include <string_view>

namespace warpspy {

// Throws the Error for a file that no reader recognises: what the file seems to be, and which formats can be read.
// `head`: the first bytes of the file; some thousand are enough.
[[noreturn]] void refuse_content(std::string_view head, const std::string& label, std::string_view name = {});

}  // namespace warpspy
