// SPDX-License-Identifier: MIT
// record_view.h: one record of a chunk, checked before it is used.
//
// Threads    any
#pragma once

#include <stddef.h>

#include <string_view>

#include "model/records.h"

namespace rtl::spool {

// One record in place. `bytes` = units*8; text is the `text_bytes` behind the struct, already
// checked to lie inside. Valid during the callback only.
struct RecordView {
  const RecordHeader* head;
  size_t bytes;
  std::string_view text;

  template <typename Record>
  const Record& As() const {
    return *reinterpret_cast<const Record*>(head);
  }
};

// Checks the record at `at`, of which `available` bytes (64 KiB at most) may be read. False when
// its header or sizes are impossible. `at` is 8-byte aligned and its header is not zero.
bool CheckRecord(const char* at, size_t available, RecordView* out);

}  // namespace rtl::spool
