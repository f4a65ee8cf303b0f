// SPDX-License-Identifier: MIT
#include "import/read_ahead.h"

#include <sched.h>

#include <system_error>
#include <utility>

#include "base/own_thread.h"

namespace rtl::import {
namespace {

// With one processor a second thread costs switches between threads and saves nothing.
bool HasSecondProcessor() {
  cpu_set_t processors;
  return sched_getaffinity(0, sizeof processors, &processors) != 0 || CPU_COUNT(&processors) > 1;
}

}  // namespace

ReadAhead::~ReadAhead() {
  if (!thread_.joinable()) return;
  {
    const std::lock_guard lock(mutex_);
    stopped_ = true;
    changed_.notify_one();
  }
  thread_.join();
}

void ReadAhead::Start() {
  if (!HasSecondProcessor()) return;
  const SignalsBlocked blocked;  // the new thread inherits the blocked signals
  try {
    thread_ = std::thread([this] { Run(); });
  } catch (const std::system_error&) {
    // If the thread cannot be started, Next reads.
  }
}

// The second thread starts at the second call: a caller that needs only the begin of a file starts
// none.
Status ReadAhead::Next(Buffer* buffer) {
  buffer->used = 0;
  if (++calls_ == 2) Start();
  if (!thread_.joinable()) return read_(buffer->bytes.get(), kBufferBytes, &buffer->used);
  std::unique_lock lock(mutex_);
  empty_.push_back(std::move(*buffer));
  changed_.notify_one();
  changed_.wait(lock, [this] { return !full_.empty() || ended_; });
  if (full_.empty()) {
    *buffer = EmptyBuffer();
    return failure_;
  }
  *buffer = std::move(full_.front());
  full_.pop_front();
  return Status::Ok();
}

ReadAhead::Buffer ReadAhead::EmptyBuffer() {
  if (empty_.empty()) return {};
  Buffer buffer = std::move(empty_.back());
  empty_.pop_back();
  buffer.used = 0;
  return buffer;
}

void ReadAhead::Run() {
  std::unique_lock lock(mutex_);
  while (!ended_) {
    changed_.wait(lock, [this] { return full_.size() < kBuffers || stopped_; });
    if (stopped_) return;
    Buffer buffer = EmptyBuffer();
    lock.unlock();
    const Status result = read_(buffer.bytes.get(), kBufferBytes, &buffer.used);
    lock.lock();
    failure_ = result;
    ended_ = !result.ok() || buffer.used == 0;
    if (buffer.used != 0) full_.push_back(std::move(buffer));
    changed_.notify_one();
  }
}

}  // namespace rtl::import
