// SPDX-License-Identifier: MIT
#include "export/sample_events.h"

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "symbols/code_place.h"

namespace rtl::exporting {
namespace {

class Samples {
 public:
  Samples(query::TraceReader& trace, Tracks* tracks, TimelineSink* sink)
      : trace_(trace),
        tracks_(tracks),
        sink_(sink),
        places_([&trace](int64_t content, std::string* bytes) {
          return trace.tables().CodeBytes(content, bytes);
        }) {}

  Status Emit() {
    RTL_TRY(Load());
    query::SampleCursor cursor;
    RTL_TRY(trace_.SamplesByTime(&cursor));
    return cursor.Each([&](const query::SampleRow& row) { return EmitOne(row); });
  }

 private:
  using AgentKey = std::pair<int64_t, uint32_t>;  // process, agent

  Status Load() {
    std::vector<query::CodeObjectRow> codes;
    RTL_TRY(trace_.tables().CodeObjects(&codes));
    for (query::CodeObjectRow& code : codes) codes_.emplace(code.id, std::move(code));
    std::vector<query::Agent> agents;
    RTL_TRY(trace_.tables().Agents(&agents));
    for (query::Agent& agent : agents) {
      agents_.emplace(AgentKey(agent.process, agent.agent), std::move(agent));
    }
    std::vector<query::KernelInfo> kernels;
    RTL_TRY(trace_.tables().Kernels(&kernels));
    for (const query::KernelInfo& kernel : kernels) kernels_.emplace(kernel.id, kernel.name);
    return Status::Ok();
  }

  Status EmitOne(const query::SampleRow& row) {
    const auto agent = agents_.find({row.process, row.agent});
    if (agent == agents_.end() || !agent->second.is_gpu) return Status::Ok();
    const int32_t gpu = agent->second.gpu;
    std::vector<TrackId>& track = tracks_of_[{row.process, gpu}];
    RTL_TRY(tracks_->Lane(&track, tracks_->SamplesLike(row.process, agent->second.pid, gpu), 0));
    SampleEvent event = {.row = row};
    const auto code = codes_.find(row.code_object);
    if (code != codes_.end()) {
      const uint64_t address = code->second.AddressOf(row.offset);
      RTL_TRY(places_.At(code->second.content, address, &event.place));
    }
    const auto kernel = kernels_.find(row.kernel);
    if (kernel != kernels_.end()) event.kernel = kernel->second;
    return sink_->OnSample(track.front(), event);
  }

  query::TraceReader& trace_;
  Tracks* const tracks_;
  TimelineSink* const sink_;
  symbols::CodePlaces places_;
  std::map<int64_t, query::CodeObjectRow> codes_;
  std::map<AgentKey, query::Agent> agents_;
  // string ids of the kernels' names
  std::map<int64_t, int64_t> kernels_;
  // indexed by process and GPU
  std::map<std::pair<int64_t, int32_t>, std::vector<TrackId>> tracks_of_;
};

}  // namespace

Status EmitSamples(query::TraceReader& trace, Tracks* tracks, TimelineSink* sink) {
  return Samples(trace, tracks, sink).Emit();
}

}  // namespace rtl::exporting
