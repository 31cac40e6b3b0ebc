#include "tests/fuzz/mutate_files.hpp"

#include <zlib.h>

#include <cstring>

namespace warpspy::fuzz {
namespace {

std::string mutate_npy(std::string bytes, Random& r) {
  static const Words words = {"descr", "fortran_order",
                              "shape", "True",
                              "False", "b1",
                              "i1",    "i2",
                              "i4",    "i8",
                              "u1",    "u4",
                              "u8",    "f2",
                              "f4",    "f8",
                              "c8",    "c16",
                              "S3",    "U3",
                              "V8",    "O",
                              "2,3",   "csr",
                              "csc",   "coo",
                              "bsr",   "dia"};
  const std::size_t head = bytes.find('\n') + 1;
  if (bytes.size() < 12 || head == 0 || r.one_in(2)) return mutate_binary(std::move(bytes), r);
  if (r.one_in(8)) return mutate_plainly(std::move(bytes), r);
  const std::string text = mutate_text(bytes.substr(10, head - 10), words, r);
  bytes.replace(10, head - 10, text);
  bytes[8] = static_cast<char>(text.size() & 0xff);
  bytes[9] = static_cast<char>(text.size() >> 8);
  return bytes;
}

struct Element {
  std::uint32_t type = 0, size = 0;
};
constexpr std::uint32_t kCompressed = 15;
constexpr std::size_t kHeader = 128, kTag = 8;

// Unpacks, alters, packs again; as it is when it does not unpack.
std::string mutate_packed_element(const std::string& packed, Random& r) {
  std::string body(std::size_t{1} << 17, '\0');
  uLongf size = body.size();
  const auto in = [](const std::string& s) { return reinterpret_cast<const Bytef*>(s.data()); };
  if (::uncompress(reinterpret_cast<Bytef*>(body.data()), &size, in(packed), packed.size()) != Z_OK) return packed;
  body.resize(size);
  body = mutate_binary(std::move(body), r);
  std::string out(::compressBound(body.size()), '\0');
  size = out.size();
  ::compress2(reinterpret_cast<Bytef*>(out.data()), &size, in(body), body.size(), 6);
  out.resize(size);
  return out;
}

}  // namespace

std::string mutate_npz(const std::string& bytes, Random& r) { return mutate_packed(bytes, true, mutate_npy, r); }

std::string mutate_matlab(const std::string& bytes, Random& r) {
  std::vector<std::size_t> packed;
  for (std::size_t at = kHeader; at + kTag <= bytes.size();) {
    Element e;
    std::memcpy(&e, bytes.data() + at, kTag);
    if (e.size > bytes.size() - at - kTag) break;
    if (e.type == kCompressed) packed.push_back(at);
    at += kTag + e.size;
  }
  if (packed.empty() || r.one_in(4)) return mutate_binary(bytes, r);
  const std::size_t at = packed[r.below(packed.size())];
  Element e;
  std::memcpy(&e, bytes.data() + at, kTag);
  const std::string body = mutate_packed_element(bytes.substr(at + kTag, e.size), r);
  std::string out = bytes;
  out.replace(at + kTag, e.size, body);
  e.size = static_cast<std::uint32_t>(body.size());
  std::memcpy(out.data() + at, &e, kTag);
  return out;
}

}  // namespace warpspy::fuzz
