// SPDX-License-Identifier: MIT
// process_set.h: the processes of a spool: finds them, knows how they end, and closes what they no
// longer need, because thousands of short processes must not keep descriptors, buffers and disk.
//
// Threads    the collecting one; after Join, the caller's
// Blocking   file I/O
// Memory     a process until Erase, its reader until CloseReader; segments that are read, up to a
//            limit
// Errors     a process that cannot be read is a warning at the end, and the next round tries again
#pragma once

#include <stddef.h>
#include <stdint.h>

#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/status.h"
#include "spool/format.h"
#include "trace/collect/collected_process.h"
#include "trace/collect/spool_folder.h"
#include "trace/collect/trace_summary.h"

namespace rtl::store {

class ProcessSet {
 public:
  // `most_kept`: bytes of segments that are kept after reading; zero: none.
  ProcessSet(const SpoolFolder& spool, uint64_t most_kept, TraceSummary* summary)
      : spool_(spool), most_kept_(most_kept), summary_(summary), is_keeping_(most_kept != 0) {}

  // Opens the processes that are new in the spool, and attaches to those that `prepare` accepts.
  // Returns its first error.
  Status AttachToNew(const std::function<Status(CollectedProcess*)>& prepare);
  // A database's name for a process, such as "trace.4711.db", or "trace.4711-2.db" for a further
  // program with this pid.
  std::string OwnName(const std::string& output, uint32_t pid);

  // By stem.
  auto begin() { return processes_.begin(); }
  auto end() { return processes_.end(); }
  size_t size() const { return processes_.size(); }
  bool contains(const std::string& stem) const { return processes_.contains(stem); }
  // In the order in which they were found.
  std::vector<CollectedProcess*> InOrder();
  CollectedProcess* Find(size_t order);
  // The process that was found first, even if it was erased; null: none was found.
  const spool::ProcessInfo* first() const;
  size_t found() const { return processes_.size() + unreadable_.size(); }
  size_t running() const;
  uint64_t rows() const;
  ProcessEnd HowItEnded(const CollectedProcess& process) const;
  // True if a process would soon lose events, or if many processes have ended.
  bool NeedReading();
  // Adds the results of all processes.
  void Gather(CollectResult* result);
  void WarnOfUnreadable();

  // Called when a process has ended and waits for nothing.
  void CloseReader(CollectedProcess* process);
  // Opens the reader again, for a process whose files are still in the spool.
  Status Reopen(CollectedProcess* process) const;
  void Erase(const CollectedProcess& process);
  // Releases the processes that have ended if others go on, because they must not wait for a
  // database that is complete only after the others.
  void ReleaseEnded();
  // Called when nothing will be read any more: releases every process that waits.
  void Abandon();
  // If more than the limit is kept, deletes the segments that are read. From then on their records
  // are only in the database.
  void LimitKept();
  bool is_keeping() const { return is_keeping_; }

 private:
  const SpoolFolder& spool_;
  const uint64_t most_kept_;
  TraceSummary* const summary_;
  std::map<std::string, CollectedProcess> processes_;
  std::map<std::string, std::string> unreadable_;  // by stem: the reason
  size_t attached_ = 0;
  std::optional<spool::ProcessInfo> first_;  // set when its reader is closed
  std::set<std::string> own_names_;
  bool is_keeping_;
  uint64_t kept_by_ended_ = 0;  // bytes kept of processes without a reader
};

}  // namespace rtl::store
