// SPDX-License-Identifier: MIT
// asks.h: requests of other programs to the collector of a living process, as files in its spool.
//
//   asker      <spool>/<word>-<pid>          the request              removed by the collector
//   collector  <spool>/<word>-answer-<pid>   the answer, complete     removed by the asker
//
// Threads    any
// Blocking   AskCollector: until there is an answer, no collector, or the limit
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"

namespace rtl::store {

struct Question {
  std::string who;   // the asker's pid
  std::string text;  // the request
};

inline constexpr std::string_view kAskInFlight = "ask";
inline constexpr std::string_view kAskWindow = "dump";
// "begin", then "end" and the database: docs/adr/0080-attaching.md.
inline constexpr std::string_view kAskAttach = "attach";

// For the collector.
bool HasAsks(const std::string& spool, std::string_view word);
std::vector<Question> TakeAsks(const std::string& spool, std::string_view word);
// Whether an answer has not been taken yet.
bool HasAnswers(const std::string& spool, std::string_view word);
void AnswerAsk(const std::string& spool, std::string_view word, const Question& ask,
               std::string_view answer);
// Removes requests and answers that no program will read any more.
void RemoveAsks(const std::string& spool);

// For any program.
Status AskCollector(const std::string& spool, std::string_view word, std::string_view text,
                    uint64_t limit_ns, std::string* answer);
// The spool that the process writes to; empty when it is not traced or is not accessible.
std::string SpoolOf(uint32_t pid);

}  // namespace rtl::store
