// SPDX-License-Identifier: MIT
// trace_version.h: reads the metadata of a trace, and the version of its schema, which determines
// the tables that the trace must have.
//
// Threads    Read: one; afterwards any
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

// The name of the tool from which a trace was imported, whose losses are not known. Null for a
// trace of this project.
const std::string* SourceOf(const Metadata& metadata);

class TraceVersion {
 public:
  // Returns an error if the database is not a trace of a readable version, or if it lacks tables of
  // its version.
  Status Read(const TraceDatabase& database);

  // Every tag is there by its present name. Those with an alias (schema.h) are there by both names.
  const Metadata& metadata() const { return metadata_; }
  // 0 if the tag is missing or is not a number.
  uint64_t Number(std::string_view tag) const;
  int64_t schema() const { return schema_; }

  // The following depend on the version: schema 6 has no span kinds, schema 9 no calls of RCCL.
  bool has_spans() const;
  bool HasTableOf(EventKind kind) const;
  // From schema 8 on: rocpd_api is a view, and its rows are in rtl_call.
  bool has_narrow_calls() const;
  // From schema 11 on: rocpd_api_ops is a view.
  bool has_links_in_calls() const;

 private:
  void AddPresentTags();
  Status CheckSchema(const std::string& path);
  Status CheckSpanTables(const TraceDatabase& database) const;

  Metadata metadata_;
  int64_t schema_ = 0;
};

}  // namespace rtl::query
