// SPDX-License-Identifier: MIT
#include "cli/summary/launch_tables.h"

#include <fmt/format.h>

#include "analysis/text.h"
#include "cli/base/report_json.h"
#include "cli/base/table.h"

namespace rtl::cli {
namespace {

using analysis::Duration;
using analysis::Grouped;
using analysis::LaunchPhase;
using analysis::LaunchSummary;

std::string Known(const LaunchSummary& launch, uint64_t time) {
  return launch.has_submissions() ? Duration(time) : "-";
}

void JsonPhase(JsonWriter* json, const char* key, const LaunchPhase& phase) {
  JsonObject(json, key, [&] {
    JsonNumber(json, "median_ns", phase.median);
    JsonNumber(json, "p99_ns", phase.p99);
  });
}

}  // namespace

std::string LaunchesAsText(const std::string& file, const query::RequestedEvents& requested,
                           const std::vector<LaunchSummary>& launches, size_t rows, size_t width) {
  if (launches.empty()) {
    return Printable(file) + ": no kernel of this trace is linked to a call" +
           (requested.ToAdvise(EventKind::kHipCall) ? " (rtl trace --mode hip links them)\n"
                                                    : "\n");
  }
  uint64_t kernels = 0;
  uint64_t unsubmitted = 0;
  uint64_t impossible = 0;
  for (const LaunchSummary& launch : launches) {
    kernels += launch.kernels;
    unsubmitted += launch.unsubmitted;
    impossible += launch.impossible;
  }
  Table table({Right("kernels", 1),
               Right("launch p50", 4),
               Right("p99", 7),
               Right("queue p50", 3),
               Right("p99", 6),
               Right("start p50", 5),
               Right("p99", 9),
               {"run p50"},
               Right("p99", 8),
               Right("total", 2),
               {"kernel", Align::kLeft, Shorten::kFunction}});
  for (const LaunchSummary& launch : FirstRows(rows, launches)) {
    table.AddRow({Grouped(launch.kernels), Known(launch, launch.launch.median),
                  Known(launch, launch.launch.p99), Known(launch, launch.queue.median),
                  Known(launch, launch.queue.p99), Duration(launch.start.median),
                  Duration(launch.start.p99), Duration(launch.run.median), Duration(launch.run.p99),
                  Duration(launch.total), Printable(launch.name)});
  }
  std::string text = Printable(file) + ": " + Grouped(kernels) +
                     (kernels == 1 ? " kernel and its call;" : " kernels and their calls;") +
                     " launch: call to submission, queue: submission to "
                     "start (both: start), run: start to end\n\n" +
                     table.Render(width) + MoreRows(rows, launches.size());
  if (unsubmitted > 0) {
    text +=
        "without a time of submission (HIP's own profiler has none), so only start and run are "
        "known: " +
        Grouped(unsubmitted) + "\n";
  }
  if (impossible > 0) {
    text += "submitted before the call began, and left out: " + Grouped(impossible) + "\n";
  }
  return text;
}

std::string LaunchesAsCsv(const std::vector<LaunchSummary>& launches, size_t rows) {
  std::string text =
      "Name,Kernels,LaunchMedianNs,LaunchP99Ns,QueueMedianNs,QueueP99Ns,RunMedianNs,RunP99Ns,"
      "StartMedianNs,StartP99Ns,RunTotalNs\n";
  for (const LaunchSummary& launch : FirstRows(rows, launches)) {
    // These cells are empty if the time of submission is not known.
    const std::string submitted =
        launch.has_submissions()
            ? fmt::format("{},{},{},{}", launch.launch.median, launch.launch.p99,
                          launch.queue.median, launch.queue.p99)
            : ",,,";
    text += fmt::format("{},{},{},{},{},{},{},{}\n", CsvText(launch.name), launch.kernels,
                        submitted, launch.run.median, launch.run.p99, launch.start.median,
                        launch.start.p99, launch.total);
  }
  return text;
}

std::string LaunchesAsJson(const std::string& file, const std::vector<LaunchSummary>& launches,
                           size_t rows) {
  return JsonDocument([&](JsonWriter* json) {
    JsonText(json, "trace", file);
    JsonRows(json, "launches", launches, rows, [&](const LaunchSummary& launch) {
      JsonText(json, "name", launch.name);
      JsonNumber(json, "kernels", launch.kernels);
      JsonNumber(json, "unsubmitted", launch.unsubmitted);
      JsonNumber(json, "impossible", launch.impossible);
      JsonNumber(json, "early", launch.early);
      if (launch.has_submissions()) {
        JsonPhase(json, "launch", launch.launch);
        JsonPhase(json, "queue", launch.queue);
      }
      JsonPhase(json, "start", launch.start);
      JsonPhase(json, "run", launch.run);
      JsonNumber(json, "run_total_ns", launch.total);
    });
  });
}

}  // namespace rtl::cli
