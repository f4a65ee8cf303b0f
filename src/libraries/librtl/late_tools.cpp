// SPDX-License-Identifier: MIT
// The function that rocattach_attach calls in a process: attaches tools, and detaches them on
// request.
#include "capture/hsa/hsa_memory.h"
#include "libraries/librtl/late_request.h"
#include "sdk/library.h"

extern "C" int rtl_tools_late_tools(rtl::LateTraceRequest* request) {
  using rtl::LateTraceRequest;
  if (request->version != LateTraceRequest::kVersion) {
    rtl::Refuse(request, "another version of librocprofiler-sdk is loaded in it");
    return 1;
  }
  rtl::sdk::Library* const library = rtl::sdk::Library::Get();
  const rtl::Status attached = library == nullptr
                                   ? rtl::Status::Error("there is no memory for tools")
                                   : library->Attach(request->tools);
  if (!attached.ok()) {
    const bool idle = rtl::capture::FindHsa() != rtl::capture::HsaPresence::kRuns;
    rtl::Refuse(request, attached.message(),
                idle ? LateTraceRequest::State::kIdle : LateTraceRequest::State::kRefused);
    return 1;
  }
  request->state.store(LateTraceRequest::State::kOpen, std::memory_order_release);
  rtl::AwaitLeave(*request);
  (void)library->Detach();  // a tool may have detached itself
  request->state.store(LateTraceRequest::State::kLeft, std::memory_order_release);
  return 0;
}
