// The signs beyond ASCII that the program can write: those in the string literals of its sources.
#pragma once

#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <optional>
#include <regex>
#include <string>

namespace drawn_signs {

// Code points of UTF-8; nothing where the bytes are not UTF-8 (magic numbers of files are literals too).
inline std::optional<std::u32string> decoded(const std::string& bytes) {
  std::u32string result;
  for (std::size_t i = 0; i < bytes.size();) {
    const auto lead = static_cast<unsigned char>(bytes[i]);
    const int more = lead < 0x80 ? 0 : lead >= 0xF0 ? 3 : lead >= 0xE0 ? 2 : lead >= 0xC0 ? 1 : -1;
    if (more < 0 || lead > 0xF4 || i + static_cast<std::size_t>(more) >= bytes.size()) return std::nullopt;
    char32_t sign = more == 0 ? lead : lead & (0x3F >> more);
    for (int k = 1; k <= more; ++k) {
      const auto next = static_cast<unsigned char>(bytes[i + static_cast<std::size_t>(k)]);
      if ((next & 0xC0) != 0x80) return std::nullopt;
      sign = sign << 6 | (next & 0x3F);
    }
    result += sign;
    i += static_cast<std::size_t>(more) + 1;
  }
  return result;
}

// A literal's text: \xHH and \uHHHH become what they stand for; other escapes are ASCII and do not matter.
inline std::optional<std::u32string> text_of(const std::string& literal) {
  std::string bytes;
  std::u32string named;
  for (std::size_t i = 0; i < literal.size(); ++i) {
    const char kind = literal[i] == '\\' && i + 1 < literal.size() ? literal[i + 1] : 0;
    if (kind == 'x')
      bytes += static_cast<char>(std::stoi(literal.substr(i + 2, 2), nullptr, 16)), i += 3;
    else if (kind == 'u')
      named += static_cast<char32_t>(std::stoul(literal.substr(i + 2, 4), nullptr, 16)), i += 5;
    else if (kind)
      ++i;
    else
      bytes += literal[i];
  }
  auto text = decoded(bytes);
  if (text) *text += named;
  return text;
}

// Every sign beyond ASCII, with one file that writes it.
inline std::map<char32_t, std::string> all(const std::filesystem::path& root) {
  std::map<char32_t, std::string> signs;
  const std::regex literal(R"re("((?:[^"\\\n]|\\.)*)")re");
  for (const char* room : {"core", "kernels", "profiling", "ui", "app", "assets/gpus"})
    for (const auto& entry : std::filesystem::recursive_directory_iterator(root / room)) {
      if (!entry.is_regular_file()) continue;
      std::ifstream in(entry.path());
      const std::string source{std::istreambuf_iterator<char>(in), {}};
      for (std::sregex_iterator at(source.begin(), source.end(), literal), end; at != end; ++at)
        if (const auto text = text_of((*at)[1]))
          for (const char32_t sign : *text)
            // U+FEFF is no sign: a byte order mark that readers skip.
            if (sign > 0x7F && sign != 0xFEFF) signs.try_emplace(sign, entry.path().string());
    }
  return signs;
}

}  // namespace drawn_signs
