// SPDX-License-Identifier: MIT
// Handles processes that had no room for files of their own (spool/overflow.h). Each has a row, and
// all its events are lost.
#include <string.h>
#include <sys/mman.h>

#include <algorithm>
#include <memory>

#include "spool/overflow.h"
#include "trace/collect/accounting.h"
#include "trace/collect/collector_impl.h"
#include "trace/collect/trace_metadata.h"

namespace rtl::store {
namespace {

struct Unmap {
  void operator()(const spool::OverflowPage* page) const {
    (void)munmap(const_cast<spool::OverflowPage*>(page), sizeof *page);  // cannot fail
  }
};

std::string TextOf(const char* text, size_t capacity) {
  return CleanText(std::string_view(text, strnlen(text, capacity)));
}

}  // namespace

Status Collector::Impl::AddOverflow() {
  const std::unique_ptr<const spool::OverflowPage, Unmap> page(
      spool::MapOverflow(spool_.path().c_str()));
  if (page == nullptr) return Status::Ok();
  const uint32_t taken = page->taken.load(std::memory_order_relaxed);
  for (size_t i = 0; i < std::min<size_t>(taken, spool::kOverflowPlaces); ++i) {
    const spool::OverflowPlace& place = page->places[i];
    // the process died before it was ready
    if (place.ready.load(std::memory_order_acquire) == 0) continue;
    RTL_TRY(AddOverflowed(place));
  }
  if (taken > spool::kOverflowPlaces) {
    Warn(std::to_string(taken - spool::kOverflowPlaces) +
         " more processes are not traced for want of room; their events count with process " +
         std::to_string(page->places[spool::kOverflowPlaces - 1].process.pid));
  }
  return Status::Ok();
}

Status Collector::Impl::AddOverflowed(const spool::OverflowPlace& place) {
  spool::ProcessInfo info = place.process;
  ProcessResult result;
  result.pid = info.pid;
  if (WritesOne()) result.output = options_.output;
  result.end = ProcessEnd::kFinished;
  result.ended = std::max(info.opened, ended_at_);
  Identify(info, &result);
  result.refusal = TextOf(place.why, sizeof place.why);
  for (size_t k = 0; k < kEventKindCount; ++k) {
    result.kinds[k].submitted = place.submitted[k].load(std::memory_order_relaxed);
    result.kinds[k].losses[static_cast<size_t>(Loss::kSpoolFull)] = result.kinds[k].submitted;
  }
  Warn("process " + std::to_string(result.pid) + " is not traced: " + result.refusal);
  if (WritesOne()) {
    size_t number = 0;
    writer_.AddProcess(info, &number);
    writer_.process(number).ending = ProcessEndName(result.end);
    RTL_TRY(writer_.EndProcess(number, info, result.ended, {}));
    const auto nothing = std::make_unique<spool::ControlPage>();
    RTL_TRY(WriteCounters(&writer_, number, *nothing, result));
  }
  overflowed_.push_back(std::move(result));
  return Status::Ok();
}

}  // namespace rtl::store
