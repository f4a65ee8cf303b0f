// SPDX-License-Identifier: MIT
// asks.h: requests from other programs to the collector of a living process, as files in the
// process's spool.
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
  std::string who;   // pid of the program that asks
  std::string text;  // the text of the request
};

inline constexpr std::string_view kAskInFlight = "ask";
inline constexpr std::string_view kAskWindow = "dump";
// "begin", then "end" and the path of the database: docs/adr/0080-attaching.md.
inline constexpr std::string_view kAskAttach = "attach";

// The following are for the collector.
bool HasAsks(const std::string& spool, std::string_view word);
std::vector<Question> TakeAsks(const std::string& spool, std::string_view word);
// True if some answer was not taken yet.
bool HasAnswers(const std::string& spool, std::string_view word);
void AnswerAsk(const std::string& spool, std::string_view word, const Question& ask,
               std::string_view answer);
// Removes requests and answers that no program will read.
void RemoveAsks(const std::string& spool);

// The following are for any program.
Status AskCollector(const std::string& spool, std::string_view word, std::string_view text,
                    uint64_t limit_ns, std::string* answer);
// The spool to which the process writes; empty if the process is not traced, or not accessible.
std::string SpoolOf(uint32_t pid);

}  // namespace rtl::store
