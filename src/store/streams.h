// SPDX-License-Identifier: MIT
// streams.h: the HIP streams of one process, told apart although HIP uses a handle again for the
// next stream: by when each was created and destroyed. Events may come in any order.
//
// Memory     one entry per stream created or destroyed, and one per handle used
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "store/api_text.h"

namespace rtl::store {

struct StreamRow {
  uint64_t number = 0;  // 1, 2, … in the order of creation; 0: the null stream
  uint64_t handle = 0;
  std::string name;
  std::optional<int64_t> created;    // nothing: before its first use, nobody saw when
  std::optional<int64_t> destroyed;  // nothing: it lived on
};

class Streams {
 public:
  // What the call did to a stream. Returns the handle of the stream that it works on; nothing when
  // it works on none.
  std::optional<int64_t> AddCall(const ApiCallRecord& record, const ApiArguments& arguments);
  // roctxNameHipStream.
  void Name(uint64_t handle, uint64_t time, std::string name);

  // One row per stream, by number: those of which the creation was seen, then those that were only
  // used.
  std::vector<StreamRow> Rows() const;

 private:
  struct Handle {
    std::vector<uint64_t> created, destroyed;
    std::vector<std::pair<uint64_t, std::string>> names;  // since when
    uint64_t first_use = UINT64_MAX;
  };

  static void AddRows(uint64_t value, const Handle& handle, std::vector<StreamRow>* rows);

  std::map<uint64_t, Handle> handles_;
};

}  // namespace rtl::store
