// SPDX-License-Identifier: MIT
// record_view.h: checks one record of a chunk before it is used.
//
// Threads    any
#pragma once

#include <stddef.h>

#include <string_view>

#include "model/records.h"

namespace rtl::spool {

// One record in place. `bytes` = units*8. `text`: the `text_bytes` bytes after the struct, checked
// to lie inside the record. Valid during the callback only.
struct RecordView {
  const RecordHeader* head;
  size_t bytes;
  std::string_view text;

  template <typename Record>
  const Record& As() const {
    return *reinterpret_cast<const Record*>(head);
  }
};

// Checks the record at `at`, of which `available` bytes (64 KiB at most) may be read. False if its
// header or sizes are impossible. `at` must be 8-byte aligned, and its header must not be zero.
bool CheckRecord(const char* at, size_t available, RecordView* out);

}  // namespace rtl::spool
