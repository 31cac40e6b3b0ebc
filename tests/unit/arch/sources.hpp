// Source files as text: which there are, what they include, and their code without comments and literals.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace warpspy::arch {

bool is_source(const std::filesystem::path& file);

// Every source below `folder`, in a stable order.
std::vector<std::filesystem::path> sources_below(const std::filesystem::path& folder);

std::string text_of(const std::filesystem::path& file);

struct Include {
  std::string target;
  bool quoted = false;
};

// What a line includes, if anything.
std::optional<Include> include_of(const std::string& line);

// The same lines, where comments and what stands in quotes are blanks.
std::string code_of(const std::string& text);

}  // namespace warpspy::arch
