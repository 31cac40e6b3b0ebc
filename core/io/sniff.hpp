// What a file that is no matrix looks like, so that the refusal can say it.
#pragma once

#include <string>
#include <string_view>

namespace warpspy {

// Throws the Error for a file that no reader takes for its own: what it seems to be, and what is read instead.
// `head`: the first bytes of the file, some thousand are enough.
[[noreturn]] void refuse_content(std::string_view head, const std::string& label, std::string_view name = {});

}  // namespace warpspy
