// SPDX-License-Identifier: MIT
#include "trace/write/in_flight_writer.h"

#include <sys/uio.h>

#include <algorithm>
#include <iterator>
#include <map>

#include "base/clock.h"
#include "trace/schema/api_text.h"
#include "trace/schema/schema.h"
#include "trace/schema/tables.h"
#include "trace/write/queue_writer.h"

namespace rtl::store {
namespace {

using Kernels = std::vector<spool::ProcessReader::InFlight>;
using Rows = std::vector<InFlightRow>::iterator;
using State = InFlightRow::State;

// Reads the value of a signal of another process. False if that process has ended, or is not
// accessible.
bool SignalValue(uint32_t pid, uint64_t signal, int64_t* value) {
  constexpr uint64_t kValueAt = 8;  // offset of the value in amd_signal_t
  iovec to = {value, sizeof *value};
  iovec from = {reinterpret_cast<void*>(signal + kValueAt), sizeof *value};
  return process_vm_readv(static_cast<pid_t>(pid), &to, 1, &from, 1, 0) == sizeof *value;
}

// Names the kernel in flight that will decrement the signal, as in "; packet 5 of queue 2 does
// that". The signal is the kernel's own signal, or the one that the tracer has replaced.
std::string Whose(const Kernels& kernels, uint64_t signal) {
  for (const auto& [queue, entry] : kernels) {
    if (entry.signal != signal && (entry.completion == 0 || entry.rest[0] != signal)) continue;
    return ", that packet " + std::to_string(entry.packet) + " of queue " + std::to_string(queue) +
           " completes";
  }
  return "";
}

// What holds up the packets after a barrier packet of a living process.
struct Hold {
  // for example "barrier packet 10 waits for signal 0x7f00 (value 1)"; empty: the barrier does not
  // wait
  std::string text;
  bool certain = true;
};
Hold HeldBy(uint32_t pid, const Kernels& kernels, const spool::ProcessReader::Barrier& barrier) {
  const bool any = barrier.kind == static_cast<uint64_t>(BarrierKind::kOr);
  // The condition on the value is not known, and the value may belong to a later use of the signal.
  const bool compares = barrier.kind == static_cast<uint64_t>(BarrierKind::kValue);
  Hold hold = {.text = "", .certain = !compares};
  if (barrier.passed) return hold;
  for (const uint64_t signal : barrier.signals) {
    int64_t value = 0;
    if (signal == 0) continue;
    const bool readable = SignalValue(pid, signal, &value);
    if (readable && value == 0 && any) return {};
    if (readable && value == 0 && !compares) continue;
    hold.certain = hold.certain && readable;
    hold.text += (hold.text.empty() ? ""
                  : any             ? " or "
                                    : " and ") +
                 ("signal " + Hex(signal)) +
                 (readable ? " (value " + std::to_string(value) + ")" : " (value not readable)") +
                 Whose(kernels, signal);
  }
  if (hold.text.empty()) return hold;
  hold.text = "barrier packet " + std::to_string(barrier.packet) +
              (hold.certain ? " waits for " : " may wait for ") + hold.text;
  return hold;
}

// For a living process: marks the rows that a barrier packet holds up.
void AddBarriers(uint32_t pid, const Kernels& kernels,
                 const std::vector<spool::ProcessReader::Barrier>& barriers, Rows begin, Rows end) {
  for (const auto& barrier : barriers) {
    const auto held = [&](const InFlightRow& row) {
      return row.queue == barrier.queue && row.packet > barrier.packet && row.behind.empty();
    };
    if (std::none_of(begin, end, held)) continue;
    const Hold hold = HeldBy(pid, kernels, barrier);
    if (hold.text.empty()) continue;
    for (Rows row = begin; row != end; ++row) {
      if (!held(*row)) continue;
      row->behind = hold.text;
      if (row->state == State::kEnded) continue;
      if (hold.certain) row->state = State::kWaits;
      if (!hold.certain && row->state == State::kFirst) row->state = State::kUnknown;
    }
  }
}

// For a living process: true if the tracer's signal on the packet has dropped.
bool HasEnded(uint32_t pid, const InFlightEntry& entry) {
  constexpr uint8_t kPooled = 0, kForward = 1;  // values of Completion in capture/signal/pending.h
  int64_t value = 0;
  return (entry.completion == kPooled || entry.completion == kForward) &&
         SignalValue(pid, entry.signal, &value) && value < 1;
}

// For a process that has ended: for each queue, the barrier packet that may hold up the packets
// after it. The values of its signals are gone with the process, and the barrier may have been
// passed.
struct MayHold {
  uint64_t packet = 0;
  std::string text;
};
std::map<uint32_t, MayHold> BarriersThatMayHold(
    const std::vector<spool::ProcessReader::Barrier>& barriers, const Kernels& kernels) {
  std::map<uint32_t, MayHold> found;
  for (const auto& barrier : barriers) {
    if (barrier.passed || found.contains(barrier.queue)) continue;
    std::string text;
    for (const uint64_t signal : barrier.signals) {
      if (signal == 0) continue;
      text += (text.empty() ? " signal " : ", ") + Hex(signal) + Whose(kernels, signal);
    }
    if (text.empty()) continue;
    found[barrier.queue] = {barrier.packet, "barrier packet " + std::to_string(barrier.packet) +
                                                " may wait for" + text +
                                                " (the process has ended: no value)"};
  }
  return found;
}

std::optional<int64_t> CallOf(const TracedProcess& process, const InFlightEntry& entry) {
  return process.ApiId(entry.correlated != 0 ? entry.correlation : 0);
}

bool IsBarrier(const spool::ProcessReader::InFlight& one) {
  return one.entry.kernel == kInFlightBarrier;
}

// Adds kernels whose records were just being written. A process can die between writing a record
// and marking it as written. Such a kernel counts as recorded, unless one more kernel is missing
// than the other entries explain.
void AddBeingRecorded(const Kernels& being_recorded, Unended unended, Kernels* kernels) {
  uint64_t barriers = std::count_if(kernels->begin(), kernels->end(), IsBarrier);
  uint64_t dispatches = kernels->size() - barriers;
  for (const auto& one : being_recorded) {
    uint64_t& known = IsBarrier(one) ? barriers : dispatches;
    if (known >= (IsBarrier(one) ? unended.barriers : unended.kernels)) continue;
    ++known;
    kernels->push_back(one);
  }
  std::sort(kernels->begin(), kernels->end());
}

// Calls `take` for each kernel whose queue is known. `kernels`: ordered by queue and packet.
// `alive`: the pid of the living process in this PID namespace; zero: the process has ended.
Status EachInFlight(const TracedProcess& process, const Kernels& kernels, uint32_t alive,
                    const std::function<Status(const InFlightRow&, const InFlightEntry&)>& take) {
  constexpr auto kMost = static_cast<uint64_t>(INT64_MAX);
  uint32_t queue_before = 0;
  bool waits = false;
  bool is_after = false;  // there is an earlier kernel that has not ended
  for (const auto& [queue, entry] : kernels) {
    // Packets are started in order. A packet with the barrier bit waits for all packets before it,
    // and the packets after it wait as well.
    if (queue != queue_before) waits = is_after = false;
    if (is_after && (entry.flags & kDispatchFlagBarrierBit) != 0) waits = true;
    const bool ended = alive != 0 && HasEnded(alive, entry);
    is_after = is_after || !ended;
    queue_before = queue;
    const auto known = process.queues.find(queue);
    if (known == process.queues.end()) continue;  // a stale entry
    const auto agent = process.agents.find(known->second.record.agent);
    if (agent == process.agents.end()) continue;
    InFlightRow row;
    row.process = process.row;
    row.pid = process.info.pid;
    row.tid = entry.thread;
    row.gpu = static_cast<int32_t>(agent->second.gpu);
    row.queue = queue;
    row.packet = std::min(entry.packet, kMost);
    row.is_barrier = entry.kernel == kInFlightBarrier;
    row.state = ended ? State::kEnded : waits ? State::kWaits : State::kFirst;
    row.submitted = std::min(entry.submitted, kMost);
    std::copy_n(entry.grid, 3, row.grid);
    std::copy_n(entry.workgroup, 3, row.workgroup);
    RTL_TRY(take(row, entry));
  }
  return Status::Ok();
}

// Removes kernels that were not submitted. The hook fills the entry of a kernel, counts the kernel,
// and then submits it. If the process died before it counted the kernel, the queue has more entries
// than missing kernels: its last entries were not submitted.
void RemoveUncounted(const TracedProcess& process, const spool::ControlPage& page,
                     Kernels* kernels) {
  const SubmittedKernels by_queue = SubmittedBy(page);
  std::map<uint32_t, uint64_t> room;  // number of kernels without a row, by queue
  for (const auto& [id, queue] : process.queues) {
    const std::optional<int64_t> submitted = SubmittedTo(queue, by_queue);
    if (submitted) room[id] = static_cast<uint64_t>(*submitted) - queue.recorded - queue.left_out;
  }
  std::erase_if(*kernels, [&](const auto& one) {
    const auto left = room.find(one.queue);
    if (left == room.end() || IsBarrier(one)) return false;
    if (left->second == 0) return true;
    --left->second;
    return false;
  });
}

}  // namespace

void InFlightWriter::Use(Database* database, Strings* strings, CallWriter* calls,
                         int64_t unknown_name) {
  database_ = database;
  strings_ = strings;
  calls_ = calls;
  unknown_name_ = unknown_name;
}

Status InFlightWriter::NameOf(const TracedProcess& process, const InFlightEntry& entry,
                              int64_t* name, int64_t* kernel) {
  *kernel = 0;
  if (entry.kernel == kInFlightBarrier) {
    const auto kind =
        std::min(static_cast<size_t>(entry.barrier.kind), std::size(kBarrierNames) - 1);
    return strings_->Intern(kBarrierNames[kind], name);
  }
  const auto known = process.kernels.find(entry.kernel);
  *name = known == process.kernels.end() ? unknown_name_ : known->second.name;
  if (known != process.kernels.end()) *kernel = known->second.row;
  return Status::Ok();
}

Status InFlightWriter::Add(const TracedProcess& process, const Kernels& kernels,
                           const std::vector<spool::ProcessReader::Barrier>& barriers,
                           uint64_t looked, uint64_t until) {
  RTL_TRY(database_->Execute(CreateSql(kInFlightTableDescription).c_str()));
  Statement insert;
  RTL_TRY(insert.Prepare(*database_, InsertSql(kInFlightTableDescription)));
  constexpr auto kMost = static_cast<uint64_t>(INT64_MAX);
  const std::map<uint32_t, MayHold> held = BarriersThatMayHold(barriers, kernels);
  const auto take = [&](const InFlightRow& row, const InFlightEntry& entry) {
    const auto barrier = held.find(row.queue);
    const bool behind = barrier != held.end() && barrier->second.packet < row.packet;
    const SegmentBytes segments = row.is_barrier ? SegmentBytes{} : entry.segment_bytes;
    InFlightTable stored;
    TakeFields(row, &stored);
    stored.process = process.row;
    RTL_TRY(NameOf(process, entry, &stored.name, &stored.kernel));
    stored.looked = std::min(looked, kMost);
    stored.until = std::min(std::max(until, row.submitted), kMost);
    TakeExtents(row, &stored);
    stored.group_segment = segments.group;
    stored.private_segment = segments.work_item;
    stored.flags = entry.flags;
    stored.call = CallOf(process, entry);
    stored.behind = behind ? barrier->second.text : std::string();
    // If this kernel was submitted after the last check, that check says nothing about it. The
    // kernels before it may have ended since, so it is not known whether it still waits for them.
    const bool not_looked_at = row.state == State::kWaits && row.submitted >= looked;
    const bool state_is_known = !not_looked_at && (row.state != State::kFirst || !behind);
    stored.waits = static_cast<uint32_t>(state_is_known ? row.state : State::kUnknown);
    return insert.Add(stored);
  };
  return EachInFlight(process, kernels, 0, take);
}

// Returns the text and the number in the first row of a SELECT by one number.
bool InFlightWriter::LookUp(const char* sql, int64_t id, std::string* text, int64_t* second) const {
  Query row(database_->handle(), sql);
  row.Bind(1, id);
  if (!row.Next()) return false;
  *text = row.Text(0);
  if (!row.IsNull(1)) *second = row.Int(1);
  return true;
}

Status InFlightWriter::List(const TracedProcess& process, const spool::ProcessReader& reader,
                            std::vector<InFlightRow>* rows) {
  constexpr char kText[] = "SELECT string, NULL FROM rocpd_string WHERE id = ?1";
  constexpr char kCall[] =
      "SELECT s.string, c.stream FROM rtl_call_site c JOIN rocpd_string s ON s.id = c.apiName_id"
      " WHERE c.id = ?1";
  const std::vector<StreamRow> streams = process.streams.Rows();
  const uint64_t looked = reader.control().looked.load(std::memory_order_relaxed);
  const auto take = [&](InFlightRow row, const InFlightEntry& entry) {
    int64_t name = 0;
    int64_t handle = -1;
    RTL_TRY(NameOf(process, entry, &name, &handle));
    (void)LookUp(kText, name, &row.name, &handle);
    handle = -1;
    if (const auto api = CallOf(process, entry)) {
      int64_t site = 0;
      RTL_TRY(calls_->FindSite(*api, &site));
      (void)LookUp(kCall, site, &row.call, &handle);
    }
    for (const StreamRow& stream : streams) {
      const bool before = stream.created.value_or(0) <= static_cast<int64_t>(row.submitted);
      if (!row.call.empty() && handle != -1 && stream.handle == static_cast<uint64_t>(handle) &&
          before) {
        row.stream = static_cast<int64_t>(stream.number);
      }
    }
    if (const MarkerSpan* const range = process.markers.Open(row.tid, row.submitted)) {
      (void)LookUp(kText, range->text_id, &row.range, &handle);
    }
    row.looked = looked;
    row.until = BootTimeNs();
    row.alive = true;
    rows->push_back(std::move(row));
    return Status::Ok();
  };
  const auto kernels = reader.KernelsInFlight();
  const size_t first = rows->size();
  const uint32_t pid = reader.pid_from_here();
  RTL_TRY(EachInFlight(process, kernels, pid, take));
  AddBarriers(pid, kernels, reader.Barriers(), rows->begin() + first, rows->end());
  return Status::Ok();
}

Status InFlightWriter::Write(const TracedProcess& process, const spool::ProcessReader& reader,
                             uint64_t ended, Unended unended, uint64_t* count) {
  auto kernels = reader.KernelsInFlight();
  const bool some_unended = unended.kernels != 0 || unended.barriers != 0;
  if (some_unended) AddBeingRecorded(reader.KernelsBeingRecorded(), unended, &kernels);
  const spool::ControlPage& page = reader.control();
  if (unended.died) RemoveUncounted(process, page, &kernels);
  *count = kernels.size();
  if (kernels.empty()) return Status::Ok();
  uint64_t looked = page.looked.load(std::memory_order_relaxed);
  // A process that has finished made one more check before it reported this.
  if (page.writer_state.load(std::memory_order_acquire) == spool::WriterState::kFinished) {
    looked = ended;
  }
  return Add(process, kernels, reader.Barriers(), looked, std::max(looked, ended));
}

}  // namespace rtl::store
