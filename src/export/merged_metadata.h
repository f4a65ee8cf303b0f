// SPDX-License-Identifier: MIT
// merged_metadata.h: the metadata of a merged trace (rocpd_metadata): sums of counts, the first
// part's descriptions, and a description of each part.
//
// Threads    one
// Errors     of the database
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "base/status.h"
#include "trace/schema/database.h"

namespace rtl::exporting {

class MergedMetadata {
 public:
  using Tags = std::map<std::string, std::string, std::less<>>;

  // `first`: rtl_process.id of its first process in the merged trace; `processes`: their number.
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
  std::vector<Tags> parts_;    // the kept tags of each part
  bool has_failed_ = false;    // a part's program has failed
  bool knows_endings_ = true;  // of all parts
};

}  // namespace rtl::exporting
