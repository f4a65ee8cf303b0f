// SPDX-License-Identifier: MIT
#include "capture/clr/clr_live.h"

#include <sys/mman.h>

#include "capture/clr/self_read.h"

namespace rtl::capture {
namespace {

constexpr ClrForm kForm = ClrForm::kStreaming;

// Maps an array of zeros. Pages that are not written take no memory. Null if there is no memory.
template <typename T>
T* MapZeros(size_t count) {
  void* const memory = mmap(nullptr, count * sizeof(T), PROT_READ | PROT_WRITE,
                            MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  return memory == MAP_FAILED ? nullptr : static_cast<T*>(memory);
}

}  // namespace

Status ClrLive::Open(const ClrLibrary* library, ClrRecords* records, uint64_t first) {
  library_ = library;
  records_ = records;
  first_ = floor_ = first;
  states_ = MapZeros<uint32_t*>(kMostSlabs);
  return states_ == nullptr ? Status::Error("no memory for the state of HIP's records")
                            : Status::Ok();
}

// The states of a slab's records. Null if there is no memory.
uint32_t* ClrLive::StatesOf(size_t slab, size_t size) {
  if (states_[slab] == nullptr) states_[slab] = MapZeros<uint32_t>(size);
  return states_[slab];
}

// Reads up to `records` records from `place` on, all in one slab. Returns how many could be read.
size_t ClrLive::Read(const Slabs& slabs, uint64_t place, size_t records) {
  uint64_t slab = 0;
  const auto pointer = reinterpret_cast<uint64_t>(slabs.pointers + place / slabs.size);
  if (SelfRead(pointer, &slab, sizeof slab) != sizeof slab || slab == 0) return 0;
  return SelfRead(slab + place % slabs.size * kMaxClrCallBytes, slab_, records * kMaxClrCallBytes) /
         kMaxClrCallBytes;
}

// Takes what is complete of this record. True if more of it may come.
bool ClrLive::Take(const ClrCall& call, uint64_t place, uint32_t* state, bool last) {
  const uint64_t correlation = place - first_ + 1;
  if (*state == 0) {
    // HIP counts a record before it clears the record's memory, and writes the end of the call
    // last.
    if (call.start == 0 || call.end < call.start || (!last && !records_->HasTimes(call))) {
      open_ += call.start != 0 ? 1 : 0;
      return true;
    }
    const auto follows = records_->AddLiveCall(kForm, call, correlation);
    *state = kTaken;
    if (follows == ClrRecords::Follows::kOperation) *state |= kLaunches;
    if (follows == ClrRecords::Follows::kGraph) *state |= kGraph;
  }
  const uint32_t taken = *state / kOneOp;
  if (call.ops > taken) {
    const uint32_t now = records_->AddLiveOps(kForm, call, correlation, taken, last);
    *state += (now - taken) * kOneOp;
  }
  return (*state & kGraph) != 0 || ((*state & kLaunches) != 0 && *state < kOneOp);
}

void ClrLive::Look(bool last) {
  Slabs slabs = {};
  size_t count = 0, total = 0;
  if (library_->GetChunks(&slabs.pointers, &count, &slabs.size, &total) != 0) return;
  slabs.total = total;
  if (slabs.size == 0 || slabs.size > kMostInSlab || count > kMostSlabs) return;
  if (slab_size_ == 0) slab_size_ = slabs.size;
  if (slabs.size != slab_size_ || total <= first_) return;
  if (total > count * slabs.size) slabs.total = count * slabs.size;
  records_->See(total - first_);
  open_ = 0;
  uint64_t place = last ? first_ : floor_;
  uint64_t waits = slabs.total;
  while (place < slabs.total && !records_->closed()) {
    const size_t at = place % slabs.size;
    size_t wanted = slabs.size - at < kAtOnce ? slabs.size - at : kAtOnce;
    if (slabs.total - place < wanted) wanted = slabs.total - place;
    uint32_t* const states = StatesOf(place / slabs.size, slabs.size);
    const size_t readable = states == nullptr ? 0 : Read(slabs, place, wanted);
    const uint64_t now = records_->ReadClock();  // not earlier than the records that were read
    records_->LearnClockFrom(kForm, slab_, readable);
    for (size_t i = 0; i < readable; ++i) {
      const ClrCall call = DecodeClrCall(kForm, slab_ + i * kMaxClrCallBytes);
      const bool more = Take(call, place + i, states + at + i, last);
      const bool is_new =
          call.start == 0 ? place + i + slabs.size > slabs.total : now < call.start + kWaitNs;
      if (more && is_new && place + i < waits) waits = place + i;
    }
    place += wanted;
  }
  floor_ = waits;
}

}  // namespace rtl::capture
