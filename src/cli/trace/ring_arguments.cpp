// SPDX-License-Identifier: MIT
#include <charconv>
#include <memory>

#include "cli/base/command_text.h"
#include "cli/trace/trace_arguments.h"

namespace rtl::cli {
namespace {

constexpr size_t kLeastBytes = size_t{1} << 20;
constexpr size_t kMostBytes = size_t{64} << 30;

// Reads "64M", "2G", "512K". False: the text is invalid.
bool ParseSize(const std::string& text, size_t* bytes) {
  const char* const end = text.data() + text.size();
  const auto [behind, error] = std::from_chars(text.data(), end, *bytes);
  if (error != std::errc() || end - behind != 1) return false;
  const std::string units = "KMG";
  const size_t unit = units.find(*behind);
  if (unit == std::string::npos) return false;
  if (*bytes > kMostBytes >> (10 * (unit + 1))) return false;
  *bytes <<= 10 * (unit + 1);
  return *bytes >= kLeastBytes;
}

// Reads "NAME>10ms".
bool ParseRange(const std::string& text, store::RangeTrigger* range) {
  const size_t sign = text.rfind('>');
  if (sign == std::string::npos || sign == 0) return false;
  range->name = text.substr(0, sign);
  return ParseTime(text.substr(sign + 1), &range->ns);
}

}  // namespace

void RingArguments::AddTo(CLI::App* verb) {
  AddValue(verb, "--ring", "SIZE", size_,
           "Keep only the last events, in this much memory, for example 64M: the trace is the time "
           "before the program ends. rtl dump, or SIGUSR2 to rtl, writes a window at any time");
  AddValue(verb, "--dump-on-mark", "REGEX", mark_,
           "With --ring: write a window at each roctx mark that matches");
  AddValue(verb, "--dump-on-range", "REGEX>TIME", ranges_,
           "With --ring: write a window when a roctx range that matches took longer, as "
           "'step>50ms'")
      ->allow_extra_args(false);
}

std::string RingArguments::Resolve(TraceOptions* options) const {
  if (size_.empty()) {
    if (!mark_.empty()) return "--dump-on-mark needs --ring";
    return ranges_.empty() ? "" : "--dump-on-range needs --ring";
  }
  if (!ParseSize(size_, &options->ring_bytes)) {
    return "--ring takes a size of 1M to 64G, as 64M or 2G";
  }
  if (options->split) return "--ring and --split exclude each other: a window covers all processes";
  if (options->keep_spool) return "--ring and --keep-spool exclude each other";
  options->dump_on_mark = mark_;
  for (const std::string& text : ranges_) {
    store::RangeTrigger range;
    if (!ParseRange(text, &range)) return "--dump-on-range takes a name and a time, as 'step>50ms'";
    options->dump_on_ranges.push_back(range);
  }
  std::unique_ptr<store::WindowTriggers> unused;
  const Status made = store::WindowTriggers::Make(mark_, options->dump_on_ranges, &unused);
  return made.ok() ? "" : "--dump-on-mark, --dump-on-range: " + std::string(made.message());
}

}  // namespace rtl::cli
