// SPDX-License-Identifier: MIT
#include "counters/kernel_filter.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/expression_size.h"

namespace rtl::counters {
namespace {

constexpr std::string_view kInclude = "include ";
constexpr std::string_view kExclude = "exclude ";
constexpr std::string_view kLaunches = "launches ";
constexpr std::string_view kSuffix = ".kd";
// The name, also in the trace, of a kernel whose symbol the runtime never announced.
constexpr std::string_view kUnknownName = "(unknown kernel)";
constexpr size_t kMostName = 4096;

Status Compile(std::string_view text, regex_t* out) {
  char pattern[kMostName];
  if (text.size() >= sizeof pattern) return Status::Error("a regular expression is too long");
  memcpy(pattern, text.data(), text.size());
  pattern[text.size()] = '\0';
  if (ExpressionTooLarge(text))
    return Status::Error("not a regular expression: %.100s (%s)", pattern, kExpressionTooLarge);
  const int error = regcomp(out, pattern, REG_EXTENDED | REG_NOSUB);
  if (error == 0) return Status::Ok();
  char why[128];
  regerror(error, out, why, sizeof why);
  return Status::Error("not a regular expression: %.100s (%s)", pattern, why);
}

// Uses the demangler of the C++ library if the process has loaded that library, as HIP programs
// have.
void Demangle(const char* symbol, char* out, size_t room) {
  using Function = char* (*)(const char*, char*, size_t*, int*);
  static const auto demangle = reinterpret_cast<Function>(dlsym(RTLD_DEFAULT, "__cxa_demangle"));
  int status = -1;
  char* const text = demangle == nullptr ? nullptr : demangle(symbol, nullptr, nullptr, &status);
  snprintf(out, room, "%s", text == nullptr || status != 0 ? symbol : text);
  free(text);
}

bool ReadNumber(std::string_view* text, uint64_t* out) {
  size_t at = 0;
  *out = 0;
  while (at < text->size() && at < 18 && (*text)[at] >= '0' && (*text)[at] <= '9')
    *out = *out * 10 + static_cast<uint64_t>((*text)[at++] - '0');
  text->remove_prefix(at);
  return at != 0;
}

}  // namespace

KernelFilter::~KernelFilter() {
  if (has_include_) regfree(&include_);
  if (has_exclude_) regfree(&exclude_);
  for (uint32_t i = 0; i < name_count_; ++i) free(names_[i].text);
  free(names_);
  free(kernels_);
}

Status KernelFilter::ParseRanges(std::string_view text) {
  while (!text.empty()) {
    Range range = {};
    if (!ReadNumber(&text, &range.first))
      return Status::Error("launches are numbers and ranges, as 1-2,5");
    range.last = range.first;
    if (text.starts_with('-')) {
      text.remove_prefix(1);
      if (!ReadNumber(&text, &range.last))
        return Status::Error("a range of launches has an end, as 1-2");
    }
    if (range.first == 0 || range.last < range.first)
      return Status::Error("launches count from 1, and a range ends where it began or later");
    if (range_count_ == kMostRanges)
      return Status::Error("more than %u ranges of launches", kMostRanges);
    ranges_[range_count_++] = range;
    if (!text.empty() && text[0] != ',')
      return Status::Error("launches are separated by commas, as 1-2,5");
    if (!text.empty()) text.remove_prefix(1);
  }
  return Status::Ok();
}

Status KernelFilter::ParseLine(std::string_view line) {
  if (line.starts_with(kInclude) && !has_include_) {
    RTL_TRY(Compile(line.substr(kInclude.size()), &include_));
    has_include_ = true;
  } else if (line.starts_with(kExclude) && !has_exclude_) {
    RTL_TRY(Compile(line.substr(kExclude.size()), &exclude_));
    has_exclude_ = true;
  } else if (line.starts_with(kLaunches)) {
    RTL_TRY(ParseRanges(line.substr(kLaunches.size())));
  } else {
    return Status::Error("expected include, exclude or launches, each once: %.*s",
                         static_cast<int>(line.size() < 80 ? line.size() : 80), line.data());
  }
  return Status::Ok();
}

Status KernelFilter::Parse(const char* text) {
  any_ = false;
  std::string_view rest = text;
  while (!rest.empty()) {
    const size_t end = rest.find('\n');
    if (end != 0) RTL_TRY(ParseLine(rest.substr(0, end)));
    rest.remove_prefix(end == std::string_view::npos ? rest.size() : end + 1);
  }
  any_ = has_include_ || has_exclude_ || range_count_ != 0;
  return Status::Ok();
}

bool KernelFilter::Chosen(const char* name) const {
  return (!has_include_ || regexec(&include_, name, 0, nullptr, 0) == 0) &&
         (!has_exclude_ || regexec(&exclude_, name, 0, nullptr, 0) != 0);
}

// The index of a name, from 1. Zero: there is no memory.
uint32_t KernelFilter::NameOf(const char* name) {
  for (uint32_t i = 0; i < name_count_; ++i) {
    if (strcmp(names_[i].text, name) == 0) return i + 1;
  }
  if (name_count_ == name_room_) {
    const uint32_t room = name_room_ == 0 ? 64 : name_room_ * 2;
    auto* const more = static_cast<Name*>(realloc(names_, room * sizeof *names_));
    if (more == nullptr) return 0;
    names_ = more;
    name_room_ = room;
  }
  char* const kept = strdup(name);
  if (kept == nullptr) return 0;
  names_[name_count_++] = {kept, Chosen(kept), 0};
  return name_count_;
}

void KernelFilter::Note(uint32_t kernel, std::string_view symbol) {
  if (symbol.ends_with(kSuffix)) symbol.remove_suffix(kSuffix.size());
  if (symbol.empty()) symbol = kUnknownName;
  char mangled[kMostName], name[kMostName];
  const size_t bytes = symbol.size() < sizeof mangled - 1 ? symbol.size() : sizeof mangled - 1;
  memcpy(mangled, symbol.data(), bytes);
  mangled[bytes] = '\0';
  Demangle(mangled, name, sizeof name);
  const MutexLock lock(mutex_);
  if (kernel >= kernel_room_) {
    const uint32_t room = kernel < 512 ? 1024 : kernel * 2;
    auto* const more = static_cast<uint32_t*>(realloc(kernels_, room * sizeof *kernels_));
    if (more == nullptr) return;
    memset(more + kernel_room_, 0, (room - kernel_room_) * sizeof *more);
    kernels_ = more;
    kernel_room_ = room;
  }
  kernels_[kernel] = NameOf(name);
}

bool KernelFilter::Wants(uint32_t kernel) {
  const MutexLock lock(mutex_);
  const uint32_t index = kernel < kernel_room_ ? kernels_[kernel] : 0;
  if (index == 0) return true;
  Name& name = names_[index - 1];
  if (!name.chosen) return false;
  const uint64_t launch = ++name.launches;
  for (uint32_t i = 0; i < range_count_; ++i) {
    if (launch >= ranges_[i].first && launch <= ranges_[i].last) return true;
  }
  return range_count_ == 0;
}

}  // namespace rtl::counters
