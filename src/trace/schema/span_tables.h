// SPDX-License-Identifier: MIT
// span_tables.h: makes the tables and views of the span kinds (model/event_kinds.h) from their
// description, and writes their rows.
//
//   rtl_place        the common part of events of one name on one thread
//   rtl_<view>       one row per event: place, start after the place's origin, duration, values
//   <view>           the same with names, times and GPUs
//
// Threads    one at a time
// Memory     one entry per name and thread
// Errors     those of SQLite; a record that does not fit its kind is rejected and has no row
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <tuple>

#include "base/status.h"
#include "model/records.h"
#include "trace/schema/database.h"
#include "trace/schema/strings.h"

namespace rtl::store {

// CREATE statements for all span kinds.
std::string SpanTablesSql();

class SpanTables {
 public:
  struct Process {
    int64_t row = 0;  // rtl_process.id
    uint32_t pid = 0;
    int32_t rank = -1;
    uint64_t opened = 0;
  };

  Status Prepare(const Database& database, Strings* strings);

  // True if the record fits its kind; other records must not be added.
  static bool IsSound(const EventRecord& record, std::string_view text);
  Status Add(const Process& process, const EventRecord& record, std::string_view text);

 private:
  struct Table {
    Statement insert;
    int64_t last = 0;  // id of the last row
  };
  struct Place {
    int64_t id = 0;
    uint64_t origin = 0;
  };
  // process, thread, kind and operation
  using PlaceKey = std::tuple<int64_t, uint32_t, EventKind, uint16_t>;

  Status PlaceOf(const Process& process, const EventRecord& record, const Place** out);

  Strings* strings_ = nullptr;
  Table tables_[kEventKindCount];
  Statement place_;
  int64_t last_place_ = 0;
  std::map<PlaceKey, Place> places_;
};

}  // namespace rtl::store
