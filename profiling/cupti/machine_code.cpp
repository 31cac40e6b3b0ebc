#include "profiling/cupti/machine_code.hpp"

#include <archive.h>
#include <elf.h>
#include <fcntl.h>
#include <link.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <memory>

#include "profiling/cupti/elf.hpp"

namespace warpspy {
namespace {

class MappedProgram {
 public:
  MappedProgram() {
    const int file = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
    struct stat facts{};
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

// The offset of the loaded program to the addresses in its file. The first object in the linker's list is the program.
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

// As in nvcc's fatbinary_section.h: one for each source file.
struct Wrapper {
  std::int32_t magic, version;
  const void* data;
  void* more;
};
constexpr std::int32_t wrapper_magic = 0x466243B1;

// The first bytes of a fat binary.
struct Header {
  std::uint32_t magic;
  std::uint16_t version, header_bytes;
  std::uint64_t bytes;  // behind the header
};
constexpr std::uint32_t header_magic = 0xBA55ED50;

// 90 for Hopper's code. From ABI 8 on (CUDA 13) the number is one byte higher.
int architecture_of(const Elf64_Ehdr& h) {
  return static_cast<int>(h.e_ident[EI_ABIVERSION] >= 8 ? h.e_flags >> 8 & 0xFF : h.e_flags & 0xFF);
}

// The architecture of an ELF file whose code runs on such a device; -1 if it is no such file.
int fitting_architecture(std::span<const std::uint8_t> file, int compute_capability) {
  constexpr std::uint16_t machine_cuda = 190;
  Elf64_Ehdr h;
  if (file.size() < sizeof h) return -1;
  std::memcpy(&h, file.data(), sizeof h);
  if (std::memcmp(h.e_ident, ELFMAG, SELFMAG) != 0 || h.e_machine != machine_cuda) return -1;
  const int architecture = architecture_of(h);
  const bool fits = architecture / 10 == compute_capability / 10 && architecture <= compute_capability;
  return fits ? architecture : -1;
}

// The zstd frame at the start of `bytes` (RFC 8878, section 3.1.1), without what follows it; empty if there is none.
std::span<const std::uint8_t> zstd_frame(std::span<const std::uint8_t> bytes) {
  constexpr std::uint8_t magic[] = {0x28, 0xB5, 0x2F, 0xFD};
  if (bytes.size() < 6 || std::memcmp(bytes.data(), magic, sizeof magic) != 0) return {};
  const unsigned descriptor = bytes[4];
  const bool single_segment = descriptor & 0x20, checksum = descriptor & 0x04;
  const std::size_t dictionary = (std::size_t{1} << (descriptor & 3)) / 2;
  const std::size_t size_field = descriptor >> 6 ? std::size_t{1} << (descriptor >> 6) : single_segment;
  std::size_t at = 5 + !single_segment + dictionary + size_field;
  for (bool last = false; !last;) {
    if (at + 3 > bytes.size()) return {};
    const std::size_t header = bytes[at] | std::size_t{bytes[at + 1]} << 8 | std::size_t{bytes[at + 2]} << 16;
    last = header & 1;
    at += 3 + ((header >> 1 & 3) == 1 ? 1 : header >> 3);  // a repeated byte is stored once
  }
  at += checksum ? 4 : 0;
  return at <= bytes.size() ? bytes.first(at) : std::span<const std::uint8_t>();
}

// The content of a zstd frame, at most its first `limit` bytes.
std::vector<std::uint8_t> unpacked(std::span<const std::uint8_t> frame, std::size_t limit) {
  const std::unique_ptr<archive, int (*)(archive*)> in(archive_read_new(), archive_read_free);
  archive_entry* entry = nullptr;
  if (archive_read_support_filter_zstd(in.get()) != ARCHIVE_OK ||
      archive_read_support_format_raw(in.get()) != ARCHIVE_OK ||
      archive_read_open_memory(in.get(), frame.data(), frame.size()) != ARCHIVE_OK ||
      archive_read_next_header(in.get(), &entry) != ARCHIVE_OK)
    return {};
  std::vector<std::uint8_t> all;
  while (all.size() < limit) {
    const std::size_t before = all.size(), step = std::min<std::size_t>(limit - before, 1 << 20);
    all.resize(before + step);
    const auto got = archive_read_data(in.get(), all.data() + before, step);
    all.resize(before + static_cast<std::size_t>(std::max<la_ssize_t>(got, 0)));
    if (got <= 0) break;
  }
  return all;
}

}  // namespace

std::vector<std::span<const std::uint8_t>> fat_binaries() try {
  std::vector<std::span<const std::uint8_t>> list;
  const MappedProgram program;
  const auto sections = elf_sections(program.bytes());
  const ElfSection* section = section_of(sections, ".nvFatBinSegment");
  if (!section) return list;
  // Read from memory and not from the file, in which the pointers are not relocated.
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
  std::optional<std::span<const std::uint8_t>> best;
  int newest = -1;
  // Files begin at multiples of 8. The headers before them are undocumented, so they are skipped.
  for (std::size_t at = 0; at + sizeof(Elf64_Ehdr) <= fat_binary.size(); at += 8) {
    const int architecture = fitting_architecture(fat_binary.subspan(at), compute_capability);
    if (architecture <= newest) continue;
    newest = architecture;
    best = fat_binary.subspan(at);
  }
  return best;
}

std::vector<std::uint8_t> compressed_cubin_for(std::span<const std::uint8_t> fat_binary, int compute_capability) {
  std::vector<std::uint8_t> best;
  int newest = -1;
  for (std::size_t at = 0; at < fat_binary.size(); at += 8) {
    const auto frame = zstd_frame(fat_binary.subspan(at));
    if (frame.empty()) continue;
    const int architecture = fitting_architecture(unpacked(frame, sizeof(Elf64_Ehdr)), compute_capability);
    if (architecture <= newest) continue;
    newest = architecture;
    best = unpacked(frame, SIZE_MAX);
  }
  return best;
}

}  // namespace warpspy
