// SPDX-License-Identifier: MIT
// Library: attaches tools to this running process, at the request of rocattach_attach in another
// process, and detaches them again.
//
//   first      the runtime's tables are found in memory, and tools are loaded, configured and
//              initialised
//   attached   `tool_attach`, or else the contexts start that the last detachment has stopped
//   detached   contexts stop, kernels in flight may end, buffers are delivered; `tool_detach`.
//              Nothing is recorded until the next attachment
//
// The program did not request the tool, so its environment is not changed. As with every tool, a
// line on its standard error names calls that cannot be seen. If tools are refused, the calling
// process gets the reason.
#include "base/clock.h"
#include "capture/hsa/hsa_memory.h"
#include "sdk/library.h"

namespace rtl::sdk {

Status Library::Attach(const char* libraries) {
  if (attaching_.exchange(true, std::memory_order_acq_rel))
    return Status::Error("another process is attaching to it");
  const Status joined = Join(libraries);
  const Status attached = joined.ok() ? AttachTools() : joined;
  attaching_.store(false, std::memory_order_release);
  return attached;
}

Status Library::Join(const char* libraries) {
  if (capture::Session::LateTraceIsOpen())
    return Status::Error("`rtl trace --pid` traces it now; end that first");
  if (forked_.load(std::memory_order_relaxed))
    return Status::Error("it is the child of a process with this library, which serves no child");
  if (fini_status() != 0) return Status::Error("its tools are finalized");
  for (uint32_t i = 0; i < clients_.count(); ++i) {
    // The order matters: a thread that detaches a tool counts as inside before the tool counts as
    // not attached.
    if (clients_.attached(i) || clients_.inside(i) != 0)
      return Status::Error("tools are attached to it already");
  }
  if (init_status() != 0) {
    RTL_TRY(clients_.CheckKnown(libraries));
  } else {
    if (const capture::HsaPresence presence = capture::FindHsa();
        presence != capture::HsaPresence::kRuns)
      return Status::Error("it has used no GPU yet: %s", capture::WhyIdle(presence));
    void* root = nullptr;
    if (const Status found = FindHsaRoot(&root); !found.ok())
      return Status::Error("%s; start it with the tool in ROCP_TOOL_LIBRARIES", found.message());
    RTL_TRY(clients_.AddAttached(libraries));
    from_outside_.store(true, std::memory_order_release);
    if (!Initialize(nullptr)) return Status::Error("no tool takes part: each has declined");
    TakeKept();
    sources_.hip->OpenForLateTools();
    if (!hsa_met_.load(std::memory_order_acquire)) (void)JoinHsa(root);
  }
  if (init_status() != 1) return Status::Error("its tools are being initialised; try again");
  if (HearsRuntime()) return Status::Ok();
  return Status::Error(
      "its runtime cannot be joined, and a line of that process says why; start it with the tool "
      "in "
      "ROCP_TOOL_LIBRARIES");
}

Status Library::AttachTools() {
  const uint64_t stopped = stopped_.exchange(0, std::memory_order_acq_rel);
  bool any = false;
  for (uint32_t index = 0; index < clients_.count(); ++index) {
    if (!clients_.alive(index)) continue;
    rocprofiler_context_id_t own[Contexts::kMost];
    uint64_t count = 0;
    for (uint32_t i = 0; i < contexts().count(); ++i) {
      const Context& context = contexts().at(i);
      if (context.client != index) continue;
      own[count++] = context.id;
      // The context was started before, so it can be started again.
      if ((stopped >> i & 1) != 0 && !clients_.has_attach(index)) (void)Start(context.id);
    }
    if (const int answer = clients_.Attach(index, DetachClient, own, count); answer != 0) {
      (void)Detach();  // detaches the tools that were attached before this one
      return Status::Error("a tool refuses: its tool_attach returned %d", answer);
    }
    any = true;
  }
  return any ? Status::Ok()
             : Status::Error("no tool takes part: each failed to initialise, or has ended");
}

rocprofiler_status_t Library::Detach() {
  if (clients_.count() == 0 || init_status() != 1) return ROCPROFILER_STATUS_ERROR_NOT_AVAILABLE;
  bool any = false;
  for (uint32_t i = 0; i < clients_.count(); ++i) any |= DetachTool(i);
  return any ? ROCPROFILER_STATUS_SUCCESS : ROCPROFILER_STATUS_ERROR_NOT_IMPLEMENTED;
}

// Waits for kernels in flight, so that the tool gets the kernels of its contexts before
// `tool_detach`. Long kernels are not awaited to their end.
void Library::AwaitInFlight() {
  (void)WaitUntil(kCallersLimitMs, [this] { return InFlight() == 0; });
  BringHome();
}

// False if the tool is not attached, or if another thread is detaching it.
bool Library::DetachTool(uint32_t index) {
  if (forked_.load(std::memory_order_relaxed) || !clients_.BeginDetach(index)) return false;
  for (uint32_t i = 0; i < contexts().count(); ++i) {
    const Context& context = contexts().at(i);
    if (context.client != index || !context.active()) continue;
    stopped_.fetch_or(uint64_t{1} << i, std::memory_order_acq_rel);
    (void)Stop(context.id);  // the tool may stop the context at the same time
  }
  AwaitInFlight();
  if (fini_status() == 0) DeliverTo(index);
  clients_.EndDetach(index);
  return true;
}

void Library::DetachClient(rocprofiler_client_id_t client) {
  Library* const self = Get();
  const uint32_t index = self->clients_.IndexOf(client.handle);
  if (index != self->clients_.count()) (void)self->DetachTool(index);
}

}  // namespace rtl::sdk
