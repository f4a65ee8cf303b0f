// SPDX-License-Identifier: MIT
#include "capture/clr/self_read.h"

#include <errno.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

namespace rtl::capture {
namespace {

constexpr size_t kPageBytes = 4096;
constexpr int kPieces = 8;

// Makes one system call. The kernel copies whole pieces only, so pieces end at page boundaries.
size_t ReadSome(uint64_t address, void* out, size_t bytes) {
  iovec remote[kPieces];
  int pieces = 0;
  size_t asked = 0;
  while (asked < bytes && pieces < kPieces) {
    const size_t to_page_end = kPageBytes - (address + asked) % kPageBytes;
    const size_t piece = to_page_end < bytes - asked ? to_page_end : bytes - asked;
    remote[pieces++] = {reinterpret_cast<void*>(address + asked), piece};
    asked += piece;
  }
  const iovec local = {out, asked};
  const int error_number = errno;  // the application's
  const ssize_t read =
      process_vm_readv(getpid(), &local, 1, remote, static_cast<unsigned long>(pieces), 0);
  errno = error_number;
  return read < 0 ? 0 : static_cast<size_t>(read);
}

}  // namespace

size_t SelfRead(uint64_t address, void* out, size_t bytes) {
  if (address == 0 || address + bytes < address) return 0;
  size_t done = 0;
  while (done < bytes) {
    const size_t read = ReadSome(address + done, static_cast<char*>(out) + done, bytes - done);
    if (read == 0) break;
    done += read;
  }
  return done;
}

bool SelfReadText(uint64_t address, char* out, size_t capacity) {
  const size_t read = SelfRead(address, out, capacity - 1);
  const size_t length = strnlen(out, read);
  out[length] = '\0';
  // A readable part without a terminator is not a text.
  return length != 0 && (length < read || read == capacity - 1);
}

bool SelfReadWorks() {
  const uint32_t word = 0x52544c21;
  uint32_t copy = 0;
  return SelfRead(reinterpret_cast<uint64_t>(&word), &copy, sizeof copy) == sizeof copy &&
         copy == word;
}

}  // namespace rtl::capture
