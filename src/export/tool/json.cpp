// SPDX-License-Identifier: MIT
#include "export/tool/json.h"

#include <fmt/format.h>
#include <rocprofiler-sdk/buffer_tracing.h>
#include <rocprofiler-sdk/callback_tracing.h>
#include <rocprofiler-sdk/dispatch_counting_service.h>
#include <rocprofiler-sdk/pc_sampling.h>

#include <algorithm>
#include <map>
#include <set>
#include <span>
#include <utility>

#include "export/tool/host_functions.h"
#include "export/tool/json_things.h"
#include "export/tool/json_words.h"
#include "export/tool/operations.h"
#include "export/tool/tool_samples.h"

namespace rtl::exporting::tool {
namespace {

class JsonFile {
 public:
  JsonFile(ToolTrace& trace, const JsonOptions& options, OutputFile* file)
      : trace_(trace), options_(options), file_(file), json_(file) {}

  Status Write() {
    json_.Begin();
    json_.BeginList("rocprofiler-sdk-tool");
    json_.Begin();
    RTL_TRY(Metadata());
    Things();
    Summary();
    json_.Begin("callback_records");
    RTL_TRY(List("counter_collection", [&] { return CountedKernels(); }));
    json_.End();
    RTL_TRY(Records());
    // written after the kernels that these functions launched
    json_.List("host_functions", host_functions_.all(), WriteHostFunction);
    RTL_TRY(Strings());  // written last, because now all names are known
    json_.End();
    json_.EndList();
    json_.End();
    json_.Flush();
    file_->Put('\n');
    return file_->result();
  }

 private:
  Status Metadata() {
    const query::Process& process = trace_.process();
    json_.Begin("metadata");
    json_.Begin("node");
    json_.Number("id", 1);
    json_.Number("hash", 1);
    json_.Text("machine_id", process.boot_id);
    json_.Text("system_name", "Linux");
    json_.Text("hostname", process.host);
    for (const char* key : {"release", "version", "hardware_name", "domain_name"}) {
      json_.Text(key, "");
    }
    json_.End();
    json_.Number("pid", process.pid);
    json_.Number("init_time", process.started);
    json_.Number("fini_time", process.ended);
    json_.BeginList("command");  // the words of the command, split at blanks
    for (size_t at = 0; at < process.command.size();) {
      const size_t end = std::min(process.command.find(' ', at), process.command.size());
      if (end > at) json_.Element(std::string_view(process.command).substr(at, end - at));
      at = end + 1;
    }
    json_.EndList();
    json_.Raw("config", options_.config);
    std::vector<Missing> coverage;
    RTL_TRY(trace_.Coverage(&coverage));
    json_.List("coverage", coverage, [](const Missing& row, JsonWords* json) {
      json->Begin();
      json->Text("kind", row.kind);
      json->Text("counter", row.counter);
      json->Number("events", row.events);
      json->Text("description", row.text);
      json->End();
    });
    json_.End();
    return Status::Ok();
  }

  void Things() {
    json_.List("agents", trace_.agents(), WriteAgent);
    json_.List("counters", trace_.counters(), WriteCounter);
    json_.List("code_objects", trace_.code_objects(), WriteCodeObject);
    json_.List("kernel_symbols", trace_.symbols(), WriteSymbol);
  }

  // Writes a list of records, which `write` reads from the trace.
  template <typename Write>
  Status List(const char* key, const Write& write) {
    json_.BeginList(key);
    RTL_TRY(write());
    json_.EndList();
    return Status::Ok();
  }
  template <typename Write>
  Status List(Domain domain, const Write& write) {
    return List(InfoOf(domain).json_list, write);
  }

  void Statistic(const Sample& sample) {
    json_.Number("count", sample.count);
    json_.Number("sum", sample.sum);
    json_.Real("sqr", sample.squares);
    json_.Number("min", sample.least);
    json_.Number("max", sample.most);
    json_.Real("mean", sample.mean());
    json_.Real("stddev", sample.deviation());
    json_.Real("variance", sample.variance());
  }

  void Summary() {
    json_.BeginList("summary");
    for (size_t i = 0; options_.statistics != nullptr && i < kDomainCount; ++i) {
      const Domain domain = static_cast<Domain>(i);
      if (!options_.statistics->Has(domain)) continue;
      json_.Begin();
      json_.Text("domain", InfoOf(domain).name);
      json_.Begin("stats");
      Statistic(options_.statistics->Total(domain));
      json_.BeginList("operations");
      for (const NamedSample& row : options_.statistics->Sorted(domain)) {
        json_.Begin();
        json_.Text("key", row.name);
        json_.Begin("value");
        Statistic(row.sample);
        json_.End();
        json_.End();
      }
      json_.EndList();
      json_.End();
      json_.End();
    }
    json_.EndList();
  }

  void DispatchInfo(const ToolKernel& kernel) {
    const query::KernelRow& row = kernel.row;
    json_.Begin("dispatch_info");
    json_.Number("size", sizeof(rocprofiler_kernel_dispatch_info_t));
    json_.Handle("agent_id", HandleOf(kernel.agent));
    json_.Handle("queue_id", kernel.queue);
    json_.Number("kernel_id", kernel.symbol->info.kernel);
    json_.Number("dispatch_id", row.dispatch);
    json_.Number("private_segment_size", row.private_segment);
    json_.Number("group_segment_size", row.group_segment);
    json_.Triple("workgroup_size", row.workgroup);
    json_.Triple("grid_size", row.grid);
    json_.End();
  }

  static void WriteCounter(const ToolCounter& counter, JsonWords* json) {
    const query::CounterInfo& info = counter.info;
    json->Begin();
    json->Handle("agent_id", counter.agent->handle());
    json->Handle("id", counter.id);
    json->Number("is_constant", 0);
    json->Number("is_derived", info.block.empty() ? 1 : 0);
    json->Text("name", info.name);
    json->Text("description", info.description);
    json->Text("block", info.block);
    json->Text("expression", info.expression);
    json->List("dimension_ids", counter.dimensions,
               [](const ToolCounter::Dimension& each, auto* list) { list->Element(each.id); });
    json->End();
  }

  // Writes a record for each instance of a counter. The position of the instance, one number for
  // each of the counter's dimension_ids, is an addition: records in AMD's files do not distinguish
  // the instances. Values that a virtual GPU does not model are left out.
  Status CountedKernels() {
    return trace_.ForEachCountedInstance(
        [&](const ToolKernel& kernel, std::span<const ToolTrace::Instance> instances) {
          json_.Begin();
          json_.Number("thread_id", kernel.row.tid);
          json_.Begin("dispatch_data");
          json_.Number("size", sizeof(rocprofiler_dispatch_counting_service_data_t));
          json_.Correlation(kernel.correlation, ExternalOf(kernel), {});
          json_.Times(kernel.row.start, kernel.row.end);
          DispatchInfo(kernel);
          json_.End();
          json_.BeginList("records");
          for (const ToolTrace::Instance& instance : instances) {
            if (instance.not_modelled) continue;
            const uint64_t id = trace_.CounterId(kernel, *instance.counter);
            json_.Begin();
            json_.Handle("counter_id", id);
            json_.Real("value", instance.value);
            if (id != 0) {
              json_.BeginList("position");
              for (const ToolCounter::Dimension& each : trace_.counters()[id - 1].dimensions)
                json_.Element(CounterPositionIn(instance.position, each.id));
              json_.EndList();
            }
            json_.End();
          }
          json_.EndList();
          json_.Handle("stream_id", kernel.stream);
          return EndRecord();
        });
  }

  Status Kernels() {
    return trace_.ForEachKernel([&](const ToolKernel& kernel) {
      const query::KernelRow& row = kernel.row;
      RTL_TRY(host_functions_.Note(kernel));
      json_.Head(sizeof(rocprofiler_buffer_tracing_kernel_dispatch_record_t),
                 ROCPROFILER_BUFFER_TRACING_KERNEL_DISPATCH, ROCPROFILER_KERNEL_DISPATCH_COMPLETE);
      json_.Number("thread_id", row.tid);
      json_.Correlation(kernel.correlation, ExternalOf(kernel), {});
      json_.Times(row.start, row.end);
      DispatchInfo(kernel);
      json_.Handle("stream_id", kernel.stream);
      return EndRecord();
    });
  }

  Status Calls(Domain domain) {
    return trace_.ForEachCall(domain, [&](const ToolCall& call) {
      json_.Head(InfoOf(domain).record_bytes, call.family->kind,
                 operations_.NumberOf(call.family->kind, call.name));
      json_.Correlation(call.row.correlation, 0, call.ancestor);
      json_.Times(call.row.start, call.row.end);
      json_.Number("thread_id", call.row.tid);
      if (domain == Domain::kHip) {
        const auto write = [](const Argument& argument, JsonWords* json) {
          json->Begin();
          json->Text("type", "");
          json->Text("name", argument.name);
          json->Text("value", argument.value);
          json->End();
        };
        json_.List("args", SplitArguments(call.arguments), write);
        json_.Begin("retval");
        json_.Signed("uint64_t_retval", call.row.result);
        json_.End();
        json_.Handle("stream_id", call.stream);
      }
      return EndRecord();
    });
  }

  Status Markers() {
    constexpr auto kKind = ROCPROFILER_BUFFER_TRACING_MARKER_CORE_RANGE_API;
    return trace_.ForEachMarker([&](const ToolMarker& marker) {
      const char* const operation = kMarkerOperations[static_cast<size_t>(marker.form)];
      json_.Head(sizeof(rocprofiler_buffer_tracing_marker_api_record_t), kKind,
                 operations_.NumberOf(kKind, operation));
      json_.Correlation(marker.correlation, 0, 0);
      json_.Times(marker.row.start, marker.row.end);
      json_.Number("thread_id", marker.row.tid);
      return EndRecord();
    });
  }

  Status Copies() {
    return trace_.ForEachCopy([&](const ToolCopy& copy) {
      const query::CopyRow& row = copy.row;
      json_.Head(sizeof(rocprofiler_buffer_tracing_memory_copy_record_t),
                 ROCPROFILER_BUFFER_TRACING_MEMORY_COPY, copy.operation);
      json_.Number("thread_id", row.tid);
      json_.Correlation(copy.correlation, 0, {});
      json_.Times(row.start, row.end);
      json_.Handle("dst_agent_id", HandleOf(copy.destination));
      json_.Handle("src_agent_id", HandleOf(copy.source));
      json_.Number("bytes", row.bytes);
      json_.Handle("dst_address", row.dst);
      json_.Handle("src_address", row.src);
      json_.Handle("stream_id", copy.stream);
      return EndRecord();
    });
  }

  Status Memory(Domain domain) {
    const bool scratch = domain == Domain::kScratch;
    return trace_.ForEachMemory(domain, [&](const ToolMemory& memory) {
      json_.Head(InfoOf(domain).record_bytes,
                 scratch ? ROCPROFILER_BUFFER_TRACING_SCRATCH_MEMORY
                         : ROCPROFILER_BUFFER_TRACING_MEMORY_ALLOCATION,
                 memory.operation);
      json_.Number("thread_id", memory.row.tid);
      json_.Correlation(memory.correlation, 0, {});
      json_.Times(memory.row.start, memory.row.end);
      json_.Handle("agent_id", HandleOf(memory.agent));
      if (scratch) {
        json_.Handle("queue_id", memory.queue);
        json_.Number("flags", memory.flags);
      } else {
        json_.Text("address", fmt::format("0x{:016x}", memory.address));
      }
      json_.Number("allocation_size", memory.bytes);
      return EndRecord();
    });
  }

  Status Samples() {
    return samples_.ForEach([&](const ToolSample& sample) {
      const query::SampleRow& row = sample.row;
      json_.Begin();
      json_.Begin("record");
      json_.Number("size", sizeof(rocprofiler_pc_sampling_record_host_trap_v0_t));
      HardwareId(row);
      json_.Begin("pc");
      json_.Number("code_object_id", sample.code_object);
      json_.Number("code_object_offset", row.offset);
      json_.End();
      json_.Number("exec_mask", row.exec_mask);
      json_.Number("timestamp", row.time);
      json_.Number("dispatch_id", row.dispatch);
      json_.Begin("corr_id");
      json_.Number("internal", row.correlation);
      json_.Number("external", 0);
      json_.End();
      json_.Triple("wrkgrp_id", row.workgroup);
      json_.Number("wave_in_grp", row.wave);
      json_.End();
      json_.Signed("inst_index", sample.instruction);
      return EndRecord();
    });
  }

  // The layout of GFX9: name, first bit, number of bits.
  void HardwareId(const query::SampleRow& row) {
    static constexpr struct {
      const char* name;
      uint32_t from, bits;
    } kParts[] = {{"wave_id", 0, 4},        {"simd_id", 4, 2},          {"pipe_id", 6, 2},
                  {"cu_or_wgp_id", 8, 4},   {"shader_array_id", 12, 1}, {"shader_engine_id", 13, 3},
                  {"workgroup_id", 16, 4},  {"vm_id", 20, 4},           {"queue_id", 24, 3},
                  {"microengine_id", 30, 2}};
    json_.Begin("hw_id");
    json_.Number("chiplet", row.chiplet);
    for (const auto& part : kParts)
      json_.Number(part.name, row.hw_id >> part.from & ((1u << part.bits) - 1));
    json_.End();
  }

  Status Records() {
    json_.Begin("buffer_records");
    RTL_TRY(List(Domain::kKernel, [&] { return Kernels(); }));
    RTL_TRY(List(Domain::kHip, [&] { return Calls(Domain::kHip); }));
    RTL_TRY(List(Domain::kHsa, [&] { return Calls(Domain::kHsa); }));
    RTL_TRY(List(Domain::kMarker, [&] { return Markers(); }));
    RTL_TRY(List(Domain::kRccl, [&] { return Calls(Domain::kRccl); }));
    RTL_TRY(List(Domain::kCopy, [&] { return Copies(); }));
    RTL_TRY(List(Domain::kAllocation, [&] { return Memory(Domain::kAllocation); }));
    RTL_TRY(List(Domain::kScratch, [&] { return Memory(Domain::kScratch); }));
    json_.Empty("rocdecode_api");
    json_.Empty("rocjpeg_api");
    RTL_TRY(List("pc_sample_host_trap", [&] { return Samples(); }));
    json_.Empty("pc_sample_stochastic");
    json_.End();
    return Status::Ok();
  }

  void Kinds(const char* key, const std::vector<Operations::Kind>& kinds) {
    json_.List(key, kinds, [](const Operations::Kind& kind, JsonWords* json) {
      json->Begin();
      json->Text("kind", kind.name);
      json->List("operations", kind.operations,
                 [](const std::string& each, auto* list) { list->Element(each); });
      json->End();
    });
  }

  // Writes each dimension of a counter once for each of its extents.
  void Dimensions() {
    std::set<std::pair<uint32_t, uint32_t>> all;  // id, extent
    for (const ToolCounter& counter : trace_.counters()) {
      for (const ToolCounter::Dimension& each : counter.dimensions)
        all.insert({each.id, each.extent});
    }
    json_.BeginList("dimension_ids");
    for (const auto& [id, extent] : all) {
      json_.Begin();
      json_.Number("id", id);
      json_.Number("instance_size", extent);
      json_.Text("name", kDimensionNames[id]);
      json_.End();
    }
    json_.EndList();
  }

  Status Strings() {
    json_.Begin("strings");
    Kinds("callback_records", operations_.callback_kinds());
    Kinds("buffer_records", operations_.buffer_kinds());
    const auto write = [&](const ToolMarker& marker) {
      json_.Entry(marker.correlation, marker.message);
      return file_->result();
    };
    RTL_TRY(List("marker_api", [&] { return trace_.ForEachMarker(write); }));
    json_.Begin("correlation_id");
    json_.List("external", external_,
               [](const auto& each, auto* list) { list->Entry(each.second, each.first); });
    json_.End();
    json_.Begin("counters");
    Dimensions();
    json_.End();
    json_.List("pc_sample_instructions", samples_.instructions(),
               [](const ToolInstruction& each, auto* list) { list->Element(each.text); });
    json_.List("pc_sample_comments", samples_.instructions(),
               [](const ToolInstruction& each, auto* list) { list->Element(each.comment); });
    json_.Empty("att_filenames");
    json_.Empty("code_object_snapshot_filenames");
    json_.End();
    return Status::Ok();
  }

  // Renamed kernels refer to their name by number.
  uint64_t ExternalOf(const ToolKernel& kernel) {
    if (!kernel.renamed) return 0;
    auto found = external_.find(kernel.name);
    if (found == external_.end()) {
      found = external_.emplace(std::string(kernel.name), external_.size() + 1).first;
    }
    return found->second;
  }

  Status EndRecord() {
    json_.End();
    return file_->result();
  }

  ToolTrace& trace_;
  const JsonOptions& options_;
  OutputFile* file_;
  JsonWords json_;
  Operations operations_;
  ToolSamples samples_{&trace_};
  HostFunctions host_functions_{&trace_};
  std::map<std::string, uint64_t, std::less<>> external_;
};

}  // namespace

Status WriteJson(ToolTrace& trace, const JsonOptions& options, OutputSet* outputs) {
  OutputFile* file = nullptr;
  RTL_TRY(outputs->Open("results.json", &file));
  return JsonFile(trace, options, file).Write();
}

}  // namespace rtl::exporting::tool
