// SPDX-License-Identifier: MIT
// trace_version.h: the metadata of a trace and the version of its schema, which says which tables a
// trace must have.
//
// Threads    one reads; afterwards any
// Blocking   file I/O in Read
// Memory     the metadata
// Errors     one line that names the file and says which tool or version wrote it
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>

#include "base/status.h"
#include "model/event_kinds.h"
#include "trace/read/trace_database.h"

namespace rtl::query {

using Metadata = std::map<std::string, std::string, std::less<>>;

// The tool that a trace was imported from, whose losses are not known; null for a trace of this
// project.
const std::string* SourceOf(const Metadata& metadata);

class TraceVersion {
 public:
  // An error: the database is no trace of a version that is read, or lacks tables of its version.
  Status Read(const TraceDatabase& database);

  const Metadata& metadata() const { return metadata_; }
  // 0 when the tag is missing or no number.
  uint64_t Number(std::string_view tag) const;
  int64_t schema() const { return schema_; }

  // Schema 6 has no span kinds, schema 9 no calls of RCCL.
  bool has_spans() const;
  bool HasTableOf(EventKind kind) const;
  // rocpd_api is a view, whose rows are in rtl_call: schema 8.
  bool has_narrow_calls() const;
  // rocpd_api_ops is a view: schema 11.
  bool has_links_in_calls() const;

 private:
  Status CheckSchema(const std::string& path);
  Status CheckSpanTables(const TraceDatabase& database) const;

  Metadata metadata_;
  int64_t schema_ = 0;
};

}  // namespace rtl::query
