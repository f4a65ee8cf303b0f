// SPDX-License-Identifier: MIT
// deferred_records.h: markers of signal handlers that interrupted a write of their own thread. They
// are kept until that write has ended.
//
// Threads    any. An entry is filled and taken by the same thread
// Blocking   never
// Memory     544 KB in the library, of which only what is used takes memory
// Signals    Keep is for handlers; they may interrupt each other
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "model/records.h"

namespace rtl::spool {

class DeferredRecords {
 public:
  struct Entry;

  // False: it is no marker, it is too long, or all entries are in use.
  static bool Keep(uint32_t writer, uint32_t thread, const void* record, size_t bytes,
                   const char* text, size_t text_bytes);
  // The oldest of the thread; null: none.
  static Entry* Oldest(uint32_t writer, uint32_t thread);
  // Of any thread; null: none.
  static Entry* Any(uint32_t writer);
  static void Free(Entry* entry);
};

struct DeferredRecords::Entry {
  static constexpr size_t kBytes = 512;

  const char* record() const { return bytes; }
  // The event is counted with this record.
  bool Begins() const;

  uint32_t state;  // atomic
  uint32_t writer;
  uint32_t thread;
  uint32_t record_bytes;
  uint32_t text_bytes;
  uint64_t order;
  alignas(8) char bytes[kBytes];  // the record, and its text behind it
};

}  // namespace rtl::spool
