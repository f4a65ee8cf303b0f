// SPDX-License-Identifier: MIT
#include "vgpu/run/report.h"

#include <fcntl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstring>

#include "vgpu/config/config.h"
#include "vgpu/config/log.h"
#include "vgpu/kfd/device_files.h"
#include "vgpu/kfd/driver.h"

namespace vgpu {
namespace {

constexpr mode_t kReportMode = 0644;
constexpr size_t kMaxCommand = 512;

void AppendEscaped(const std::string& text, std::string* out) {
  for (const char c : text) {
    if (c == '"' || c == '\\') {
      *out += '\\';
      *out += c;
    } else if (static_cast<unsigned char>(c) < 0x20) {
      char escape[8];
      std::snprintf(escape, sizeof(escape), "\\u%04x", c);
      *out += escape;
    } else {
      *out += c;
    }
  }
}

// The command line, its words separated by blanks.
std::string ReadCommand() {
  char text[kMaxCommand];
  const int fd =
      static_cast<int>(syscall(SYS_openat, AT_FDCWD, "/proc/self/cmdline", O_RDONLY | O_CLOEXEC));
  if (fd < 0) return "";
  const auto bytes = syscall(SYS_read, fd, text, sizeof(text));
  syscall(SYS_close, fd);
  std::string command(text, bytes > 0 ? bytes : 0);
  while (!command.empty() && command.back() == '\0') command.pop_back();
  for (char& c : command) {
    if (c == '\0') c = ' ';
  }
  return command;
}

ProcessCounts CountProcess(const Driver& driver) {
  const QueueCounts queues = driver.queues.Counts();
  const EventCounts events = driver.events.Counts();
  const MemoryCounts memory = driver.memory.Counts();
  const DeviceFileCounts files = CountDeviceFiles();
  const FaultInjector& injector = driver.faults_to_inject;
  return {
      driver.pid,
      ReadCommand(),
      {
          // What still exists when the process ends.
          {"queues", queues.queues},
          {"events", events.events},
          {"signal_events", events.signal_events},
          {"objects", memory.objects},
          {"mappings", memory.mappings},
          {"fds", files.open},
          // Totals over the life of the process.
          {"packets", queues.packets},
          {"dispatches", queues.dispatches},
          {"faults", driver.faults.load(std::memory_order_relaxed)},
          {"queues_created", queues.created},
          {"events_created", events.created},
          {"objects_created", memory.objects_created},
          {"mappings_created", memory.mappings_created},
          {"fds_opened", files.opened},
          {"driver_calls", injector.calls()},
          {"injected_stalls", injector.count(FaultKind::kStall)},
          {"injected_delays", injector.count(FaultKind::kDelay)},
          {"injected_queue_errors", injector.count(FaultKind::kQueueError)},
          {"injected_page_faults", injector.count(FaultKind::kPageFault)},
          {"injected_interrupt_delays", injector.count(FaultKind::kInterrupt)},
          {"injected_clock_jumps", injector.count(FaultKind::kClock)},
          {"injected_lost_completions", injector.count(FaultKind::kLost)},
          {"injected_missing_times", injector.count(FaultKind::kUntimed)},
          {"injected_late_doorbells", injector.count(FaultKind::kDoorbell)},
          {"injected_call_failures", injector.count(FaultKind::kCall)},
      },
  };
}

// 0 or an errno. One write, so that the lines of several processes do not mix.
int AppendLine(const std::string& path, const std::string& line) {
  const int fd = static_cast<int>(syscall(SYS_openat, AT_FDCWD, path.c_str(),
                                          O_CREAT | O_WRONLY | O_APPEND | O_CLOEXEC, kReportMode));
  if (fd < 0) return errno;
  const auto written = syscall(SYS_write, fd, line.data(), line.size());
  const int error = written < 0 ? errno : 0;
  syscall(SYS_close, fd);
  if (error != 0) return error;
  return static_cast<size_t>(written) == line.size() ? 0 : ENOSPC;
}

}  // namespace

std::string FormatReport(const ProcessCounts& counts) {
  std::string line = "{\"pid\":" + std::to_string(counts.pid) + ",\"command\":\"";
  AppendEscaped(counts.command, &line);
  line += '"';
  for (const auto& [name, value] : counts.numbers) {
    line += std::string(",\"") + name + "\":" + std::to_string(value);
  }
  line += "}\n";
  return line;
}

void WriteReport() {
  const std::string& path = GetConfig().report;
  Driver* driver = FindDriver();
  if (path.empty() || driver == nullptr || driver->pid != getpid()) return;
  if (driver->reported.exchange(true, std::memory_order_relaxed)) return;
  const int error = AppendLine(path, FormatReport(CountProcess(*driver)));
  if (error != 0) {
    Log(LogLevel::kError, "cannot write the report %s: %s", path.c_str(), std::strerror(error));
  }
}

}  // namespace vgpu
