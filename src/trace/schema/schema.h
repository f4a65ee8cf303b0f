// SPDX-License-Identifier: MIT
// schema.h: the tables, views and metadata tags of the database. docs/formats/database.md is the
// specification. Programs that read the file depend on that page, not on the classes of this
// module.
#pragma once

#include <string>
#include <string_view>

#include "base/status.h"
#include "trace/schema/database.h"

namespace rtl::store {

// Value of the metadata tag `schema_version`.
inline constexpr int kSchemaVersion = 13;
// The tag of rocpd_metadata with the name of the tool from which a trace was imported. What that
// tool lost is not known.
inline constexpr char kSourceTag[] = "source";
// The oldest version that readers accept. Schema 6 has no span kinds (model/event_kinds.h).
inline constexpr int kOldestSchemaVersion = 6;
// The first version in which rocpd_api is a view. Apart from that, readers of this project treat
// versions 7 and 8 alike.
inline constexpr int kNarrowCallsSchemaVersion = 8;
// The first version in which rocpd_api_ops is a view.
inline constexpr int kLinksInCallsSchemaVersion = 11;
// The first version in which gpu_gap has a row for each part of a gap.
inline constexpr int kGapPartsSchemaVersion = 12;
// The first version with calls of RCCL.
inline constexpr int kRcclSchemaVersion = 10;
// The first that says `submitted`, `not_counted` and `loaded_by`. It has the earlier names beside
// them.
inline constexpr int kPresentNamesSchemaVersion = 13;

// Names in schema 12 and earlier. A trace has its tags under both, so that SQL with the earlier one
// works: an alias. What sums or lists tags leaves the earlier ones out. One that ends with a dot
// begins the tags of all kinds of event.
struct TagAlias {
  std::string_view earlier, present;
};
inline constexpr TagAlias kTagAliases[] = {
    {"seen.", "submitted."}, {"unseen.", "not_counted."}, {"door", "loaded_by"}};
// The other name of a tag; empty: it has none.
std::string EarlierTag(std::string_view tag);
std::string PresentTag(std::string_view earlier);

// rtl_process_counter.counter of the submitted events of a kind, and its alias.
inline constexpr char kSubmittedCounter[] = "submitted";
inline constexpr char kEarlierSubmittedCounter[] = "seen";

// Rows of rocpd_string that always exist.
inline constexpr char kOpTypeKernel[] = "KernelExecution";
inline constexpr char kOpTypeMarker[] = "UserMarker";
// The type of a copy, and its names by CopyKind.
inline constexpr const char* kOpTypeCopies[] = {"Copy", "CopyHostToHost", "CopyHostToDevice",
                                                "CopyDeviceToHost", "CopyDeviceToDevice"};
// The type of a barrier packet, and its names by BarrierKind.
inline constexpr char kOpTypeBarrier[] = "Barrier";
inline constexpr const char* kBarrierNames[] = {"Barrier", "BarrierAnd", "BarrierOr",
                                                "BarrierValue"};
// The name of a kernel whose symbol the runtime has never announced.
inline constexpr char kUnknownKernel[] = "(unknown kernel)";

// rocpd_op.flags of a kernel or a barrier has the bits of DispatchRecord::flags, and this bit.
inline constexpr int kOpFlagUnknownKernel = 1 << 8;
// The bits of rocpd_op.flags for a marker.
inline constexpr int kOpFlagMark = 1 << 0;  // a mark: start == end
// a range of roctxRangeStart and Stop; otherwise of push and pop
inline constexpr int kOpFlagStartStop = 1 << 1;
// the range was never closed: it ends with its process
inline constexpr int kOpFlagUnclosed = 1 << 2;
inline constexpr int kOpFlagTruncated = 1 << 3;  // the text was truncated

// The SQL of the tables and views of a trace, except rare tables (tables.h), the views graph_kernel
// and gpu_gap, and those of span kinds (span_tables.h).
std::string SchemaSql();

// Makes all tables except rare ones, and all views, in an empty database. The views exist for
// programs that open the database later, not for this connection.
Status CreateSchema(Database* database);

// Gives the metadata and counters of a database that came from an earlier schema their present
// names, beside the earlier ones. Those of a trace that has them stay.
Status AddPresentNames(Database* database);

// The view graph_kernel: the kernels that HIP graphs launched. graph: the call that made the
// executable graph, because HIP reuses the graph's address. launch: counts the launches of one
// graph. node: the kernel's position in its launch, in the order of submission.
extern const char kGraphKernelsSql[];

// The view gpu_gap: the times when each GPU was idle between two kernels or copies, with the cause.
extern const char kGapViewSql[];

}  // namespace rtl::store
