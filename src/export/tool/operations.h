// SPDX-License-Identifier: MIT
// operations.h: finds rocprofiler-sdk's numbers of operations by their names.
//
// Threads    one
// Memory     one entry per name
#pragma once

#include <rocprofiler-sdk/fwd.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace rtl::exporting::tool {

class Operations {
 public:
  Operations();

  // A name that rocprofiler-sdk does not have gets the next free number of its kind.
  int32_t NumberOf(rocprofiler_buffer_tracing_kind_t kind, std::string_view name);

  struct Kind {
    std::string name;
    std::vector<std::string> operations;  // indexed by number
  };
  const std::vector<Kind>& buffer_kinds() const { return buffer_; }
  const std::vector<Kind>& callback_kinds() const { return callback_; }

 private:
  struct Hash : std::hash<std::string_view> {
    using is_transparent = void;
  };
  using Numbers = std::unordered_map<std::string, int32_t, Hash, std::equal_to<>>;

  std::vector<Kind> buffer_;
  std::vector<Kind> callback_;
  std::vector<Numbers> numbers_;  // numbers of the names in buffer_
};

}  // namespace rtl::exporting::tool
