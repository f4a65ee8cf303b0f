// SPDX-License-Identifier: MIT
// read_ahead.h: a thread that decompresses a file while the caller's thread parses it.
//
// Threads    all calls come from one thread; from the second Next on, `read` runs on a second
//            thread.
//            That thread blocks every signal, because the signal handlers belong to the program
//            that
//            uses this code as a library
// Blocking   Next waits for a full buffer; the destructor waits for a read that is under way
// Memory     kBuffers + 1 buffers
// Errors     an error of `read` is returned by the Next that follows the last full buffer. If there
//            is
//            no second processor or no second thread, Next reads by itself
// Why        docs/adr/0208-unpacking-beside-parsing.md
#pragma once

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "base/status.h"

namespace rtl::import {

class ReadAhead {
 public:
  static constexpr size_t kBufferBytes = size_t{256} << 10;
  static constexpr size_t kBuffers = 4;
  // Bytes after the text of a buffer. The first is zero. The others are there because a load of a
  // whole vector may begin at the text's last byte.
  static constexpr size_t kBehind = 16;

  struct Buffer {
    std::unique_ptr<char[]> bytes{new char[kBufferBytes + kBehind]};
    size_t used = 0;
  };
  // Reads the next bytes. *got: zero at the end.
  using Read = std::function<Status(char* to, size_t room, size_t* got)>;

  explicit ReadAhead(Read read) : read_(std::move(read)) {}
  ~ReadAhead();
  ReadAhead(const ReadAhead&) = delete;
  ReadAhead& operator=(const ReadAhead&) = delete;

  // Takes back the used buffer and returns the next one, which is empty at the end.
  Status Next(Buffer* buffer);

 private:
  void Start();
  void Run();
  Buffer EmptyBuffer();

  const Read read_;
  uint64_t calls_ = 0;  // number of calls of Next
  std::thread thread_;

  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Buffer> full_;        // under mutex_
  std::vector<Buffer> empty_;      // under mutex_
  bool ended_ = false;             // under mutex_: nothing follows full_
  bool stopped_ = false;           // under mutex_: the caller wants no more
  Status failure_ = Status::Ok();  // under mutex_
};

}  // namespace rtl::import
