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
// committed so far. The page cache keeps what was written when the writer dies.
#pragma once

#include <stddef.h>
#include <stdint.h>

#include <atomic>

#include "model/losses.h"
#include "model/queue_counter.h"
#include "spool/seen_counts.h"

namespace rtl::spool {

inline constexpr char kControlMagic[8] = {'R', 'T', 'L', 'C', 'T', 'L', '0', '1'};
inline constexpr char kSegmentMagic[8] = {'R', 'T', 'L', 'S', 'E', 'G', '0', '1'};
inline constexpr uint32_t kVersion = 20;
inline constexpr size_t kChunkBytes = 64 * 1024;
inline constexpr size_t kChunksPerSegment = 64;  // the first holds the header
inline constexpr size_t kDataChunks = kChunksPerSegment - 1;
inline constexpr size_t kSegmentBytes = kChunkBytes * kChunksPerSegment;
// The first segment of a process is smaller: most processes write little.
inline constexpr size_t kChunksOfFirstSegment = 8;

constexpr size_t ChunksOfSegment(uint32_t number) {
  return number == 1 ? kChunksOfFirstSegment : kChunksPerSegment;
}

// Chunks for records in the first `segments` segments.
constexpr uint64_t ChunksIn(uint32_t segments) {
  return segments == 0 ? 0 : segments * kDataChunks - kChunksPerSegment + kChunksOfFirstSegment;
}
inline constexpr uint32_t kQueueSlots = 1024;
inline constexpr char kInFlightSuffix[] = ".flight";
inline constexpr uint32_t kMostInFlightBlocks = 4096;

// Life of the traced process, as the writer reports it.
enum class WriterState : uint32_t {
  kStarting = 0,  // the control page is not complete yet
  kRunning = 1,
  kFinished = 2,  // the writer has committed everything; counters are final
  kRefused = 3,   // no record will ever be written; `refusal` has the reason
};

// The collector's answer.
enum class CollectorState : uint32_t {
  kNone = 0,       // no collector yet
  kAttached = 1,   // reads and deletes segments
  kDone = 2,       // the database has every event of this process
  kAbandoned = 3,  // the collector left while the process was running: stop writing
  kRead = 4,       // as kDone for this process; the database waits for others
};

// Whether a process that waits to be attached to records events.
enum class AttachWindow : uint32_t {
  kNone = 0,  // it does not wait to be attached
  kClosed = 1,
  kOpen = 2,
};

// Why a record found no room: an errno when a segment could not be made, or one of these.
struct FullBecause {
  static constexpr int32_t kCollectorIsSlow = 0;
  static constexpr int32_t kManyHandlers = -1;  // more of their markers than can be kept
};

// Fixed text about the process. Terminated; cut when longer.
struct ProcessInfo {
  uint32_t pid = 0;
  uint32_t parent_pid = 0;
  uint64_t start_ticks = 0;             // field 22 of /proc/self/stat
  uint64_t stack = 0;                   // field 28: differs after exec; zero: not known
  uint64_t pid_namespace = 0;           // in which the numbers hold; zero: not known
  uint64_t opened = 0;                  // BOOTTIME ns when this page was made
  int64_t realtime_minus_boottime = 0;  // ns, read when the page was made
  int32_t rank = -1;                    // in a job of several processes; -1: none
  int32_t local_rank = -1;              // among those of this host
  uint32_t world = 0;                   // processes of the job; zero: not known
  uint32_t group = 0;                   // process group
  char boot_id[40] = {};
  char host[64] = {};
  char executable[256] = {};
  char command[1016] = {};     // arguments joined by spaces
  char mode[16] = {};          // the capture mode; before the runtime is loaded, the requested one
  char loaded_by[64] = {};     // how the tracer was loaded: "HSA_TOOLS_LIB"
  char runtime[64] = {};       // "HSA 1.1, tables 1.0"
  char version[32] = {};       // of the tracer
  char job[64] = {};           // the launcher's name of the job; empty: none
  char mode_reason[160] = {};  // why `mode` was chosen
};

// Mapped read-write by the writer and the collector. All atomics relaxed unless the comment says
// otherwise.
struct ControlPage {
  char magic[8];
  uint32_t version;
  uint32_t bytes;  // sizeof(ControlPage)
  ProcessInfo process;
  char refusal[256];  // why GPU kernels of this process are not traced; empty: they are traced

  alignas(64) std::atomic<WriterState> writer_state;  // release after `process`; release at finish
  std::atomic<uint32_t> segments_created;             // release after the segment is ready
  // BOOTTIME ns at which the process began its normal end; zero before. It may still be running.
  std::atomic<uint64_t> finished;
  std::atomic<uint64_t> limit_chunks;  // number of uncollected chunks beyond which records are lost
  std::atomic<int32_t> full_because;   // why a record last found no room
  std::atomic<uint32_t> events;        // EventSet::bits of what is recorded; zero: not known
  std::atomic<uint32_t> lossless;      // 1: a record waits for room
  alignas(64) std::atomic<CollectorState> collector_state;
  std::atomic<uint64_t> chunks_collected;   // closed and read to the end; on disk only if kept
  std::atomic<AttachWindow> window_wanted;  // the collector's request; zero: none yet
  std::atomic<AttachWindow> window;         // the process's answer; release after the change

  // seen[kind] here plus the queue counters = all seen. `queue_seen` belongs to EventKind::kKernel.
  SeenCounts seen;
  alignas(64) std::atomic<uint64_t> recorded[kEventKindCount];
  alignas(64) std::atomic<uint64_t> losses[kEventKindCount][kLossCount];
  // The tracer's own actions, for `rtl info`.
  alignas(64) std::atomic<uint64_t> signals_created;
  std::atomic<uint64_t> signals_destroyed;
  std::atomic<uint64_t> queues_created;
  std::atomic<uint64_t> queues_destroyed;
  std::atomic<uint64_t> other_packets;  // barriers, vendor packets: passed through, not events
  // BOOTTIME ns at which the last complete check for ended packets began; zero: none yet.
  std::atomic<uint64_t> looked;
  alignas(64) QueueCounter queue_seen[kQueueSlots];
};
static_assert(std::atomic<uint64_t>::is_always_lock_free);

struct SegmentHeader {
  char magic[8];
  uint32_t version;
  uint32_t pid;
  uint64_t start_ticks;
  uint32_t number;  // 1-based, as in the file name
  uint32_t chunks;  // in this file, the one of this header among them
  // No chunk from this one on has been handed out. Raised before the first record of a chunk.
  alignas(64) std::atomic<uint32_t> next_chunk;
};

enum class ChunkState : uint32_t {
  kFree = 0,    // not handed out
  kOpen = 1,    // a thread writes it
  kClosed = 2,  // no record will be added; release
  kBusy = 3,    // as kOpen, and its thread is inside Write at this moment
};

struct alignas(64) ChunkHeader {
  std::atomic<ChunkState> state;
  uint32_t thread;  // kernel thread id of its writer
};
static_assert(sizeof(ChunkHeader) == 64);

}  // namespace rtl::spool
