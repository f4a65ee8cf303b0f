// SPDX-License-Identifier: MIT
#include "sdk/contexts.h"

#include "sdk/ids.h"

namespace rtl::sdk {
namespace {

// A packet's time may be read a little too early (base/fast_clock.h).
constexpr uint64_t kClockErrorNs = 500;

}  // namespace

bool Context::Start(uint64_t now) {
  const MutexLock lock(mutex_);
  if (active_.load(std::memory_order_relaxed)) return false;
  windows_[started_++ % kWindows] = {now - kClockErrorNs, 0};
  active_.store(true, std::memory_order_release);
  return true;
}

bool Context::Stop(uint64_t now) {
  const MutexLock lock(mutex_);
  if (!active_.load(std::memory_order_relaxed)) return false;
  windows_[(started_ - 1) % kWindows].end = now;
  active_.store(false, std::memory_order_release);
  return true;
}

Context::When Context::WasActive(uint64_t time) const {
  const MutexLock lock(mutex_);
  const uint64_t kept = started_ < kWindows ? started_ : kWindows;
  for (uint64_t back = 1; back <= kept; ++back) {
    const Window& window = windows_[(started_ - back) % kWindows];
    if (time < window.start) continue;
    return window.end == 0 || time < window.end ? When::kInside : When::kOutside;
  }
  return started_ > kWindows ? When::kForgotten : When::kOutside;
}

Context* Contexts::Create(uint32_t client) {
  const uint32_t index = count();
  if (index == kMost) return nullptr;
  Context& context = contexts_[index];
  context.id.handle = MakeHandle(HandleKind::kContext, index);
  context.client = client;
  count_.store(index + 1, std::memory_order_release);  // publishes the context to Find
  return &context;
}

Context* Contexts::Find(rocprofiler_context_id_t id) {
  const uint32_t all = count();
  const uint32_t index = IndexOf(HandleKind::kContext, id.handle, all);
  return index == all ? nullptr : &contexts_[index];
}

}  // namespace rtl::sdk
