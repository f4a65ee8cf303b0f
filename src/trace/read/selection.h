// SPDX-License-Identifier: MIT
// selection.h: decides which rows of a trace the user has selected. Each condition applies only to
// rows that have the property: a kernel's name selects among kernels, a GPU among kernels, copies,
// barriers and events of a GPU; a rank, a range and times select among all rows.
//
// Threads    one; immutable once made
// Memory     one entry per kernel, queue, process and range of the name
// Errors     one line that names a condition to which no row of the trace matches
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <type_traits>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "base/status.h"
#include "trace/read/rows.h"

namespace rtl::query {

class TraceReader;

struct SelectionRequest {
  // an extended regular expression, found anywhere in the kernel's name
  std::string kernel = {};
  std::string range = {};             // a name of roctx ranges
  std::optional<uint64_t> from = {};  // nanoseconds since the first process began
  std::optional<uint64_t> to = {};    // in the same unit as `from`
  std::optional<int32_t> rank = {};   // rank in the job
  std::optional<int32_t> gpu = {};    // ordinal

  bool empty() const { return kernel.empty() && range.empty() && !from && !to && !rank && !gpu; }
  // For example "kernels that match gemm, of GPU 0, from 1.5 s".
  std::string AsText() const;
};

// Returns the error in a regular expression; empty if the expression is valid.
std::string ComplaintOfPattern(const std::string& pattern);

class Selection {
 public:
  // To be called while the reader has no selection.
  static Status Make(TraceReader& trace, const SelectionRequest& request, Selection* out);

  // Makes the selection; from then on the reader returns only these rows. An empty request selects
  // all rows.
  static Status Apply(TraceReader& trace, const SelectionRequest& request, Selection* out);

  bool Takes(const KernelSpan& row) const;
  bool Takes(const KernelRow& row) const;
  bool Takes(const LaunchRow& row) const;
  bool Takes(const CopyRow& row) const;
  bool Takes(const BarrierRow& row) const { return TakesGpu(row.gpu) && TakesTimeOf(row); }
  bool Takes(const MarkerRow& row) const { return TakesTimeOf(row); }
  bool Takes(const ApiRow& row) const { return TakesTimeOf(row); }
  bool Takes(const CallSpan& row) const { return TakesTimeOf(row); }
  bool Takes(const EventRow& row) const {
    return (row.gpu < 0 || TakesGpu(row.gpu)) && TakesTimeOf(row);
  }
  bool Takes(const SampleRow& row) const;
  // for an operator or a Python function: decides by its time
  bool Takes(const HostWorkRow& row) const;

 private:
  struct Interval {
    uint64_t start = 0;
    uint64_t end = 0;
  };

  Status FindKernels(TraceReader& trace, const std::string& pattern);
  Status FindRanges(TraceReader& trace, const std::string& name);
  Status FindProcesses(TraceReader& trace, const SelectionRequest& request);
  bool TakesKernel(int64_t name, int32_t gpu, int64_t queue, uint64_t start, uint64_t end) const;
  bool TakesTime(int64_t process, uint64_t start, uint64_t end) const;
  template <typename Row>
  bool TakesTimeOf(const Row& row) const {
    return TakesTime(row.process, row.start, row.end);
  }
  bool TakesGpu(int32_t gpu) const { return !gpu_ || gpu == *gpu_; }

  bool by_kernel_ = false;
  std::unordered_set<int64_t> kernel_names_;
  bool by_range_ = false;
  // indexed by process; the intervals are disjoint and in order
  std::map<int64_t, std::vector<Interval>> ranges_;
  bool by_rank_ = false;
  std::unordered_set<int64_t> processes_;
  std::unordered_map<int64_t, int64_t> process_of_queue_;
  std::unordered_map<int64_t, int64_t> name_of_kernel_;
  GpusOfAgents gpu_of_agent_;
  std::optional<int32_t> gpu_;
  uint64_t from_ = 0;
  uint64_t to_ = UINT64_MAX;
};

// A cursor that returns only selected rows. `Cursor` must have NextRow, which returns all rows.
template <typename Cursor, typename Row>
class SelectedRows {
 public:
  Status Next(Row* row, bool* has_row) {
    do {
      RTL_TRY(static_cast<Cursor*>(this)->NextRow(row, has_row));
    } while (*has_row && selection_ != nullptr && !selection_->Takes(*row));
    return Status::Ok();
  }

  // Calls `visit` with each row that is left. It returns nothing, or a Status: an error ends the
  // reading.
  template <typename Visit>
  Status Each(const Visit& visit) {
    while (true) {
      Row row;
      bool has_row = false;
      RTL_TRY(Next(&row, &has_row));
      if (!has_row) return Status::Ok();
      if constexpr (std::is_void_v<decltype(visit(row))>) {
        visit(row);
      } else {
        RTL_TRY(visit(row));
      }
    }
  }

 protected:
  const Selection* selection_ = nullptr;  // null: all rows are selected
};

}  // namespace rtl::query
