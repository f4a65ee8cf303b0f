// SPDX-License-Identifier: MIT
// streams.h: finds the HIP streams of one process. HIP reuses handles, so streams are distinguished
// by their times of creation and destruction. Events may be added in any order.
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
  // empty: the creation was not seen; it was before the first use
  std::optional<int64_t> created;
  std::optional<int64_t> destroyed;  // empty: the stream was not destroyed
};

class Streams {
 public:
  struct Use {
    // handle of the stream that the call uses; empty: it uses no stream
    std::optional<int64_t> handle;
    // If the call is repeated, its only effect is an earlier time here. Null: it has no effect. The
    // pointer stays valid.
    uint64_t* first_use = nullptr;
    bool repeats = true;  // false: a repeated call has further effects
  };
  // Records the call's effect on a stream.
  Use AddCall(const ApiCallRecord& record, const ApiArguments& arguments);
  // Called for roctxNameHipStream.
  void Name(uint64_t handle, uint64_t time, std::string name);

  // One row per stream, ordered by number: first the streams whose creation was seen, then those
  // that were only used.
  std::vector<StreamRow> Rows() const;

 private:
  struct Handle {
    std::vector<uint64_t> created, destroyed;
    // each with the time at which it was given
    std::vector<std::pair<uint64_t, std::string>> names;
    uint64_t first_use = UINT64_MAX;
  };

  static void AddRows(uint64_t value, const Handle& handle, std::vector<StreamRow>* rows);

  std::map<uint64_t, Handle> handles_;
};

}  // namespace rtl::store
