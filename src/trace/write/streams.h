// SPDX-License-Identifier: MIT
// streams.h: the HIP streams of one process. HIP reuses handles, so the times of creation and
// destruction distinguish streams. Events may come in any order.
//
// Memory     one entry per stream created or destroyed, and one per handle used
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "trace/schema/api_text.h"

namespace rtl::store {

struct StreamRow {
  uint64_t number = 0;  // 1, 2, … in the order of creation; 0: the null stream
  uint64_t handle = 0;
  std::string name;
  std::optional<int64_t> created;    // empty: before its first use, unseen
  std::optional<int64_t> destroyed;  // empty: it lived on
};

class Streams {
 public:
  struct Use {
    std::optional<int64_t> handle;  // of the stream that the call works on; empty: it works on none
    // The same call again has no effect but an earlier time here, unless null. Stays valid.
    uint64_t* first_use = nullptr;
    bool repeats = true;  // false: the same call again has further effects
  };
  // Records the call's effect on a stream.
  Use AddCall(const ApiCallRecord& record, const ApiArguments& arguments);
  // roctxNameHipStream.
  void Name(uint64_t handle, uint64_t time, std::string name);

  // One row per stream, by number: first the streams whose creation was seen, then those that were
  // only used.
  std::vector<StreamRow> Rows() const;

 private:
  struct Handle {
    std::vector<uint64_t> created, destroyed;
    std::vector<std::pair<uint64_t, std::string>> names;  // with the time of each
    uint64_t first_use = UINT64_MAX;
  };

  static void AddRows(uint64_t value, const Handle& handle, std::vector<StreamRow>* rows);

  std::map<uint64_t, Handle> handles_;
};

}  // namespace rtl::store
