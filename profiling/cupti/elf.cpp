#include "profiling/cupti/elf.hpp"

#include <elf.h>

#include <algorithm>

namespace warpspy {

std::uint64_t ByteReader::uleb() {
  std::uint64_t value = 0;
  for (unsigned shift = 0;; shift += 7) {
    const auto byte = get<std::uint8_t>();
    if (shift < 64) value |= static_cast<std::uint64_t>(byte & 0x7F) << shift;
    if (!(byte & 0x80)) return value;
  }
}

std::int64_t ByteReader::sleb() {
  std::uint64_t value = 0;
  for (unsigned shift = 0;;) {
    const auto byte = get<std::uint8_t>();
    if (shift < 64) value |= static_cast<std::uint64_t>(byte & 0x7F) << shift;
    shift += 7;
    if (byte & 0x80) continue;
    if ((byte & 0x40) && shift < 64) value |= ~std::uint64_t{0} << shift;
    return static_cast<std::int64_t>(value);
  }
}

std::vector<ElfSection> elf_sections(std::span<const std::uint8_t> file) {
  const auto header = ByteReader(file).get<Elf64_Ehdr>();
  if (std::memcmp(header.e_ident, ELFMAG, SELFMAG) != 0 || header.e_ident[EI_CLASS] != ELFCLASS64 ||
      header.e_ident[EI_DATA] != ELFDATA2LSB || header.e_shentsize != sizeof(Elf64_Shdr))
    throw Error("this is no 64-bit ELF file");
  ByteReader table(file, header.e_shoff);
  std::vector<Elf64_Shdr> headers;
  for (int i = 0; i < header.e_shnum; ++i) headers.push_back(table.get<Elf64_Shdr>());
  if (header.e_shstrndx >= headers.size()) throw Error("the sections of the ELF file have no names");
  std::vector<ElfSection> sections;
  for (const Elf64_Shdr& h : headers) {
    ElfSection s;
    s.type = h.sh_type;
    s.address = h.sh_addr;
    if (h.sh_type != SHT_NULL) s.name = ByteReader(file, headers[header.e_shstrndx].sh_offset + h.sh_name).text();
    if (h.sh_type != SHT_NOBITS && h.sh_type != SHT_NULL) {
      if (h.sh_offset > file.size() || file.size() - h.sh_offset < h.sh_size) throw Error("the file ends too early");
      s.bytes = file.subspan(h.sh_offset, h.sh_size);
    }
    sections.push_back(std::move(s));
  }
  return sections;
}

const ElfSection* section_of(const std::vector<ElfSection>& sections, const std::string& name) {
  const auto at = std::find_if(sections.begin(), sections.end(), [&](const ElfSection& s) { return s.name == name; });
  return at == sections.end() ? nullptr : &*at;
}

}  // namespace warpspy
