// SPDX-License-Identifier: MIT
#include "sdk/kinds.h"

#include <stdio.h>
#include <string.h>

#include "base/config.h"
#include "base/log.h"

namespace rtl::sdk {
namespace {

// False: tools can subscribe to the kind, but no event of it is ever produced.
bool IsProduced(Service service, uint32_t kind) {
  if (service == Service::kCallback)
    return kind != ROCPROFILER_CALLBACK_TRACING_ROCDECODE_API &&
           kind != ROCPROFILER_CALLBACK_TRACING_ROCJPEG_API;
  switch (kind) {
    case ROCPROFILER_BUFFER_TRACING_ROCDECODE_API:
    case ROCPROFILER_BUFFER_TRACING_ROCDECODE_API_EXT:
    case ROCPROFILER_BUFFER_TRACING_ROCJPEG_API:
    case ROCPROFILER_BUFFER_TRACING_HIP_STREAM:
      return false;
    default:
      return kind < ROCPROFILER_BUFFER_TRACING_KFD_EVENT_PAGE_MIGRATE ||
             kind > ROCPROFILER_BUFFER_TRACING_KFD_QUEUE;
  }
}

class Names {
 public:
  void Add(const char* name) {
    // one context subscribes to callbacks, another to buffers
    if (strstr(text_, name) != nullptr) return;
    // never: kinds_test.cpp checks that all names fit
    if (used_ + strlen(name) + 3 > sizeof text_) return;
    used_ += static_cast<size_t>(
        snprintf(text_ + used_, sizeof text_ - used_, "%s%s", used_ == 0 ? "" : ", ", name));
  }
  bool empty() const { return used_ == 0; }
  const char* text() const { return text_; }

 private:
  char text_[800] = "";
  size_t used_ = 0;
};

}  // namespace

void ReportUnproduced(const Contexts& contexts) {
  Config config;
  (void)Config::FromEnvironment(&config);  // the engine reports wrong values of variables
  if (!config.log) return;
  Names names;
  for (uint32_t kind = 1; kind < ROCPROFILER_CALLBACK_TRACING_LAST; ++kind) {
    if (contexts.WithCallback(kind) != 0 && !IsProduced(Service::kCallback, kind))
      names.Add(KindName(Service::kCallback, kind));
  }
  for (uint32_t kind = 1; kind < ROCPROFILER_BUFFER_TRACING_LAST; ++kind) {
    if (contexts.WithBuffer(kind) != 0 && !IsProduced(Service::kBuffer, kind))
      names.Add(KindName(Service::kBuffer, kind));
  }
  if (!names.empty())
    Warn("tools subscribe to kinds of event that this library does not produce: %s", names.text());
}

rocprofiler_status_t OperationsOf(Service service, uint32_t kind) {
  if (kind == 0 || KindName(service, kind) == nullptr)
    return ROCPROFILER_STATUS_ERROR_KIND_NOT_FOUND;
  return names::OperationCount(service, kind) == 0 ? ROCPROFILER_STATUS_ERROR_NOT_IMPLEMENTED
                                                   : ROCPROFILER_STATUS_SUCCESS;
}

rocprofiler_status_t AnswerName(const char* text, rocprofiler_status_t otherwise, const char** name,
                                uint64_t* length) {
  if (name != nullptr) *name = text;
  if (length != nullptr) *length = text == nullptr ? 0 : strlen(text);
  return text == nullptr ? otherwise : ROCPROFILER_STATUS_SUCCESS;
}

rocprofiler_status_t AnswerKindName(Service service, uint32_t kind, const char** name,
                                    uint64_t* length) {
  return AnswerName(KindName(service, kind), ROCPROFILER_STATUS_ERROR_KIND_NOT_FOUND, name, length);
}

rocprofiler_status_t AnswerOperationName(Service service, uint32_t kind, int32_t operation,
                                         const char** name, uint64_t* length) {
  const rocprofiler_status_t known = OperationsOf(service, kind);
  return AnswerName(
      OperationName(service, kind, operation),
      known == ROCPROFILER_STATUS_SUCCESS ? ROCPROFILER_STATUS_ERROR_OPERATION_NOT_FOUND : known,
      name, length);
}

}  // namespace rtl::sdk
