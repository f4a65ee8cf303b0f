// SPDX-License-Identifier: MIT
// trace_tables.h: the tables of a trace that are read as a whole: the objects that its events refer
// to, and the few rows of its end. Empty where an older trace lacks the table.
//
// Threads    one
// Blocking   file I/O
// Memory     the rows of one table
// Errors     one line that names the file, also for a table without a column that its version has
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
  // Both outlive it.
  TraceTables(const TraceDatabase* database, const TraceVersion* version)
      : database_(*database), version_(*version) {}

  // Whether the trace has a table or a view of this name.
  Status Has(std::string_view name, bool* out) const { return database_.HasTable(name, out); }

  Status Processes(std::vector<Process>* out) const;
  Status Agents(std::vector<Agent>* out) const;
  Status AgentProperties(std::vector<AgentProperty>* out) const;
  Status Queues(std::vector<Queue>* out) const;
  Status Kernels(std::vector<KernelInfo>* out) const;
  Status Streams(std::vector<Stream>* out) const;
  Status ProcessCounters(std::vector<ProcessCounter>* out) const;
  // By process and time.
  Status Clocks(std::vector<ClockRow>* out) const;
  Status Faults(std::vector<FaultRow>* out) const;
  // In the order in which they were given: a later name of the same thing replaces the earlier.
  Status GivenNames(std::vector<GivenName>* out) const;

  // The hardware counters of a process's kernels (0: of all), by process, dispatch and name.
  Status Counters(int64_t process, std::vector<CounterSum>* out) const;
  // Their instances, by dispatch, in the order of storing. Only where the trace has the table.
  Status CounterValues(int64_t process, CounterValueCursor* out) const;
  // Every position that a counter has; of a value alone it is 0.
  Status CounterPositions(int64_t process, std::map<std::string, std::vector<uint64_t>>* out) const;
  Status CounterInfos(std::vector<CounterInfo>* out) const;

  // Only for traces with samples of program counters; empty for others.
  Status CodeObjects(std::vector<CodeObjectRow>* out) const;
  // The file of the code objects with this number; empty when it is not in the trace.
  Status CodeBytes(int64_t content, std::string* out) const;

 private:
  // A described table (trace/schema/tables.h) as a whole.
  template <typename Row>
  Status ReadTable(const char* order, std::vector<Row>* out) const;
  Status SelectSql(const store::TableDescription& table, const char* order, std::string* sql) const;

  const TraceDatabase& database_;
  const TraceVersion& version_;
};

}  // namespace rtl::query
