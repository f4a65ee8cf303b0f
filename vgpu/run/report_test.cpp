// SPDX-License-Identifier: MIT
#include "vgpu/run/report.h"

#include <gtest/gtest.h>

namespace vgpu {
namespace {

TEST(Report, IsOneLineOfJson) {
  ProcessCounts counts;
  counts.pid = 12;
  counts.command = "app --x";
  counts.queues = 1;
  counts.events = 2;
  counts.signal_events = 3;
  counts.objects = 4;
  counts.mappings = 5;
  counts.fds = 6;
  counts.packets = 7;
  counts.dispatches = 8;
  counts.faults = 9;
  counts.queues_created = 10;
  counts.events_created = 11;
  counts.objects_created = 12;
  counts.mappings_created = 13;
  counts.fds_opened = 14;
  counts.driver_calls = 15;
  counts.injected_stalls = 16;
  counts.injected_delays = 17;
  counts.injected_queue_errors = 18;
  counts.injected_page_faults = 19;
  counts.injected_interrupt_delays = 20;
  counts.injected_clock_jumps = 21;
  counts.injected_lost_completions = 22;
  counts.injected_missing_times = 23;
  counts.injected_late_doorbells = 24;
  counts.injected_call_failures = 25;
  EXPECT_EQ(FormatReport(counts),
            "{\"pid\":12,\"command\":\"app --x\",\"queues\":1,\"events\":2,\"signal_events\":3,"
            "\"objects\":4,\"mappings\":5,\"fds\":6,\"packets\":7,\"dispatches\":8,\"faults\":9,"
            "\"queues_created\":10,\"events_created\":11,\"objects_created\":12,"
            "\"mappings_created\":13,\"fds_opened\":14,\"driver_calls\":15,\"injected_stalls\":16,"
            "\"injected_delays\":17,\"injected_queue_errors\":18,\"injected_page_faults\":19,"
            "\"injected_interrupt_delays\":20,\"injected_clock_jumps\":21,"
            "\"injected_lost_completions\":22,\"injected_missing_times\":23,"
            "\"injected_late_doorbells\":24,\"injected_call_failures\":25}\n");
}

TEST(Report, EscapesTheCommand) {
  ProcessCounts counts;
  counts.command = "say \"a\\b\"\n";
  const std::string line = FormatReport(counts);
  EXPECT_NE(line.find("\"command\":\"say \\\"a\\\\b\\\"\\u000a\""), std::string::npos) << line;
}

}  // namespace
}  // namespace vgpu
