// SPDX-License-Identifier: MIT
// trace_tables.h: reads the tables of a trace that are read as a whole: the objects to which events
// refer, and the few rows about the end of the trace. The result is empty if an older trace lacks
// the table.
//
// Threads    one
// Blocking   file I/O
// Memory     the rows of one table
// Errors     one line that names the file, also if a table lacks a column that the version of the
//            trace has
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"
#include "trace/read/cursors.h"
#include "trace/read/rows.h"
#include "trace/read/trace_database.h"
#include "trace/read/trace_version.h"

namespace rtl::query {

class TraceTables {
 public:
  // Both must outlive this object.
  TraceTables(const TraceDatabase* database, const TraceVersion* version)
      : database_(*database), version_(*version) {}

  // *out is true if the trace has a table or view with this name.
  Status Has(std::string_view name, bool* out) const { return database_.HasTable(name, out); }

  Status Processes(std::vector<Process>* out) const;
  Status Agents(std::vector<Agent>* out) const;
  Status GpusOfAgents(query::GpusOfAgents* out) const;
  Status AgentProperties(std::vector<AgentProperty>* out) const;
  Status Queues(std::vector<Queue>* out) const;
  Status Kernels(std::vector<KernelInfo>* out) const;
  Status Streams(std::vector<Stream>* out) const;
  Status ProcessCounters(std::vector<ProcessCounter>* out) const;
  // Ordered by process and time.
  Status Clocks(std::vector<ClockRow>* out) const;
  Status Faults(std::vector<FaultRow>* out) const;
  // In the order in which the names were given: a later name of the same object replaces an earlier
  // one.
  Status GivenNames(std::vector<GivenName>* out) const;

  // The hardware counters of the kernels of a process (0: of all processes), ordered by process,
  // dispatch and name.
  Status Counters(int64_t process, std::vector<CounterSum>* out) const;
  // The instances of the counters, ordered by dispatch, and then as they were stored. Only for
  // traces with this table.
  Status CounterValues(int64_t process, CounterValueCursor* out) const;
  // Every position of each counter. A counter with a single value has the position 0.
  Status CounterPositions(int64_t process, std::map<std::string, std::vector<uint64_t>>* out) const;
  Status CounterInfos(std::vector<CounterInfo>* out) const;

  // Only for traces with PC samples; empty for others.
  Status CodeObjects(std::vector<CodeObjectRow>* out) const;
  // The ELF file of the code objects with this content number; empty if the trace does not have it.
  Status CodeBytes(int64_t content, std::string* out) const;

 private:
  // Reads a described table (trace/schema/tables.h) as a whole.
  template <typename Row>
  Status ReadTable(const char* order, std::vector<Row>* out) const;
  Status SelectSql(const store::TableDescription& table, const char* order, std::string* sql) const;

  const TraceDatabase& database_;
  const TraceVersion& version_;
};

}  // namespace rtl::query
