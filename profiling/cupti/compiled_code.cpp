#include "profiling/cupti/compiled_code.hpp"

#include <elf.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/device/architectures.hpp"
#include "kernels/table/kernel_code.hpp"
#include "kernels/table/table.hpp"
#include "profiling/cupti/code_parts.hpp"
#include "profiling/cupti/elf.hpp"
#include "profiling/cupti/machine_code.hpp"

namespace warpspy {
namespace {

// .nv.info is a list of attributes. Each has a form and an id (a byte each) and two more bytes: a value, or for one
// form the number of bytes that follow. The attribute of registers has the function's symbol and its number of
// registers.
void add_registers(std::span<const std::uint8_t> cubin, MachineCode& code) {
  constexpr int form_sized = 4, id_registers = 0x2F;
  const std::vector<ElfSection> sections = elf_sections(cubin);
  const ElfSection *info = section_of(sections, ".nv.info"), *symbols = section_of(sections, ".symtab"),
                   *names = section_of(sections, ".strtab");
  if (!info || !symbols || !names) return;
  for (ByteReader in(info->bytes); !in.done();) {
    const int form = in.get<std::uint8_t>(), id = in.get<std::uint8_t>();
    const auto size = in.get<std::uint16_t>();
    const std::size_t next = in.at() + (form == form_sized ? size : 0);
    if (form == form_sized && id == id_registers) {
      const auto symbol = in.get<std::uint32_t>(), registers = in.get<std::uint32_t>();
      const auto its = ByteReader(symbols->bytes, symbol * sizeof(Elf64_Sym)).get<Elf64_Sym>();
      if (const std::string name = code_name(ByteReader(names->bytes, its.st_name).text()); !name.empty())
        code.registers[name] = static_cast<int>(registers);
    }
    in.skip_to(next);
  }
}

void add_parts(std::span<const std::uint8_t> cubin, MachineCode& code) {
  constexpr std::string_view text = ".text.";
  for (const ElfSection& s : elf_sections(cubin))
    if (s.name.starts_with(text))
      if (const std::string name = code_name(s.name.substr(text.size())); !name.empty())
        code.parts[name] = code_parts(s.bytes);
}

void add(std::span<const std::uint8_t> cubin, MachineCode& code) {
  add_registers(cubin, code);
  add_parts(cubin, code);
}

}  // namespace

MachineCode compiled_machine_code() {
  constexpr int capability = 90;
  MachineCode code;
  code.toolkit = compiled_by();
  for (const KernelRow& row : kernels())
    if (row.emulate) code.kernels[row.info.id] = kernel_code(row.info.id);
  for (const auto fat_binary : fat_binaries()) {
    if (const auto cubin = cubin_for(fat_binary, capability))
      add(*cubin, code);
    else if (const auto unpacked = compressed_cubin_for(fat_binary, capability); !unpacked.empty())
      add(unpacked, code);
  }
  return code;
}

}  // namespace warpspy
