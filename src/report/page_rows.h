// SPDX-License-Identifier: MIT
// page_rows.h: turns a timeline into the rows of a page. A nested slice lies in a row below the
// slice around it.
//
//   GPU 0 (gfx906)          its idle times, by cause
//   process 4711            ─┬─ GPU 0 ── stream 1, stream 2, copies …
//                            ├─ roctx ranges
//                            └─ thread 4711 ── operators and Python functions, by depth
//                                              ranges and calls, by depth; its submissions
//
// Threads    one
// Memory     kMost… runs; tracks; that of shapes.h and memory_use.h
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <unordered_map>
#include <vector>

#include "analysis/idle_time.h"
#include "export/timeline.h"
#include "report/log_histogram.h"
#include "report/memory_use.h"
#include "report/runs.h"
#include "report/shapes.h"

namespace rtl::report {

// The rows of a set share one limit on the number of their runs.
enum class RowSet : uint8_t { kGpu, kHost, kIdle, kOperators };
inline constexpr size_t kRowSets = 4;

struct PageRow {
  RowSet set = RowSet::kHost;
  size_t index = 0;              // among the rows of the set
  std::string title;             // UTF-8; empty: the row continues the one above
  const char* role;              // "idle", "gpu", "operators", "thread", "ranges", "events",
                                 // "submissions"
  size_t process = 0;            // index in PageRows::processes(); idle rows have none
  exporting::TrackId track = 0;  // the number that Link::track refers to
};

class PageRows final : public exporting::TimelineSink {
 public:
  // With these limits a million kernels with their barriers and calls make a page of less than 20
  // MB.
  static constexpr size_t kMostRuns[kRowSets] = {2'000'000, 1'200'000, 400'000, 800'000};
  // ns. Submissions have no duration; those closer together than this are always one run.
  static constexpr uint64_t kSubmitResolution = 20'000;

  PageRows(query::TraceReader& trace, Shapes* shapes) : trace_(trace), shapes_(shapes) {}

  Status OnTrack(const exporting::Track& track) override;
  Status OnRangeBegin(exporting::TrackId track, const query::MarkerRow& row) override;
  Status OnCallBegin(exporting::TrackId track, const exporting::CallSlice& call) override;
  Status OnSliceEnd(exporting::TrackId track, uint64_t time) override;
  Status OnMark(exporting::TrackId track, const query::MarkerRow& row) override;
  Status OnSubmit(exporting::TrackId track, const exporting::Submission& submission) override;
  Status OnKernel(exporting::TrackId track, const exporting::KernelSlice& kernel) override;
  Status OnBarrier(exporting::TrackId track, const exporting::BarrierSlice& barrier) override;
  Status OnCopy(exporting::TrackId track, const exporting::CopySlice& copy) override;
  Status OnEvent(exporting::TrackId track, const query::EventRow& row, bool nested) override;
  void OnGap(const analysis::IdlePart& gap);
  // Reads operators and Python functions. Call it last, so that names of kernels are kept if there
  // are too many names.
  Status ReadOperators();

  // In the order of the page.
  std::vector<PageRow> Rows() const;
  const std::vector<std::string>& processes() const { return processes_; }
  const RunRows& runs(RowSet set) const { return sets_[static_cast<size_t>(set)]; }
  // Makes the page smaller: merges runs of the set with the most runs. False: no set can be
  // reduced.
  bool Coarsen();
  // The beginning of the first row and the end of the last. Both are 0 if there are no rows.
  void Bounds(uint64_t* first, uint64_t* last) const;

  // From the begin of the call to the submission.
  const LogHistogram& launch() const { return launch_; }
  const LogHistogram& queue() const { return queue_; }  // from the submission to the start
  const LogHistogram& run() const { return run_; }      // from the start to the end
  const MemoryUse& memory() const { return memory_; }

 private:
  static constexpr size_t kNoRow = SIZE_MAX;
  struct Place {
    exporting::Track track;
    RowSet set = RowSet::kHost;
    std::vector<size_t> rows = {};       // by depth
    std::vector<size_t> operators = {};  // rows of the set kOperators, by depth
    size_t open = 0;
    size_t submits = kNoRow;
  };
  struct Known {
    int64_t launch = 0;
    uint32_t shape = 0;
  };
  static constexpr size_t kLaunches = 4096;

  RunRows& Set(RowSet set) { return sets_[static_cast<size_t>(set)]; }
  void Add(Place* place, size_t depth, const Slice& slice);
  void Open(Place* place, const Slice& slice);
  static void AddRows(const Place& place, size_t process, std::vector<PageRow>* out);
  Place* PlaceOf(int64_t process, uint32_t thread, const std::string& program);
  static Link LinkOf(const exporting::Origin& origin, uint64_t submit);
  Status ShapeOf(const exporting::KernelSlice& kernel, uint32_t* shape);
  Status TakeAllocation(const query::EventRow& row);

  query::TraceReader& trace_;
  Shapes* const shapes_;
  std::vector<RunRows> sets_{RunRows(kMostRuns[0]), RunRows(kMostRuns[1]), RunRows(kMostRuns[2]),
                             RunRows(kMostRuns[3])};
  std::unordered_map<exporting::TrackId, Place> places_;
  std::vector<exporting::TrackId> order_;  // tracks that are processes, in the order of the page
  std::vector<std::string> processes_;
  std::map<int32_t, size_t> idle_rows_;  // by GPU
  std::vector<Known> known_ = std::vector<Known>(kLaunches);
  LogHistogram launch_;
  LogHistogram queue_;
  LogHistogram run_;
  MemoryUse memory_;
};

}  // namespace rtl::report
