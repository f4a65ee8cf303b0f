// SPDX-License-Identifier: MIT
#include "export/write_behind.h"

#include <system_error>
#include <utility>

namespace rtl::exporting {

WriteBehind::~WriteBehind() {
  {
    const std::lock_guard lock(mutex_);
    if (full_.size() > 1) full_.resize(1);
  }
  Join();
}

void WriteBehind::Start() {
  started_ = true;
  try {
    thread_ = std::thread([this] { Run(); });
  } catch (const std::system_error&) {
    // If the thread cannot start, the caller writes.
  }
}

Status WriteBehind::Give(Buffer* buffer) {
  if (!started_) Start();
  if (!thread_.joinable()) {
    if (failure_.ok()) failure_ = write_(buffer->view());
    buffer->used = 0;
    return failure_;
  }
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [this] { return full_.size() < kBuffers; });
  full_.push_back(std::exchange(*buffer, EmptyBuffer()));
  changed_.notify_one();
  return failure_;
}

WriteBehind::Buffer WriteBehind::EmptyBuffer() {
  if (empty_.empty()) return {};
  Buffer buffer = std::move(empty_.back());
  empty_.pop_back();
  buffer.used = 0;
  return buffer;
}

void WriteBehind::Run() {
  std::unique_lock lock(mutex_);
  while (true) {
    changed_.wait(lock, [this] { return !full_.empty() || ended_; });
    if (full_.empty()) return;
    if (failure_.ok()) {
      const std::string_view bytes = full_.front().view();
      lock.unlock();
      const Status result = write_(bytes);
      lock.lock();
      failure_ = result;
    }
    empty_.push_back(std::move(full_.front()));
    full_.pop_front();
    changed_.notify_one();
  }
}

void WriteBehind::Join() {
  if (!thread_.joinable()) return;
  {
    const std::lock_guard lock(mutex_);
    ended_ = true;
    changed_.notify_one();
  }
  thread_.join();
}

Status WriteBehind::Finish() {
  Join();
  return failure_;
}

}  // namespace rtl::exporting
