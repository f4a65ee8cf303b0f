// SPDX-License-Identifier: MIT
#include "trace/collect/spare_processor.h"

#include <fcntl.h>
#include <sched.h>
#include <stdlib.h>
#include <unistd.h>

#include <charconv>

#include "base/unique_fd.h"

namespace rtl::store {

bool ProcessorToSpare(std::string_view loadavg, int processors) {
  const size_t slash = loadavg.find('/');
  if (slash == std::string_view::npos) return true;
  const std::string_view before = loadavg.substr(0, slash);
  const size_t space = before.rfind(' ');
  const std::string_view number = before.substr(space == std::string_view::npos ? 0 : space + 1);
  int running = 0;
  if (std::from_chars(number.data(), number.data() + number.size(), running).ec != std::errc()) {
    return true;
  }
  return running - 1 < processors;
}

bool ProcessorToSpare() {
  cpu_set_t ours;
  if (sched_getaffinity(0, sizeof(ours), &ours) != 0) return true;
  const UniqueFd file(open("/proc/loadavg", O_RDONLY | O_CLOEXEC));
  char text[128];
  const ssize_t length = file.valid() ? read(file.get(), text, sizeof(text)) : -1;
  if (length <= 0) return true;
  return ProcessorToSpare({text, static_cast<size_t>(length)}, CPU_COUNT(&ours));
}

}  // namespace rtl::store
