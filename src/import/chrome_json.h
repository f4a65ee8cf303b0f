// SPDX-License-Identifier: MIT
// chrome_json.h: reads a trace in Chrome's JSON as a stream: torch.profiler's (Kineto), JAX's, and
// this project's own.
//
// Threads    one
// Blocking   file I/O
// Memory     one event
// Errors     one line with the file and the place; the file's content is not trusted
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"

namespace rtl::import {

// A member of an event, or of its `args`: a text, a number as it was written, "true", "null", or an
// array or an object as JSON.
struct ChromeValue {
  std::string key;
  std::string value;
};

// Times are nanoseconds of the trace's own clock.
struct ChromeEvent {
  std::string phase, category, name, pid, tid, id;
  int64_t start = 0;
  int64_t duration = 0;
  bool has_start = false;
  bool has_duration = false;
  std::vector<ChromeValue> args;  // only the first `arg_count` belong to this event
  size_t arg_count = 0;

  // The end of a span that has its times. A sum that is too large is before its start.
  int64_t End() const;
  // Empty when there is none.
  std::string_view Arg(std::string_view key) const;
  void Clear();
};

inline constexpr char kHalfPair[] = "half of a surrogate pair in a text, which U+FFFD replaces";

class ChromeReader {
 public:
  virtual ~ChromeReader() = default;
  // A value beside the events: "baseTimeNanoseconds", "distributedInfo". Arrays and objects come as
  // JSON.
  virtual Status TakeFact(const std::string& key, const std::string& value) = 0;
  virtual Status TakeEvent(const ChromeEvent& event) = 0;
  // Arguments of events with other names are not kept.
  virtual bool WantsArg(std::string_view /*key*/) const { return true; }
  // At the end: what the file had so often that no event has, as kHalfPair.
  virtual void TakeFlaws(const char* /*what*/, uint64_t /*count*/) {}

  int64_t time_base = 0;  // ns, added to every start; set by a fact
};

// Both forms: an object with "traceEvents", and an array of events.
Status ReadChromeJson(const std::string& path, ChromeReader* reader);

// Microseconds as decimal text to nanoseconds, exactly. False: it is no number, or out of range.
bool ParseMicroseconds(std::string_view text, int64_t* ns);

}  // namespace rtl::import
