// SPDX-License-Identifier: MIT
#include "sdk/unproduced.h"

#include <string.h>

#include "base/config.h"
#include "base/log.h"
#include "sdk/kinds.h"

namespace rtl::sdk {
namespace {

class Names {
 public:
  void Add(const char* name) {
    const size_t length = strlen(name);
    // one context subscribes to callbacks, another to buffers
    if (strstr(text_, name) != nullptr) return;
    // never: unproduced_test.cpp checks that all names fit
    if (used_ + length + 3 > sizeof text_) return;
    if (used_ != 0) used_ = Append(", ", 2);
    used_ = Append(name, length);
    text_[used_] = '\0';
  }
  bool empty() const { return used_ == 0; }
  const char* text() const { return text_; }

 private:
  size_t Append(const char* what, size_t length) {
    memcpy(text_ + used_, what, length);
    return used_ + length;
  }
  char text_[800] = "";
  size_t used_ = 0;
};

}  // namespace

void ReportUnproduced(Contexts* contexts) {
  Config config;
  (void)Config::FromEnvironment(&config);  // the engine reports wrong values of variables
  if (!config.log) return;
  Names names;
  for (uint32_t kind = 1; kind < ROCPROFILER_CALLBACK_TRACING_LAST; ++kind) {
    if (contexts->WithCallback(kind) != 0 && !IsProduced(Service::kCallback, kind))
      names.Add(KindName(Service::kCallback, kind));
  }
  for (uint32_t kind = 1; kind < ROCPROFILER_BUFFER_TRACING_LAST; ++kind) {
    if (contexts->WithBuffer(kind) == 0 || IsProduced(Service::kBuffer, kind)) continue;
    names.Add(KindName(Service::kBuffer, kind));
  }
  if (!names.empty())
    Warn("tools subscribe to kinds of event that this library does not produce: %s", names.text());
}

}  // namespace rtl::sdk
