// SPDX-License-Identifier: MIT
// reader.h: the collector's end of the spool. Reads what has been committed, as it grows, and
// deletes what it has read to the end. Every byte is treated as hostile: sizes and types are
// checked before use.
//
// Threads    one
// Blocking   file I/O only
// Errors     a torn or impossible record ends its chunk, is counted (`torn`), and reading goes on
// elsewhere
#pragma once

#include <stdint.h>

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "base/status.h"
#include "model/records.h"
#include "spool/format.h"

namespace rtl::spool {

// One record in place. `bytes` = units*8; text is the last `text_bytes` as the record says, already
// checked to lie inside. Valid during the callback only.
struct RecordView {
  const RecordHeader* head;
  size_t bytes;
  std::string_view text;
};

class ProcessReader {
 public:
  using Callback = std::function<void(const RecordView&)>;

  // Opens the control page `<directory>/<stem>.ctl`. Refuses links, other owners' files and bad
  // headers.
  static Status Open(const std::string& directory, const std::string& stem, bool keep_segments,
                     std::unique_ptr<ProcessReader>* out);

  // Hands every record committed since the last call to `callback`, per chunk in order. Deletes
  // segments that are read to the end (unless keep_segments). `records`: how many were delivered.
  Status Poll(const Callback& callback, uint64_t* records);

  // The writer finished, or its process is gone (pid and start time no longer match): once true,
  // one more Poll has seen everything.
  bool WriterGone() const;

  const ControlPage& control() const;
  void SetCollectorState(CollectorState state);
  uint64_t torn() const;  // records or chunk tails that could not be read

  // Removes the control page and any segment left.
  Status Remove();
};

// Stems of all control pages in `directory`, sorted.
Status ListProcesses(const std::string& directory, std::vector<std::string>* stems);

}  // namespace rtl::spool
