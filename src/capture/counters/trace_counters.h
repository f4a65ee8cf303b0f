// SPDX-License-Identifier: MIT
// trace_counters.h: the counters that `rtl trace --pmc` wants of every kernel, and their records.
//
//   RTL_COUNTERS = ITEM[,ITEM…]      ITEM = [gfx906/]NAME=BLOCK:EVENT
//
// Threads    Parse: before the first kernel. The rest as CounterUser
// Memory     fixed
// Errors     Parse: names the item. A kernel whose records find no room is a loss
#pragma once

#include <stdint.h>

#include "base/status.h"
#include "capture/counters/counter_user.h"
#include "capture/hsa/hsa_api.h"
#include "model/record_sink.h"

namespace rtl::capture {

class TraceCounters final : public CounterUser {
 public:
  static constexpr uint32_t kMostKinds = 8;  // of GPUs

  // `text`: RTL_COUNTERS.
  Status Parse(const char* text);
  // The runtime is there: which GPUs are of which kind.
  void Open(RecordSink* sink, const HsaApi* api);
  bool any() const { return kinds_ != 0; }

  const CounterSet* Choose(const DispatchRecord& kernel, const QueueIdentity& queue,
                           uint64_t* token) override;
  void Counted(uint64_t token, const DispatchRecord& kernel, const QueueIdentity& queue,
               const CounterValue* values, uint32_t count) override;
  void NotCounted(uint64_t token, Loss why) override {}  // it is counted as a loss

 private:
  static constexpr uint32_t kNameBytes = 64;
  // The counters of one kind of GPU; of every kind when `gpu` is empty.
  struct Kind {
    char gpu[16];
    CounterSet set;
    char names[CounterSet::kMost][kNameBytes];
  };
  Status Add(const char* item, size_t length);
  Kind* KindFor(const char* gpu, size_t length);

  uint32_t kinds_ = 0;
  Kind kind_[kMostKinds] = {};
  RecordSink* sink_ = nullptr;
  const HsaApi* api_ = nullptr;
};

}  // namespace rtl::capture
