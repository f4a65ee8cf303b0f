// SPDX-License-Identifier: MIT
#include "report/page_model.h"

#include <rapidjson/stringbuffer.h>
#include <rapidjson/writer.h>

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "export/kernel_names.h"
#include "export/utf8.h"
#include "trace/read/gpu_names.h"

namespace rtl::report {
namespace {

using analysis::GpuTime;
using analysis::IdleTime;
using analysis::KindCompleteness;

class Json {
 public:
  Json() : writer_(buffer_) {}

  void Key(const char* key) { writer_.Key(key); }
  void Text(std::string_view text) {
    text = exporting::RepairUtf8(text, &scratch_);
    writer_.String(text.data(), static_cast<rapidjson::SizeType>(text.size()));
  }
  void Text(const char* key, std::string_view text) {
    Key(key);
    Text(text);
  }
  void Number(uint64_t value) { writer_.Uint64(value); }
  void Number(const char* key, uint64_t value) {
    Key(key);
    Number(value);
  }
  template <typename... Values>
  void Numbers(Values... values) {
    (Number(static_cast<uint64_t>(values)), ...);
  }
  void Signed(int64_t value) { writer_.Int64(value); }
  void Flag(const char* key, bool value) {
    Key(key);
    writer_.Bool(value);
  }
  // An array of the JSON that `fill` writes.
  template <typename Fill>
  void Array(const Fill& fill) {
    writer_.StartArray();
    fill();
    writer_.EndArray();
  }
  template <typename Fill>
  void Array(const char* key, const Fill& fill) {
    Key(key);
    Array(fill);
  }
  template <typename Fill>
  void Object(const Fill& fill) {
    writer_.StartObject();
    fill();
    writer_.EndObject();
  }
  template <typename Rows, typename Fill>
  void Table(const char* key, const Rows& rows, const Fill& fill) {
    Array(key, [&] {
      for (size_t i = 0; i < std::min(rows.size(), PageTables::kMostRows); ++i) {
        Array([&] { fill(rows[i]); });
      }
    });
  }
  // Besides, the sum of the times of all rows.
  template <typename Rows, typename Fill>
  void Times(const char* key, const Rows& rows, const Fill& fill) {
    Table(key, rows, fill);
    uint64_t total = 0;
    for (const auto& row : rows) total += row.total;
    Number((std::string(key) + "_total").c_str(), total);
  }
  std::string_view text() const { return {buffer_.GetString(), buffer_.GetSize()}; }

 private:
  rapidjson::StringBuffer buffer_;
  rapidjson::Writer<rapidjson::StringBuffer> writer_;
  std::string scratch_;
};

class Model {
 public:
  Model(query::TraceReader& trace, const PageContent& content) : trace_(trace), content_(content) {}

  Status Write(std::string* out) {
    Status read = Status::Ok();
    json_.Object([&] {
      json_.Text("file", trace_.path().substr(trace_.path().rfind('/') + 1));
      json_.Number("begin", content_.begin);
      json_.Text("selection", content_.selection);
      json_.Number("elapsed", content_.end - content_.begin);
      json_.Flag("has_calls", content_.tables.idle.has_calls);
      const query::RequestedEvents& requested = content_.tables.idle.requested;
      json_.Flag("advise_calls", requested.ToAdvise(EventKind::kHipCall));
      json_.Flag("advise_memory", requested.ToAdvise(EventKind::kAllocation));
      read = Processes();
      if (read.ok()) read = GpuNames();
      json_.Array("gpus", [&] {
        for (const GpuTime& gpu : content_.tables.idle.gpus) Gpu(gpu);
      });
      Findings();
      json_.Array("causes", [&] {
        for (size_t i = 0; i < analysis::kIdleCauseCount; ++i) {
          json_.Text(analysis::IdleCauseName(static_cast<analysis::IdleCause>(i)));
        }
      });
      Names();
      Rows();
      Tables();
      Latency();
      Memory();
      Completeness();
      FlameGraph();
    });
    *out = std::string(json_.text());
    return read;
  }

 private:
  uint64_t Since(uint64_t time) const { return time - std::min(time, content_.begin); }

  Status Processes() {
    std::vector<query::Process> processes;
    RTL_TRY(trace_.tables().Processes(&processes));
    json_.Array("programs", [&] {
      for (const query::Process& process : processes) {
        json_.Object([&] {
          json_.Number("pid", process.pid);
          json_.Text("command", process.command.empty() ? process.executable : process.command);
          json_.Text("host", process.host);
          json_.Text("mode", process.mode);
          json_.Text("runtime", process.runtime);
        });
      }
    });
    json_.Array("processes", [&] {
      for (const std::string& name : content_.rows.processes()) json_.Text(name);
    });
    return Status::Ok();
  }

  Status GpuNames() {
    std::map<int32_t, query::GpuName> names;
    RTL_TRY(query::NameGpus(trace_, &names));
    json_.Key("gpu_names");
    json_.Object([&] {
      for (const auto& [gpu, name] : names) {
        json_.Text(std::to_string(gpu).c_str(), name.Text());
      }
    });
    return Status::Ok();
  }

  void Gpu(const GpuTime& gpu) {
    json_.Object([&] {
      json_.Key("gpu");
      json_.Signed(gpu.gpu);
      json_.Number("first", Since(gpu.first));
      json_.Number("elapsed", gpu.elapsed());
      json_.Number("kernels", gpu.kernels);
      json_.Number("copies", gpu.copies);
      json_.Number("both", gpu.both);
      json_.Number("idle", gpu.idle);
      json_.Number("gaps", gpu.gaps);
      json_.Number("start", content_.selection.empty() ? gpu.start.total : 0);
      json_.Text("start_where", gpu.start.where);
      json_.Array("causes", [&] {
        const size_t most = std::min(gpu.causes.size(), PageTables::kMostRows);
        std::string lines = LinesOf(gpu.gpu);
        for (size_t i = 0; i < most; ++i) {
          const bool is_host = gpu.causes[i].cause == analysis::IdleCause::kHostCode;
          Cause(gpu.causes[i], is_host ? std::exchange(lines, "") : "");
        }
      });
    });
  }

  // A sentence about all host code of the GPU, from sampled stacks. It is shown beside the largest
  // part of host code.
  std::string LinesOf(int32_t gpu) const {
    const auto known = content_.tables.host_lines.find(gpu);
    return known == content_.tables.host_lines.end() ? "" : known->second.Sentence();
  }

  void Findings() {
    json_.Array("findings", [&] {
      for (const analysis::Finding& finding : content_.tables.findings) {
        json_.Object([&] {
          json_.Key("gpu");
          json_.Signed(finding.gpu);
          json_.Text("finding", analysis::FindingName(finding.kind));
          json_.Text("text", analysis::FindingText(finding, finding.where));
          json_.Text("where", finding.where);
          json_.Text("advice", analysis::FindingAdvice(finding.kind));
          json_.Number("cost", finding.cost);
          json_.Number("during", finding.during);
        });
      }
    });
  }

  void Cause(const IdleTime& idle, const std::string& lines) {
    json_.Object([&] {
      json_.Number("cause", static_cast<uint64_t>(idle.cause));
      json_.Text("where", idle.where);
      json_.Text("advice", (lines.empty() ? "" : lines + " ") +
                               analysis::IdleCauseAdvice(idle, content_.tables.idle.requested));
      json_.Number("gaps", idle.gaps);
      json_.Number("idle", idle.total);
      json_.Number("longest", idle.longest);
      json_.Number("at", Since(idle.longest_at));
    });
  }

  // The names as they are, and short names for kernels whose short name differs.
  void Names() {
    const std::vector<std::string>& names = content_.shapes.names();
    json_.Array("names", [&] {
      for (const std::string& name : names) json_.Text(name);
    });
    std::vector<bool> of_kernels(names.size());
    for (const Shape& shape : content_.shapes.shapes()) {
      if (shape.kind <= SliceKind::kCopy) of_kernels[shape.name] = true;
    }
    json_.Key("short");
    json_.Object([&] {
      for (size_t i = 0; i < names.size(); ++i) {
        const std::string shorter = of_kernels[i] ? exporting::ShortKernelName(names[i]) : names[i];
        if (shorter != names[i]) json_.Text(std::to_string(i).c_str(), shorter);
      }
    });
    ShapeList();
  }

  void ShapeList() {
    json_.Flag("names_full", content_.shapes.is_full());
    // A shape is its kind, its name, and its values up to the last non-zero one: see page/model.js.
    json_.Array("shapes", [&] {
      for (const Shape& shape : content_.shapes.shapes()) {
        const std::array<uint64_t, Shape::kValues> values = shape.Values();
        size_t used = values.size();
        while (used > 2 && values[used - 1] == 0) --used;
        json_.Array([&] {
          for (size_t i = 0; i < used; ++i) json_.Number(values[i]);
        });
      }
    });
  }

  void Rows() {
    json_.Array("rows", [&] {
      for (const PageRow& row : content_.rows.Rows()) {
        json_.Object([&] {
          json_.Text("title", row.title);
          json_.Text("role", row.role);
          json_.Number("set", static_cast<uint64_t>(row.set));
          if (row.process != SIZE_MAX) json_.Number("process", row.process);
          if (row.set == RowSet::kHost) json_.Number("track", row.track);
        });
      }
    });
    json_.Array("resolutions", [&] {
      for (size_t i = 0; i < kRowSets; ++i) {
        json_.Number(content_.rows.runs(static_cast<RowSet>(i)).resolution());
      }
    });
  }

  void Tables() {
    const PageTables& tables = content_.tables;
    json_.Number("most_rows", PageTables::kMostRows);
    json_.Times("kernels", tables.summary.kernels, [&](const analysis::KernelSummary& row) {
      json_.Text(row.name);
      json_.Numbers(row.calls, row.total, row.average(), row.median, row.min, row.max);
    });
    json_.Times("calls", tables.apis, [&](const analysis::ApiSummary& row) {
      json_.Text(row.name);
      json_.Numbers(row.calls, row.errors, row.total, row.average(), row.median, row.min, row.max);
    });
    const auto place = [](int32_t gpu) {
      return gpu < 0 ? std::string("host") : "GPU " + std::to_string(gpu);
    };
    json_.Times("copies", tables.copies, [&](const analysis::CopySummary& row) {
      json_.Text(row.name + ": " + place(row.src_gpu) + " to " + place(row.dst_gpu));
      json_.Numbers(row.copies, row.bytes, row.total, row.average(), row.min, row.max);
    });
    json_.Times("ranges", tables.markers, [&](const analysis::MarkerSummary& row) {
      json_.Text(row.name);
      json_.Numbers(row.ranges, row.marks, row.total, row.average(), row.min, row.max);
    });
    json_.Times("events", tables.events, [&](const analysis::EventSummary& row) {
      json_.Text(std::string(row.kind->category) + ": " + row.name);
      json_.Numbers(row.events, row.bytes, row.total, row.average(), row.min, row.max);
    });
  }

  void Histogram(const char* key, const LogHistogram& histogram) {
    json_.Array(key, [&] {
      for (size_t bar = 0; bar < LogHistogram::kBars; ++bar) {
        if (histogram.counts()[bar] == 0) continue;
        json_.Array([&] {
          const uint64_t next = LogHistogram::LeastOf(bar < 4 || bar > 6 ? bar + 1 : 8);
          json_.Numbers(LogHistogram::LeastOf(bar), next, histogram.counts()[bar]);
        });
      }
    });
  }

  // A bar is: from, to, count.
  void Latency() {
    json_.Key("latency");
    json_.Object([&] {
      Histogram("launch", content_.rows.launch());
      Histogram("queue", content_.rows.queue());
      Histogram("run", content_.rows.run());
    });
  }

  void Memory() {
    json_.Array("memory", [&] {
      for (const auto& entry : content_.rows.memory().series()) {
        const MemoryUse::Place& place = entry.first;
        const MemoryUse::Series& series = entry.second;
        json_.Object([&] {
          json_.Text("title", place.gpu < 0 ? "host memory"
                                            : "GPU " + std::to_string(place.gpu) + " memory");
          json_.Number("process", static_cast<uint64_t>(place.process));
          json_.Number("most", series.most);
          json_.Array("points", [&] {
            for (const MemoryUse::Point& point : series.points) {
              json_.Numbers(Since(point.time), point.bytes);
            }
          });
        });
      }
    });
  }

  void Completeness() {
    json_.Array("completeness", [&] {
      for (const KindCompleteness& each : content_.tables.completeness) {
        if (each.submitted == 0 && each.not_counted.empty() && each.kind != "kernels") continue;
        json_.Object([&] {
          json_.Text("kind", each.kind);
          json_.Number("submitted", each.submitted);
          json_.Number("recorded", each.recorded);
          json_.Number("left_out", each.left_out());
          json_.Number("lost", each.lost());
          json_.Text("not_counted", each.not_counted);
          json_.Table("losses", each.losses, [&](const analysis::LossLine& line) {
            json_.Text(line.name);
            json_.Text(line.text);
            json_.Number(line.events);
          });
        });
      }
    });
  }

  // A node is: depth, frame, nanoseconds, kernels. It comes before the nodes below it. Read by
  // page/flame.js.
  void FlameGraph() {
    const Flame& flame = content_.tables.flame;
    if (flame.nodes.empty()) return;
    json_.Key("flame");
    json_.Object([&] {
      json_.Number("time", flame.time);
      json_.Number("kernels", flame.kernels);
      json_.Number("least", flame.least);
      json_.Array("frames", [&] {
        for (const exporting::GpuStacks::Frame& frame : flame.frames) {
          json_.Array([&] {
            json_.Number(static_cast<uint64_t>(frame.kind));
            json_.Text(frame.name);
            if (frame.kind != exporting::GpuStacks::Kind::kKernel) return;
            const std::string shorter = exporting::ShortKernelName(frame.name);
            if (shorter != frame.name) json_.Text(shorter);
          });
        }
      });
      json_.Array("nodes", [&] {
        for (const Flame::Node& node : flame.nodes) {
          json_.Numbers(node.depth, node.frame, node.time, node.kernels);
        }
      });
    });
  }

  query::TraceReader& trace_;
  const PageContent& content_;
  Json json_;
};

}  // namespace

Status ReadTables(query::TraceReader& trace, PageTables* out) {
  RTL_TRY(analysis::Summarize(trace, &out->summary));
  RTL_TRY(analysis::SummarizeMarkers(trace, &out->markers));
  RTL_TRY(analysis::SummarizeCopies(trace, &out->copies));
  RTL_TRY(analysis::SummarizeApis(trace, &out->apis));
  RTL_TRY(analysis::SummarizeEvents(trace, &out->events));
  out->completeness = analysis::ReadCompleteness(trace.metadata());
  return Status::Ok();
}

Status ModelAsJson(query::TraceReader& trace, const PageContent& content, std::string* out) {
  return Model(trace, content).Write(out);
}

}  // namespace rtl::report
