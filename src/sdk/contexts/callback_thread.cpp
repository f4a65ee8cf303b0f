// SPDX-License-Identifier: MIT
#include "sdk/contexts/callback_thread.h"

#include "base/clock.h"
#include "base/own_thread.h"
#include "sdk/contexts/buffer.h"

namespace rtl::sdk {
namespace {

// the size that a tool may expect of a thread's stack
constexpr size_t kStackBytes = size_t{8} << 20;

}  // namespace

Status CallbackThread::Start() {
  return StartOwnThread("rtl-callbacks", Main, this, &thread_, kStackBytes);
}

// Queues the buffer and returns the number of the request. The caller holds the lock.
uint64_t CallbackThread::Enqueue(Buffer* buffer) {
  if (!buffer->queued_) {
    buffer->queued_ = true;
    buffer->next_ = nullptr;
    (last_ == nullptr ? first_ : last_->next_) = buffer;
    last_ = buffer;
    pthread_cond_signal(&work_);
  }
  return buffer->delivered_ + (buffer->delivering_ ? 2 : 1);
}

void CallbackThread::Ask(Buffer* buffer) {
  pthread_mutex_lock(&mutex_);
  (void)Enqueue(buffer);  // no thread waits for this request
  pthread_mutex_unlock(&mutex_);
}

bool CallbackThread::AskAndWait(Buffer* buffer, uint64_t limit_ns) {
  if (IsCaller()) return false;
  const timespec until = RealtimeAfter(limit_ns);
  pthread_mutex_lock(&mutex_);
  const uint64_t wanted = Enqueue(buffer);
  int late = 0;
  while (buffer->delivered_ < wanted && late == 0)
    late = pthread_cond_timedwait(&done_, &mutex_, &until);
  const bool done = buffer->delivered_ >= wanted;
  pthread_mutex_unlock(&mutex_);
  return done;
}

void* CallbackThread::Main(void* self) {
  static_cast<CallbackThread*>(self)->Run();
  return nullptr;
}

void CallbackThread::Run() {
  pthread_mutex_lock(&mutex_);
  for (;;) {
    while (first_ == nullptr) pthread_cond_wait(&work_, &mutex_);
    Buffer* const buffer = first_;
    first_ = buffer->next_;
    if (first_ == nullptr) last_ = nullptr;
    buffer->queued_ = false;
    buffer->delivering_ = true;
    pthread_mutex_unlock(&mutex_);
    buffer->Deliver();
    pthread_mutex_lock(&mutex_);
    buffer->delivering_ = false;
    ++buffer->delivered_;
    pthread_cond_broadcast(&done_);
  }
}

}  // namespace rtl::sdk
