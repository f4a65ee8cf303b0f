// SPDX-License-Identifier: MIT
// The part of the trace writer that says what was in flight when a process ended.
#include <algorithm>
#include <iterator>

#include "store/schema.h"
#include "store/trace_writer.h"

namespace rtl::store {
namespace {

// Made when there is something to put into it: most traces have none.
constexpr char kInFlightSql[] = R"sql(
CREATE TABLE IF NOT EXISTS rtl_in_flight (
  id INTEGER PRIMARY KEY,
  process_id INTEGER NOT NULL REFERENCES rtl_process (id),
  pid INTEGER NOT NULL,
  tid INTEGER NOT NULL,
  gpu INTEGER NOT NULL,
  queue INTEGER NOT NULL,
  packet INTEGER NOT NULL,
  barrier INTEGER NOT NULL,
  waits INTEGER NOT NULL,
  name_id INTEGER NOT NULL REFERENCES rocpd_string (id),
  kernel_id INTEGER NOT NULL,
  submitted INTEGER NOT NULL,
  looked INTEGER NOT NULL,
  until INTEGER NOT NULL,
  gridX INTEGER NOT NULL,
  gridY INTEGER NOT NULL,
  gridZ INTEGER NOT NULL,
  workgroupX INTEGER NOT NULL,
  workgroupY INTEGER NOT NULL,
  workgroupZ INTEGER NOT NULL,
  groupSegmentSize INTEGER NOT NULL,
  privateSegmentSize INTEGER NOT NULL,
  flags INTEGER NOT NULL,
  api_id INTEGER
);
)sql";

constexpr char kInsertSql[] =
    "INSERT INTO rtl_in_flight (process_id, pid, tid, gpu, queue, packet, barrier, waits, name_id,"
    " kernel_id, submitted, looked, until, gridX, gridY, gridZ, workgroupX, workgroupY, workgroupZ,"
    " groupSegmentSize, privateSegmentSize, flags, api_id)"
    " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)";

}  // namespace

Status TraceWriter::InFlightName(const Process& process, const InFlightEntry& entry, int64_t* name,
                                 int64_t* row) {
  *row = 0;
  if (entry.kernel == kInFlightBarrier) {
    const size_t kind = std::min<size_t>(entry.group_segment, std::size(kBarrierNames) - 1);
    return strings_.Intern(kBarrierNames[kind], name);
  }
  const auto kernel = process.kernels.find(entry.kernel);
  *name = kernel == process.kernels.end() ? unknown_kernel_ : kernel->second.name;
  if (kernel != process.kernels.end()) *row = kernel->second.row;
  return Status::Ok();
}

// `kernels`: in the order of queues and packets.
Status TraceWriter::AddInFlight(size_t number,
                                const std::vector<spool::ProcessReader::InFlight>& kernels,
                                uint64_t looked, uint64_t until) {
  if (kernels.empty()) return Status::Ok();
  Process& process = *processes_[number];
  RTL_TRY(database_.Execute(kInFlightSql));
  Statement insert;
  RTL_TRY(insert.Prepare(database_, kInsertSql));
  uint32_t queue_before = 0;
  bool waits = false;
  for (const auto& [queue, entry] : kernels) {
    // Packets are launched in order. One with the barrier bit waits for all before it, and what comes
    // after it waits with it.
    if (queue != queue_before) {
      waits = false;
    } else if ((entry.flags & kDispatchFlagBarrierBit) != 0) {
      waits = true;
    }
    queue_before = queue;
    if (!QueueKnown(process, queue)) continue;  // nobody's memory
    const auto agent = process.agents.find(process.queues.at(queue).record.agent);
    const uint32_t gpu = agent == process.agents.end() ? 0 : agent->second.gpu;
    int64_t name = 0;
    int64_t row = 0;
    RTL_TRY(InFlightName(process, entry, &name, &row));
    const bool linked = entry.correlated != 0 && entry.correlation >> kApiIdBits == 0;
    std::optional<int64_t> api;
    if (linked) api = process.first_api + static_cast<int64_t>(entry.correlation);
    constexpr auto kMost = static_cast<uint64_t>(INT64_MAX);
    RTL_TRY(insert.Insert(
        process.row, process.info.pid, entry.thread, gpu, queue, std::min(entry.packet, kMost),
        entry.kernel == kInFlightBarrier, waits, name, row, std::min(entry.submitted, kMost),
        std::min(looked, kMost), std::min(std::max(until, entry.submitted), kMost), entry.grid[0],
        entry.grid[1], entry.grid[2], entry.workgroup[0], entry.workgroup[1], entry.workgroup[2],
        entry.group_segment, entry.private_segment, entry.flags, api));
  }
  return Status::Ok();
}

Status WriteInFlight(TraceWriter* writer, size_t process, const spool::ProcessReader& reader,
                     uint64_t ended, uint64_t* count) {
  const auto kernels = reader.KernelsInFlight();
  *count = kernels.size();
  const spool::ControlPage& page = reader.control();
  uint64_t looked = page.looked.load(std::memory_order_relaxed);
  // Before a process says that it has finished it looks once more.
  if (page.writer_state.load(std::memory_order_acquire) == spool::WriterState::kFinished) {
    looked = ended;
  }
  return writer->AddInFlight(process, kernels, looked, std::max(looked, ended));
}

}  // namespace rtl::store
