// SPDX-License-Identifier: MIT
#include "export/timeline_counters.h"

#include <string>
#include <utility>
#include <vector>

#include "export/counter_steps.h"

namespace rtl::exporting {
namespace {

// These counters come after the tracks of the GPU load.
constexpr int32_t kFirstStepCounter = 2;

// Emits each change of the value, and a zero at the end.
Status EmitCounter(Tracks* tracks, TimelineSink* sink, const TimeSlices& slices, Track like,
                   double scale) {
  std::vector<TrackId> track;
  RTL_TRY(tracks->Lane(&track, std::move(like), 0));
  std::vector<uint64_t> sums = slices.Sums();
  sums.push_back(0);
  uint64_t last = 0;
  for (size_t i = 0; i < sums.size(); ++i) {
    if (sums[i] == last) continue;
    last = sums[i];
    const double value = scale * static_cast<double>(last) / static_cast<double>(slices.width());
    RTL_TRY(sink->OnCounter(track.front(), slices.first() + i * slices.width(), value));
  }
  return Status::Ok();
}

}  // namespace

Status BusyCounters::Emit(Tracks* tracks, TimelineSink* sink) {
  for (auto& [ids, load] : loads_) {
    const auto& [process, gpu, pid] = ids;
    load.Finish();
    RTL_TRY(EmitCounter(tracks, sink, load.busy(),
                        tracks->CounterLike(process, pid, gpu, 0, "busy", "%"), 100));
    RTL_TRY(EmitCounter(tracks, sink, load.in_flight(),
                        tracks->CounterLike(process, pid, gpu, 1, "kernels in flight", "kernels"),
                        1));
  }
  return Status::Ok();
}

Status EmitStepCounters(query::TraceReader& trace, Tracks* tracks, TimelineSink* sink) {
  std::map<std::tuple<int64_t, int32_t, std::string>, std::vector<TrackId>> known;
  int32_t number = kFirstStepCounter;
  const CounterVisitor visit = [&](const CounterStep& step) {
    std::vector<TrackId>& track = known[{step.process, step.gpu, step.name}];
    if (track.empty()) {
      RTL_TRY(tracks->Lane(&track,
                           tracks->CounterLike(step.process, step.pid, step.gpu, number++,
                                               step.name.c_str(), step.unit),
                           0));
    }
    return sink->OnCounter(track.front(), step.time, step.value);
  };
  RTL_TRY(VisitCopiedBytes(trace, visit));
  RTL_TRY(VisitAllocatedBytes(trace, visit));
  RTL_TRY(VisitScratchBytes(trace, visit));
  return VisitHardwareCounters(trace, visit);
}

}  // namespace rtl::exporting
