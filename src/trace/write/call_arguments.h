// SPDX-License-Identifier: MIT
// call_arguments.h: finds out what the arguments of calls say, only once for all calls with the
// same function and the same arguments.
//
// Memory     kMost calls with their arguments; if there are more, all are forgotten and found out
//            again
// Errors     those of the database
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

#include "base/status.h"
#include "trace/schema/api_text.h"
#include "trace/schema/strings.h"
#include "trace/write/api_details.h"

namespace rtl::store {

class CallArguments {
 public:
  static constexpr size_t kMost = 16384;

  struct Known {
    int64_t text = 0;  // rocpd_string.id
    std::optional<LaunchDetails> launch;
    std::optional<CopyDetails> copy;
  };
  // `arguments`: those of the record with this payload. *out is valid until the next call.
  Status Find(const ApiCallRecord& record, std::string_view payload, const ApiArguments& arguments,
              Strings* strings, const Known** out);

 private:
  std::unordered_map<std::string, Known> known_;
  std::string key_;  // key of the present call
};

}  // namespace rtl::store
