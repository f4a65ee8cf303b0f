// SPDX-License-Identifier: MIT
// Reads a damaged trace. The fuzzer chooses bytes and their offsets in a real trace, so that the
// input passes the check of the header at once.
//
//   input     records of: offset (3 bytes), length (1 byte), that many bytes
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <memory>
#include <string>
#include <vector>

#include "tests/support/temp_dir.h"
#include "tests/support/trace_builder.h"
#include "trace/read/trace_reader.h"
#include "trace/schema/database.h"

namespace rtl::query {
namespace {

constexpr uint64_t kMostRows = 100'000;  // a damaged index may be circular

class EditedTrace {
 public:
  EditedTrace() {
    auto trace = test::TraceBuilder::ThreeKernelsOnTwoQueues();
    trace.Mark(1, 50, "mark").Start(1, 60, 7, "range").Stop(2, 70, 7);
    trace.Lose(EventKind::kKernel, Loss::kBatch, 3).Warning("careful");
    trace.Rank(1, 4, "job");
    const uint32_t copy = test::TraceBuilder::CallNumber("hipMemcpyAsync");
    trace.Call(copy, {0x1000, 0x2000, 4096, 1, 7}, {.start = 10, .end = 30, .correlation = 1});
    trace.Call(copy, {0x1000, 0x2000, 64, 2, 8}, {.start = 40, .end = 90, .correlation = 2});
    if (!trace.WriteDatabase(path_).ok()) abort();
    Shrink();
    std::ifstream file(path_, std::ios::binary);
    bytes_.assign(std::istreambuf_iterator<char>(file), {});
  }
  const std::string& path() const { return path_; }

  void Edit(const uint8_t* data, size_t size) {
    std::vector<char> edited = bytes_;
    while (size > 4) {
      const size_t offset = (data[0] | data[1] << 8 | data[2] << 16) % edited.size();
      const size_t room = std::min(edited.size() - offset, size - 4);
      const size_t length = std::min<size_t>(data[3], room);
      std::copy_n(data + 4, length, edited.begin() + static_cast<ptrdiff_t>(offset));
      data += 4 + length;
      size -= 4 + length;
    }
    const int fd = open(path_.c_str(), O_WRONLY | O_TRUNC | O_CLOEXEC);
    const auto bytes = static_cast<ssize_t>(edited.size());
    if (fd < 0 || write(fd, edited.data(), edited.size()) != bytes || close(fd) != 0) abort();
  }

 private:
  // Rewrites the trace with small pages. Large pages of a small trace are mostly empty, and most
  // edits would have no effect there.
  void Shrink() const {
    store::Database database;
    if (!database.Open(path_, path_).ok()) abort();
    if (!database.Execute("PRAGMA page_size = 512; VACUUM").ok()) abort();
  }

  test::TempDir dir_;
  const std::string path_ = dir_.File("trace.db");
  std::vector<char> bytes_;
};

template <typename Cursor, typename Row>
void Drain(TraceReader* trace, Status (TraceReader::*open)(Cursor*)) {
  Cursor cursor;
  if (!(trace->*open)(&cursor).ok()) return;
  Row row;
  bool has_row = true;
  for (uint64_t i = 0; has_row && i < kMostRows; ++i) {
    if (!cursor.Next(&row, &has_row).ok()) return;
    std::string_view text;
    if (has_row && !trace->Text(row.name, &text).ok()) return;
  }
}

void ReadAll(const std::string& path) {
  std::unique_ptr<TraceReader> trace;
  if (!TraceReader::Open(path, &trace).ok()) return;  // a refusal is a valid result
  std::vector<Process> processes;
  std::vector<Agent> agents;
  std::vector<Queue> queues;
  std::vector<KernelInfo> kernels;
  std::vector<ProcessCounter> counters;
  std::vector<GivenName> names;
  uint64_t events = 0;
  // Errors are valid results.
  (void)trace->tables().Processes(&processes);
  (void)trace->tables().Agents(&agents);
  (void)trace->tables().Queues(&queues);
  (void)trace->tables().Kernels(&kernels);
  (void)trace->tables().ProcessCounters(&counters);
  std::vector<rtl::query::ClockRow> clocks;
  (void)trace->tables().Clocks(&clocks);
  (void)trace->tables().GivenNames(&names);
  (void)trace->EventCount(&events);
  (void)trace->version().Number("started");
  Drain<KernelCursor, KernelRow>(trace.get(), &TraceReader::KernelsBySubmit);
  Drain<KernelSpanCursor, KernelSpan>(trace.get(), &TraceReader::SpansByStart);
  Drain<MarkerCursor, MarkerRow>(trace.get(), &TraceReader::MarkersByStart);
  Drain<ApiCursor, ApiRow>(trace.get(), &TraceReader::ApisByStart);
  Drain<CallSpanCursor, CallSpan>(trace.get(), &TraceReader::CallSpans);
  Drain<CallSpanCursor, CallSpan>(trace.get(), &TraceReader::CallSpansByStart);
}

}  // namespace
}  // namespace rtl::query

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  static rtl::query::EditedTrace trace;
  trace.Edit(data, size);
  rtl::query::ReadAll(trace.path());
  return 0;
}
