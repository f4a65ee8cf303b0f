// SPDX-License-Identifier: MIT
// schema.h: the database's tables, views and metadata tags. docs/formats/database.md is the
// specification; whoever reads the file depends on that, not on this module's classes.
#pragma once

namespace rtl::store {

// Value of the metadata tag `schema_version`. Readers refuse other numbers.
inline constexpr int kSchemaVersion = 3;

// rocpd_string rows that are always there.
inline constexpr char kOpTypeKernel[] = "KernelExecution";
inline constexpr char kOpTypeMarker[] = "UserMarker";
// A copy's type and name, by CopyKind.
inline constexpr const char* kOpTypeCopies[] = {"Copy", "CopyHostToHost", "CopyHostToDevice",
                                                "CopyDeviceToHost", "CopyDeviceToDevice"};
// The name of a kernel of which the runtime never announced a symbol.
inline constexpr char kUnknownKernel[] = "(unknown kernel)";

// rocpd_op.flags of a kernel: the bits of DispatchRecord::flags, and
inline constexpr int kOpFlagUnknownKernel = 1 << 8;
// rocpd_op.flags of a marker.
inline constexpr int kOpFlagMark = 1 << 0;       // one moment: start == end
inline constexpr int kOpFlagStartStop = 1 << 1;  // roctxRangeStart/Stop; else push/pop
inline constexpr int kOpFlagUnclosed = 1 << 2;   // never closed: ends with its process
inline constexpr int kOpFlagTruncated = 1 << 3;  // the text was cut

// Everything that `CREATE` can make, as one script.
extern const char kSchemaSql[];

}  // namespace rtl::store
