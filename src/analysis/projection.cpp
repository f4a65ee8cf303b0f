// SPDX-License-Identifier: MIT
#include "analysis/projection.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <unordered_map>

#include "analysis/summary.h"

namespace rtl::analysis {
namespace {

// A kernel or a copy.
struct Projected {
  int64_t process = 0;
  uint32_t pid = 0;
  uint32_t tid = 0;
  int32_t gpu = -1;
  bool is_copy = false;
  uint64_t submit = 0;  // time of submission; 0: not known
  uint64_t start = 0;
  uint64_t end = 0;
  uint64_t correlation = 0;

  uint64_t time() const { return end > start ? end - start : 0; }
};

struct OpenRange {
  int64_t name = 0;
  uint64_t end = 0;
  uint64_t kernels = 0;
  uint64_t copies = 0;
  uint64_t kernel_time = 0;
  uint64_t copy_time = 0;
  uint64_t first = UINT64_MAX;
  uint64_t last = 0;
};

class RangeTotals {
 public:
  void Open(const query::MarkerRow& row) {
    std::vector<OpenRange>& open = OfThread(row.process, row.is_start_stop ? 0 : row.tid);
    CloseUntil(row.start, &open);
    open.push_back({.name = row.name, .end = row.end});
  }
  void Add(const Projected& work) {
    for (const uint32_t tid : {uint32_t{0}, work.tid}) {
      std::vector<OpenRange>& open = OfThread(work.process, tid);
      CloseUntil(work.submit, &open);
      for (OpenRange& range : open) AddTo(&range, work);
      if (work.tid == 0) break;
    }
  }
  Status Finish(query::TraceReader& trace, std::vector<RangeWork>* out) {
    for (auto& [thread, open] : open_) CloseUntil(UINT64_MAX, &open);
    for (auto& [name, entry] : by_name_) {
      auto& [range, sketch] = entry;
      static_cast<Durations&>(range) = sketch.Sums();
      range.ranges = sketch.count();
      RTL_TRY(trace.Text(name, &range.name));
      out->push_back(std::move(range));
    }
    SortByTotal(out);
    return Status::Ok();
  }

 private:
  // Start/stop ranges of a process are kept under thread 0.
  std::vector<OpenRange>& OfThread(int64_t process, uint32_t tid) { return open_[{process, tid}]; }

  static void AddTo(OpenRange* range, const Projected& work) {
    ++(work.is_copy ? range->copies : range->kernels);
    (work.is_copy ? range->copy_time : range->kernel_time) += work.time();
    range->first = std::min(range->first, work.start);
    range->last = std::max(range->last, work.end);
  }
  void CloseUntil(uint64_t time, std::vector<OpenRange>* open) {
    std::erase_if(*open, [&](const OpenRange& range) {
      if (range.end > time) return false;
      Close(range);
      return true;
    });
  }
  void Close(const OpenRange& range) {
    if (range.kernels + range.copies == 0) return;
    auto& [totals, sketch] = by_name_[range.name];
    totals.kernels += range.kernels;
    totals.copies += range.copies;
    totals.kernel_time += range.kernel_time;
    totals.copy_time += range.copy_time;
    sketch.Add(range.last > range.first ? range.last - range.first : 0);
  }

  std::map<std::pair<int64_t, uint32_t>, std::vector<OpenRange>> open_;
  std::unordered_map<int64_t, std::pair<RangeWork, QuantileSketch>> by_name_;
};

// Finds the HIP stream that a handle meant at a given time. HIP reuses handles.
class StreamNumbers {
 public:
  Status Load(query::TraceReader& trace) {
    std::vector<query::Stream> streams;
    RTL_TRY(trace.tables().Streams(&streams));
    for (query::Stream& stream : streams)
      by_handle_[{stream.process, stream.handle}].push_back(std::move(stream));
    return Status::Ok();
  }
  // Null: the trace has no such stream.
  const query::Stream* Find(int64_t process, const query::StreamUse& use) const {
    const auto found = by_handle_.find({process, use.handle});
    if (found == by_handle_.end()) return nullptr;
    for (const query::Stream& stream : found->second) {
      const bool lives = stream.destroyed == 0 || use.time <= stream.destroyed;
      if (stream.created <= use.time && lives) return &stream;
    }
    return nullptr;
  }

 private:
  std::map<std::pair<int64_t, uint64_t>, std::vector<query::Stream>> by_handle_;
};

class StreamTotals {
 public:
  Status Load(query::TraceReader& trace) { return numbers_.Load(trace); }

  Status Add(query::TraceReader& trace, const Projected& work) {
    const query::Stream* stream = nullptr;
    if (work.correlation != 0) RTL_TRY(Find(trace, work, &stream));
    const int64_t number = stream == nullptr ? -1 : static_cast<int64_t>(stream->stream);
    StreamWork& totals = streams_[{work.process, work.gpu, number}];
    if (totals.kernels + totals.copies == 0) {
      totals.pid = work.pid;
      totals.gpu = work.gpu;
      totals.stream = number;
      if (stream != nullptr) totals.name = stream->name;
      totals.first = work.start;
    }
    ++(work.is_copy ? totals.copies : totals.kernels);
    (work.is_copy ? totals.copy_time : totals.kernel_time) += work.time();
    totals.first = std::min(totals.first, work.start);
    totals.last = std::max(totals.last, work.end);
    has_streams_ = has_streams_ || stream != nullptr;
    return Status::Ok();
  }
  void Finish(std::vector<StreamWork>* out) {
    if (!has_streams_) return;
    for (auto& [key, totals] : streams_) out->push_back(std::move(totals));
  }

 private:
  // Rows of one call follow each other, so one look-up serves them all.
  Status Find(query::TraceReader& trace, const Projected& work, const query::Stream** out) {
    if (work.process != process_ || work.correlation != correlation_) {
      query::StreamUse use;
      bool found = false;
      RTL_TRY(trace.calls().StreamOf(work.process, work.correlation, &use, &found));
      process_ = work.process;
      correlation_ = work.correlation;
      stream_ = found ? numbers_.Find(work.process, use) : nullptr;
    }
    *out = stream_;
    return Status::Ok();
  }

  StreamNumbers numbers_;
  int64_t process_ = 0;       // process of the last looked-up call
  uint64_t correlation_ = 0;  // correlation id of that call
  const query::Stream* stream_ = nullptr;
  std::map<std::tuple<int64_t, int32_t, int64_t>, StreamWork> streams_;
  bool has_streams_ = false;
};

// A node is identified by its kernel's name and its number among the nodes of that name in a
// launch. The position in the launch would not do: it changes when another node is disabled.
class NodeTotals {
 public:
  // Rows come in the order of submission, which is the order of the nodes.
  void Add(const query::KernelRow& row) {
    if (row.graph == 0) return;
    Graph& graph = graphs_[row.graph];
    if (graph.number == 0) graph.number = graphs_.size();
    if (graph.launch != row.graph_launch || row.graph_node == 0) EndLaunch(&graph);
    graph.launch = row.graph_launch;
    const Key key = {row.name, graph.equals[row.name]++};
    graph.order.emplace_back(row.graph_node, key);
    GraphNode& node = graph.nodes[key].work;
    const uint64_t time = row.end > row.start ? row.end - row.start : 0;
    node.min = node.launches == 0 ? time : std::min(node.min, time);
    node.max = std::max(node.max, time);
    node.total += time;
    ++node.launches;
    if (graph.ended != 0 && row.start > graph.ended) node.wait += row.start - graph.ended;
    graph.ended = std::max(graph.ended, row.end);
  }
  Status Finish(query::TraceReader& trace, std::vector<GraphNode>* out) {
    for (auto& [id, graph] : graphs_) {
      EndLaunch(&graph);
      std::vector<std::pair<uint32_t, Key>> in_order;
      for (const auto& [key, node] : graph.nodes) in_order.emplace_back(node.position, key);
      std::sort(in_order.begin(), in_order.end());
      uint32_t next = 0;
      for (const auto& [position, key] : in_order) {
        GraphNode& node = graph.nodes[key].work;
        RTL_TRY(trace.Text(key.first, &node.kernel));
        node.graph = graph.number;
        node.node = std::max(position, next);
        next = node.node + 1;
        out->push_back(std::move(node));
      }
    }
    std::sort(out->begin(), out->end(), [](const GraphNode& a, const GraphNode& b) {
      return std::tie(b.total, a.graph, a.node) < std::tie(a.total, b.graph, b.node);
    });
    return Status::Ok();
  }

 private:
  using Key = std::pair<int64_t, uint32_t>;  // name of the kernel, number among nodes of that name
  struct Node {
    GraphNode work;
    uint32_t position = 0;  // in the longest launch that has the node
    size_t of = 0;          // number of nodes in that launch
  };
  struct Graph {
    uint64_t number = 0;
    uint32_t launch = 0;
    uint64_t ended = 0;  // when all nodes of the launch so far had ended; 0: no node yet
    std::map<Key, Node> nodes;
    // The nodes of the current launch.
    std::vector<std::pair<uint32_t, Key>> order;  // by position
    std::unordered_map<int64_t, uint32_t> equals;
  };

  static void EndLaunch(Graph* graph) {
    for (const auto& [position, key] : graph->order) {
      Node& node = graph->nodes[key];
      if (node.of >= graph->order.size()) continue;
      node.position = position;
      node.of = graph->order.size();
    }
    graph->order.clear();
    graph->equals.clear();
    graph->ended = 0;
  }

  std::map<int64_t, Graph> graphs_;
};

class Projector {
 public:
  explicit Projector(query::TraceReader& trace) : trace_(trace) {}

  Status Run(Projection* out) {
    RTL_TRY(streams_.Load(trace_));
    RTL_TRY(trace_.KernelsBySubmit(&kernels_));
    RTL_TRY(trace_.CopiesBySubmit(&copies_));
    RTL_TRY(trace_.MarkersByStart(&markers_));
    RTL_TRY(kernels_.Next(&kernel_, &has_kernel_));
    RTL_TRY(copies_.Next(&copy_, &has_copy_));
    RTL_TRY(markers_.Next(&marker_, &has_marker_));
    while (has_kernel_ || has_copy_) RTL_TRY(AddNext());
    RTL_TRY(ranges_.Finish(trace_, &out->ranges));
    streams_.Finish(&out->streams);
    out->unsubmitted = unsubmitted_;
    return nodes_.Finish(trace_, &out->nodes);
  }

 private:
  template <typename Row>
  static uint64_t TimeOf(const Row& row) {  // the key by which the cursors sort
    return row.submit > 0 && row.submit < row.start ? row.submit : row.start;
  }

  Status AddNext() {
    const bool is_copy = has_copy_ && (!has_kernel_ || TimeOf(copy_) < TimeOf(kernel_));
    Projected work;
    if (is_copy) {
      const int32_t gpu = copy_.dst_gpu >= 0 ? copy_.dst_gpu : copy_.src_gpu;
      work = {copy_.process, copy_.pid, copy_.tid,        gpu, true, copy_.submit,
              copy_.start,   copy_.end, copy_.correlation};
    } else {
      work = {kernel_.process, kernel_.pid,   kernel_.tid, kernel_.gpu,        false,
              kernel_.submit,  kernel_.start, kernel_.end, kernel_.correlation};
      nodes_.Add(kernel_);
    }
    RTL_TRY(ReadUntil(is_copy ? TimeOf(copy_) : TimeOf(kernel_)));
    if (work.submit == 0) {
      ++unsubmitted_;
    } else {
      ranges_.Add(work);
    }
    RTL_TRY(streams_.Add(trace_, work));
    return is_copy ? copies_.Next(&copy_, &has_copy_) : kernels_.Next(&kernel_, &has_kernel_);
  }

  Status ReadUntil(uint64_t time) {
    while (has_marker_ && marker_.start <= time) {
      if (!marker_.is_mark) ranges_.Open(marker_);
      RTL_TRY(markers_.Next(&marker_, &has_marker_));
    }
    return Status::Ok();
  }

  query::TraceReader& trace_;
  RangeTotals ranges_;
  StreamTotals streams_;
  NodeTotals nodes_;
  uint64_t unsubmitted_ = 0;
  query::KernelCursor kernels_;
  query::KernelRow kernel_;
  bool has_kernel_ = false;
  query::CopyCursor copies_;
  query::CopyRow copy_;
  bool has_copy_ = false;
  query::MarkerCursor markers_;
  query::MarkerRow marker_;
  bool has_marker_ = false;
};

}  // namespace

Status ProjectWork(query::TraceReader& trace, Projection* out) {
  *out = {};
  bool has_events = false;  // whether the trace has any, selected or not
  for (const EventKind kind : {EventKind::kMarker, EventKind::kHipCall}) {
    const std::string tag = std::string("recorded.") + EventKindName(kind);
    has_events = has_events || trace.version().Number(tag) != 0;
  }
  return has_events ? Projector(trace).Run(out) : Status::Ok();
}

}  // namespace rtl::analysis
