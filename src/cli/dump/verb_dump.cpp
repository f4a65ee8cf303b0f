// SPDX-License-Identifier: MIT
#include <filesystem>

#include "cli/base/live_spool.h"
#include "cli/base/print.h"
#include "cli/base/verbs.h"
#include "export/earlier_file.h"
#include "trace/read/error.h"
#include "trace/write/asks.h"

namespace rtl::cli {
namespace {

constexpr uint64_t kLimitNs = 120'000'000'000;

Status Dump(const DumpOptions& options, std::string* written) {
  std::string spool, output, answer;
  uint32_t pid = 0;
  RTL_TRY(LiveSpool(options.process, &spool, &pid));
  if (spool.empty()) {
    return query::FileError(options.process, "neither a process that is traced nor its spool");
  }
  if (!options.output.empty()) {
    std::error_code error;
    output = std::filesystem::absolute(options.output, error).string();
    if (error) return query::FileErrno(options.output, "cannot be written", error.value());
    if (!options.force) {
      RTL_TRY(exporting::CheckReplaceable(exporting::FileKind::kTrace, output));
    }
  }
  RTL_TRY(store::AskCollector(spool, store::kAskWindow, output, kLimitNs, &answer));
  if (!answer.starts_with('+')) {
    return Status::Error("%s",
                         answer.empty() ? "the collector gave no answer" : answer.c_str() + 1);
  }
  *written = answer.substr(1);
  return Status::Ok();
}

}  // namespace

int RunVerb(const DumpOptions& options) {
  std::string written;
  const Status dumped = Dump(options, &written);
  return dumped.ok() ? PrintResult(written + "\n") : Fail(dumped);
}

}  // namespace rtl::cli
