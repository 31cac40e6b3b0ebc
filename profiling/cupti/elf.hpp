// Finds the sections of an ELF file in memory. Programs are ELF files, and so is machine code for a GPU (a cubin). It
// needs no CUDA.
#pragma once

#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <vector>

#include "core/base/types.hpp"

namespace warpspy {

// Reads numbers and texts one after another; throws Error if the bytes end too early.
class ByteReader {
 public:
  explicit ByteReader(std::span<const std::uint8_t> bytes, std::size_t at = 0) : bytes_(bytes), at_(at) {}

  std::size_t at() const { return at_; }
  std::size_t size() const { return bytes_.size(); }
  bool done() const { return at_ >= bytes_.size(); }
  void skip_to(std::size_t at) { at_ = at; }
  template <class T>
  T get() {
    need(sizeof(T));
    T value;
    std::memcpy(&value, bytes_.data() + at_, sizeof(T));
    at_ += sizeof(T);
    return value;
  }
  std::string text() {
    std::string s;
    while (const char c = get<char>()) s += c;
    return s;
  }
  // Reads a number in DWARF's form (ULEB128), with 7 bits per byte.
  std::uint64_t uleb();
  std::int64_t sleb();

 private:
  void need(std::size_t bytes) const {
    if (at_ > bytes_.size() || bytes_.size() - at_ < bytes) throw Error("the file ends too early");
  }
  std::span<const std::uint8_t> bytes_;
  std::size_t at_;
};

struct ElfSection {
  std::string name;
  std::uint32_t type = 0;
  std::uint64_t address = 0;
  std::span<const std::uint8_t> bytes;  // of the file; empty for a section without bytes in the file
};

// Lists the sections in the order of the file. Throws Error if it is no 64-bit little-endian ELF file.
std::vector<ElfSection> elf_sections(std::span<const std::uint8_t> file);
// Returns the section with that name, or nullptr.
const ElfSection* section_of(const std::vector<ElfSection>& sections, const std::string& name);

}  // namespace warpspy
