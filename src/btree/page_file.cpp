// SPDX-License-Identifier: MIT
#include "btree/page_file.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/types.h>

#include "btree/format.h"

namespace rtl::btree {
namespace {

// SQLite locks the byte at this offset of the file, so the page that contains this byte is never
// used.
constexpr uint64_t kLockByte = 0x40000000;

}  // namespace

Status PageFile::Open(const std::string& path, const std::string& shown) {
  shown_ = shown;
  fd_.reset(open(path.c_str(), O_RDWR | O_CLOEXEC));
  return fd_.valid() ? Status::Ok() : Failure(errno);
}

Status PageFile::Failure(int error_number) const {
  if (error_number == ENOSPC)
    return Status::Error("cannot write %s: the disk is full", shown_.c_str());
  return Status::ErrnoError(error_number, "cannot write %s", shown_.c_str());
}

Status PageFile::Damaged() const {
  return Status::Error("cannot write %s: the trace in it is damaged", shown_.c_str());
}

Status PageFile::Begin() {
  uint8_t header[kDatabaseHeaderBytes];
  const ssize_t got = pread(fd_.get(), header, sizeof header, 0);
  if (got < 0) return Failure(errno);
  if (got != static_cast<ssize_t>(sizeof header)) return Damaged();
  page_bytes_ = PageBytes(header);
  pages_ = GetBig(header + kPageCountOffset, 4);
  change_counter_ = GetBig(header + kChangeCounterOffset, 4);
  const bool sound = page_bytes_ >= 512 && (page_bytes_ & (page_bytes_ - 1)) == 0 &&
                     header[kReservedOffset] == 0 && pages_ != 0 &&
                     GetBig(header + kVersionValidOffset, 4) == change_counter_;
  return sound ? Status::Ok() : Damaged();
}

Status PageFile::End(bool free_rest) {
  uint8_t header[kDatabaseHeaderBytes];
  if (pread(fd_.get(), header, sizeof header, 0) != static_cast<ssize_t>(sizeof header))
    return Failure(errno);
  if (free_rest) RTL_TRY(Free(header));
  PutBig(header + kPageCountOffset, pages_, 4);
  PutBig(header + kChangeCounterOffset, ++change_counter_, 4);
  PutBig(header + kVersionValidOffset, change_counter_, 4);
  if (pwrite(fd_.get(), header, sizeof header, 0) != static_cast<ssize_t>(sizeof header))
    return Failure(errno);
  return Status::Ok();
}

// Adds the pages that were given back to SQLite's list of free pages. Each page becomes a trunk of
// the list, without leaves.
Status PageFile::Free(uint8_t* header) {
  uint32_t first = GetBig(header + kFirstFreePageOffset, 4);
  uint32_t count = GetBig(header + kFreePageCountOffset, 4);
  std::vector<uint8_t> trunk(page_bytes_);
  for (const uint32_t page : unused_) {
    PutBig(trunk.data(), first, 4);
    RTL_TRY(Write(page, trunk.data()));
    first = page;
    ++count;
  }
  unused_.clear();
  PutBig(header + kFirstFreePageOffset, first, 4);
  PutBig(header + kFreePageCountOffset, count, 4);
  return Status::Ok();
}

Status PageFile::Read(uint32_t page, uint8_t* bytes) const {
  if (page == 0 || page > pages_) return Damaged();
  const off_t at = static_cast<off_t>(page - 1) * static_cast<off_t>(page_bytes_);
  const ssize_t got = pread(fd_.get(), bytes, page_bytes_, at);
  if (got < 0) return Failure(errno);
  return got == static_cast<ssize_t>(page_bytes_) ? Status::Ok() : Damaged();
}

Status PageFile::Write(uint32_t page, const uint8_t* bytes) {
  const off_t at = static_cast<off_t>(page - 1) * static_cast<off_t>(page_bytes_);
  size_t done = 0;
  while (done < page_bytes_) {
    const ssize_t wrote =
        pwrite(fd_.get(), bytes + done, page_bytes_ - done, at + static_cast<off_t>(done));
    if (wrote < 0 && errno == EINTR) continue;
    if (wrote < 0) return Failure(errno);
    done += static_cast<size_t>(wrote);
  }
  return Status::Ok();
}

uint32_t PageFile::Take() {
  if (!unused_.empty()) {
    const uint32_t page = unused_.back();
    unused_.pop_back();
    return page;
  }
  if (++pages_ == kLockByte / page_bytes_ + 1) ++pages_;
  return pages_;
}

}  // namespace rtl::btree
