// SPDX-License-Identifier: MIT
#include "cli/info/in_flight_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <span>

#include "analysis/text.h"
#include "cli/base/report_json.h"
#include "cli/base/table.h"

namespace rtl::cli {
namespace {

using analysis::Duration;
using analysis::Grouped;
using query::InFlightRow;

constexpr size_t kMostOfCell = 64;  // characters in a column other than the last
// By InFlightRow::State: texts for living processes, and for those that have ended.
struct StateText {
  const char* name;
  const char* alive;
  const char* ended;
};
constexpr StateText kStates[] = {
    {"first", "nothing before it on its queue holds it up: it runs, or is the next to run",
     "nothing before it on its queue held it up: it ran, or was the next to run"},
    {"waits", "for kernels before it, or for the named barrier packet",
     "for kernels before it, when the tracer last looked"},
    {"unknown", "a barrier packet may hold it up",
     "what was before it may have ended or been passed, so it waited or ran"},
    {"ended", "the GPU has completed it, and the tracer has not recorded it yet", ""},
};
const StateText& TextOf(InFlightRow::State state) { return kStates[static_cast<size_t>(state)]; }

// Explains the states, if there is any other than "first".
std::string Legend(std::span<const InFlightRow> rows) {
  bool used[std::size(kStates)] = {};
  for (const InFlightRow& row : rows) used[static_cast<size_t>(row.state)] = true;
  std::string text;
  for (size_t i = 0; i < std::size(kStates); ++i) {
    if (!used[i]) continue;
    text += fmt::format("{}{}: {}", text.empty() ? "  " : "\n  ", kStates[i].name,
                        rows.front().alive ? kStates[i].alive : kStates[i].ended);
  }
  const auto is_first = [](const InFlightRow& row) {
    return row.state == InFlightRow::State::kFirst;
  };
  return std::all_of(rows.begin(), rows.end(), is_first) ? "" : text + "\n";
}

std::string Sizes(const uint32_t sizes[3]) {
  return fmt::format("{}x{}x{}", sizes[0], sizes[1], sizes[2]);
}

// Text for hsa_amd_memory_fault_reason_t.
std::string ReasonText(uint32_t reason) {
  static constexpr std::pair<uint32_t, const char*> kReasons[] = {
      {1 << 0, "no page there"},
      {1 << 1, "read-only"},
      {1 << 2, "not executable"},
      {1 << 3, "only for the host"},
      {1 << 4, "an ECC error of its memory"},
      {1 << 5, "the address is imprecise"},
      {1 << 6, "an ECC error inside the GPU"},
      {1u << 31, "the GPU hung"}};
  std::string text;
  for (const auto& [bit, why] : kReasons) {
    if ((reason & bit) != 0) text += (text.empty() ? "" : ", ") + std::string(why);
  }
  return text.empty() ? "the runtime gives no reason" : text;
}

uint64_t AgeOf(const InFlightRow& row) {
  return row.until > row.submitted ? row.until - row.submitted : 0;
}

// "process 1234: 3 kernels were in flight when it ended; ..."
std::string Headline(const InFlightRow& first, size_t kernels, size_t barriers) {
  std::string what;
  if (kernels != 0) what = Counted(kernels, "kernel");
  if (barriers != 0) what += (what.empty() ? "" : " and ") + Counted(barriers, "barrier packet");
  const bool one = kernels + barriers == 1;
  if (first.alive)
    return fmt::format("process {}: {} {} in flight\n", first.pid, what, one ? "is" : "are");
  std::string text = fmt::format("process {}: {} {} in flight when it ended", first.pid, what,
                                 one ? "was" : "were");
  if (first.looked == 0) return text + "; some of them may have ended unseen\n";
  const uint64_t since = first.until > first.looked ? first.until - first.looked : 0;
  if (since != 0)
    text += "; kernels that ended in its last " + Duration(since) + " may be among them";
  return text + "\n";
}

// The table of one process.
std::string TableOf(std::span<const InFlightRow> process, size_t rows, size_t width,
                    const std::string& all) {
  const auto barriers = static_cast<size_t>(std::count_if(
      process.begin(), process.end(), [](const InFlightRow& row) { return row.is_barrier; }));
  Table table({{"GPU"},
               {"queue"},
               {"state", Align::kLeft},
               {"for"},
               Right("packet", 5),
               Right("stream", 2),
               Right("grid", 4),
               Right("workgroup", 6),
               {"call", Align::kLeft, Shorten::kMiddle, 1},
               {"range", Align::kLeft, Shorten::kMiddle, 3},
               {"kernel", Align::kLeft, Shorten::kFunction}});
  const auto shown = FirstRows(rows, process);
  for (const InFlightRow& row : shown) {
    table.AddRow({std::to_string(row.gpu), std::to_string(row.queue), TextOf(row.state).name,
                  Duration(AgeOf(row)), std::to_string(row.packet),
                  row.stream < 0 ? "-" : std::to_string(row.stream),
                  row.is_barrier ? "-" : Sizes(row.grid),
                  row.is_barrier ? "-" : Sizes(row.workgroup),
                  row.call.empty() ? "-" : ShortenMiddle(Printable(row.call), kMostOfCell),
                  row.range.empty() ? "-" : ShortenMiddle(Printable(row.range), kMostOfCell),
                  Printable(row.name)});
  }
  std::string text = Headline(process.front(), process.size() - barriers, barriers) +
                     table.Render(width) + MoreRows(rows, process.size(), all);
  std::string before;
  for (const InFlightRow& row : process) {
    if (row.behind.empty() || row.behind == before) continue;
    before = row.behind;
    text += fmt::format("  queue {}: {}\n", row.queue, Shown(before));
  }
  return text + Legend(shown);
}

}  // namespace

std::string InFlightAsText(const std::vector<InFlightRow>& kernels, size_t rows, size_t width,
                           const std::string& all) {
  std::string text;
  for (auto begin = kernels.begin(); begin != kernels.end();) {
    const auto end = std::find_if(begin, kernels.end(), [&](const InFlightRow& row) {
      return row.process != begin->process;
    });
    text += TableOf(std::span(begin, end), rows, width, all);
    begin = end;
  }
  return text;
}

std::string FaultsAsText(const std::vector<query::FaultRow>& faults,
                         const query::RequestedEvents& requested) {
  const bool advise =
      requested.ToAdvise(EventKind::kAllocation) && requested.ToAdvise(EventKind::kHipCall);
  std::string text;
  for (const query::FaultRow& fault : faults) {
    text += fmt::format("process {}: {} made an invalid access to {:#x}: {}\n", fault.pid,
                        fault.gpu < 0 ? "a GPU" : fmt::format("GPU {}", fault.gpu), fault.address,
                        ReasonText(fault.reason));
    if (fault.near == 0) {
      text += advise ? "  no allocation is known (--events memory or --mode hip records them)\n"
                     : "  no allocation is known\n";
      continue;
    }
    const uint64_t end = fault.near + fault.near_bytes;
    const bool inside = fault.address >= fault.near && fault.address < end;
    const bool before = fault.address < fault.near;
    text += fmt::format(
        "  {}: {:#x} to {:#x}, {} bytes{}\n",
        inside ? "inside an allocation"
               : fmt::format("the nearest allocation {} {} bytes {}", before ? "begins" : "ended",
                             Grouped(before ? fault.near - fault.address : fault.address - end),
                             before ? "after it" : "before it"),
        fault.near, end, Grouped(fault.near_bytes),
        fault.near_freed ? ", freed before the fault" : "");
  }
  return text;
}

std::string InFlightAsJson(const std::string& file, const std::vector<InFlightRow>& kernels,
                           const std::vector<query::FaultRow>& faults) {
  return JsonDocument([&](JsonWriter* json) {
    JsonText(json, "trace", file);
    JsonRows(json, "in_flight", kernels, 0, [&](const InFlightRow& row) {
      JsonText(json, "name", row.name);
      JsonText(json, "kind", row.is_barrier ? "barrier" : "kernel");
      JsonText(json, "state", TextOf(row.state).name);
      JsonNumber(json, "alive", row.alive);
      JsonNumber(json, "pid", row.pid);
      JsonNumber(json, "tid", row.tid);
      JsonNumber(json, "gpu", static_cast<uint64_t>(row.gpu));
      JsonNumber(json, "queue", row.queue);
      JsonNumber(json, "packet", row.packet);
      JsonNumber(json, "submitted", row.submitted);
      JsonNumber(json, "looked", row.looked);
      JsonNumber(json, "for_ns", AgeOf(row));
      for (const auto& [key, sizes] : {std::pair{"grid", row.grid}, {"workgroup", row.workgroup}}) {
        json->Key(key);
        json->StartArray();
        for (int axis = 0; axis < 3; ++axis) json->Uint(sizes[axis]);
        json->EndArray();
      }
      if (row.stream >= 0) JsonNumber(json, "stream", static_cast<uint64_t>(row.stream));
      if (!row.call.empty()) JsonText(json, "call", row.call);
      if (!row.range.empty()) JsonText(json, "range", row.range);
      if (!row.behind.empty()) JsonText(json, "behind", row.behind);
    });
    JsonRows(json, "faults", faults, 0, [&](const query::FaultRow& fault) {
      JsonNumber(json, "pid", fault.pid);
      if (fault.gpu >= 0) JsonNumber(json, "gpu", static_cast<uint64_t>(fault.gpu));
      JsonNumber(json, "time", fault.time);
      JsonNumber(json, "address", fault.address);
      JsonText(json, "reason", ReasonText(fault.reason));
      if (fault.near != 0) {
        JsonNumber(json, "near", fault.near);
        JsonNumber(json, "near_bytes", fault.near_bytes);
        JsonNumber(json, "near_freed", fault.near_freed);
      }
    });
  });
}

}  // namespace rtl::cli
