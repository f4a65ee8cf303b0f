// SPDX-License-Identifier: MIT
// clr_records.h: converts the records of HIP's profiler into the trace's own: calls, kernels,
// copies, and the GPUs, queues and kernels that they name. No pointer into HIP is kept: names are
// copied at once, with system calls that cannot crash (self_read.h).
//
//   seen      when a call or operation is read, or a slab is known to be missing
//   recorded  when the sink has accepted it
//   losses    kBadTimestamps: not a time of the chosen clock; kSpoolFull; kProfilerLost: HIP has
//             stated more records than could be read
//
// Threads    one at a time (ClrCapture's lock)
// Blocking   system calls: about one per operation, for the name; in the streaming form one per
//            name
// Memory     one mapping: a table of names by hash. Names that do not fit share one name
#pragma once

#include <stddef.h>
#include <stdint.h>

#include <atomic>

#include "base/status.h"
#include "capture/clr/clr_clock.h"
#include "capture/clr/clr_format.h"
#include "capture/clr/clr_library.h"
#include "model/record_sink.h"

namespace rtl::capture {

class ClrRecords {
 public:
  constexpr ClrRecords() = default;
  ClrRecords(const ClrRecords&) = delete;
  ClrRecords& operator=(const ClrRecords&) = delete;

  struct Services {
    RecordSink* sink = nullptr;
    std::atomic<uint64_t>* calls_submitted = nullptr;  // its values are also the correlation ids
    std::atomic<uint64_t>* other_packets = nullptr;    // barriers; may be null
    const ClrLibrary* library = nullptr;  // has the names of calls in the forms that number them
  };
  Status Open(const Services& services);

  // Begins with the clock samples around the test call, which `thread` made.
  void BeginClock(const ClrClockSample& before, const ClrClockSample& after, uint32_t thread) {
    clock_.Begin(before, after);
    thread_ = thread;
  }
  // Adds `count` records at `address`: a chunk, a part of a chunk, or an array. Returns how many
  // could be read; the others are lost and counted.
  size_t AddSlab(ClrForm form, uint64_t address, size_t count);

  // For records that are read while HIP writes them (clr_live.h): counts the calls among HIP's
  // first `records` records as seen. `records` includes the test call's record.
  void See(uint64_t records);
  // The present time on the profiler's clock; zero if that clock is not known.
  uint64_t ReadClock() {
    clock_.Advance(SampleClrClocks());
    return clock_.now();
  }
  void LearnClockFrom(ClrForm form, const uint8_t* bytes, size_t records) {
    if (records != 0 && !clock_.chosen()) (void)LearnClock(form, bytes, records);
  }
  // False if the call's times are not written yet, or are not times of the profiler's clock.
  bool HasTimes(const ClrCall& call) const {
    uint64_t time;
    return !clock_.chosen() ||
           (clock_.ToBootTime(call.start, &time) && clock_.ToBootTime(call.end, &time));
  }
  // Adds a call that has returned. The result says what may follow: nothing, an operation, or any
  // number of operations.
  enum class Follows : uint8_t { kNothing, kOperation, kGraph };
  Follows AddLiveCall(ClrForm form, const ClrCall& call, uint64_t correlation);
  // Adds the operations of a call after the first `taken`. Returns how many have been added in all.
  // `last`: operations that are still missing are lost.
  uint32_t AddLiveOps(ClrForm form, const ClrCall& call, uint64_t correlation, uint32_t taken,
                      bool last);
  // Like Close, for records that are read while HIP writes them: `open` calls have not ended
  // (kShutdown); all other calls without a record are kProfilerLost.
  void CloseLive(uint64_t open);

  // Counts calls whose records HIP has not delivered.
  void CountLost(Loss why, uint64_t calls);
  // Ends the counting: records that are read later do not count. Of the application's `watched`
  // calls, those without a record are lost: `under_way` calls that are still open are kShutdown,
  // all others kProfilerOff. Called once, by any thread, also while another thread adds records.
  void Close(uint64_t watched, uint64_t under_way);
  bool closed() const { return (accounted_.load(std::memory_order_relaxed) & kClosed) != 0; }

  // The number of records read, including the test call's record.
  uint64_t met() const { return met_; }
  const ClrClock& clock() const { return clock_; }
  bool threads_are_hashed() const { return threads_are_hashed_; }

 private:
  static constexpr size_t kNames = 16'384;  // a power of two
  static constexpr size_t kQueues = 1024;   // a power of two
  static constexpr uint32_t kMostOps = 1'000'000;
  static constexpr size_t kNameBytes = 4096;
  struct Table {
    struct Entry {
      uint64_t hash;  // zero: the entry is free
      uint32_t id;
    };
    Entry names[kNames];
    uint32_t used;
  };
  // Numbers of names by the address of the name. In kStreaming HIP keeps names as long as records,
  // so each name is read only once.
  struct Known {
    static constexpr size_t kEntries = 4096;  // a power of two
    uint64_t address[kEntries];
    uint32_t number[kEntries];
  };
  struct Memory {
    Known known_calls, known_kernels;
    Table kernels;
    Table calls;
    uint64_t queues[kQueues];  // (device + 1) << 48 | (queue + 1); zero: the entry is free
    uint32_t queue_ids[kQueues];
    uint64_t devices[1024];   // one bit per announced device
    Follows follows[kNames];  // by number of the call, counted from kFirstUnknownApi
    char name[kNameBytes];
  };

  static constexpr uint64_t kClosed = uint64_t{1} << 63;

  // Counts `calls` calls as accounted for. False if Close has already ended the counting.
  bool Claim(uint64_t calls) {
    return (accounted_.fetch_add(calls, std::memory_order_relaxed) & kClosed) == 0;
  }
  bool LearnClock(ClrForm form, const uint8_t* bytes, size_t records);
  bool IsOwnCall(ClrForm form, const ClrCall& call) const;
  void AddCall(ClrForm form, const ClrCall& call);
  // Writes a call's record. Returns the end of the call; zero if its times are bad.
  uint64_t StoreCall(ClrForm form, const ClrCall& call, uint64_t correlation, uint32_t* number);
  struct Origin {
    uint64_t correlation;
    uint64_t submitted;
    uint32_t thread;
    uint64_t bytes;  // size of the call's only copy, whose own record may lack it; zero: not known
    bool names_stay;
  };
  uint32_t AddOps(ClrForm form, const ClrCall& call, const Origin& origin, uint32_t taken,
                  uint64_t until);
  void LoseOps(uint64_t ops);
  void AddOp(const ClrOp& op, const Origin& origin);
  void AddDispatch(const ClrOp& op, const Origin& origin, uint64_t begin, uint64_t end);
  void AddCopy(const ClrOp& op, const Origin& origin, uint64_t begin, uint64_t end);
  void Write(EventKind kind, const void* record, size_t bytes);
  uint32_t Device(uint32_t device);
  uint32_t Queue(uint32_t device, uint64_t queue, uint64_t begin);
  uint32_t CallNumber(ClrForm form, const ClrCall& call);
  uint32_t NameCall(ClrForm form, const ClrCall& call);
  uint32_t Kernel(const ClrOp& op, const Origin& origin);
  uint32_t NameKernel(const ClrOp& op, uint32_t agent);
  uint32_t Thread(uint64_t thread) const;
  static uint32_t* Place(Known* known, uint64_t address, bool* is_new);
  static bool Lookup(Table* table, const char* name, uint32_t** id);

  Services services_;
  Memory* memory_ = nullptr;
  ClrClock clock_;
  uint32_t thread_ = 0;  // kernel thread id of the test call
  bool own_call_met_ = false;
  bool threads_are_hashed_ = false;
  uint32_t last_queue_ = 0;
  uint64_t last_dispatch_ = 0;
  uint64_t last_copy_ = 0;
  uint64_t met_ = 0;
  // the application's calls with a record or a loss; kClosed is a bit of it
  std::atomic<uint64_t> accounted_{0};
  std::atomic<uint64_t> live_submitted_{0};  // calls that See has counted
  uint8_t slab_[64 * kMaxClrCallBytes] = {};
};

}  // namespace rtl::capture
