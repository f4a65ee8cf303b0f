// SPDX-License-Identifier: MIT
// strings.h: writes each text into rocpd_string only once.
//
// Memory     one entry per distinct text, as long as the trace is written; of texts that rarely
//            repeat, kMaxOnce entries
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>

#include "base/status.h"
#include "trace/schema/database.h"

namespace rtl::store {

class Strings {
 public:
  Status Prepare(const Database& database);
  // Reads the texts that the table has already.
  Status Load(const Database& database);
  // Returns the id of `text`. Before that the text is made valid UTF-8, and is truncated at a zero
  // byte.
  Status Intern(std::string_view text, int64_t* id) { return Intern(text, Keep::kAlways, id); }
  // Intern for texts that rarely repeat, of which only the latest are remembered.
  Status InternOnce(std::string_view text, int64_t* id) { return Intern(text, Keep::kLatest, id); }

  static constexpr size_t kMaxOnce = 65536;

 private:
  struct Hash {
    using is_transparent = void;
    size_t operator()(std::string_view text) const { return std::hash<std::string_view>()(text); }
  };
  using Ids = std::unordered_map<std::string, int64_t, Hash, std::equal_to<>>;
  enum class Keep { kAlways, kLatest };
  Status Intern(std::string_view text, Keep keep, int64_t* id);
  Status Make(std::string_view text, Ids* ids, int64_t* id);

  Ids ids_;
  Ids once_;
  bool forgotten_ = false;  // some texts are in the table and in neither map
  int64_t last_ = 0;
  Statement insert_, find_;
};

// `text` up to its first zero byte, with every byte that is not valid UTF-8 replaced by '?'.
std::string CleanText(std::string_view text);
// Reads a field of fixed size, which a hostile writer may have left without a terminator.
template <size_t kSize>
std::string CleanField(const char (&field)[kSize]) {
  return CleanText(std::string_view(field, kSize));
}

}  // namespace rtl::store
