// SPDX-License-Identifier: MIT
// columns.h: describes the tables that only a dataset has, in the form of tables/columns.h.
//
// Threads    any; constant
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "tables/columns.h"

namespace rtl::dataset {

#define RTL_NAMES_COLUMNS(C)                                      \
  C(rank, kInteger, "", "the rank that met the name; NULL: none") \
  C(host, kName, "", "its host")                                  \
  RTL_NAME_COLUMNS(C)                                             \
  C(kind, kName, "", "of kernels: compute, communication or copy; others: NULL")

// `step` is NULL in the row for kernels outside of steps.
#define RTL_STEPS_COLUMNS(C)                                                                     \
  RTL_PROCESS_COLUMNS(C)                                                                         \
  C(step, kInteger, "", "as kernels.step")                                                       \
  C(start, kInteger, "ns", "when its first kernel began (CLOCK_BOOTTIME of the host)")           \
  C(span, kInteger, "ns", "from there to the end of its last kernel")                            \
  C(busy, kInteger, "ns", "the time in which a kernel ran; overlapping kernels count once")      \
  C(computing, kInteger, "ns", "the time in which a kernel of kind compute ran")                 \
  C(communicating, kInteger, "ns", "the time in which a kernel of kind communication ran")       \
  C(exposed, kInteger, "ns", "busy - computing: communication and copies beside no computation") \
  C(longest_gap, kInteger, "ns", "the longest time without a kernel before one of its kernels")  \
  C(kernels, kInteger, "", "the number of its kernels")                                          \
  C(collectives, kInteger, "", "those of kind communication")

#define RTL_STEP_KERNELS_COLUMNS(C)                      \
  C(rank, kInteger, "", "the rank; NULL: none")          \
  C(host, kName, "", "its host")                         \
  C(step, kInteger, "", "as kernels.step")               \
  C(name_id, kInteger, "", "names.name_id")              \
  C(kind, kName, "", "as kernels.kind")                  \
  C(kernels, kInteger, "", "the number of kernels")      \
  C(total, kInteger, "ns", "the sum of their durations") \
  C(shortest, kInteger, "ns", "the least duration")      \
  C(longest, kInteger, "ns", "the greatest duration")

#define RTL_STEP_HISTOGRAM_COLUMNS(C)                                                      \
  C(rank, kInteger, "", "the rank; NULL: none")                                            \
  C(host, kName, "", "its host")                                                           \
  C(step, kInteger, "", "as kernels.step")                                                 \
  C(name_id, kInteger, "", "names.name_id")                                                \
  C(low, kInteger, "ns",                                                                   \
    "the least duration counted here: a duration with all but its highest 6 bits cleared") \
  C(kernels, kInteger, "", "the number of kernels")

// Clocks of a host, read at the same time. For a converted trace, offsets and discipline are those
// that the trace has; NULL: not known.
#define RTL_CLOCKS_COLUMNS(C)                                                                      \
  RTL_PROCESS_COLUMNS(C)                                                                           \
  C(boot_id, kName, "", "of the host: the same until it is started again")                         \
  C(time, kInteger, "ns", "CLOCK_BOOTTIME when the clocks were read")                              \
  C(realtime_offset, kInteger, "ns", "CLOCK_REALTIME - CLOCK_BOOTTIME")                            \
  C(realtime_width, kInteger, "ns", "the time that reading took: the offset is within half of it") \
  C(raw_offset, kInteger, "ns", "CLOCK_MONOTONIC_RAW - CLOCK_BOOTTIME")                            \
  C(raw_width, kInteger, "ns", "as realtime_width")                                                \
  C(synchronized, kInteger, "", "1: the kernel says that CLOCK_REALTIME follows a reference")      \
  C(status, kInteger, "", "adjtimex: status")                                                      \
  C(frequency, kInteger, "2^-16 ppm", "adjtimex: freq")                                            \
  C(max_error, kInteger, "us", "adjtimex: maxerror, the bound of the error of CLOCK_REALTIME")     \
  C(estimated_error, kInteger, "us", "adjtimex: esterror")                                         \
  C(tai_offset, kInteger, "s", "adjtimex: tai")

#define RTL_DATASET_TABLES(T)                                    \
  T(Names, "names", RTL_NAMES_COLUMNS)                           \
  T(Steps, "steps", RTL_STEPS_COLUMNS)                           \
  T(StepKernels, "step_kernels", RTL_STEP_KERNELS_COLUMNS)       \
  T(StepHistogram, "step_histogram", RTL_STEP_HISTOGRAM_COLUMNS) \
  T(Clocks, "clocks", RTL_CLOCKS_COLUMNS)

// The columns of table T: enum TColumn::Place, in the order of the description.
#define RTL_COLUMN(name, ...) name,
#define X(table, name, columns)                  \
  struct table##Column {                         \
    enum Place : size_t { columns(RTL_COLUMN) }; \
  };
RTL_DATASET_TABLES(X)
#undef X
#undef RTL_COLUMN

struct Table {
  const char* name;
  std::span<const tables::Column> columns;
};

enum class TableId : uint8_t {
#define X(table, ...) k##table,
  RTL_DATASET_TABLES(X)
#undef X
};

const Table& Describe(TableId id);
// All tables that only a dataset has.
std::span<const Table> OwnTables();
// The columns of any table of a dataset, also of tables in tables/columns.h. Empty: there is no
// such table.
std::span<const tables::Column> ColumnsOfTable(std::string_view table);

}  // namespace rtl::dataset
