// SPDX-License-Identifier: MIT
// event_kinds.h: describes every kind of event that a trace can hold, once. Made from this
// description: the choice of events (`rtl trace --events`), the counters of the spool, and the
// completeness report; for span kinds also the tables of the database, the cursors, and the tracks
// and arguments in the exports.
//
// A span kind has a start, an end and a few values. Its capture code writes EventRecords
// (records.h) and nothing else. A new kind needs its rows here, its names in event_kinds.cpp and
// the code that records it. Kernels, copies, barriers, markers and HIP calls have records of their
// own. docs/design/cost-of-change.md lists the cost of a new kind.
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "base/status.h"
#include "model/rccl_operations.h"

namespace rtl {

// Each row: name, word of --events and RTL_EVENTS, plural (metadata tags, completeness lines),
// singular.
#define RTL_EVENT_KINDS(X)                                                              \
  X(kKernel, "kernels", "kernels", "kernel dispatch")                                   \
  X(kMarker, "markers", "markers", "roctx marker or range")                             \
  X(kHipCall, "hip", "hip_calls", "call of the HIP API")                                \
  X(kCopy, "copies", "copies", "asynchronous copy")                                     \
  X(kBarrier, "barriers", "barriers", "barrier packet")                                 \
  X(kHsaCall, "hsa", "hsa_calls", "call of the HSA API")                                \
  X(kAllocation, "memory", "allocations", "allocation or release of memory")            \
  X(kScratch, "scratch", "scratch_events", "allocation or release of scratch memory")   \
  X(kInit, "init", "runtime_inits", "initialization of a runtime")                      \
  X(kCompilerCall, "hip-compiler", "hip_compiler_calls",                                \
    "call that HIP's compiler puts into programs")                                      \
  X(kCounter, "counters", "counted_kernels", "kernel whose hardware counters are read") \
  X(kRcclCall, "rccl", "rccl_calls", "call of the RCCL API")                            \
  X(kPcSample, "pc-samples", "pc_samples", "sample of a program counter")

enum class EventKind : uint8_t {
#define X(name, ...) name,
  RTL_EVENT_KINDS(X)
#undef X
};

#define X(...) +1
inline constexpr size_t kEventKindCount = 0 RTL_EVENT_KINDS(X);
#undef X

// How a value of a span kind is stored and shown.
enum class FieldForm : uint8_t {
  kNumber,
  kBytes,
  kAddress,
  kAgent,  // AgentRecord::agent; zero: not known. The row in the database has the GPU, too
  // hsa_queue_t.id plus one; zero: not known. The row in the database has the GPU and the queue,
  // too
  kQueue,
  kResult,  // the result of the call; NULL if it returns nothing
  kStatus,  // an hsa_status_t
  kCall,    // the arguments of the call, as hsa_calls.h describes them; must be the last field
};

// The fields of the span kinds: name, form. An EventRecord has them in this order.
#define RTL_HSA_CALL_FIELDS(F) \
  F(result, kResult)           \
  F(arguments, kCall)
#define RTL_ALLOCATION_FIELDS(F) \
  F(agent, kAgent)               \
  F(bytes, kBytes)               \
  F(address, kAddress)           \
  F(status, kStatus)
#define RTL_SCRATCH_FIELDS(F) \
  F(queue, kQueue)            \
  F(bytes, kBytes)            \
  F(slots, kNumber)           \
  F(flags, kNumber)           \
  F(packet, kNumber)
#define RTL_INIT_FIELDS(F) \
  F(version, kNumber)      \
  F(instance, kNumber)

// A field is zero if the function has no such argument. `peer`: the other rank, or the root;
// `result`: an ncclResult_t; `datatype` and `op`: RCCL's numbers.
#define RTL_RCCL_CALL_FIELDS(F) \
  F(result, kNumber)            \
  F(count, kNumber)             \
  F(datatype, kNumber)          \
  F(op, kNumber)                \
  F(peer, kNumber)              \
  F(communicator, kAddress)     \
  F(stream, kAddress)

// The names of a span kind's events, by EventRecord::operation: enumerator, name.
#define RTL_HSA_CALL_OPERATIONS(O)  // the names in hsa_calls.h
#define RTL_ALLOCATION_OPERATIONS(O) \
  O(kAllocate, "allocate")           \
  O(kFree, "free")                   \
  O(kVmemAllocate, "vmem_allocate")  \
  O(kVmemFree, "vmem_free")
#define RTL_SCRATCH_OPERATIONS(O)  \
  O(kAllocate, "scratch_allocate") \
  O(kFree, "scratch_free")         \
  O(kReclaim, "scratch_reclaim")
#define RTL_INIT_OPERATIONS(O) \
  O(kHsa, "HSA")               \
  O(kHip, "HIP")               \
  O(kRoctx, "ROCTx")           \
  O(kRccl, "RCCL")             \
  O(kRocdecode, "rocDecode")   \
  O(kRocjpeg, "rocJPEG")

// Each row: kind (its types are <name>Values and <name>Operation), fields, operations, view of the
// database (the table has the same name after rtl_), category in the exports, track.
#define RTL_SPAN_KINDS(X)                                                                        \
  X(HsaCall, RTL_HSA_CALL_FIELDS, RTL_HSA_CALL_OPERATIONS, "hsa_call", "hsa", kThread)           \
  X(Allocation, RTL_ALLOCATION_FIELDS, RTL_ALLOCATION_OPERATIONS, "memory_allocation", "memory", \
    kOwn)                                                                                        \
  X(Scratch, RTL_SCRATCH_FIELDS, RTL_SCRATCH_OPERATIONS, "scratch_memory", "scratch", kOwn)      \
  X(Init, RTL_INIT_FIELDS, RTL_INIT_OPERATIONS, "runtime_init", "runtime", kOwn)                 \
  X(RcclCall, RTL_RCCL_CALL_FIELDS, RTL_RCCL_CALL_OPERATIONS, "rccl_call", "rccl", kThread)

// The track on which the exports show the slices of a span kind.
enum class SpanTrack : uint8_t {
  kThread,  // the thread's track, with its ranges and calls
  kOwn,     // one track of each process for the kind
};

struct EventField {
  const char* name;
  FieldForm form;
};
inline constexpr uint32_t kMostEventFields = 8;

struct SpanKind {
  EventKind kind;
  const char* view;
  const char* category;
  SpanTrack track;
  const EventField* fields;
  uint32_t field_count;
  const char* const* operations;
  uint32_t operation_count;
};

// The values of one event, by name. Zero: no value, or not known.
#define RTL_VALUE(name, form) uint64_t name = 0;
#define RTL_OPERATION(name, text) name,
#define X(kind, fields, operations, ...)                                      \
  struct kind##Values {                                                       \
    fields(RTL_VALUE)                                                         \
  };                                                                          \
  static_assert(sizeof(kind##Values) <= kMostEventFields * sizeof(uint64_t)); \
  enum class kind##Operation : uint16_t{operations(RTL_OPERATION)};
RTL_SPAN_KINDS(X)
#undef X
#undef RTL_OPERATION
#undef RTL_VALUE

// For example "kernels", "hip_calls": the word of metadata tags (`seen.kernels`) and of
// completeness lines.
const char* EventKindName(EventKind kind);
// For example "kernels", "hip": the word of --events.
const char* EventWord(EventKind kind);
// For example "kernel dispatch": the singular, for messages.
const char* EventText(EventKind kind);

// Returns null for the kinds that have records of their own.
const SpanKind* FindSpanKind(EventKind kind);
// The name of an operation of a span kind; null if there is none.
const char* OperationName(EventKind kind, uint32_t operation);

// A set of kinds. A mode is a name for such a set: EventsOf (capture/session).
class EventSet {
 public:
  constexpr EventSet() = default;
  template <typename... Kinds>
  constexpr explicit EventSet(Kinds... kinds) : bits_((Bit(kinds) | ... | 0u)) {}

  constexpr bool Has(EventKind kind) const { return (bits_ & Bit(kind)) != 0; }
  constexpr bool empty() const { return bits_ == 0; }
  constexpr void Add(EventKind kind) { bits_ |= Bit(kind); }
  constexpr bool operator==(const EventSet&) const = default;
  // One bit for each kind, at the position of its number.
  constexpr uint32_t bits() const { return bits_; }

 private:
  static constexpr uint32_t Bit(EventKind kind) {
    return uint32_t{1} << static_cast<uint32_t>(kind);
  }
  uint32_t bits_ = 0;
};
static_assert(kEventKindCount <= 32);

// Reads a text such as "kernels,hip". An error names the first unknown word and lists the known
// ones.
Status ParseEvents(const char* text, EventSet* out);

}  // namespace rtl
