// SPDX-License-Identifier: MIT
// schema.h: the database's tables, views and metadata tags. docs/formats/database.md is the
// specification; programs that read the file depend on it, not on this module's classes.
#pragma once

#include <string>

#include "base/status.h"
#include "trace/schema/database.h"

namespace rtl::store {

// Value of the metadata tag `schema_version`.
inline constexpr int kSchemaVersion = 12;
// The tag of rocpd_metadata that names the tool a trace was imported from. What that tool lost is
// not known.
inline constexpr char kSourceTag[] = "source";
// The oldest that readers accept: schema 6 has no span kinds (model/event_kinds.h).
inline constexpr int kOldestSchemaVersion = 6;
// The first in which rocpd_api is a view. This project's readers treat 7 and 8 alike otherwise.
inline constexpr int kNarrowCallsSchemaVersion = 8;
// The first in which rocpd_api_ops is a view.
inline constexpr int kLinksInCallsSchemaVersion = 11;
// The first in which gpu_gap has a row for each part of a gap.
inline constexpr int kGapPartsSchemaVersion = 12;
// The first with calls of RCCL.
inline constexpr int kRcclSchemaVersion = 10;

// rocpd_string rows that are always there.
inline constexpr char kOpTypeKernel[] = "KernelExecution";
inline constexpr char kOpTypeMarker[] = "UserMarker";
// A copy's type and name, by CopyKind.
inline constexpr const char* kOpTypeCopies[] = {"Copy", "CopyHostToHost", "CopyHostToDevice",
                                                "CopyDeviceToHost", "CopyDeviceToDevice"};
// A barrier packet's type, and its names by BarrierKind.
inline constexpr char kOpTypeBarrier[] = "Barrier";
inline constexpr const char* kBarrierNames[] = {"Barrier", "BarrierAnd", "BarrierOr",
                                                "BarrierValue"};
// The name of a kernel whose symbol the runtime never announced.
inline constexpr char kUnknownKernel[] = "(unknown kernel)";

// rocpd_op.flags of a kernel or a barrier: the bits of DispatchRecord::flags, and
inline constexpr int kOpFlagUnknownKernel = 1 << 8;
// rocpd_op.flags of a marker.
inline constexpr int kOpFlagMark = 1 << 0;       // one moment: start == end
inline constexpr int kOpFlagStartStop = 1 << 1;  // roctxRangeStart/Stop; else push/pop
inline constexpr int kOpFlagUnclosed = 1 << 2;   // never closed: ends with its process
inline constexpr int kOpFlagTruncated = 1 << 3;  // the text was cut

// The tables and views of a trace, except rare tables (tables.h), the views graph_kernel and gpu_gap and those of span
// kinds (span_tables.h).
std::string SchemaSql();

// Makes all the other tables and views in an empty database. The views are there for those that open
// it, not for this connection.
Status CreateSchema(Database* database);

// The view graph_kernel: the kernels of HIP graph launches. graph is the call that made the
// executable graph, because HIP reuses its address. launch counts the launches of one graph; node
// is the kernel's position in its launch, in the order of submission.
extern const char kGraphKernelsSql[];

// The view gpu_gap: the times when each GPU was idle between two kernels or copies, with the cause.
extern const char kGapViewSql[];

}  // namespace rtl::store
