// SPDX-License-Identifier: MIT
#include "sdk/contexts/retirement.h"

#include <rocprofiler-sdk/buffer_tracing.h>

#include "base/self_kept_clock.h"

namespace rtl::sdk {

constexpr uint32_t kKind = ROCPROFILER_BUFFER_TRACING_CORRELATION_ID_RETIREMENT;

void Retirement::Open() {
  nodes_.Open(sizeof(Node));
  contexts_that_ask_ = contexts_->WithBuffer(kKind);
}

void Retirement::Begin(uint64_t id) {
  const uint64_t started = contexts_that_ask_ & contexts_->Started();
  if (started == 0) return;
  const uint32_t number = nodes_.Take();
  if (number == 0) return;
  Bucket& bucket = BucketOf(id);
  const MutexLock lock(bucket.mutex);
  *At(number) = {id, 1, started, bucket.first};
  bucket.first = number;
}

void Retirement::Hold(uint64_t id, uint64_t times) {
  if (!asked() || id == 0) return;
  Bucket& bucket = BucketOf(id);
  const MutexLock lock(bucket.mutex);
  for (uint32_t number = bucket.first; number != 0; number = At(number)->next) {
    if (At(number)->id != id) continue;
    At(number)->holds += times;
    return;
  }
}

void Retirement::Release(uint64_t id, uint64_t times) {
  if (!asked() || id == 0) return;
  uint64_t contexts = 0;
  {
    Bucket& bucket = BucketOf(id);
    const MutexLock lock(bucket.mutex);
    uint32_t* link = &bucket.first;
    while (*link != 0 && At(*link)->id != id) link = &At(*link)->next;
    if (*link == 0) return;
    const uint32_t number = *link;
    Node* const node = At(number);
    node->holds -= times;
    if (node->holds != 0) return;
    contexts = node->contexts;
    *link = node->next;
    nodes_.Give(number);
  }
  Tell(id, contexts);
}

void Retirement::Tell(uint64_t id, uint64_t contexts) const {
  rocprofiler_buffer_tracing_correlation_id_retirement_record_t record = {};
  record.size = sizeof record;
  record.kind = ROCPROFILER_BUFFER_TRACING_CORRELATION_ID_RETIREMENT;
  record.timestamp = process_clock.NowNs();
  record.internal_correlation_id = id;
  for (const uint32_t i : BitsOf(contexts)) contexts_->at(i).buffers[kKind].buffer->Append(record);
}

}  // namespace rtl::sdk
