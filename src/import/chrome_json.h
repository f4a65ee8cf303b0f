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

  // The end of a span, which must have its times. If the sum overflows, the end is before the
  // start.
  int64_t End() const;
  // Empty when there is none.
  std::string_view Arg(std::string_view key) const;
  void Clear();
};

inline constexpr char kHalfPair[] = "half of a surrogate pair in a text, which U+FFFD replaces";

class ChromeReader {
 public:
  virtual ~ChromeReader() = default;
  // A value outside of the array of events: "baseTimeNanoseconds", "distributedInfo". Arrays and
  // objects come as JSON text.
  virtual Status TakeFact(const std::string& key, const std::string& value) = 0;
  virtual Status TakeEvent(const ChromeEvent& event) = 0;
  // Arguments that the reader does not want are not stored in events.
  virtual bool WantsArg(std::string_view /*key*/) const { return true; }
  // Called at the end of the file: reports flaws that belong to no single event, such as kHalfPair,
  // with their number.
  virtual void TakeFlaws(const char* /*what*/, uint64_t /*count*/) {}

  int64_t time_base = 0;  // ns, added to every start; set by a fact
};

// Reads both forms of the file: an object with "traceEvents", and an array of events.
Status ReadChromeJson(const std::string& path, ChromeReader* reader);

// Converts microseconds in decimal text to nanoseconds, exactly. False: the text is no number, or
// it is out of range.
bool ParseMicroseconds(std::string_view text, int64_t* ns);

}  // namespace rtl::import
