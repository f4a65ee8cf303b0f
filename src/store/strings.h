// SPDX-License-Identifier: MIT
// strings.h: rocpd_string: every text once.
//
// Memory     one entry per distinct text, for the life of the trace
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>

#include "base/status.h"
#include "store/database.h"

namespace rtl::store {

class Strings {
 public:
  Status Prepare(const Database& database);
  // Takes over the texts that the table holds already.
  Status Load(const Database& database);
  // The id of `text`, which is made valid UTF-8 first and is cut at a zero byte.
  Status Intern(std::string_view text, int64_t* id);
  void Finalize() { insert_.Finalize(); }

 private:
  struct Hash {
    using is_transparent = void;
    size_t operator()(std::string_view text) const { return std::hash<std::string_view>()(text); }
  };
  std::unordered_map<std::string, int64_t, Hash, std::equal_to<>> ids_;
  int64_t last_ = 0;  // id given out
  Statement insert_;
};

// `text` up to its first zero byte, with every byte that is not valid UTF-8 replaced by '?'.
std::string CleanText(std::string_view text);

}  // namespace rtl::store
