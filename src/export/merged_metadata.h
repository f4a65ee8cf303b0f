// SPDX-License-Identifier: MIT
// merged_metadata.h: makes the metadata of a merged trace (rocpd_metadata): sums of the counts, the
// descriptions of the first part, and a description of each part.
//
// Threads    one
// Errors     those of the database
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

  // Adds a part. `first`: rtl_process.id of the part's first process in the merged trace;
  // `processes`: number of its processes.
  void Add(const std::string& file, const Tags& tags, int64_t first, int64_t processes);
  // Adds a sentence for the user.
  void Warn(const std::string& sentence) { warnings_.push_back(sentence); }
  Status Write(store::Database* to, const std::string& version) const;

 private:
  void AddSums(const Tags& tags);
  void AddEnding(const Tags& tags);
  bool AddEarlierParts(const Tags& tags, int64_t first);

  Tags tags_;
  std::vector<std::string> warnings_;
  std::vector<Tags> parts_;    // the tags of each part that are kept
  bool has_failed_ = false;    // the program of some part has failed
  bool knows_endings_ = true;  // the endings of all parts are known
};

}  // namespace rtl::exporting
