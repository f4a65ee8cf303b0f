// SPDX-License-Identifier: MIT
#include "sdk/contexts/buffers.h"

#include "sdk/contexts/ids.h"

namespace rtl::sdk {

bool Buffers::Start(CallbackThread* thread) {
  const InternalThreads::Making making(listeners_);
  return thread->Start().ok();
}

CallbackThread* Buffers::SharedThread() {
  if (thread_count_ == 0 && Start(&threads_[0])) thread_count_ = 1;
  return thread_count_ == 0 ? nullptr : &threads_[0];
}

rocprofiler_status_t Buffers::Add(Buffer::Options options, rocprofiler_buffer_id_t* id) {
  CallbackThread* const thread = SharedThread();
  const uint32_t index = count_.load(std::memory_order_relaxed);
  if (thread == nullptr || index == kMost) return ROCPROFILER_STATUS_ERROR_OUT_OF_RESOURCES;
  options.id.handle = MakeHandle(HandleKind::kBuffer, index);
  if (!buffers_[index].Open(options, thread)) return ROCPROFILER_STATUS_ERROR_OUT_OF_RESOURCES;
  count_.store(index + 1, std::memory_order_release);  // publishes the buffer
  *id = options.id;
  return ROCPROFILER_STATUS_SUCCESS;
}

Buffer* Buffers::Find(rocprofiler_buffer_id_t id) {
  const uint32_t count = count_.load(std::memory_order_acquire);
  const uint32_t index = IndexOf(HandleKind::kBuffer, id.handle, count);
  return index == count || !buffers_[index].open() ? nullptr : &buffers_[index];
}

rocprofiler_status_t Buffers::AddThread(rocprofiler_callback_thread_t* id) {
  if (SharedThread() == nullptr || thread_count_ == kMostThreads ||
      !Start(&threads_[thread_count_]))
    return ROCPROFILER_STATUS_ERROR_OUT_OF_RESOURCES;
  id->handle = MakeHandle(HandleKind::kThread, thread_count_++);
  return ROCPROFILER_STATUS_SUCCESS;
}

bool Buffers::OnCallbackThread() const {
  const uint32_t count = thread_count_.load(std::memory_order_acquire);
  for (uint32_t i = 0; i < count; ++i) {
    if (threads_[i].IsCaller()) return true;
  }
  return false;
}

rocprofiler_status_t Buffers::Assign(rocprofiler_buffer_id_t id,
                                     rocprofiler_callback_thread_t thread) {
  Buffer* const buffer = Find(id);
  if (buffer == nullptr) return ROCPROFILER_STATUS_ERROR_BUFFER_NOT_FOUND;
  const uint32_t index = IndexOf(HandleKind::kThread, thread.handle, thread_count_);
  if (index == thread_count_) return ROCPROFILER_STATUS_ERROR_THREAD_NOT_FOUND;
  buffer->Assign(&threads_[index]);
  return ROCPROFILER_STATUS_SUCCESS;
}

}  // namespace rtl::sdk
