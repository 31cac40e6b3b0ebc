#include "core/io/zip_writer.hpp"

#include <archive.h>
#include <archive_entry.h>

#include "core/base/types.hpp"

namespace warpspy {

void ZipWriter::Free::operator()(archive* a) const { archive_write_free(a); }

ZipWriter::ZipWriter(const std::string& path, bool compress)
    : path_(path), target_(path), archive_(archive_write_new()) {
  archive* a = archive_.get();
  check(archive_write_set_format_zip(a));
  check(compress ? archive_write_zip_set_compression_deflate(a) : archive_write_zip_set_compression_store(a));
  check(archive_write_set_bytes_in_last_block(a, 1));  // no padding at the end
  check(archive_write_open_FILE(a, target_.file()));
}

void ZipWriter::begin(const std::string& name, std::uint64_t bytes) {
  const std::unique_ptr<archive_entry, decltype(&archive_entry_free)> entry(archive_entry_new(), archive_entry_free);
  archive_entry_set_pathname(entry.get(), name.c_str());
  archive_entry_set_filetype(entry.get(), AE_IFREG);
  archive_entry_set_perm(entry.get(), 0644);
  archive_entry_set_size(entry.get(), static_cast<la_int64_t>(bytes));
  archive_entry_set_mtime(entry.get(), 315532800, 0);  // 1980, the first time that zip knows
  check(archive_write_header(archive_.get(), entry.get()));
}

void ZipWriter::put(const char* from, std::size_t bytes) {
  if (archive_write_data(archive_.get(), from, bytes) != static_cast<la_ssize_t>(bytes)) check(ARCHIVE_FATAL);
}

void ZipWriter::commit() {
  check(archive_write_close(archive_.get()));
  target_.commit();
}

void ZipWriter::check(int status) {
  if (status >= ARCHIVE_WARN) return;
  const char* text = archive_error_string(archive_.get());
  throw Error("cannot write the file: " + std::string(text ? text : "unknown error"), path_,
              "check the folder and the free space");
}

}  // namespace warpspy
