// SPDX-License-Identifier: MIT
// format.h: the layout of the spool on disk. docs/formats/spool.md is the specification.
//
// One directory per trace. Each traced process owns, under the stem "<pid>-<start time in clock
// ticks>", or "<pid>-<start time>-<n>" for the n-th further program that the process became by
// exec:
//   <stem>.ctl         one ControlPage: identity, counters, progress of both sides
//   <stem>.000001.seg  segments of kSegmentBytes: a header chunk, then chunks of kChunkBytes
//   <stem>.flight      kernels in flight (model/in_flight.h): blocks of kInFlightBlockBytes
//
//   segment  +0        SegmentHeader
//            +64 KiB   chunk 1: ChunkHeader (64 bytes), records…, zeros
//            +128 KiB  chunk 2 …
//
// A chunk belongs to one thread for its whole life. Records are 8-byte aligned, and may be written
// as their difference from an earlier one (packing.h); a zero RecordHeader ends what has been
// committed so far. When the writer dies, the page cache keeps what was written.
#pragma once

#include <stddef.h>
#include <stdint.h>

#include <atomic>

#include "model/losses.h"
#include "model/queue_counter.h"
#include "spool/submitted_counts.h"

namespace rtl::spool {

inline constexpr char kControlMagic[8] = {'R', 'T', 'L', 'C', 'T', 'L', '0', '1'};
inline constexpr char kSegmentMagic[8] = {'R', 'T', 'L', 'S', 'E', 'G', '0', '1'};
inline constexpr uint32_t kVersion = 20;
inline constexpr size_t kChunkBytes = 64 * 1024;
inline constexpr size_t kChunksPerSegment = 64;  // the first chunk has the segment's header
inline constexpr size_t kDataChunks = kChunksPerSegment - 1;
inline constexpr size_t kSegmentBytes = kChunkBytes * kChunksPerSegment;
// The first segment of a process is smaller, because most processes write little.
inline constexpr size_t kChunksOfFirstSegment = 8;

constexpr size_t ChunksOfSegment(uint32_t number) {
  return number == 1 ? kChunksOfFirstSegment : kChunksPerSegment;
}

// The number of chunks for records in the first `segments` segments.
constexpr uint64_t ChunksIn(uint32_t segments) {
  return segments == 0 ? 0 : segments * kDataChunks - kChunksPerSegment + kChunksOfFirstSegment;
}
inline constexpr uint32_t kQueueSlots = 1024;
inline constexpr char kInFlightSuffix[] = ".flight";
inline constexpr uint32_t kMostInFlightBlocks = 4096;

// The state of the traced process, as the writer reports it.
enum class WriterState : uint32_t {
  kStarting = 0,  // the control page is not complete yet
  kRunning = 1,
  kFinished = 2,  // the writer has committed everything; counters are final
  kRefused = 3,   // no record will ever be written; `refusal` has the reason
};

// The state of the collector, as it reports it to the process.
enum class CollectorState : uint32_t {
  kNone = 0,       // no collector yet
  kAttached = 1,   // the collector reads and deletes segments
  kDone = 2,       // the database has every event of this process
  kAbandoned = 3,  // the collector left while the process was running: stop writing
  kRead = 4,       // like kDone for this process, but the database waits for other processes
};

// Whether a process that waits for an attachment records events.
enum class AttachWindow : uint32_t {
  kNone = 0,  // the process does not wait for an attachment
  kClosed = 1,
  kOpen = 2,
};

// Why a record found no room: an errno if a segment could not be made, or one of these values.
struct FullBecause {
  static constexpr int32_t kCollectorIsSlow = 0;
  static constexpr int32_t kManyHandlers = -1;  // signal handlers set more markers than can be kept
};

// Fixed texts about the process. They are terminated, and truncated if they are too long.
struct ProcessInfo {
  uint32_t pid = 0;
  uint32_t parent_pid = 0;
  uint64_t start_ticks = 0;  // field 22 of /proc/self/stat
  uint64_t stack = 0;        // field 28: differs after exec; zero: not known
  // the PID namespace in which the pids are valid; zero: not known
  uint64_t pid_namespace = 0;
  uint64_t opened = 0;                  // BOOTTIME ns at which this page was made
  int64_t realtime_minus_boottime = 0;  // in ns, read when the page was made
  int32_t rank = -1;                    // rank in a job of several processes; -1: none
  int32_t local_rank = -1;              // rank among the job's processes on this host; -1: none
  uint32_t world = 0;                   // number of processes in the job; zero: not known
  uint32_t group = 0;                   // process group
  char boot_id[40] = {};
  char host[64] = {};
  char executable[256] = {};
  char command[1016] = {};     // arguments joined by spaces
  char mode[16] = {};          // the mode; before the runtime is loaded, the requested one
  char loaded_by[64] = {};     // how the tracer was loaded, for example "HSA_TOOLS_LIB"
  char runtime[64] = {};       // for example "HSA 1.1, tables 1.0"
  char version[32] = {};       // version of the tracer
  char job[64] = {};           // the job's name, as the launcher gives it; empty: none
  char mode_reason[160] = {};  // why `mode` was chosen
};

// Mapped read-write by the writer and the collector. All atomics relaxed unless the comment says
// otherwise.
struct ControlPage {
  char magic[8];
  uint32_t version;
  uint32_t bytes;  // sizeof(ControlPage)
  ProcessInfo process;
  char refusal[256];  // why GPU kernels of this process are not traced; empty if they are traced

  // release after `process` is written, and at finish
  alignas(64) std::atomic<WriterState> writer_state;
  std::atomic<uint32_t> segments_created;  // release after the segment is ready
  // BOOTTIME ns at which the process began its normal end; zero before that. The process may still
  // be running.
  std::atomic<uint64_t> finished;
  // records are lost when this number of chunks is not yet collected
  std::atomic<uint64_t> limit_chunks;
  std::atomic<int32_t> full_because;  // FullBecause: why a record last found no room
  // EventSet::bits of the recorded kinds of events; zero: not known
  std::atomic<uint32_t> events;
  std::atomic<uint32_t> lossless;  // 1: a writer waits for room
  alignas(64) std::atomic<CollectorState> collector_state;
  // chunks that are closed and read to the end; they are on disk only if segments are kept
  std::atomic<uint64_t> chunks_collected;
  std::atomic<AttachWindow> window_wanted;  // the collector's request; kNone: none yet
  // the process's answer, stored with release after the change
  std::atomic<AttachWindow> window;

  // All seen events of a kind: seen[kind] here plus the queue counters, which belong to
  // EventKind::kKernel.
  SubmittedCounts submitted;
  alignas(64) std::atomic<uint64_t> recorded[kEventKindCount];
  alignas(64) std::atomic<uint64_t> losses[kEventKindCount][kLossCount];
  // Counts of the tracer's own actions, for `rtl info`.
  alignas(64) std::atomic<uint64_t> signals_created;
  std::atomic<uint64_t> signals_destroyed;
  std::atomic<uint64_t> queues_created;
  std::atomic<uint64_t> queues_destroyed;
  // barriers and vendor packets, which pass through and are not events
  std::atomic<uint64_t> other_packets;
  // BOOTTIME ns at which the last complete check for ended packets began; zero: none yet.
  std::atomic<uint64_t> looked;
  alignas(64) QueueCounter queue_submitted[kQueueSlots];
};
static_assert(std::atomic<uint64_t>::is_always_lock_free);

struct SegmentHeader {
  char magic[8];
  uint32_t version;
  uint32_t pid;
  uint64_t start_ticks;
  uint32_t number;  // 1-based, as in the file name
  uint32_t chunks;  // number of chunks in this file, with the one of this header
  // No chunk from this index on has been handed out to a thread. Raised before the first record of
  // a chunk.
  alignas(64) std::atomic<uint32_t> next_chunk;
};

enum class ChunkState : uint32_t {
  kFree = 0,    // not handed out to a thread
  kOpen = 1,    // a thread writes records into it
  kClosed = 2,  // no record will be added; stored with release
  kBusy = 3,    // like kOpen, and the thread is inside Write at this moment
};

struct alignas(64) ChunkHeader {
  std::atomic<ChunkState> state;
  uint32_t thread;  // kernel thread id of the writing thread
};
static_assert(sizeof(ChunkHeader) == 64);

}  // namespace rtl::spool
