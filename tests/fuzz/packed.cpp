// Archives that are whole, whatever is in them.
#include <archive.h>
#include <archive_entry.h>

#include <memory>

#include "tests/fuzz/fuzz.hpp"

namespace warpspy::fuzz {
namespace {

struct Member {
  std::string name, bytes;
};

struct Free {
  void operator()(archive* a) const { archive_free(a); }
};
using Handle = std::unique_ptr<archive, Free>;
constexpr std::size_t kLargest = std::size_t{1} << 17;

bool read_member(archive* a, Member& m) {
  archive_entry* entry = nullptr;
  if (archive_read_next_header(a, &entry) < ARCHIVE_WARN || !entry) return false;
  const char* name = archive_entry_pathname(entry);
  m.name = name ? name : "data";
  m.bytes.resize(kLargest);
  const la_ssize_t n = archive_read_data(a, m.bytes.data(), m.bytes.size());
  m.bytes.resize(n > 0 ? static_cast<std::size_t>(n) : 0);
  return n >= 0;
}

std::vector<Member> unpack(const std::string& bytes) {
  const Handle a(archive_read_new());
  archive_read_support_filter_all(a.get());
  archive_read_support_format_tar(a.get());
  archive_read_support_format_zip(a.get());
  archive_read_support_format_raw(a.get());
  std::vector<Member> members;
  if (archive_read_open_memory(a.get(), bytes.data(), bytes.size()) != ARCHIVE_OK) return members;
  Member m;
  for (int status = ARCHIVE_OK; members.size() < 8 && status == ARCHIVE_OK;) {
    if (!read_member(a.get(), m)) break;
    members.push_back(m);
  }
  return members;
}

enum class Shape { zip, tar, plain };

std::string pack(const std::vector<Member>& members, Shape shape, Random& r) {
  std::string bytes(2 * kLargest, '\0');  // outlives the archive, which writes what it holds when it goes
  std::size_t used = 0;
  const Handle a(archive_write_new());
  const auto filters = {archive_write_add_filter_gzip, archive_write_add_filter_bzip2, archive_write_add_filter_xz,
                        archive_write_add_filter_zstd};
  if (shape == Shape::zip) {
    archive_write_set_format_zip(a.get());
    if (r.one_in(2)) archive_write_zip_set_compression_store(a.get());
  } else {
    if (shape == Shape::plain || !r.one_in(3)) filters.begin()[r.below(filters.size())](a.get());
    shape == Shape::tar ? archive_write_set_format_pax_restricted(a.get()) : archive_write_set_format_raw(a.get());
  }
  archive_write_set_bytes_in_last_block(a.get(), 1);
  archive_write_set_options(a.get(), "compression-level=1");  // quick; what cannot be set is left as it is
  if (archive_write_open_memory(a.get(), bytes.data(), bytes.size(), &used) != ARCHIVE_OK) return {};
  for (const Member& m : members) {
    const std::unique_ptr<archive_entry, decltype(&archive_entry_free)> entry(archive_entry_new(), archive_entry_free);
    archive_entry_set_pathname(entry.get(), m.name.c_str());
    archive_entry_set_filetype(entry.get(), AE_IFREG);
    archive_entry_set_perm(entry.get(), 0644);
    archive_entry_set_size(entry.get(), static_cast<la_int64_t>(m.bytes.size()));
    if (archive_write_header(a.get(), entry.get()) != ARCHIVE_OK) return {};
    archive_write_data(a.get(), m.bytes.data(), m.bytes.size());
    if (shape == Shape::plain) break;
  }
  if (archive_write_close(a.get()) != ARCHIVE_OK) return {};
  bytes.resize(used);
  return bytes;
}

}  // namespace

std::string mutate_packed(const std::string& bytes, bool zip_only,
                          const std::function<std::string(std::string, Random&)>& mutate, Random& r) {
  if (r.one_in(3)) return mutate_plainly(bytes, r);
  auto members = unpack(bytes);
  if (members.empty()) return mutate_plainly(bytes, r);
  const std::size_t k = r.below(members.size());
  if (r.one_in(12))
    members.erase(members.begin() + static_cast<std::ptrdiff_t>(k));
  else if (r.one_in(12))
    members.push_back(members[k]);
  else if (r.one_in(8))
    members[k].name = mutate_plainly(members[k].name, r);
  else
    members[k].bytes = mutate(std::move(members[k].bytes), r);
  if (zip_only) return pack(members, Shape::zip, r);
  return pack(members, members.size() > 1 || r.one_in(2) ? (r.one_in(2) ? Shape::zip : Shape::tar) : Shape::plain, r);
}

}  // namespace warpspy::fuzz
