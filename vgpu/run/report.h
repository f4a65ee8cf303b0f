// SPDX-License-Identifier: MIT
// report.h: what a process leaves behind when it ends, as one line of JSON (VGPU_REPORT).
//
// Threads    any; the line is written once per process, by the first caller
// Errors     one line on stderr
#pragma once

#include <cstdint>
#include <string>

namespace vgpu {

struct ProcessCounts {
  int pid = 0;
  std::string command;
  uint64_t queues = 0;  // alive when the process ended, as are the next five
  uint64_t events = 0;
  uint64_t signal_events = 0;
  uint64_t objects = 0;
  uint64_t mappings = 0;
  uint64_t fds = 0;
  uint64_t packets = 0;  // in all, as are the rest
  uint64_t dispatches = 0;
  uint64_t faults = 0;
  uint64_t queues_created = 0;
  uint64_t events_created = 0;
  uint64_t objects_created = 0;
  uint64_t mappings_created = 0;
  uint64_t fds_opened = 0;
  uint64_t driver_calls = 0;
  uint64_t injected_stalls = 0;  // of config/fault_plan.h, as are the rest
  uint64_t injected_delays = 0;
  uint64_t injected_queue_errors = 0;
  uint64_t injected_page_faults = 0;
  uint64_t injected_interrupt_delays = 0;
  uint64_t injected_clock_jumps = 0;
  uint64_t injected_lost_completions = 0;
  uint64_t injected_missing_times = 0;
  uint64_t injected_late_doorbells = 0;
  uint64_t injected_call_failures = 0;
};

// With the line end.
std::string FormatReport(const ProcessCounts& counts);

// Appends this process's line to the report, if there is a report and a device was opened. A child
// that shares its parent's memory (vfork) writes nothing.
void WriteReport();

}  // namespace vgpu
