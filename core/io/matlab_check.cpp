#include "core/io/matlab_check.hpp"

#include <zlib.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <new>
#include <vector>

#include "core/matrix/types.hpp"

namespace warpspy {
namespace {

constexpr std::uint64_t kHeader = 128, kTag = 8;
constexpr std::uint32_t kCompressed = 15;

class Check {
 public:
  Check(const std::string& path, const std::string& label, Progress& progress)
      : in_(path, std::ios::binary), label_(label), progress_(progress), packed_(1 << 18), unpacked_(1 << 20) {}

  void run() {
    char header[kHeader] = {};
    in_.read(header, kHeader);
    if (std::memcmp(header + 126, "IM", 2) != 0 && std::memcmp(header + 126, "MI", 2) != 0) return;
    swapped_ = header[126] == 'M';
    if (header[swapped_ ? 124 : 125] != 1) return;  // 2: HDF5, which looks after itself
    in_.seekg(0, std::ios::end);
    size_ = static_cast<std::uint64_t>(in_.tellg());
    for (std::uint64_t at = kHeader; at + kTag <= size_;) {
      progress_.check();
      at = element(at);
    }
  }

 private:
  // Returns where the next one begins.
  std::uint64_t element(std::uint64_t at) {
    std::uint32_t tag[2] = {};
    in_.clear();
    in_.seekg(static_cast<std::streamoff>(at));
    in_.read(reinterpret_cast<char*>(tag), sizeof tag);
    if (swapped_) tag[0] = __builtin_bswap32(tag[0]), tag[1] = __builtin_bswap32(tag[1]);
    if (tag[0] == 0 && tag[1] == 0) return size_;  // padding behind the last variable
    const std::uint64_t end = at + kTag + tag[1];
    if (end > size_)
      fail("the variable at byte " + std::to_string(at) + " needs " + std::to_string(end - size_) +
           " bytes more than the file has");
    if (tag[0] == kCompressed) inflate_all(at, tag[1]);
    return tag[0] == kCompressed ? end : (end + 7) / 8 * 8;
  }

  void inflate_all(std::uint64_t at, std::uint64_t left) {
    z_stream z = {};
    if (inflateInit(&z) != Z_OK) throw std::bad_alloc();
    int status = Z_OK;
    while (status == Z_OK) {
      if (z.avail_in == 0 && left > 0) {
        progress_.check();
        in_.read(packed_.data(), static_cast<std::streamsize>(std::min<std::uint64_t>(left, packed_.size())));
        z.next_in = reinterpret_cast<Bytef*>(packed_.data());
        z.avail_in = static_cast<uInt>(in_.gcount());
        left = z.avail_in > 0 ? left - z.avail_in : 0;
      }
      z.next_out = reinterpret_cast<Bytef*>(unpacked_.data());
      z.avail_out = static_cast<uInt>(unpacked_.size());
      status = inflate(&z, Z_NO_FLUSH);
    }
    inflateEnd(&z);
    if (status != Z_STREAM_END) fail("the compressed variable at byte " + std::to_string(at) + " is damaged");
  }

  [[noreturn]] void fail(const std::string& reason) const {
    throw Error(reason, label_, "the MATLAB file is damaged or cut short: save or fetch it again");
  }

  std::ifstream in_;
  const std::string& label_;
  Progress& progress_;
  std::vector<char> packed_, unpacked_;
  bool swapped_ = false;
  std::uint64_t size_ = 0;
};

}  // namespace

void check_matlab_file(const std::string& path, const std::string& label, Progress& progress) {
  Check(path, label, progress).run();
}

}  // namespace warpspy
