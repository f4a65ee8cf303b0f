// SPDX-License-Identifier: MIT
#include "sdk/buffer.h"

#include <stdlib.h>
#include <string.h>

#include "sdk/callback_thread.h"

namespace rtl::sdk {
namespace {

constexpr size_t kPage = 4096;
constexpr size_t kSmallestRecord = 32;
constexpr size_t kAlignment = 8;
constexpr uint64_t kFlushLimitNs = 10'000'000'000;

}  // namespace

struct Buffer::Chunk {
  Chunk* next;
  size_t count;
  size_t used;
  size_t most;  // records
  rocprofiler_record_header_t* headers;
  rocprofiler_record_header_t** pointers;
  char* bytes;
};

bool Buffer::Open(const Options& options, CallbackThread* thread) {
  options_ = options;
  options_.size = (options.size + kPage - 1) / kPage * kPage;
  thread_ = thread;
  const MutexLock lock(mutex_);
  first_ = filling_ = NewChunk();
  open_.store(first_ != nullptr, std::memory_order_release);  // publishes options_
  return first_ != nullptr;
}

Buffer::Chunk* Buffer::NewChunk() {
  if (Chunk* const spare = spare_; spare != nullptr) {
    spare_ = nullptr;
    return spare;
  }
  if (chunk_bytes_ != 0 && chunk_bytes_ + options_.size > kMostBytes) return nullptr;
  const size_t most = options_.size / kSmallestRecord;
  const size_t per_record = sizeof(rocprofiler_record_header_t) + sizeof(void*);
  auto* const chunk =
      static_cast<Chunk*>(malloc(sizeof(Chunk) + most * per_record + options_.size));
  if (chunk == nullptr) return nullptr;
  chunk_bytes_ += options_.size;
  chunk->next = nullptr;
  chunk->count = chunk->used = 0;
  chunk->most = most;
  chunk->headers = reinterpret_cast<rocprofiler_record_header_t*>(chunk + 1);
  chunk->pointers = reinterpret_cast<rocprofiler_record_header_t**>(chunk->headers + most);
  chunk->bytes = reinterpret_cast<char*>(chunk->pointers + most);
  return chunk;
}

// The chunk that takes the record; null when there is no room.
Buffer::Chunk* Buffer::RoomFor(size_t bytes) {
  if (bytes > options_.size) return nullptr;
  if (filling_ != nullptr && filling_->used + bytes <= options_.size &&
      filling_->count < filling_->most)
    return filling_;
  if (filling_ != nullptr && !options_.lossless) return nullptr;
  Chunk* const chunk = NewChunk();
  if (chunk == nullptr) return nullptr;
  (filling_ == nullptr ? first_ : filling_->next) = chunk;
  return filling_ = chunk;
}

void Buffer::Append(uint32_t kind, const void* record, size_t bytes) {
  bytes = (bytes + kAlignment - 1) / kAlignment * kAlignment;  // every record is a multiple of it
  bool ask;
  {
    const MutexLock lock(mutex_);
    if (!open()) return;
    const Chunk* const before = filling_;
    Chunk* const chunk = RoomFor(bytes);
    if (chunk == nullptr) {
      CountDropped(1);
      return;
    }
    char* const place = chunk->bytes + chunk->used;
    memcpy(place, record, bytes);
    rocprofiler_record_header_t& header = chunk->headers[chunk->count];
    header.category = ROCPROFILER_BUFFER_CATEGORY_TRACING;
    header.kind = kind;
    header.payload = place;
    chunk->pointers[chunk->count++] = &header;
    chunk->used += bytes;
    used_ += bytes;
    ask = used_ >= options_.watermark || (before != nullptr && chunk != before);
  }
  if (ask && !asked_.exchange(true, std::memory_order_acq_rel)) thread_->Ask(this);
}

void Buffer::Deliver() {
  asked_.store(false, std::memory_order_release);  // what comes from now on asks again
  Chunk* list;
  {
    const MutexLock lock(mutex_);
    if (!open()) return;
    list = first_;
    first_ = filling_ = nullptr;
    used_ = 0;
    in_callback_ = true;
  }
  uint64_t dropped = dropped_.exchange(0, std::memory_order_relaxed);
  for (Chunk* chunk = list; chunk != nullptr; chunk = chunk->next) {
    if (chunk->count == 0 && dropped == 0) continue;
    options_.callback(options_.context, options_.id, chunk->pointers, chunk->count, options_.data,
                      dropped);
    dropped = 0;
  }
  if (dropped != 0) {  // and nothing has arrived since the last time
    rocprofiler_record_header_t* none[1] = {};
    options_.callback(options_.context, options_.id, none, 0, options_.data, dropped);
  }
  Release(list);
}

void Buffer::Release(Chunk* list) {
  const MutexLock lock(mutex_);
  in_callback_ = false;
  while (list != nullptr) {
    Chunk* const next = list->next;
    if (spare_ == nullptr) {
      spare_ = list;
      spare_->next = nullptr;
      spare_->count = spare_->used = 0;
    } else {
      chunk_bytes_ -= options_.size;
      free(list);
    }
    list = next;
  }
}

rocprofiler_status_t Buffer::Flush() {
  if (!open()) return ROCPROFILER_STATUS_ERROR_BUFFER_NOT_FOUND;
  return thread_->AskAndWait(this, kFlushLimitNs) ? ROCPROFILER_STATUS_SUCCESS
                                                  : ROCPROFILER_STATUS_ERROR_BUFFER_BUSY;
}

rocprofiler_status_t Buffer::Destroy() {
  Chunk* list;
  {
    const MutexLock lock(mutex_);
    if (!open()) return ROCPROFILER_STATUS_ERROR_BUFFER_NOT_FOUND;
    if (in_callback_) return ROCPROFILER_STATUS_ERROR_BUFFER_BUSY;
    open_.store(false, std::memory_order_release);  // seen under the lock by Append and Deliver
    list = first_;
    first_ = filling_ = nullptr;
    free(spare_);
    spare_ = nullptr;
  }
  while (list != nullptr) {
    Chunk* const next = list->next;
    free(list);
    list = next;
  }
  return ROCPROFILER_STATUS_SUCCESS;
}

}  // namespace rtl::sdk
