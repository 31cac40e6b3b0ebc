#include "profiling/cupti/machine_code.hpp"

#include <elf.h>
#include <fcntl.h>
#include <link.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdint>

#include "profiling/cupti/elf.hpp"

namespace warpspy {
namespace {

class MappedProgram {
 public:
  MappedProgram() {
    const int file = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
    struct stat facts {};
    if (file >= 0 && fstat(file, &facts) == 0 && facts.st_size > 0) {
      size_ = static_cast<std::size_t>(facts.st_size);
      at_ = mmap(nullptr, size_, PROT_READ, MAP_PRIVATE, file, 0);
    }
    if (file >= 0) close(file);
  }
  ~MappedProgram() {
    if (at_ != MAP_FAILED) munmap(at_, size_);
  }
  MappedProgram(const MappedProgram&) = delete;
  MappedProgram& operator=(const MappedProgram&) = delete;

  std::span<const std::uint8_t> bytes() const {
    if (at_ == MAP_FAILED) return {};
    return {static_cast<const std::uint8_t*>(at_), size_};
  }

 private:
  void* at_ = MAP_FAILED;
  std::size_t size_ = 0;
};

// What is added to the file's addresses: the first object that the linker lists is the program.
std::uintptr_t load_address() {
  std::uintptr_t address = 0;
  dl_iterate_phdr(
      [](dl_phdr_info* info, std::size_t, void* out) {
        *static_cast<std::uintptr_t*>(out) = info->dlpi_addr;
        return 1;
      },
      &address);
  return address;
}

// As nvcc's fatbinary_section.h has it: one for each source file.
struct Wrapper {
  std::int32_t magic, version;
  const void* data;
  void* more;
};
constexpr std::int32_t wrapper_magic = 0x466243B1;

// What a fat binary begins with.
struct Header {
  std::uint32_t magic;
  std::uint16_t version, header_bytes;
  std::uint64_t bytes;  // behind the header
};
constexpr std::uint32_t header_magic = 0xBA55ED50;

// 90 for Hopper's code. From ABI 8 on (CUDA 13) the number stands one byte further up.
int architecture_of(const Elf64_Ehdr& h) {
  return static_cast<int>(h.e_ident[EI_ABIVERSION] >= 8 ? h.e_flags >> 8 & 0xFF : h.e_flags & 0xFF);
}

}  // namespace

std::vector<std::span<const std::uint8_t>> fat_binaries() try {
  std::vector<std::span<const std::uint8_t>> list;
  const MappedProgram program;
  const auto sections = elf_sections(program.bytes());
  const ElfSection* section = section_of(sections, ".nvFatBinSegment");
  if (!section) return list;
  // In memory, not in the file: there the pointers are still to be moved.
  const auto* at = reinterpret_cast<const std::uint8_t*>(load_address() + section->address);
  for (std::size_t i = 0; i + sizeof(Wrapper) <= section->bytes.size(); i += sizeof(Wrapper)) {
    Wrapper w;
    std::memcpy(&w, at + i, sizeof w);
    if (w.magic != wrapper_magic || !w.data) continue;
    Header h;
    std::memcpy(&h, w.data, sizeof h);
    if (h.magic == header_magic) list.emplace_back(static_cast<const std::uint8_t*>(w.data), h.header_bytes + h.bytes);
  }
  return list;
} catch (const Error&) {
  return {};
}

std::optional<std::span<const std::uint8_t>> cubin_for(std::span<const std::uint8_t> fat_binary,
                                                       int compute_capability) {
  constexpr std::uint16_t machine_cuda = 190;
  std::optional<std::span<const std::uint8_t>> best;
  int newest = -1;
  // Files begin at multiples of 8; what describes them there is nobody's business but nvcc's.
  for (std::size_t at = 0; at + sizeof(Elf64_Ehdr) <= fat_binary.size(); at += 8) {
    Elf64_Ehdr h;
    std::memcpy(&h, fat_binary.data() + at, sizeof h);
    if (std::memcmp(h.e_ident, ELFMAG, SELFMAG) != 0 || h.e_machine != machine_cuda) continue;
    const int architecture = architecture_of(h);
    const bool fits = architecture / 10 == compute_capability / 10 && architecture <= compute_capability;
    if (!fits || architecture <= newest) continue;
    newest = architecture;
    best = fat_binary.subspan(at);
  }
  return best;
}

}  // namespace warpspy
