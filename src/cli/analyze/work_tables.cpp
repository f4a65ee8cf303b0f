// SPDX-License-Identifier: MIT
#include "cli/analyze/work_tables.h"

#include <fmt/format.h>

#include "analysis/text.h"
#include "cli/base/table.h"

namespace rtl::cli {
namespace {

using analysis::Duration;
using analysis::GraphNode;
using analysis::Grouped;
using analysis::Projection;
using analysis::RangeWork;
using analysis::StreamWork;

std::string MoreRows(size_t shown, size_t all) {
  return shown >= all ? "" : "  ... and " + Grouped(all - shown) + " more (-n 0 prints all)\n";
}

std::string StreamTitle(const StreamWork& stream, bool with_pid) {
  std::string text = stream.gpu >= 0 ? fmt::format("GPU {}, ", stream.gpu) : "host, ";
  text += stream.stream >= 0 ? fmt::format("stream {}", stream.stream) : "no stream is known";
  if (!stream.name.empty()) text += " (" + Shown(stream.name) + ")";
  return with_pid ? text + fmt::format(", process {}", stream.pid) : text;
}

std::string RangeTable(const Projection& projection, size_t rows, size_t width) {
  Table table({Right("ranges", 2),
               Right("kernels", 1),
               Right("copies", 6),
               Right("kernel time", 3),
               {"on the GPU"},
               Right("average", 5),
               Right("median", 7),
               Right("max", 4),
               {"range", Align::kLeft}});
  const size_t shown = RowsToShow(rows, projection.ranges.size());
  for (size_t i = 0; i < shown; ++i) {
    const RangeWork& range = projection.ranges[i];
    table.AddRow({Grouped(range.ranges), Grouped(range.kernels), Grouped(range.copies),
                  Duration(range.kernel_time), Duration(range.total), Duration(range.average()),
                  Duration(range.median), Duration(range.max), Printable(range.name)});
  }
  return "\nRanges on the GPU: from the first start to the last end of the work that each "
         "submitted\n\n" +
         table.Render(width) + MoreRows(shown, projection.ranges.size());
}

std::string StreamTable(const Projection& projection, size_t rows, size_t width) {
  bool several = false;
  for (const StreamWork& stream : projection.streams)
    several = several || stream.pid != projection.streams.front().pid;
  Table table({Right("kernels", 0),
               {"kernel time"},
               Right("copies", 1),
               Right("copy time", 2),
               Right("first to last", 3),
               {"stream", Align::kLeft}});
  const size_t shown = RowsToShow(rows, projection.streams.size());
  for (size_t i = 0; i < shown; ++i) {
    const StreamWork& stream = projection.streams[i];
    table.AddRow({Grouped(stream.kernels), Duration(stream.kernel_time), Grouped(stream.copies),
                  Duration(stream.copy_time), Duration(stream.last - stream.first),
                  StreamTitle(stream, several)});
  }
  return "\nHIP streams\n\n" + table.Render(width) + MoreRows(shown, projection.streams.size());
}

std::string NodeTable(const Projection& projection, size_t rows, size_t width) {
  Table table({Right("graph", 0),
               Right("node", 0),
               Right("launches", 3),
               {"total"},
               Right("average", 1),
               Right("min", 5),
               Right("max", 4),
               Right("waited", 2),
               {"kernel", Align::kLeft, Shorten::kFunction}});
  const size_t shown = RowsToShow(rows, projection.nodes.size());
  for (size_t i = 0; i < shown; ++i) {
    const GraphNode& node = projection.nodes[i];
    table.AddRow({std::to_string(node.graph), std::to_string(node.node), Grouped(node.launches),
                  Duration(node.total), Duration(node.average()), Duration(node.min),
                  Duration(node.max), Duration(node.wait), Printable(node.kernel)});
  }
  return "\nNodes of HIP graphs (waited: since the nodes before it had ended, in total)\n\n" +
         table.Render(width) + MoreRows(shown, projection.nodes.size());
}

void AddRanges(const Projection& projection, size_t rows, JsonWriter* json) {
  JsonRows(json, "ranges", projection.ranges, rows, [&](const RangeWork& range) {
    JsonText(json, "name", range.name);
    JsonNumber(json, "ranges", range.ranges);
    JsonNumber(json, "kernels", range.kernels);
    JsonNumber(json, "copies", range.copies);
    JsonNumber(json, "kernel_ns", range.kernel_time);
    JsonNumber(json, "copy_ns", range.copy_time);
    JsonNumber(json, "total_ns", range.total);
    JsonNumber(json, "average_ns", range.average());
    JsonNumber(json, "median_ns", range.median);
    JsonNumber(json, "min_ns", range.min);
    JsonNumber(json, "max_ns", range.max);
  });
}

void AddStreams(const Projection& projection, size_t rows, JsonWriter* json) {
  JsonRows(json, "streams", projection.streams, rows, [&](const StreamWork& stream) {
    JsonNumber(json, "pid", stream.pid);
    json->Key("gpu");
    json->Int(stream.gpu);
    json->Key("stream");
    json->Int64(stream.stream);
    JsonText(json, "name", stream.name);
    JsonNumber(json, "kernels", stream.kernels);
    JsonNumber(json, "kernel_ns", stream.kernel_time);
    JsonNumber(json, "copies", stream.copies);
    JsonNumber(json, "copy_ns", stream.copy_time);
    JsonNumber(json, "first_ns", stream.first);
    JsonNumber(json, "last_ns", stream.last);
  });
}

void AddNodes(const Projection& projection, size_t rows, JsonWriter* json) {
  JsonRows(json, "graph_nodes", projection.nodes, rows, [&](const GraphNode& node) {
    JsonNumber(json, "graph", node.graph);
    JsonNumber(json, "node", node.node);
    JsonText(json, "kernel", node.kernel);
    JsonNumber(json, "launches", node.launches);
    JsonNumber(json, "total_ns", node.total);
    JsonNumber(json, "average_ns", node.average());
    JsonNumber(json, "min_ns", node.min);
    JsonNumber(json, "max_ns", node.max);
    JsonNumber(json, "wait_ns", node.wait);
  });
}

}  // namespace

std::string WorkTables(const Projection& projection, size_t rows, size_t width) {
  std::string text;
  if (!projection.ranges.empty()) text += RangeTable(projection, rows, width);
  if (!projection.ranges.empty() && projection.unsubmitted != 0) {
    text += "  in no range, because their time of submission is not known: " +
            Grouped(projection.unsubmitted) + "\n";
  }
  if (!projection.streams.empty()) text += StreamTable(projection, rows, width);
  if (!projection.nodes.empty()) text += NodeTable(projection, rows, width);
  return text;
}

void AddWork(const Projection& projection, size_t rows, JsonWriter* json) {
  AddRanges(projection, rows, json);
  AddStreams(projection, rows, json);
  AddNodes(projection, rows, json);
}

}  // namespace rtl::cli
