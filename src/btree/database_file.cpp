// SPDX-License-Identifier: MIT
#include "btree/database_file.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>

#include <algorithm>
#include <limits>

#include "btree/format.h"

namespace rtl::btree {
namespace {

constexpr size_t kLeastPageBytes = 512;
constexpr size_t kLeastUsableBytes = 480;

// Reads up to `bytes` bytes. If *got is less than `bytes`, the file ends there.
Status ReadBytes(int fd, uint64_t offset, size_t bytes, uint8_t* out, size_t* got) {
  for (*got = 0; *got < bytes;) {
    const ssize_t read = pread(fd, out + *got, bytes - *got, static_cast<off_t>(offset + *got));
    if (read < 0 && errno == EINTR) continue;
    if (read < 0) return Status::ErrnoError(errno, "reading failed");
    if (read == 0) break;
    *got += static_cast<size_t>(read);
  }
  return Status::Ok();
}

}  // namespace

Status DatabaseFile::Open(const std::string& path) {
  fd_.reset(open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!fd_.valid()) return Status::ErrnoError(errno, "cannot be opened");
  uint8_t header[kDatabaseHeaderBytes];
  size_t got = 0;
  RTL_TRY(ReadBytes(fd_.get(), 0, sizeof header, header, &got));
  if (got < sizeof header) return Status::Error("truncated in its header");
  page_bytes_ = PageBytes(header);
  const bool is_power = (page_bytes_ & (page_bytes_ - 1)) == 0;
  if (page_bytes_ < kLeastPageBytes || !is_power) {
    return Status::Error("damaged: pages of %zu bytes", page_bytes_);
  }
  usable_bytes_ = page_bytes_ - header[kReservedOffset];
  if (usable_bytes_ < kLeastUsableBytes) {
    return Status::Error("damaged: pages with %zu usable bytes", usable_bytes_);
  }
  struct stat info;
  if (fstat(fd_.get(), &info) != 0) return Status::ErrnoError(errno, "cannot be read");
  const uint64_t pages = static_cast<uint64_t>(info.st_size) / page_bytes_;
  page_count_ =
      static_cast<uint32_t>(std::min<uint64_t>(pages, std::numeric_limits<uint32_t>::max()));
  return Status::Ok();
}

Status DatabaseFile::ReadPage(uint32_t page, uint8_t* out) const {
  uint32_t one = 1;
  return ReadPages(page, &one, out);
}

Status DatabaseFile::ReadPages(uint32_t page, uint32_t* pages, uint8_t* out) const {
  if (page == 0 || page > page_count_) {
    return Status::Error("damaged: no page %u among its %u pages", page, page_count_);
  }
  const size_t wanted = std::min(*pages, page_count_ - page + 1) * page_bytes_;
  size_t got = 0;
  RTL_TRY(ReadBytes(fd_.get(), uint64_t{page - 1} * page_bytes_, wanted, out, &got));
  if (got < page_bytes_) return Status::Error("truncated in page %u", page);
  *pages = static_cast<uint32_t>(got / page_bytes_);
  return Status::Ok();
}

}  // namespace rtl::btree
