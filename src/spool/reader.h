// SPDX-License-Identifier: MIT
// reader.h: reads the spool for the collector. It reads committed records while the spool grows,
// and deletes segments that it has read to the end, or keeps them until StopKeeping. Every byte is
// treated as hostile: sizes and types are checked before use, on a private copy.
//
// Threads    one
// Blocking   file I/O only
// Errors     a torn or impossible record is counted (`torn`) and ends the reading of its chunk;
//            other chunks are still read
// Order      within one call of Poll, records of one thread come in the order in which it wrote
//            them. Between threads the order may differ from the order of writing, even if one
//            record is a consequence of another
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

  // Opens the control page `<directory>/<stem>.ctl`. Refuses links, files of other owners, bad
  // headers, and a page that its writer has not completed yet.
  static Status Open(const std::string& directory, const std::string& stem, bool keep_segments,
                     std::unique_ptr<ProcessReader>* out);
  ~ProcessReader();
  ProcessReader(const ProcessReader&) = delete;
  ProcessReader& operator=(const ProcessReader&) = delete;

  // Passes every record that was committed since the last call to `callback`, chunk by chunk and in
  // order within each chunk. Deletes segments that are read to the end (unless keep_segments).
  // `records`: gets the number delivered. An error means that the control page is lost; every
  // readable record was still delivered.
  Status Poll(const Callback& callback, uint64_t* records);

  // True if the writer has finished, if its process is gone (pid and start time no longer match),
  // or if the process has become another program. One more Poll after that reads everything.
  bool WriterGone();
  // True if the process has become another program. This may become known later than WriterGone.
  bool replaced() const { return replaced_; }
  // The pid in this process's PID namespace, known after WriterGone was called; zero: not visible.
  uint32_t pid_from_here() const { return pid_from_here_; }

  // The share of the writer's limit that this reader has not yet freed: 0 to 1, or more if the page
  // is inconsistent.
  double Backlog() const;
  // True if more than half of the writer's limit is unread, not counting the segment in use and the
  // spare one.
  bool FallsBehind() const;

  const ControlPage& control() const { return lost_page_ ? *lost_page_ : *page_; }
  // The kernels in flight according to the process's file, ordered by queue and packet. Empty if
  // there is no such file.
  struct InFlight {
    uint32_t queue = 0;
    InFlightEntry entry = {};
    bool operator<(const InFlight& other) const {
      return queue != other.queue ? queue < other.queue : entry.packet < other.entry.packet;
    }
  };
  std::vector<InFlight> KernelsInFlight() const;
  // For a process that has died: the kernels for which a thread was just writing a record or
  // counting a loss. Whether it had finished is not known.
  std::vector<InFlight> KernelsBeingRecorded() const;
  // The latest barrier packets that wait for signals, whether they have ended or not.
  struct Barrier {
    uint32_t queue = 0;
    uint64_t packet = 0;
    uint64_t kind = 0;  // BarrierKind
    uint64_t signals[5] = {};
    bool passed = false;  // a later packet has ended, so the barrier has, too
  };
  std::vector<Barrier> Barriers() const;
  // The reason why this process is not traced; empty if it is traced.
  std::string Refusal();
  // As read when the page was opened, or at the last refresh. Every text is terminated.
  const ProcessInfo& process() const { return process_; }
  // Reads the texts again, because a process may open its spool before its interception method and
  // its runtime are known.
  void RefreshProcess();
  const std::string& stem() const { return stem_; }
  void SetCollectorState(CollectorState state);
  // Requests a window from a process that waits for an attachment. control().window shows when the
  // request took effect.
  void AskForWindow(AttachWindow wanted);
  // number of records or chunk tails that could not be read
  uint64_t torn() const { return torn_; }

  // The bytes on disk of kept segments that are read to the end.
  uint64_t kept_bytes() const { return kept_bytes_; }
  // Deletes the kept segments that are read, and from now on every other segment when it is read.
  void StopKeeping();

  // Removes the control page and all remaining segments.
  Status Remove();

 private:
  struct Chunk {
    uint32_t position = sizeof(ChunkHeader);  // offset of the next record
    uint32_t end = sizeof(ChunkHeader);       // offset after the last record
    uint32_t committed = 0;                   // the chunk is read up to here
    // it is not known how many of the bytes after `committed` were written
    bool closed = false;
    bool broken = false;                 // nothing after `committed` can be trusted
    bool done = false;                   // read to the end
    bool given_back = false;             // its disk blocks are free again
    std::unique_ptr<Unpacker> unpacker;  // state of the unpacking before `position`
  };
  struct Segment {
    uint32_t number = 0;
    uint32_t data_chunks = 0;  // number of chunks for records in the file
    std::string path;
    UniqueFd fd;
    uint32_t done = 0;        // number of chunks
    uint32_t given_back = 0;  // number of chunks
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
  ControlPage* page_ = nullptr;  // the mapped page
  // zeros, used instead of a page whose file was truncated
  std::unique_ptr<ControlPage> lost_page_;
  UniqueFd page_fd_;
  UniqueFd pidfd_;
  ProcessInfo process_;
  uint32_t pid_from_here_ = 0;
  bool identified_ = false;  // pidfd_ is of the process that made the spool
  bool process_gone_ = false;
  bool replaced_ = false;
  // BOOTTIME ns of the next check whether the process has become another program
  uint64_t next_look_ = 0;
  uint32_t next_number_ = 1;
  uint64_t torn_ = 0;
  bool no_descriptor_ = false;  // in this poll; the rest is read in the next poll
  uint64_t kept_ = 0;           // chunks of kept segments that are read to the end
  uint64_t kept_bytes_ = 0;
  std::vector<std::unique_ptr<Segment>> segments_;  // ordered by number
  std::unique_ptr<char[]> buffer_;                  // one chunk
};

}  // namespace rtl::spool
