// SPDX-License-Identifier: MIT
#include "capture/session/user_warnings.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "base/log.h"
#include "base/thread_state.h"

namespace rtl::capture {

// Writes the warning into the trace, because the line on stderr may be gone later. False if there
// is no room for it.
bool UserWarnings::Write(const char* text) {
  WarningRecord record;
  record.head.type = RecordType::kWarning;
  record.head.thread = ThreadId::Current();
  record.time = BootTimeNs();
  record.text_bytes = static_cast<uint32_t>(strlen(text));
  return output_->sink()->Write(&record, sizeof record, text, record.text_bytes);
}

void UserWarnings::Add(const char* format, ...) {
  char text[512];
  va_list values;
  va_start(values, format);
  (void)vsnprintf(text, sizeof text, format, values);
  va_end(values);
  const bool stored = life_->records() && Write(text);
  // The launcher of this process prints the warnings in the trace.
  const bool launched = plan_->config().spool[0] != '\0';
  if (!stored || !launched) Warn("%s", text);
}

}  // namespace rtl::capture
