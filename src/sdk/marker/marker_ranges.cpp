// SPDX-License-Identifier: MIT
#include "sdk/marker/marker_ranges.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <new>

#include "base/log.h"
#include "base/thread_state.h"
#include "sdk/marker/marker_functions.h"

namespace rtl::sdk {

void MarkerRanges::Open() {
  open_.Open(sizeof(Range));
  bool asked = false;
  for (const LibraryFunction& range : kMarkerRanges) asked |= calls_->Asked(range.api);
  asked_.store(asked, std::memory_order_release);  // publishes `open_`
}

uint32_t MarkerRanges::Begin(int32_t operation, const char* message) {
  const ApiFunction& function = kMarkerRanges[operation].api;
  if (!calls_->Listening(function)) return 0;
  // The program may reuse the text's memory before the range ends.
  char* const copy = message == nullptr ? nullptr : strdup(message);
  const uint32_t number = message != nullptr && copy == nullptr ? 0 : open_.Take();
  if (number == 0) {
    free(copy);
    Complain();
    return 0;
  }
  auto* const range = new (At(number)) Range;
  range->message = copy;
  range->payload = {};
  range->payload.size = sizeof range->payload;
  range->payload.args.roctxThreadRangeA.message = copy;
  calls_->Enter(&range->call, function, &range->payload);
  return number;
}

void MarkerRanges::End(uint32_t number) {
  if (number == 0) return;
  Range* const range = At(number);
  calls_->Leave(&range->call);
  free(range->message);
  open_.Give(number);
}

void MarkerRanges::Push(uint32_t library, uint32_t range) {
  if (!stacks_[library].Push(ThreadId::Current(), range)) Complain();
}

void MarkerRanges::Start(uint32_t library, uint64_t id, uint32_t number) {
  if (number == 0) return;
  Range* const range = At(number);
  range->id = id;
  range->library = library;
  range->payload.retval.roctx_range_id_t_retval = id;
  Bucket& bucket = started_[id % kBuckets];
  const MutexLock lock(bucket.mutex);
  range->next = bucket.first;
  bucket.first = number;
}

// Takes the range with this id out. Zero if its beginning was not seen.
uint32_t MarkerRanges::Stop(uint32_t library, uint64_t id) {
  Bucket& bucket = started_[id % kBuckets];
  const MutexLock lock(bucket.mutex);
  uint32_t* link = &bucket.first;
  while (*link != 0 && (At(*link)->id != id || At(*link)->library != library))
    link = &At(*link)->next;
  const uint32_t found = *link;
  if (found != 0) *link = At(found)->next;
  return found;
}

void MarkerRanges::Complain() {
  if (complained_.exchange(true, std::memory_order_relaxed)) return;
  Warn("ROCTx ranges are not reported to tools in process %d: out of memory",
       static_cast<int>(getpid()));
}

}  // namespace rtl::sdk
