// SPDX-License-Identifier: MIT
// rows.h: the contents of a trace as plain values. Times are CLOCK_BOOTTIME nanoseconds; names are
// ids of strings, which TraceReader::Text turns into text.
#pragma once

#include <cstdint>
#include <cstring>
#include <map>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "model/event_kinds.h"
#include "trace/schema/tables.h"
#include "trace/write/in_flight_row.h"

namespace rtl::query {

struct Process {
  int64_t id = 0;  // unique in the trace
  uint32_t pid = 0;
  uint32_t parent_pid = 0;
  uint64_t started = 0;
  uint64_t ended = 0;
  std::string host;
  std::string boot_id;
  std::string executable;
  std::string command;
  std::string mode;
  std::string loaded_by;
  std::string runtime;
  int32_t rank = -1;  // in the process's job; -1: none
  uint32_t world = 0;
  std::string job;
  // The words of the kinds of events that were to be recorded, should they happen; empty: not
  // known.
  std::string events;
  std::string ending;  // as in rtl_process.ending; empty: not known
};

// A GPU or a CPU of a process. `agent` counts from 1 within the process, `gpu` among the GPUs.
using Agent = store::AgentTable;

// The ordinals of GPUs, by process and agent.
using GpusOfAgents = std::map<std::pair<int64_t, int64_t>, int32_t>;

// A hardware counter of one kernel, summed over its instances.
struct CounterSum {
  int64_t process = 0;    // Process::id
  uint64_t dispatch = 0;  // KernelRow::dispatch
  std::string name;
  double value = 0;
  // counted by a virtual GPU that does not model it: the value is meaningless
  bool not_modelled = false;
};

// The value of one instance of a hardware counter for one kernel.
struct CounterValueRow {
  uint64_t dispatch = 0;
  int64_t name = 0;  // string id
  uint64_t position =
      0;  // kCounterPositionBits for each dimension, beginning with the first (model/records.h)
  double value = 0;
  bool not_modelled = false;
};

// The description of a counter on an agent.
using CounterInfo = store::CounterInfoTable;

// A property of an agent, from the kernel driver.
using AgentProperty = store::AgentPropertyTable;

struct Queue {
  int64_t id = 0;       // unique in the trace; KernelRow::queue
  int64_t process = 0;  // Process::id
  uint32_t pid = 0;
  uint32_t queue = 0;  // 1-based within the process
  int32_t gpu = 0;
  uint64_t hsa_id = 0;
  uint32_t size = 0;
  uint64_t created = 0;
  uint64_t destroyed = 0;  // 0: the queue existed until the process ended
  // kernel packets; if a killed process has no count, the same as `recorded`
  uint64_t submitted = 0;
  uint64_t recorded = 0;  // number of rows
  std::string losses;     // for example "kBatch: 20, kShutdown: 1"; empty: none, or not known
};

using KernelInfo = store::KernelTable;

// A HIP stream.
struct Stream {
  int64_t process = 0;  // Process::id
  uint64_t stream = 0;  // number of the stream in the process; 0: the null stream
  uint64_t handle = 0;
  uint64_t created = 0;    // 0: the creation was not seen
  uint64_t destroyed = 0;  // 0: the destruction was not seen
  std::string name;        // empty: the stream has no name
};

// The stream of a call, as the call names it. A handle can stand for several streams, one after the
// other, so the time is needed, too.
struct StreamUse {
  uint64_t handle = 0;
  uint64_t time = 0;
};

// One finished kernel dispatch.
struct KernelRow {
  int64_t id = 0;
  // The launch of this row; 0: not known. Rows of the same launch have the same values in all
  // columns that do not count or measure: pid to name, and grid to private_segment.
  int64_t launch = 0;
  uint64_t dispatch = 0;  // 1-based within the process
  int64_t process = 0;    // Process::id
  uint32_t pid = 0;
  uint32_t tid = 0;  // the thread that rang the doorbell
  int32_t gpu = 0;
  int64_t queue = 0;
  int64_t kernel = 0;  // 0: unknown
  int64_t name = 0;    // string id
  uint64_t submit = 0;
  uint64_t start = 0;
  uint64_t end = 0;
  uint32_t grid[3] = {};  // in work-items
  uint32_t workgroup[3] = {};
  uint32_t group_segment = 0;
  uint32_t private_segment = 0;
  uint64_t correlation = 0;
  uint64_t packet = 0;
  int64_t flags = 0;  // rocpd_op.flags
  // Only for a node of a HIP graph: the call that made the graph (0: none or not known), the number
  // of the launch of the graph, and the kernel's position in it.
  int64_t graph = 0;
  uint32_t graph_launch = 0;
  uint32_t graph_node = 0;
};

// The few columns of a kernel that statistics need.
struct KernelSpan {
  int64_t process = 0;  // Process::id
  uint32_t pid = 0;
  uint32_t tid = 0;  // the thread that rang the doorbell
  int64_t name = 0;
  int32_t gpu = 0;
  int64_t queue = 0;
  uint64_t submit = 0;  // 0: not known
  uint64_t start = 0;
  uint64_t end = 0;
};

// A kernel, or a recorded barrier packet, that was in flight when its process ended.
using store::InFlightRow;

// A memory fault of a GPU.
struct FaultRow {
  int64_t process = 0;  // Process::id
  uint32_t pid = 0;
  int32_t gpu = -1;  // ordinal; -1: not known
  uint64_t time = 0;
  uint64_t address = 0;
  uint32_t reason = 0;  // bits of hsa_amd_memory_fault_reason_t
  // The known allocation of the process that is nearest to the address.
  uint64_t near = 0;        // address of the allocation; 0: none is known
  uint64_t near_bytes = 0;  // size of the allocation
  bool near_freed = false;  // the allocation was freed before the fault
};

// One finished asynchronous copy.
struct CopyRow {
  int64_t id = 0;
  int64_t process = 0;  // Process::id
  uint32_t pid = 0;
  uint32_t tid = 0;
  int64_t name = 0;      // string id, for example of "CopyHostToDevice"
  int32_t dst_gpu = -1;  // ordinal; -1: host memory, or not known
  int32_t src_gpu = -1;
  uint32_t dst_agent = 0;  // Agent::agent; 0: the call does not name the agent
  uint32_t src_agent = 0;
  uint64_t dst = 0;  // addresses
  uint64_t src = 0;
  uint64_t bytes = 0;  // 0: not known
  uint64_t submit = 0;
  uint64_t start = 0;
  uint64_t end = 0;
  uint64_t correlation = 0;
};

// One finished barrier packet.
struct BarrierRow {
  int64_t id = 0;
  int64_t process = 0;  // Process::id
  uint32_t pid = 0;
  uint32_t tid = 0;
  int32_t gpu = 0;
  int64_t queue = 0;
  int64_t name = 0;  // string id, for example of "BarrierAnd"
  uint32_t dependencies = 0;
  uint64_t submit = 0;
  uint64_t start = 0;
  uint64_t end = 0;
  uint64_t correlation = 0;
  uint64_t packet = 0;
};

// A roctx mark or range.
struct MarkerRow {
  int64_t id = 0;
  int64_t process = 0;  // Process::id
  uint32_t pid = 0;
  uint32_t tid = 0;
  int64_t name = 0;
  uint64_t start = 0;
  uint64_t end = 0;
  uint64_t range = 0;          // id of a start/stop range; 0 for push/pop ranges and marks
  bool is_mark = false;        // a mark, which has no duration
  bool is_start_stop = false;  // the range may overlap others and end on another thread
  bool is_unclosed = false;    // the range was never closed: it ends with its process
};

// One call of an API by the application.
struct ApiRow {
  int64_t id = 0;
  int64_t process = 0;  // Process::id
  uint32_t pid = 0;
  uint32_t tid = 0;
  int64_t name = 0;       // string id
  int64_t arguments = 0;  // string id
  uint64_t start = 0;
  uint64_t end = 0;
  uint64_t correlation = 0;  // the same as KernelRow::correlation of the kernels that it launched
  int32_t result = 0;
  bool has_result = false;
  // number of the stream in the process; 0: the null stream; -1: the call uses no stream
  int64_t stream = -1;
  std::string stream_name;  // empty: the stream has no name
  uint64_t copied = 0;      // bytes that the call copies; 0: it does not copy, or not known
  int32_t copy_kind = -1;   // hipMemcpyKind; -1: the call does not copy
};

// The few columns of a call that statistics need: time, thread and name.
struct CallSpan {
  int64_t process = 0;  // Process::id
  uint32_t pid = 0;
  uint32_t tid = 0;
  int64_t name = 0;  // string id
  uint64_t start = 0;
  uint64_t end = 0;
  bool failed = false;  // the result was an error
};

// For example "3", or "3 (copies)" if the stream has a name.
inline std::string StreamName(const ApiRow& row) {
  const std::string number = std::to_string(row.stream);
  return row.stream_name.empty() ? number : number + " (" + row.stream_name + ")";
}

// One event of a span kind (model/event_kinds.h).
struct EventRow {
  const SpanKind* kind = nullptr;
  int64_t id = 0;       // unique among the events of its kind
  int64_t process = 0;  // Process::id
  uint32_t pid = 0;
  uint32_t tid = 0;
  int64_t name = 0;  // string id, for example of "hsa_init" or "allocate"
  uint64_t start = 0;
  uint64_t end = 0;
  uint64_t correlation = 0;  // of the API call in which the event happened; 0: not known
  // ordinal of the GPU of the agent or queue; -1: host memory, or not known
  int32_t gpu = -1;
  int64_t queue = 0;  // Queue::id; 0: the kind has no queue, or it is not known
  // The values, in the order of the kind's fields. The arguments of a call are a string id.
  int64_t values[kMostEventFields] = {};
  uint32_t known = 0;  // if bit i is set, values[i] is known

  bool Has(uint32_t field) const { return (known >> field & 1) != 0; }
  // The values by their names, as in row.As<AllocationValues>().bytes. Unknown values are zero.
  template <typename Values>
  Values As() const {
    Values copy;
    static_assert(sizeof copy <= sizeof values);
    std::memcpy(&copy, values, sizeof copy);
    return copy;
  }
};

// The times of one kernel and of the call that launched it.
struct LaunchRow {
  int64_t process = 0;  // Process::id
  int64_t name = 0;     // string id of the kernel
  int32_t gpu = 0;
  int64_t queue = 0;
  uint64_t call_start = 0;
  uint64_t submit = 0;
  uint64_t start = 0;
  uint64_t end = 0;
};

// For each API call, the number of its kernels, copies and barriers. The ids of calls are dense
// within a process, and the ids of different processes are kIdsOfAProcess apart.
struct WorkOfCalls {
  static constexpr uint8_t kMany = 255;
  static constexpr int64_t kIdsOfAProcess = int64_t{1} << 40;
  // indexed by process; kMany: the number is in `many`
  std::unordered_map<int64_t, std::vector<uint8_t>> few;
  std::unordered_map<int64_t, uint32_t> many;  // indexed by ApiRow::id

  uint32_t Of(int64_t api) const {
    const auto process = few.find(api / kIdsOfAProcess);
    const auto place = static_cast<size_t>(api % kIdsOfAProcess);
    if (process == few.end() || place >= process->second.size()) return 0;
    const uint8_t work = process->second[place];
    return work < kMany ? work : many.at(api);
  }
};

// A code object on a device, in a trace with PC samples.
struct CodeObjectRow : store::CodeObjectTable {
  // The address in the ELF file of the byte at `base` + `offset`.
  uint64_t AddressOf(uint64_t offset) const { return base + offset - static_cast<uint64_t>(delta); }
};

// One PC sample: the position of a wave at one moment.
struct SampleRow {
  int64_t id = 0;
  int64_t process = 0;       // Process::id
  uint64_t dispatch = 0;     // number of the dispatch in its process; 0: not known
  int64_t kernel = 0;        // KernelInfo::id; 0: not known
  uint64_t correlation = 0;  // id of the API call that submitted the kernel; 0: not known
  uint64_t time = 0;
  int64_t code_object = 0;  // CodeObjectRow::id; 0: `offset` is an address
  uint64_t offset = 0;
  uint64_t exec_mask = 0;
  int64_t queue = 0;  // Queue::id; 0: not known
  uint32_t agent = 0;
  uint32_t workgroup[3] = {};
  uint32_t wave = 0, chiplet = 0, hw_id = 0;
};

// One entry of what a thread of the host does: an operator, a Python function, or the launch of a
// kernel.
struct HostWorkRow {
  // The values of rtl_operator.kind.
  enum class Kind : uint8_t { kOperator = 1, kPythonFunction = 2, kKernel = 3 };
  int64_t process = 0;  // Process::id
  uint32_t thread = 0;
  Kind kind = Kind::kOperator;
  int64_t name = 0;       // string id; for a kernel, the kernel's name
  uint64_t start = 0;     // for a kernel: the start of the call that launched it
  uint64_t duration = 0;  // for a kernel: its duration on the GPU
  int64_t inputs = 0;     // for an operator: string id; 0: not known
  int64_t id = 0;         // for an operator from OperatorCursor: rtl_operator.id
};

// A frame on a sampled Python stack, from the first to the last sample that contains it.
struct SampledFrameRow {
  int64_t process = 0;  // Process::id
  uint32_t pid = 0, tid = 0;
  uint64_t start = 0, end = 0;
  int64_t name = 0, file = 0;  // string ids
};

// A name that the application has given to a thread, a GPU or another object (roctxName…).
using GivenName = store::NameTable;

// One counter of one process: submitted events, recorded events, or a loss by its name.
using ProcessCounter = store::ProcessCounterTable;
using ClockRow = store::ClockTable;

}  // namespace rtl::query
