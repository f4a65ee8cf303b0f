// SPDX-License-Identifier: MIT
// records.h: the records that the application's process writes for the collector. They are plain
// bytes of checked sizes, without pointers. Everything expensive (demangling, joining begin and
// end, text) happens later.
//
// Times are nanoseconds of CLOCK_BOOTTIME unless the name says ticks. Ids start at one; zero means
// none. If a record has a text, the text follows the struct directly: `text_bytes` bytes, not
// terminated, padded to a multiple of 8.
#pragma once

#include <stdint.h>

#include <type_traits>

#include "model/losses.h"

namespace rtl {

enum class RecordType : uint16_t {
  kNone = 0,  // not committed: a reader stops here and tries again later
  kPad = 1,   // to be skipped
  kAgent = 2,
  kQueue = 3,
  kQueueEnd = 4,
  kKernel = 5,
  kDispatch = 6,
  kMark = 7,
  kRangePush = 8,
  kRangePop = 9,
  kRangeStart = 10,
  kRangeStop = 11,
  kWarning = 12,
  kApiCall = 13,
  kApiName = 14,
  kCopy = 15,
  kBarrier = 16,
  kName = 17,
  kEvent = 18,
  kAgentProperties = 19,
  kCounter = 20,
  kFault = 21,
  kCounterInfo = 22,
  kCodeObject = 23,
  kCodeBytes = 24,
  kPcSample = 25,
};
inline constexpr RecordType kLastRecordType = RecordType::kPcSample;

// Written last, with one aligned 8-byte release store: if the header is nonzero, the record is
// complete.
struct RecordHeader {
  RecordType type = RecordType::kNone;
  uint16_t units = 0;  // size of the whole record with text and padding, in units of 8 bytes
  // kernel thread id of the writer, or of the thread to which the event belongs
  uint32_t thread = 0;
};
static_assert(sizeof(RecordHeader) == 8);

// One HSA agent, GPU or CPU. Written once, when the tracer's library is loaded or when the agent is
// first seen.
struct AgentRecord {
  RecordHeader head;
  uint32_t agent = 0;   // 1-based, in the order in which the runtime lists agents
  uint32_t is_gpu = 0;  // 1 for GPUs
  uint32_t gpu = 0;     // 0-based ordinal among the GPUs; in the database the column `gpuId`
  uint32_t node = 0;    // driver node id
  uint32_t bdf = 0;     // PCI location: bus << 8 | device << 3 | function
  uint32_t compute_units = 0;
  uint64_t timestamp_hz = 0;  // frequency of the agent's own counter
  char name[64] = {};         // for example "gfx906"
  char product[64] = {};
  char uuid[32] = {};
};
static_assert(sizeof(AgentRecord) == 8 + 24 + 8 + 160);

// The kernel driver's description of an agent. Text: whole lines "name value".
struct AgentPropertiesRecord {
  RecordHeader head;
  uint32_t agent = 0;  // AgentRecord::agent
  uint32_t text_bytes = 0;
};
static_assert(sizeof(AgentPropertiesRecord) == 16);

struct QueueRecord {
  RecordHeader head;
  uint32_t queue = 0;  // 1-based, unique in the process, never reused
  uint32_t agent = 0;
  uint64_t hsa_id = 0;   // hsa_queue_t.id
  uint64_t created = 0;  // time
  uint32_t size = 0;     // in packets
  uint32_t reserved = 0;
};
static_assert(sizeof(QueueRecord) == 40);

struct QueueEndRecord {
  RecordHeader head;
  uint32_t queue = 0;
  uint32_t reserved = 0;
  uint64_t destroyed = 0;            // time; zero: the process ended before the queue did
  uint64_t submitted = 0;            // kernel packets submitted to the queue in its whole life
  uint64_t losses[kLossCount] = {};  // lost ones among them, by cause
};
static_assert(sizeof(QueueEndRecord) == 32 + 8 * kLossCount);

// A kernel of one generation of code objects. If a dispatch names a kernel object that is in no
// announced executable, the record has no generation, and kKernelFlagUnknown. Text: the symbol
// name, mangled, without ".kd".
struct KernelRecord {
  RecordHeader head;
  uint32_t kernel = 0;  // 1-based, unique in the process; a reloaded code object gets new ids
  uint32_t agent = 0;
  uint64_t kernel_object = 0;    // address of the kernel descriptor on the device
  uint64_t code_object = 0;      // generation: 1-based count of executables frozen so far
  uint32_t group_segment = 0;    // static LDS, bytes
  uint32_t private_segment = 0;  // scratch per work-item, bytes
  uint32_t kernarg_segment = 0;  // bytes
  uint32_t vgprs = 0;            // allocated vector registers per lane
  uint32_t sgprs = 0;            // allocated scalar registers per wave
  uint32_t flags = 0;            // kKernelFlag…
  uint32_t text_bytes = 0;
  uint32_t reserved = 0;
};
static_assert(sizeof(KernelRecord) == 64);
inline constexpr uint32_t kKernelFlagUnknown = 1;    // no symbol is known for this kernel object
inline constexpr uint32_t kKernelFlagTruncated = 2;  // the name was longer than kMaxTextBytes

// One finished kernel dispatch.
struct DispatchRecord {
  RecordHeader head;                        // thread: the one that rang the doorbell
  uint64_t dispatch = 0;                    // 1-based, unique in the process
  uint64_t correlation = 0;                 // id of the API call that submitted it; zero: not known
  uint64_t start = 0, end = 0;              // execution on the GPU, converted by the runtime
  uint64_t start_ticks = 0, end_ticks = 0;  // the same times in ticks of the agent's counter
  uint64_t submitted = 0;                   // when the packet passed the hook
  uint64_t packet = 0;                      // index of the packet in the queue
  uint32_t kernel = 0, queue = 0;
  uint32_t grid[3] = {};                            // in work-items
  uint32_t group_segment = 0, private_segment = 0;  // as the packet requests them, in bytes
  uint16_t workgroup[3] = {};
  uint16_t flags = 0;  // kDispatchFlag…
  uint32_t reserved = 0;
};
static_assert(sizeof(DispatchRecord) == 112);
inline constexpr uint16_t kDispatchFlagBarrierBit =
    1;  // the packet waits for all packets before it
// the packet carried a signal of the application
inline constexpr uint16_t kDispatchFlagOwnSignal = 2;

enum class CopyKind : uint32_t {
  kUnknown = 0,
  kHostToHost = 1,
  kHostToDevice = 2,
  kDeviceToHost = 3,
  kDeviceToDevice = 4,
};

// One finished asynchronous copy (hsa_amd_memory_async_copy and similar functions).
struct CopyRecord {
  RecordHeader head;         // thread: the one that made the call
  uint64_t copy = 0;         // 1-based, unique in the process
  uint64_t correlation = 0;  // id of the API call that made it; zero: not known
  uint64_t start = 0, end = 0;
  uint64_t submitted = 0;  // when the runtime was called
  uint64_t bytes = 0;      // zero: not known
  uint64_t dst = 0, src = 0;
  // AgentRecord::agent; zero: the call does not name the agent
  uint32_t dst_agent = 0, src_agent = 0;
  CopyKind kind = CopyKind::kUnknown;
  uint32_t reserved = 0;
};
static_assert(sizeof(CopyRecord) == 88);

enum class BarrierKind : uint16_t {
  kUnknown = 0,
  kAnd = 1,    // waits until all of its signals are zero
  kOr = 2,     // waits until one of its signals is zero
  kValue = 3,  // waits until the value of one signal satisfies a condition (AMD)
};

// One finished barrier packet. Written only when barriers are selected.
struct BarrierRecord {
  RecordHeader head;                        // thread: the one that rang the doorbell
  uint64_t barrier = 0;                     // 1-based, unique in the process
  uint64_t correlation = 0;                 // id of the API call that submitted it; zero: not known
  uint64_t start = 0, end = 0;              // the GPU's times, translated by the runtime
  uint64_t start_ticks = 0, end_ticks = 0;  // the same times in ticks of the agent's counter
  uint64_t submitted = 0;                   // when the packet passed the hook
  uint64_t packet = 0;                      // index of the packet in the queue
  uint32_t queue = 0;
  uint32_t dependencies = 0;  // number of signals for which it waits
  BarrierKind kind = BarrierKind::kUnknown;
  uint16_t flags = 0;  // kDispatchFlag…
  uint32_t reserved = 0;
};
static_assert(sizeof(BarrierRecord) == 88);

// A call of roctxMarkA. Text: the message.
struct MarkRecord {
  RecordHeader head;
  uint64_t time = 0;
  uint32_t text_bytes = 0;
  uint32_t flags = 0;  // kTextFlagTruncated
};
static_assert(sizeof(MarkRecord) == 24);
inline constexpr uint32_t kTextFlagTruncated = 1;

// A call of roctxRangePushA or roctxRangeStartA. Push and pop nest on each thread; start and stop
// are paired by `range`, across threads.
struct RangeBeginRecord {
  RecordHeader head;
  uint64_t time = 0;
  uint64_t range = 0;  // start and stop: the id that the caller got; push and pop: zero
  uint32_t text_bytes = 0;
  uint32_t flags = 0;
};
static_assert(sizeof(RangeBeginRecord) == 32);
// A flag of a start record that is a part of a pushed range (capture/roctx/omitted_ranges.h).
inline constexpr uint32_t kRangeFlagPushed = 2;

struct RangeEndRecord {
  RecordHeader head;
  uint64_t time = 0;
  uint64_t range = 0;
};
static_assert(sizeof(RangeEndRecord) == 24);

// A memory fault of a GPU.
struct FaultRecord {
  RecordHeader head;
  uint64_t time = 0;
  uint64_t address = 0;
  uint32_t agent = 0;   // AgentRecord::agent; zero: not known
  uint32_t reason = 0;  // bits of hsa_amd_memory_fault_reason_t
};
static_assert(sizeof(FaultRecord) == 32);

// A name that the application gives to an object (roctxName…), or that the kernel has for a thread.
// Text: the name.
enum class Named : uint32_t {
  kThread = 1,          // kernel thread id
  kAgent = 2,           // HSA's handle
  kDevice = 3,          // HIP's ordinal
  kStream = 4,          // HIP's handle
  kThreadInKernel = 5,  // kernel thread id; the name is the thread's comm
};
struct NameRecord {
  RecordHeader head;
  uint64_t time = 0;
  uint64_t target = 0;
  Named what = Named::kThread;
  uint32_t text_bytes = 0;
};
static_assert(sizeof(NameRecord) == 32);

// A sentence for the user, stored in the trace's metadata and printed once at the end. Text: the
// sentence.
struct WarningRecord {
  RecordHeader head;
  uint64_t time = 0;
  uint32_t text_bytes = 0;
  uint32_t reserved = 0;
};
static_assert(sizeof(WarningRecord) == 24);
// The beginning of the warning about counters that cannot be read.
inline constexpr char kNotCountedWarning[] = "kernels are not counted";
// The beginnings of the warnings about kernels that are in no count.
inline constexpr char kSecondRuntimeWarning[] =
    "a second HSA runtime in this process is not traced";
inline constexpr char kSecondProfilerWarning[] = "calls, kernels and copies of HIP";
inline constexpr char kLateGraphsWarning[] = "kernels of graphs";

// One call of an API by the application, written by the calling thread when the call has returned.
// Text: `slots` values of 8 bytes, the arguments in order (model/api_calls.h), then the texts among
// them.
struct ApiCallRecord {
  RecordHeader head;
  uint64_t correlation = 0;  // 1-based, unique in the process; on each thread it grows in the order
                             // in which calls began. For a call that HIP's compiler generates,
                             // kCompilerCorrelation is added
  uint64_t start = 0, end = 0;
  uint32_t api = 0;    // number of the call, or a number that an ApiNameRecord introduces
  int32_t result = 0;  // what the call returned
  uint32_t text_bytes = 0;
  uint16_t slots = 0;
  uint16_t flags = 0;  // kApiFlag…
};
static_assert(sizeof(ApiCallRecord) == 48);
inline constexpr uint16_t kApiFlagOutputs = 1;    // the values of kOut… arguments were read
inline constexpr uint16_t kApiFlagTruncated = 2;  // a text was truncated
inline constexpr uint16_t kApiFlagCompiler = 8;   // the call is of EventKind::kCompilerCall
// The interception method does not see the result.
inline constexpr uint16_t kApiFlagNoResult = 4;

inline constexpr uint64_t kCompilerCorrelation = uint64_t{1} << 39;

// The name of a call that this version cannot describe. Text: the name.
struct ApiNameRecord {
  RecordHeader head;
  uint32_t api = 0;  // kFirstUnknownApi and up
  uint32_t text_bytes = 0;
};
static_assert(sizeof(ApiNameRecord) == 16);
inline constexpr uint32_t kFirstUnknownApi = 0x8000;

// One event of a span kind (event_kinds.h), written by its thread when the event has ended. Text:
// `values` values of 8 bytes in the order of the kind's fields. For a call, the slots of its
// arguments and the texts among these follow.
struct EventRecord {
  RecordHeader head;
  uint64_t correlation = 0;  // id of the API call in which the event happened; zero: not known
  uint64_t start = 0, end = 0;
  EventKind kind = EventKind::kHsaCall;
  uint8_t values = 0;
  uint16_t operation = 0;  // OperationName
  uint16_t flags = 0;      // for a call: bits kApiFlag…
  uint16_t slots = 0;      // for a call: slots of its arguments
  uint32_t text_bytes = 0;
  uint32_t reserved = 0;
};
static_assert(sizeof(EventRecord) == 48);

// The value of one instance of a hardware counter for one kernel. Text: the counter's name.
struct CounterRecord {
  RecordHeader head;
  uint64_t dispatch = 0;  // DispatchRecord::dispatch
  uint64_t value = 0;
  // position on the chip: kPositionBits for each dimension, XCC in the lowest bits
  uint64_t position = 0;
  uint32_t flags = 0;  // kCounterFlag…
  uint32_t text_bytes = 0;
};
static_assert(sizeof(CounterRecord) == 40);
inline constexpr uint32_t kCounterFlagLast = 1;         // the last record of its kernel
inline constexpr uint32_t kCounterFlagNotModelled = 2;  // the virtual GPU does not count this event
// a computed counter: `value` has the bits of a double
inline constexpr uint32_t kCounterFlagReal = 4;
inline constexpr uint32_t kCounterPositionBits = 9;

// The description of a counter on an agent, written before the counter's first value. Text: name,
// block, expression and description of the counter, separated by zero bytes.
struct CounterInfoRecord {
  RecordHeader head;
  uint32_t agent = 0;  // AgentRecord::agent
  uint32_t event = 0;  // number of the event in its block; zero for a computed counter
  uint32_t text_bytes = 0;
  uint32_t reserved = 0;
};
static_assert(sizeof(CounterInfoRecord) == 24);

// A code object on a device, written if PC samples are taken. Text: the URI from which it was
// loaded.
struct CodeObjectRecord {
  RecordHeader head;
  uint64_t time = 0;             // when it was loaded
  uint64_t base = 0, bytes = 0;  // address range on the device
  int64_t delta = 0;             // address on the device minus address in the file
  // identifies the bytes of its file (CodeBytesRecord); zero: its URI identifies them
  uint64_t content = 0;
  uint64_t file_bytes = 0;
  uint32_t code_object = 0;  // 1-based, unique in the process
  uint32_t agent = 0;        // AgentRecord::agent
  uint32_t generation = 0;   // KernelRecord::code_object of the kernels in it
  uint32_t text_bytes = 0;
};
static_assert(sizeof(CodeObjectRecord) == 72);

// A part of a code object's file. Text: the bytes.
struct CodeBytesRecord {
  RecordHeader head;
  uint64_t content = 0;  // CodeObjectRecord::content
  uint64_t offset = 0;   // offset in the file
  uint32_t text_bytes = 0;
  uint32_t reserved = 0;
};
static_assert(sizeof(CodeBytesRecord) == 32);

// One PC sample: the position of a wave at one moment.
struct PcSampleRecord {
  RecordHeader head;
  uint64_t time = 0;  // on the same clock as the times of kernels
  // offset in the code object on the device; if code_object is zero: the address
  uint64_t offset = 0;
  uint64_t exec_mask = 0;  // active lanes, as bits
  uint64_t packet = 0;     // index of the packet of its kernel in the queue
  uint32_t queue = 0;      // QueueRecord::queue; zero: not known
  uint32_t code_object = 0;
  uint32_t agent = 0;
  uint32_t workgroup[3] = {};
  uint32_t hw_id = 0;  // position on the chip, in the hardware's encoding
  uint16_t wave = 0;   // number of the wave in its workgroup
  uint16_t chiplet = 0;
};
static_assert(sizeof(PcSampleRecord) == 72);

// Longer text is truncated and flagged.
inline constexpr uint32_t kMaxTextBytes = 16 * 1024;

static_assert(std::is_trivially_copyable_v<AgentRecord>);
static_assert(std::is_trivially_copyable_v<KernelRecord>);
static_assert(std::is_trivially_copyable_v<DispatchRecord>);

}  // namespace rtl
