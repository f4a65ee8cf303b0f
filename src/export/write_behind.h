// SPDX-License-Identifier: MIT
// write_behind.h: a thread that compresses and writes the buffers of another thread.
//
// Threads    all calls from one thread; `write` runs on the second thread, from the first Give on
// Blocking   Give waits while kBuffers are pending, Finish until all have been written
// Memory     kBuffers + 1 buffers
// Errors     after the first failure of `write`, later buffers are dropped. If there is no thread,
//            Give calls `write`
#pragma once

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <string_view>
#include <thread>
#include <vector>

#include "base/status.h"

namespace rtl::exporting {

class WriteBehind {
 public:
  static constexpr size_t kBufferBytes = 256 * 1024;
  static constexpr size_t kBuffers = 4;

  struct Buffer {
    std::unique_ptr<char[]> bytes{new char[kBufferBytes]};
    size_t used = 0;
    std::string_view view() const { return {bytes.get(), used}; }
  };

  explicit WriteBehind(std::function<Status(std::string_view)> write) : write_(std::move(write)) {}
  ~WriteBehind();  // drops buffers that are not written yet
  WriteBehind(const WriteBehind&) = delete;
  WriteBehind& operator=(const WriteBehind&) = delete;

  // Takes the contents of the buffer, and leaves an empty buffer.
  Status Give(Buffer* buffer);
  Status Finish();

 private:
  void Start();
  void Run();
  void Join();
  Buffer EmptyBuffer();

  const std::function<Status(std::string_view)> write_;
  bool started_ = false;
  std::thread thread_;

  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Buffer> full_;        // guarded by mutex_; the first one is being written
  std::vector<Buffer> empty_;      // guarded by mutex_
  bool ended_ = false;             // guarded by mutex_
  Status failure_ = Status::Ok();  // guarded by mutex_
};

}  // namespace rtl::exporting
