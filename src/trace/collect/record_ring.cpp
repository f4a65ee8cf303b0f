// SPDX-License-Identifier: MIT
#include "trace/collect/record_ring.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "model/records.h"

namespace rtl::store {
namespace {

// True if later events need this record.
bool Describes(RecordType type) {
  switch (type) {
    case RecordType::kAgent:
    case RecordType::kAgentProperties:
    case RecordType::kQueue:
    case RecordType::kQueueEnd:
    case RecordType::kKernel:
    case RecordType::kApiName:
    case RecordType::kName:
    case RecordType::kWarning:
    case RecordType::kFault:
    case RecordType::kCodeObject:
    case RecordType::kCodeBytes:
      return true;
    default:
      return false;
  }
}

// The kind of event that a record stands for; none if the record is only a part of an event.
std::optional<EventKind> KindOf(const spool::RecordView& record) {
  switch (record.head->type) {
    case RecordType::kDispatch:
      return EventKind::kKernel;
    case RecordType::kCopy:
      return EventKind::kCopy;
    case RecordType::kBarrier:
      return EventKind::kBarrier;
    case RecordType::kMark:
      return EventKind::kMarker;
    case RecordType::kApiCall:
      return (record.As<ApiCallRecord>().flags & kApiFlagCompiler) != 0 ? EventKind::kCompilerCall
                                                                        : EventKind::kHipCall;
    case RecordType::kEvent:
      return record.As<EventRecord>().kind;
    case RecordType::kCounter:
      if ((record.As<CounterRecord>().flags & kCounterFlagLast) == 0) return std::nullopt;
      return EventKind::kCounter;
    case RecordType::kPcSample:
      return EventKind::kPcSample;
    default:
      return std::nullopt;
  }
}

bool View(const char* at, size_t bytes, spool::RecordView* view) {
  return spool::CheckRecord(at, bytes, view);
}

}  // namespace

RecordRing::RecordRing(size_t bytes) : most_chunks_(std::max<size_t>(bytes / kChunkBytes, 2)) {}

RecordRing::Copy RecordRing::CopyOf(const spool::RecordView& record) {
  Copy copy(record.bytes / sizeof(uint64_t));
  memcpy(copy.data(), record.head, record.bytes);
  return copy;
}

void RecordRing::ForEach(const Chunk& chunk,
                         const std::function<void(const Entry&, const char*)>& visit) {
  for (size_t at = 0; at < chunk.used;) {
    Entry entry;
    memcpy(&entry, chunk.bytes.get() + at, sizeof entry);
    at += sizeof entry;
    visit(entry, chunk.bytes.get() + at);
    at += entry.bytes;
  }
}

// Makes room for the entry and its data, which fit into any chunk. Returns the address of the data.
char* RecordRing::Append(const Entry& entry) {
  const size_t needed = sizeof entry + entry.bytes;
  if (chunks_.empty() || chunks_.back().used + needed > kChunkBytes) {
    Chunk next;
    if (chunks_.size() < most_chunks_) {
      next.bytes = std::make_unique<char[]>(kChunkBytes);
    } else {
      Forget(&chunks_.front());
      next.bytes = std::move(chunks_.front().bytes);
      chunks_.pop_front();
    }
    chunks_.push_back(std::move(next));
  }
  Chunk& chunk = chunks_.back();
  char* const place = chunk.bytes.get() + chunk.used;
  memcpy(place, &entry, sizeof entry);
  chunk.used += needed;
  return place + sizeof entry;
}

void RecordRing::Add(uint32_t process, const spool::RecordView& record) {
  if (Describes(record.head->type)) {
    Process& whose = processes_[process];
    whose.kept.push_back(CopyOf(record));
    whose.kept_bytes += record.bytes;
    return;
  }
  // A record is never larger than 64 KiB.
  char* const place =
      Append({.process = process, .bytes = static_cast<uint32_t>(record.bytes), .end = 0});
  memcpy(place, record.head, record.bytes);
  ++events_;
}

void RecordRing::End(uint32_t process) {
  const size_t most = kChunkBytes - sizeof(Entry);
  const size_t weight = std::min(processes_[process].kept_bytes, most);
  Append({.process = process, .bytes = static_cast<uint32_t>(weight), .end = 1});
}

std::vector<uint32_t> RecordRing::TakeLeft() { return std::exchange(left_, {}); }

void RecordRing::Drop(uint32_t process) { processes_.erase(process); }

void RecordRing::Clear() {
  for (Chunk& chunk : chunks_) Forget(&chunk);
  chunks_.clear();
}

void RecordRing::Forget(Chunk* chunk) {
  ForEach(*chunk, [this](const Entry& entry, const char* bytes) {
    if (entry.end != 0) return left_.push_back(entry.process);
    spool::RecordView record;
    if (View(bytes, entry.bytes, &record)) ForgetRecord(&processes_[entry.process], record);
    --events_;
  });
}

void RecordRing::ForgetRecord(Process* process, const spool::RecordView& record) {
  LeftOut& left_out = process->left_out;
  const auto count_marker = [&] { ++left_out.events[static_cast<size_t>(EventKind::kMarker)]; };
  switch (record.head->type) {
    case RecordType::kRangePush:
      process->pushed[record.head->thread].push_back(CopyOf(record));
      return;
    case RecordType::kRangePop: {
      const auto open = process->pushed.find(record.head->thread);
      if (open == process->pushed.end()) return;  // an end without a beginning is no event
      open->second.pop_back();
      if (open->second.empty()) process->pushed.erase(open);
      return count_marker();
    }
    case RecordType::kRangeStart:
      process->started[record.As<RangeBeginRecord>().range] = CopyOf(record);
      return;
    case RecordType::kRangeStop:
      if (process->started.erase(record.As<RangeEndRecord>().range) != 0) count_marker();
      return;
    case RecordType::kDispatch:
      ++left_out.kernels[record.As<DispatchRecord>().queue];
      break;
    default:
      break;
  }
  if (const std::optional<EventKind> kind = KindOf(record); kind.has_value())
    ++left_out.events[static_cast<size_t>(*kind)];
}

Status RecordRing::Replay(uint32_t number,
                          const std::function<Status(const spool::RecordView&)>& record) const {
  const auto found = processes_.find(number);
  const auto replay = [&](const Copy& copy) {
    spool::RecordView view;
    const auto* const bytes = reinterpret_cast<const char*>(copy.data());
    return View(bytes, copy.size() * sizeof(uint64_t), &view) ? record(view) : Status::Ok();
  };
  if (found != processes_.end()) {
    const Process& process = found->second;
    for (const Copy& copy : process.kept) RTL_TRY(replay(copy));
    for (const auto& [thread, stack] : process.pushed) {
      for (const Copy& copy : stack) RTL_TRY(replay(copy));
    }
    for (const auto& [range, copy] : process.started) RTL_TRY(replay(copy));
  }
  Status status = Status::Ok();
  for (const Chunk& chunk : chunks_) {
    ForEach(chunk, [&](const Entry& entry, const char* bytes) {
      if (entry.process != number || entry.end != 0 || !status.ok()) return;
      spool::RecordView view;
      if (View(bytes, entry.bytes, &view)) status = record(view);
    });
  }
  return status;
}

size_t RecordRing::open_ranges(uint32_t process) const {
  const auto found = processes_.find(process);
  if (found == processes_.end()) return 0;
  size_t count = found->second.started.size();
  for (const auto& [thread, stack] : found->second.pushed) count += stack.size();
  return count;
}

const LeftOut& RecordRing::left_out(uint32_t process) const {
  static const LeftOut kNone;
  const auto found = processes_.find(process);
  return found == processes_.end() ? kNone : found->second.left_out;
}

}  // namespace rtl::store
