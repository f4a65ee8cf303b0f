// SPDX-License-Identifier: MIT
// merged_metadata.h: what a merged trace says about itself as a whole (rocpd_metadata): sums where its
// parts counted, the first part's word where they only describe, and what each part was.
//
// Threads    one
// Errors     of the database
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "base/status.h"
#include "store/database.h"

namespace rtl::exporting {

class MergedMetadata {
 public:
  using Tags = std::map<std::string, std::string, std::less<>>;

  // `first`: rtl_process.id of its first process in the merged trace; `processes`: how many it has.
  void Add(const std::string& file, const Tags& tags, int64_t first, int64_t processes);
  // A sentence for the user.
  void Warn(const std::string& sentence) { warnings_.push_back(sentence); }
  Status Write(store::Database* to, const std::string& version) const;

 private:
  void AddSums(const Tags& tags);
  void AddEnding(const Tags& tags);
  bool AddEarlierParts(const Tags& tags, int64_t first);

  Tags tags_;
  std::vector<std::string> warnings_;
  std::vector<Tags> parts_;    // what of a part is kept
  bool has_failed_ = false;    // a part's program has
  bool knows_endings_ = true;  // of all parts
};

}  // namespace rtl::exporting
