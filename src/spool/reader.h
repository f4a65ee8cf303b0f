// SPDX-License-Identifier: MIT
// reader.h: the collector's end of the spool. Reads committed records while the spool grows, and
// deletes segments that it has read to the end, or keeps them until StopKeeping.
// Every byte is treated as hostile: sizes and types are checked before use, on a private copy.
//
// Threads    one
// Blocking   file I/O only
// Errors     a torn or impossible record ends its chunk, is counted (`torn`), and reading goes on
//            elsewhere
// Order      within one call of Poll, records of one thread come in the order in which it wrote
//            them. Between threads: a record that was written because of another one may come first
#pragma once

#include <stdint.h>

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "base/status.h"
#include "base/unique_fd.h"
#include "model/in_flight.h"
#include "model/records.h"
#include "spool/format.h"
#include "spool/packing.h"
#include "spool/record_view.h"

namespace rtl::spool {

class ProcessReader {
 public:
  using Callback = std::function<void(const RecordView&)>;

  // Opens the control page `<directory>/<stem>.ctl`. Refuses links, other owners' files and bad
  // headers, and a page that its writer has not completed yet.
  static Status Open(const std::string& directory, const std::string& stem, bool keep_segments,
                     std::unique_ptr<ProcessReader>* out);
  ~ProcessReader();
  ProcessReader(const ProcessReader&) = delete;
  ProcessReader& operator=(const ProcessReader&) = delete;

  // Hands every record committed since the last call to `callback`, per chunk in order. Deletes
  // segments that are read to the end (unless keep_segments). `records`: the number delivered. An
  // error means that the control page is lost; every readable record was still delivered.
  Status Poll(const Callback& callback, uint64_t* records);

  // The writer finished, or its process is gone (pid and start time no longer match) or has become
  // another program. After it returns true, one more Poll reads everything.
  bool WriterGone();
  // The process has become another program. May become known later than WriterGone.
  bool replaced() const { return replaced_; }
  // In this process's PID namespace, once WriterGone has been called; zero: it cannot be seen.
  uint32_t pid_from_here() const { return pid_from_here_; }

  // The part of the writer's limit that this reader has not yet freed: 0 to 1, more when the page
  // is inconsistent.
  double Backlog() const;
  // More than half of the writer's limit is unread, apart from the segment in use and the spare
  // one.
  bool FallsBehind() const;

  const ControlPage& control() const { return lost_page_ ? *lost_page_ : *page_; }
  // The kernels in flight by the process's file, in the order of queues and packets. Empty when
  // there is no such file.
  struct InFlight {
    uint32_t queue = 0;
    InFlightEntry entry = {};
    bool operator<(const InFlight& other) const {
      return queue != other.queue ? queue < other.queue : entry.packet < other.entry.packet;
    }
  };
  std::vector<InFlight> KernelsInFlight() const;
  // Of a process that has died: those for which a thread wrote a record, or counted a loss. Whether
  // it was done is not known.
  std::vector<InFlight> KernelsBeingRecorded() const;
  // The latest barrier packets that wait for signals, open or not.
  struct Barrier {
    uint32_t queue = 0;
    uint64_t packet = 0;
    uint64_t kind = 0;  // BarrierKind
    uint64_t signals[5] = {};
    bool passed = false;  // a later packet has ended
  };
  std::vector<Barrier> Barriers() const;
  // The reason why this process is not traced; empty: it is traced.
  std::string Refusal();
  // Read when the page was opened, or at the last refresh; every text is terminated.
  const ProcessInfo& process() const { return process_; }
  // Reads the texts again: a process may open its spool before it knows its interception method and
  // runtime.
  void RefreshProcess();
  const std::string& stem() const { return stem_; }
  void SetCollectorState(CollectorState state);
  // For a process that waits to be attached to; control().window shows when the request took
  // effect.
  void AskForWindow(AttachWindow wanted);
  uint64_t torn() const { return torn_; }  // records or chunk tails that could not be read

  // The bytes on disk of kept segments that have been read to the end.
  uint64_t kept_bytes() const { return kept_bytes_; }
  // Deletes the kept segments that have been read, and from now on every other one when it has.
  void StopKeeping();

  // Removes the control page and all remaining segments.
  Status Remove();

 private:
  struct Chunk {
    uint32_t position = sizeof(ChunkHeader);  // of the next record
    uint32_t end = sizeof(ChunkHeader);       // of the last record
    uint32_t committed = 0;                   // read before `committed`
    bool closed = false;                      // bytes after `committed` cannot be trusted
    bool broken = false;                      // nothing behind `committed` can be trusted
    bool done = false;                        // read to the end
    bool given_back = false;                  // its disk blocks are free again
    std::unique_ptr<Unpacker> unpacker;       // of the records before `position`
  };
  struct Segment {
    uint32_t number = 0;
    uint32_t data_chunks = 0;  // the file has this many for records
    std::string path;
    UniqueFd fd;
    uint32_t done = 0;        // chunks
    uint32_t given_back = 0;  // chunks
    Chunk chunks[kChunksPerSegment];
  };

  ProcessReader() = default;
  uint64_t UncollectedChunks() const;
  Status MapControlPage();
  void CheckPage();
  void CopyProcess();
  ControlPage& Page() { return lost_page_ ? *lost_page_ : *page_; }
  bool FindSegments(uint32_t created, bool last);
  bool NextNumberOnDisk(uint32_t from, uint32_t* number) const;
  bool OpenFile(Segment& segment);
  bool PollOnce(bool last, const Callback& callback, uint64_t* records);
  bool Survey(Segment& segment, bool last);
  void SurveyChunk(Segment& segment, size_t index, bool last);
  void Break(Chunk& chunk);
  uint64_t Deliver(Segment& segment, size_t index, const Callback& callback);
  static bool Next(Unpacker& unpacker, const char* at, size_t available, size_t* bytes,
                   RecordView* out);
  void GiveBack(Segment& segment);
  void GiveBackKept(Segment& segment);
  static uint64_t FreeUnused(const Segment& segment);
  bool ProcessGone();
  bool Ended() const;
  bool ProcessReplaced();

  std::string directory_;
  std::string stem_;
  bool keep_segments_ = false;
  ControlPage* page_ = nullptr;             // mapped
  std::unique_ptr<ControlPage> lost_page_;  // zeros, in place of a page that was cut
  UniqueFd page_fd_;
  UniqueFd pidfd_;
  ProcessInfo process_;
  uint32_t pid_from_here_ = 0;
  bool identified_ = false;  // pidfd_ is that of the process that made the spool
  bool process_gone_ = false;
  bool replaced_ = false;
  uint64_t next_look_ = 0;  // BOOTTIME ns of the next check for exec
  uint32_t next_number_ = 1;
  uint64_t torn_ = 0;
  bool no_descriptor_ = false;  // in this poll; what is unread waits for the next one
  uint64_t kept_ = 0;           // chunks of kept segments that have been read to the end
  uint64_t kept_bytes_ = 0;
  std::vector<std::unique_ptr<Segment>> segments_;  // by number
  std::unique_ptr<char[]> buffer_;                  // one chunk
};

}  // namespace rtl::spool
