// SPDX-License-Identifier: MIT
// deferred_records.h: keeps markers that a signal handler sets while it interrupts a write of its
// own thread, until that write has ended.
//
// Threads    any. An entry is filled and taken by the same thread
// Blocking   never
// Memory     544 KB in the library, of which only the used entries take memory
// Signals    Keep is for handlers; they may interrupt each other
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "model/records.h"

namespace rtl::spool {

class DeferredRecords {
 public:
  struct Entry;

  // False if the record is not a marker, if it is too long, or if all entries are in use.
  static bool Keep(uint32_t writer, uint32_t thread, const void* record, size_t bytes,
                   const char* text, size_t text_bytes);
  // The oldest entry of the thread; null if there is none.
  static Entry* Oldest(uint32_t writer, uint32_t thread);
  // An entry of any thread; null if there is none.
  static Entry* Any(uint32_t writer);
  static void Free(Entry* entry);
};

struct DeferredRecords::Entry {
  static constexpr size_t kBytes = 512;

  const char* record() const { return bytes; }
  // True if the record begins its event, which is counted with this record.
  bool Begins() const;

  uint32_t state;  // accessed atomically
  uint32_t writer;
  uint32_t thread;
  uint32_t record_bytes;
  uint32_t text_bytes;
  uint64_t order;
  alignas(8) char bytes[kBytes];  // the record, followed by its text
};

}  // namespace rtl::spool
