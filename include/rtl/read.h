/* SPDX-License-Identifier: MIT */
/* read.h: the tables of a trace, as streams of Apache Arrow. Link with librtl_read.so.
 *
 *   const char* files[] = {"trace.db"};
 *   rtl_read_trace* trace = rtl_read_open(files, 1);
 *   if (trace == NULL) return puts(rtl_read_error());
 *   struct ArrowArrayStream stream;
 *   if (rtl_read_table(trace, "kernels", NULL, &stream) == 0) {
 *     ... hand the stream to a library that takes the Arrow C stream interface, or read it ...
 *   }
 *   rtl_read_close(trace);
 *
 * Shapes     A stream has one struct per batch of at most 65536 rows. A field is int64 ("l"),
 *            float64 ("g": values of counters), text ("u"), or a name: int32 numbers in a dictionary
 *            of texts, which grows from batch to batch and begins anew when it has 65536 texts. A
 *            value that was not recorded is null. Fields carry their meaning as the metadata
 *            `description`, and their unit as `unit`.
 * Units      Times are nanoseconds of CLOCK_BOOTTIME of the process's host, durations nanoseconds,
 *            sizes bytes. With `datetimes` a time is a timestamp ("tsn:UTC"), a duration "tDn".
 * Rows       Kernels come in the order of submission, other events in that of their start; those of a
 *            dataset rank by rank, in the order of its files.
 * Errors     A function that fails returns NULL or an errno; rtl_read_error has one line. A stream
 *            returns an errno, and its get_last_error has the line.
 * Threads    Any. A stream is used by one thread at a time, two streams of a trace by two threads. The
 *            line of rtl_read_error is that of the calling thread.
 * Memory     That of a batch (of a dataset: of a row group) and the different names, for each stream,
 *            whatever the trace has. Batches live until they are released, also after the stream and the trace.
 * Files      The trace's file must not change until its streams are released. Traces of other tools,
 *            and several files, are made into one database in TMPDIR, which is removed with the last
 *            stream.
 */
#ifndef RTL_READ_H
#define RTL_READ_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The Arrow C data and stream interfaces, as their specification has them. */
#ifndef ARROW_C_DATA_INTERFACE
#define ARROW_C_DATA_INTERFACE
#define ARROW_FLAG_DICTIONARY_ORDERED 1
#define ARROW_FLAG_NULLABLE 2
#define ARROW_FLAG_MAP_KEYS_SORTED 4
struct ArrowSchema {
  const char* format;
  const char* name;
  const char* metadata;
  int64_t flags;
  int64_t n_children;
  struct ArrowSchema** children;
  struct ArrowSchema* dictionary;
  void (*release)(struct ArrowSchema*);
  void* private_data;
};
struct ArrowArray {
  int64_t length;
  int64_t null_count;
  int64_t offset;
  int64_t n_buffers;
  int64_t n_children;
  const void** buffers;
  struct ArrowArray** children;
  struct ArrowArray* dictionary;
  void (*release)(struct ArrowArray*);
  void* private_data;
};
#endif
#ifndef ARROW_C_STREAM_INTERFACE
#define ARROW_C_STREAM_INTERFACE
struct ArrowArrayStream {
  int (*get_schema)(struct ArrowArrayStream*, struct ArrowSchema* out);
  int (*get_next)(struct ArrowArrayStream*, struct ArrowArray* out);
  const char* (*get_last_error)(struct ArrowArrayStream*);
  void (*release)(struct ArrowArrayStream*);
  void* private_data;
};
#endif

/* "0.1.0". */
const char* rtl_read_version(void);

/* One line about the last failure in this thread; "" before the first. */
const char* rtl_read_error(void);

/* A trace that can be read: a database of rtl, a trace that rtl imports, or a dataset, which is a
 * folder that `rtl convert --to parquet` made. Several files are merged as by `rtl merge`, several
 * datasets are those of one job. NULL: see rtl_read_error. */
typedef struct rtl_read_trace rtl_read_trace;
rtl_read_trace* rtl_read_open(const char* const* files, size_t count);
/* Streams go on. NULL is ignored. */
void rtl_read_close(rtl_read_trace* trace);
/* The database of the trace: its own file, or the one made in TMPDIR; NULL: a dataset has none. Valid
 * until rtl_read_close. */
const char* rtl_read_database(const rtl_read_trace* trace);

/* What the user should know about the trace, a sentence each: that a rank is not complete. NULL: there
 * is none with this number. Valid until rtl_read_close. */
const char* rtl_read_note(const rtl_read_trace* trace, size_t note);

/* The tables and their columns; they do not depend on the trace. NULL: there is none with this
 * number. */
typedef struct rtl_read_column {
  const char* name;
  const char* type; /* "integer", "real", "name" or "text" */
  const char* unit; /* "ns", "bytes", ...; "": none */
  const char* text; /* the meaning */
} rtl_read_column;
const char* rtl_read_table_name(size_t table);
const char* rtl_read_table_text(size_t table);
const rtl_read_column* rtl_read_table_column(size_t table, size_t column);

/* Set all bytes to zero, then `size`, then the conditions; a row has to fulfil all. */
typedef struct rtl_read_request {
  size_t size;                /* sizeof(rtl_read_request) */
  const char* const* columns; /* in this order; NULL: all */
  size_t column_count;
  const char* name;   /* the row's name, with the wildcards of a shell; NULL: any */
  const char* during; /* rows during ROCTx ranges of this name; NULL: any */
  int has_rank;       /* rows of processes with this rank */
  int32_t rank;
  int has_gpu; /* rows of this GPU */
  int32_t gpu;
  int has_from; /* rows from this time on, in ns since the first process began */
  int64_t from;
  int has_to; /* rows before this time */
  int64_t to;
  int datetimes; /* times and durations in Arrow's types for them */
} rtl_read_request;

/* Opens a table. `request` NULL: all rows and columns. 0, or an errno: EINVAL where the request
 * names something that is not there, EIO otherwise; see rtl_read_error. */
int rtl_read_table(rtl_read_trace* trace, const char* table, const rtl_read_request* request,
                   struct ArrowArrayStream* out);

/* The destructor of a Python capsule "arrow_array_stream" whose stream was made by malloc. Does
 * nothing in a process without Python. */
void rtl_read_release_capsule(void* capsule);

#ifdef __cplusplus
}
#endif

#endif
