// SPDX-License-Identifier: MIT
// fuzz_support.h: a spool whose bytes the fuzzer chooses: the beginning of the control page, and
// the contents of a segment, truncated where the input ends.
//
//   input     2 bytes: how much of it overwrites the control page; the rest follows the segment's
//             header, from its first chunk on
#pragma once

#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include "spool/directory.h"
#include "spool/writer.h"

namespace rtl::spool {

inline constexpr size_t kMostOfThePage = 4096;

inline void Check(bool holds) {
  if (!holds) abort();  // file work of the fuzzer failed, or the reader broke its contract
}

inline void Put(int fd, const void* data, size_t bytes, size_t offset) {
  Check(pwrite(fd, data, bytes, static_cast<off_t>(offset)) == static_cast<ssize_t>(bytes));
}

// The spool of a process that has ended, made by the real writer. Each input overwrites its files.
class HostileSpool {
 public:
  HostileSpool() {
    const char* memory = access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp";
    std::string pattern = std::string(memory) + "/rtl-fuzz-XXXXXX";
    Check(mkdtemp(pattern.data()) != nullptr);
    directory_ = pattern;
    static Writer writer;
    WriterOptions options;
    options.directory = directory_.c_str();
    options.process.start_ticks = 1;  // cannot be the start of a process of today
    Check(writer.Open(options).ok());
    std::vector<std::string> stems;
    Check(ListProcesses(directory_, &stems).ok() && stems.size() == 1);
    stem_ = stems[0];
    page_.resize(sizeof(ControlPage));
    segment_.resize(sizeof(SegmentHeader));
    Load(".ctl", &page_);
    Load(".000001.seg", &segment_);
  }
  ~HostileSpool() {
    std::error_code ignored;
    std::filesystem::remove_all(directory_, ignored);
  }

  HostileSpool(const HostileSpool&) = delete;
  HostileSpool& operator=(const HostileSpool&) = delete;

  // False when the input is too short.
  bool Write(const uint8_t* input, size_t size) {
    if (size < 2) return false;
    size_t page = input[0] | size_t{input[1]} << 8;
    page = std::min({page % kMostOfThePage, size - 2});
    Write(input + 2, page, input + 2 + page, size - 2 - page);
    return true;
  }

  const std::string& directory() const { return directory_; }
  const std::string& stem() const { return stem_; }

 private:
  void Write(const uint8_t* page, size_t page_bytes, const uint8_t* chunks, size_t bytes) {
    const int control = Make(".ctl");
    Put(control, page_.data(), page_.size(), 0);
    Put(control, page, page_bytes, 0);
    Check(close(control) == 0);
    const int segment = Make(".000001.seg");
    Put(segment, segment_.data(), segment_.size(), 0);
    // Each chunk begins with the next step of the input.
    constexpr size_t kStep = 1024;
    for (size_t done = 0, chunk = 1; done < bytes && chunk < kChunksPerSegment; ++chunk) {
      const size_t step = std::min(kStep, bytes - done);
      Put(segment, chunks + done, step, chunk * kChunkBytes);
      done += step;
    }
    Check(close(segment) == 0);
  }

  std::string Path(const char* suffix) const { return directory_ + "/" + stem_ + suffix; }
  int Make(const char* suffix) const {
    (void)unlink(Path(suffix).c_str());  // left over if the reader has not deleted it
    const int fd = open(Path(suffix).c_str(), O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    Check(fd >= 0);
    return fd;
  }
  void Load(const char* suffix, std::vector<char>* out) const {
    const int fd = open(Path(suffix).c_str(), O_RDONLY | O_CLOEXEC);
    Check(fd >= 0 && read(fd, out->data(), out->size()) == static_cast<ssize_t>(out->size()));
    Check(close(fd) == 0);
  }
  std::string directory_;
  std::string stem_;
  std::vector<char> page_;
  std::vector<char> segment_;
};

}  // namespace rtl::spool
