// SPDX-License-Identifier: MIT
// read_ahead.h: a thread that unpacks what another thread parses.
//
// Threads    all calls from one thread; `read` runs on the second thread, from the second Next on.
//            It blocks every signal: a program that opens a trace as a library has its handlers
// Blocking   Next waits for a buffer; the destructor for the buffer that is being read
// Memory     kBuffers + 1 buffers
// Errors     the first failure of `read` is the answer of Next behind the last buffer before it.
//            Without a thread, or a second processor for it, Next reads
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
  // A zero follows the text in a buffer, and a load of a whole vector may begin at its last byte.
  static constexpr size_t kBehind = 16;

  struct Buffer {
    std::unique_ptr<char[]> bytes{new char[kBufferBytes + kBehind]};
    size_t used = 0;
  };
  // Reads the next bytes; none: the end.
  using Read = std::function<Status(char* to, size_t room, size_t* got)>;

  explicit ReadAhead(Read read) : read_(std::move(read)) {}
  ~ReadAhead();
  ReadAhead(const ReadAhead&) = delete;
  ReadAhead& operator=(const ReadAhead&) = delete;

  // Takes the buffer that has been used and leaves the next one. Empty: the end.
  Status Next(Buffer* buffer);

 private:
  void Start();
  void Run();
  Buffer EmptyBuffer();

  const Read read_;
  uint64_t calls_ = 0;  // of Next
  std::thread thread_;

  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Buffer> full_;        // under mutex_
  std::vector<Buffer> empty_;      // under mutex_
  bool ended_ = false;             // under mutex_: nothing follows full_
  bool stopped_ = false;           // under mutex_: no more is wanted
  Status failure_ = Status::Ok();  // under mutex_
};

}  // namespace rtl::import
