// SPDX-License-Identifier: MIT
// columns.h: describes the flat tables that users see: their columns with type, unit and meaning.
// Every output of tables (Python, Parquet) follows this description.
//
// These rules make all engines read the columns alike. Names are lower case and no reserved words.
// A span has `start` and `duration`. The columns do not depend on what was recorded; a value that
// was not recorded is NULL. A new column is added at the end of its table.
//
// Threads    any; constant
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace rtl::tables {

enum class ColumnType : uint8_t {
  kInteger,  // INT64
  kReal,     // DOUBLE: values of counters only
  kName,     // UTF8 with few different values: stored as a dictionary
  kText,     // UTF8 with many different values
};

struct Column {
  const char* name;
  ColumnType type;
  const char* unit;  // "ns", "bytes"; empty: a number, an id or a text
  const char* text;
};

// Times are CLOCK_BOOTTIME of the process's host.
// name, type, unit, text
#define RTL_PROCESS_COLUMNS(C)                               \
  C(process, kInteger, "", "the process: processes.process") \
  C(pid, kInteger, "", "its number on its host")             \
  C(rank, kInteger, "", "its rank in the job; NULL: none")   \
  C(host, kName, "", "the name of its host")
#define RTL_NAME_COLUMNS(C)      \
  C(name, kName, "", "the name") \
  C(name_id, kInteger, "",       \
    "the first 8 bytes of the name's SHA-256, big-endian: equal in all traces")
#define RTL_SPAN_COLUMNS(C)                                              \
  C(start, kInteger, "ns", "when it began (CLOCK_BOOTTIME of the host)") \
  C(duration, kInteger, "ns", "how long it took")

#define RTL_KERNELS_COLUMNS(C)                                                                    \
  C(id, kInteger, "", "the kernel's number in the trace")                                         \
  RTL_PROCESS_COLUMNS(C)                                                                          \
  C(gpu, kInteger, "", "the GPU's number in the trace: gpus.gpu")                                 \
  C(queue, kInteger, "", "the queue's number in the trace")                                       \
  C(tid, kInteger, "", "the thread that submitted it")                                            \
  RTL_NAME_COLUMNS(C)                                                                             \
  C(kind, kName, "", "compute, communication or copy, by the name")                               \
  C(step, kInteger, "",                                                                           \
    "the step's number, of a range such as `step 7` that was open "                               \
    "in the process at the submission; NULL: none")                                               \
  C(collective, kInteger, "",                                                                     \
    "of a communication: its ordinal, from 0, among those of its step "                           \
    "and queue; NULL: no communication")                                                          \
  RTL_SPAN_COLUMNS(C)                                                                             \
  C(submit, kInteger, "ns", "when its packet was submitted; NULL: not known")                     \
  C(sequence, kInteger, "", "its ordinal, from 1, among the kernels of the process")              \
  C(packet, kInteger, "", "its packet's index in the queue")                                      \
  C(correlation, kInteger, "", "calls.correlation of the call that launched it; NULL: not known") \
  C(grid_x, kInteger, "work-items", "the grid's first extent")                                    \
  C(grid_y, kInteger, "work-items", "the grid's second extent")                                   \
  C(grid_z, kInteger, "work-items", "the grid's third extent")                                    \
  C(workgroup_x, kInteger, "work-items", "the workgroup's first extent")                          \
  C(workgroup_y, kInteger, "work-items", "the workgroup's second extent")                         \
  C(workgroup_z, kInteger, "work-items", "the workgroup's third extent")                          \
  C(lds, kInteger, "bytes", "local data share of a workgroup")                                    \
  C(scratch, kInteger, "bytes", "private memory of a work-item")                                  \
  C(flags, kInteger, "", "rocpd_op.flags of the trace")                                           \
  C(graph, kInteger, "", "calls.id of the call that made its HIP graph; NULL: none")              \
  C(graph_launch, kInteger, "", "the ordinal, from 0, of the graph's launch; NULL: none")         \
  C(graph_node, kInteger, "", "the position, from 0, in the graph's launch; NULL: none")

#define RTL_CALLS_COLUMNS(C)                                                         \
  C(id, kInteger, "", "the call's number among those of its API in the trace")       \
  RTL_PROCESS_COLUMNS(C)                                                             \
  C(tid, kInteger, "", "the thread that called")                                     \
  C(api, kName, "", "hip, hsa or rccl")                                              \
  RTL_NAME_COLUMNS(C)                                                                \
  RTL_SPAN_COLUMNS(C)                                                                \
  C(result, kInteger, "", "what the function returned; NULL: nothing, or not known") \
  C(correlation, kInteger, "",                                                       \
    "hip: links the call to its kernels and copies; others: to the HIP "             \
    "call around them; NULL: none")                                                  \
  C(stream, kInteger, "",                                                            \
    "hip: the stream's number in the process, 0: the null stream; NULL: none")       \
  C(bytes, kInteger, "bytes",                                                        \
    "hip: what a copying call copies; NULL: it copies nothing, or not known")        \
  C(arguments, kText, "", "the arguments as text")

#define RTL_COPIES_COLUMNS(C)                                                            \
  C(id, kInteger, "", "the copy's number in the trace")                                  \
  RTL_PROCESS_COLUMNS(C)                                                                 \
  C(tid, kInteger, "", "the thread that submitted it")                                   \
  RTL_NAME_COLUMNS(C)                                                                    \
  C(step, kInteger, "", "as kernels.step")                                               \
  C(source_gpu, kInteger, "", "the GPU it reads; NULL: host memory, or not known")       \
  C(destination_gpu, kInteger, "", "the GPU it writes; NULL: host memory, or not known") \
  RTL_SPAN_COLUMNS(C)                                                                    \
  C(submit, kInteger, "ns", "when it was submitted; NULL: not known")                    \
  C(bytes, kInteger, "bytes", "its size; NULL: not known")                               \
  C(source, kInteger, "", "the address it reads; NULL: not known")                       \
  C(destination, kInteger, "", "the address it writes; NULL: not known")                 \
  C(correlation, kInteger, "", "calls.correlation of its call; NULL: not known")

#define RTL_BARRIERS_COLUMNS(C)                                            \
  C(id, kInteger, "", "the barrier packet's number in the trace")          \
  RTL_PROCESS_COLUMNS(C)                                                   \
  C(gpu, kInteger, "", "the GPU's number in the trace")                    \
  C(queue, kInteger, "", "the queue's number in the trace")                \
  C(tid, kInteger, "", "the thread that submitted it")                     \
  RTL_NAME_COLUMNS(C)                                                      \
  RTL_SPAN_COLUMNS(C)                                                      \
  C(submit, kInteger, "ns", "when it was submitted; NULL: not known")      \
  C(dependencies, kInteger, "", "the number of signals that it waits for") \
  C(packet, kInteger, "", "its index in the queue")                        \
  C(correlation, kInteger, "", "calls.correlation of its call; NULL: not known")

#define RTL_RANGES_COLUMNS(C)                                                    \
  C(id, kInteger, "", "the range's number in the trace")                         \
  RTL_PROCESS_COLUMNS(C)                                                         \
  C(tid, kInteger, "", "the thread that opened it")                              \
  RTL_NAME_COLUMNS(C)                                                            \
  C(kind, kName, "", "nested (push and pop), crossing (start and stop) or mark") \
  RTL_SPAN_COLUMNS(C)                                                            \
  C(unclosed, kInteger, "", "1: never closed, so it ends with its process; otherwise 0")

#define RTL_OPERATORS_COLUMNS(C)                                                              \
  C(id, kInteger, "", "the operator's number in the trace")                                   \
  RTL_PROCESS_COLUMNS(C)                                                                      \
  C(tid, kInteger, "", "the thread that it ran on")                                           \
  RTL_NAME_COLUMNS(C)                                                                         \
  C(kind, kName, "", "operator, or module or function of Python")                             \
  RTL_SPAN_COLUMNS(C)                                                                         \
  C(inputs, kText, "",                                                                        \
    "shapes and types of an operator's arguments, the file of a sampled function; NULL: not " \
    "known")

#define RTL_EVENTS_COLUMNS(C)                                                            \
  C(id, kInteger, "", "the event's number among those of its kind in the trace")         \
  RTL_PROCESS_COLUMNS(C)                                                                 \
  C(tid, kInteger, "", "the thread")                                                     \
  C(kind, kName, "", "memory, scratch or runtime")                                       \
  RTL_NAME_COLUMNS(C)                                                                    \
  RTL_SPAN_COLUMNS(C)                                                                    \
  C(gpu, kInteger, "", "the GPU's number in the trace; NULL: host memory, or not known") \
  C(queue, kInteger, "", "the queue's number in the trace; NULL: none, or not known")    \
  C(bytes, kInteger, "bytes", "of memory; NULL: none, or not known")                     \
  C(address, kInteger, "", "of memory; NULL: none, or not known")                        \
  C(correlation, kInteger, "", "calls.correlation of the HIP call around it; NULL: none")

#define RTL_COUNTERS_COLUMNS(C)                                                      \
  RTL_PROCESS_COLUMNS(C)                                                             \
  C(sequence, kInteger, "", "kernels.sequence of the counted kernel of the process") \
  RTL_NAME_COLUMNS(C)                                                                \
  C(value, kReal, "", "the counter, summed over its instances")                      \
  C(not_modelled, kInteger, "",                                                      \
    "1: a virtual GPU does not model it: the value means nothing; otherwise 0")

#define RTL_SAMPLES_COLUMNS(C)                                                               \
  C(id, kInteger, "", "the sample's number in the trace")                                    \
  RTL_PROCESS_COLUMNS(C)                                                                     \
  C(gpu, kInteger, "", "the GPU's number in the trace; NULL: not known")                     \
  C(queue, kInteger, "", "the queue's number in the trace; NULL: not known")                 \
  C(name, kName, "", "the kernel's name; NULL: not known")                                   \
  C(name_id, kInteger, "", "as kernels.name_id; NULL: not known")                            \
  C(start, kInteger, "ns", "when the program counter was read (CLOCK_BOOTTIME of the host)") \
  C(sequence, kInteger, "", "kernels.sequence of its kernel; NULL: not known")               \
  C(correlation, kInteger, "",                                                               \
    "calls.correlation of the call that launched the kernel; NULL: not known")               \
  C(code_object, kInteger, "",                                                               \
    "the code object's number in the trace; NULL: `address` is on the device")               \
  C(address, kInteger, "", "the program counter, as an offset in the code object's memory")  \
  C(exec_mask, kInteger, "", "the active lanes, as bits")                                    \
  C(workgroup_x, kInteger, "", "the workgroup's first index")                                \
  C(workgroup_y, kInteger, "", "the workgroup's second index")                               \
  C(workgroup_z, kInteger, "", "the workgroup's third index")                                \
  C(wave, kInteger, "", "the wave's number in its workgroup")                                \
  C(chiplet, kInteger, "", "the chiplet's number in the GPU")

#define RTL_GPUS_COLUMNS(C)                                                     \
  RTL_PROCESS_COLUMNS(C)                                                        \
  C(gpu, kInteger, "", "the GPU's number in the trace")                         \
  C(agent, kInteger, "", "its number, from 1, among the agents of the process") \
  C(node, kInteger, "", "its number in the kernel driver")                      \
  C(bus, kName, "", "its place on the PCI bus: 03:00.0")                        \
  C(uuid, kName, "", "its unique name")                                         \
  C(name, kName, "", "its architecture: gfx90a")                                \
  C(product, kName, "", "its product name")                                     \
  C(compute_units, kInteger, "", "the number of its compute units")             \
  C(timestamp_frequency, kInteger, "Hz", "of its clock; NULL: not known")

#define RTL_PROCESSES_COLUMNS(C)                                         \
  RTL_PROCESS_COLUMNS(C)                                                 \
  C(parent_pid, kInteger, "", "the number of its parent on its host")    \
  C(world, kInteger, "", "the number of ranks in the job; NULL: no job") \
  C(job, kName, "", "the job's name; NULL: none")                        \
  C(executable, kName, "", "the program's file")                         \
  C(command, kText, "", "the command line")                              \
  C(mode, kName, "", "what was captured: full, lite, hip, …")            \
  C(method, kName, "", "the interception method")                        \
  C(runtime, kName, "", "the version of the HSA runtime")                \
  RTL_SPAN_COLUMNS(C)

#define RTL_THREADS_COLUMNS(C)                    \
  RTL_PROCESS_COLUMNS(C)                          \
  C(tid, kInteger, "", "the thread: kernels.tid") \
  C(name, kName, "", "the name that it was given last")

#define RTL_LOSSES_COLUMNS(C)                                                        \
  RTL_PROCESS_COLUMNS(C)                                                             \
  C(kind, kName, "", "the kind of event: kernels, hip_calls, …")                     \
  C(counter, kName, "",                                                              \
    "submitted, recorded, or the name of a loss: submitted = recorded + all losses") \
  C(events, kInteger, "events", "the number of events")

#define RTL_TABLES(T)                                                                        \
  T(Kernels, "kernels", RTL_KERNELS_COLUMNS, "kernels that GPUs ran")                        \
  T(Calls, "calls", RTL_CALLS_COLUMNS, "calls of the HIP, HSA and RCCL APIs")                \
  T(Copies, "copies", RTL_COPIES_COLUMNS, "asynchronous copies")                             \
  T(Barriers, "barriers", RTL_BARRIERS_COLUMNS, "barrier packets, where they were recorded") \
  T(Ranges, "ranges", RTL_RANGES_COLUMNS, "ROCTx ranges and marks")                          \
  T(Operators, "operators", RTL_OPERATORS_COLUMNS,                                           \
    "operators of frameworks and functions of Python, of traces that know them")             \
  T(Events, "events", RTL_EVENTS_COLUMNS,                                                    \
    "allocations, scratch memory and initializations of runtimes")                           \
  T(Counters, "counters", RTL_COUNTERS_COLUMNS, "hardware counters of kernels")              \
  T(Samples, "samples", RTL_SAMPLES_COLUMNS, "samples of program counters")                  \
  T(Gpus, "gpus", RTL_GPUS_COLUMNS, "the GPUs of each process")                              \
  T(Processes, "processes", RTL_PROCESSES_COLUMNS, "processes")                              \
  T(Threads, "threads", RTL_THREADS_COLUMNS, "threads that have names")                      \
  T(Losses, "losses", RTL_LOSSES_COLUMNS,                                                    \
    "submitted, recorded and lost events of each kind and process")

// The columns of table T: enum class TColumn, in the order of the description.
#define RTL_COLUMN(name, ...) name,
#define X(table, name, columns, text) enum class table##Column : uint8_t{columns(RTL_COLUMN)};
RTL_TABLES(X)
#undef X
#undef RTL_COLUMN

enum class TableId : uint8_t {
#define X(table, ...) k##table,
  RTL_TABLES(X)
#undef X
};

struct Table {
  TableId id;
  const char* name;
  const char* text;
  std::span<const Column> columns;

  // The column's place. columns.size(): there is no such column.
  size_t Find(std::string_view column) const;
};
inline constexpr size_t kMostColumns = 40;

std::span<const Table> Tables();
const Table& Describe(TableId id);
const Table* FindTable(std::string_view name);

}  // namespace rtl::tables
