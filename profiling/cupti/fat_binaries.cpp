#include "profiling/cupti/fat_binaries.hpp"

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

}  // namespace

std::vector<const void*> fat_binaries() try {
  std::vector<const void*> list;
  const MappedProgram program;
  const auto sections = elf_sections(program.bytes());
  const ElfSection* section = section_of(sections, ".nvFatBinSegment");
  if (!section) return list;
  // In memory, not in the file: there the pointers are still to be moved.
  const auto* at = reinterpret_cast<const std::uint8_t*>(load_address() + section->address);
  for (std::size_t i = 0; i + sizeof(Wrapper) <= section->bytes.size(); i += sizeof(Wrapper)) {
    Wrapper w;
    std::memcpy(&w, at + i, sizeof w);
    if (w.magic == wrapper_magic && w.data) list.push_back(w.data);
  }
  return list;
} catch (const Error&) {
  return {};
}

}  // namespace warpspy
