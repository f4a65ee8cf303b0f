// SPDX-License-Identifier: MIT
// Defines the functions of librtl_read.so (include/rtl/read.h).
#include "rtl/read.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdlib.h>

#include <exception>
#include <string>
#include <vector>

#include "read/arrow_stream.h"
#include "read/trace_source.h"
#include "tables/columns.h"
#include "tables/table_reader.h"

struct rtl_read_trace {
  std::shared_ptr<rtl::read::TraceSource> source;
};

namespace rtl::read {
namespace {

std::string& LastError() {
  thread_local std::string line;
  return line;
}

constexpr const char* kTypes[] = {"integer", "real", "name", "text"};
static_assert(static_cast<size_t>(tables::ColumnType::kText) + 1 == std::size(kTypes));

tables::TableRequest RequestOf(const rtl_read_request& request) {
  tables::TableRequest out;
  for (size_t i = 0; request.columns != nullptr && i < request.column_count; ++i) {
    out.columns.emplace_back(request.columns[i]);
  }
  if (request.name != nullptr) out.name = request.name;
  if (request.during != nullptr) out.selection.range = request.during;
  if (request.has_rank != 0) out.selection.rank = request.rank;
  if (request.has_gpu != 0) out.selection.gpu = request.gpu;
  if (request.has_from != 0) out.selection.from = static_cast<uint64_t>(request.from);
  if (request.has_to != 0) out.selection.to = static_cast<uint64_t>(request.to);
  return out;
}

Status SetClock(OpenTable* table) {
  const uint64_t offset = table->trace->version().Number("realtime_minus_boottime");
  if (offset == 0) {
    return Status::Error("%s: it does not say how its clock relates to the time of day",
                         table->trace->path().c_str());
  }
  table->realtime_minus_boottime = static_cast<int64_t>(offset);
  return Status::Ok();
}

Status OpenStream(const rtl_read_trace& trace, const char* name, const rtl_read_request* request,
                  bool* is_request_wrong, ArrowArrayStream* out) {
  *is_request_wrong = true;
  const tables::Table* const table = tables::FindTable(name);
  if (table == nullptr) return Status::Error("there is no table %s", name);
  if (request != nullptr && request->size != sizeof *request) {
    return Status::Error("the request is of another version of rtl/read.h");
  }
  *is_request_wrong = false;
  const tables::TableRequest wanted =
      request == nullptr ? tables::TableRequest() : RequestOf(*request);
  const bool datetimes = request != nullptr && request->datetimes != 0;
  OpenTable opened;
  opened.source = trace.source;
  opened.datetimes = datetimes;
  if (const Dataset* const dataset = trace.source->dataset()) {
    *is_request_wrong = true;
    RTL_TRY(dataset->MakeReader(*table, wanted, datetimes, &opened.reader));
  } else {
    RTL_TRY(trace.source->MakeReader(&opened.trace));
    *is_request_wrong = true;
    if (datetimes) RTL_TRY(SetClock(&opened));
    RTL_TRY(tables::TableReader::Open(*opened.trace, *table, wanted, &opened.reader));
  }
  MakeStream(std::move(opened), out);
  return Status::Ok();
}

// Exceptions must not leave this function, because the caller is C code.
template <typename Function>
bool Succeeds(const Function& function) {
  try {
    const Status status = function();
    LastError() = status.message();
    return status.ok();
  } catch (const std::exception& error) {
    LastError() = error.what();
    return false;
  }
}

}  // namespace
}  // namespace rtl::read

extern "C" {

const char* rtl_read_version(void) { return RTL_VERSION; }

const char* rtl_read_error(void) { return rtl::read::LastError().c_str(); }

rtl_read_trace* rtl_read_open(const char* const* files, size_t count) {
  rtl_read_trace* trace = nullptr;
  rtl::read::Succeeds([&] {
    std::shared_ptr<rtl::read::TraceSource> source;
    RTL_TRY(rtl::read::TraceSource::Open({files, files + count}, &source));
    trace = new rtl_read_trace{std::move(source)};
    return rtl::Status::Ok();
  });
  return trace;
}

void rtl_read_close(rtl_read_trace* trace) { delete trace; }

const char* rtl_read_database(const rtl_read_trace* trace) {
  return trace->source->dataset() != nullptr ? nullptr : trace->source->database().c_str();
}

const char* rtl_read_note(const rtl_read_trace* trace, size_t note) {
  const std::vector<std::string>& notes = trace->source->notes();
  return note < notes.size() ? notes[note].c_str() : nullptr;
}

const char* rtl_read_table_name(size_t table) {
  return table < rtl::tables::Tables().size() ? rtl::tables::Tables()[table].name : nullptr;
}

const char* rtl_read_table_text(size_t table) {
  return table < rtl::tables::Tables().size() ? rtl::tables::Tables()[table].text : nullptr;
}

const rtl_read_column* rtl_read_table_column(size_t table, size_t column) {
  if (table >= rtl::tables::Tables().size()) return nullptr;
  const auto columns = rtl::tables::Tables()[table].columns;
  if (column >= columns.size()) return nullptr;
  thread_local rtl_read_column out;
  const rtl::tables::Column& found = columns[column];
  out = {found.name, rtl::read::kTypes[static_cast<size_t>(found.type)], found.unit, found.text};
  return &out;
}

int rtl_read_table(rtl_read_trace* trace, const char* table, const rtl_read_request* request,
                   struct ArrowArrayStream* out) {
  bool is_request_wrong = false;
  const bool is_open = rtl::read::Succeeds(
      [&] { return rtl::read::OpenStream(*trace, table, request, &is_request_wrong, out); });
  if (is_open) return 0;
  return is_request_wrong ? EINVAL : EIO;
}

void rtl_read_release_capsule(void* capsule) {
  // Python's function is looked up and not linked, so that programs without Python can use this
  // library.
  using GetPointer = void* (*)(void*, const char*);
  const auto get = reinterpret_cast<GetPointer>(dlsym(RTLD_DEFAULT, "PyCapsule_GetPointer"));
  if (get == nullptr) return;
  auto* const stream = static_cast<ArrowArrayStream*>(get(capsule, "arrow_array_stream"));
  if (stream == nullptr) return;
  if (stream->release != nullptr) stream->release(stream);
  free(stream);
}

}  // extern "C"
