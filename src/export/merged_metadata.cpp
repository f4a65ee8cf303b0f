// SPDX-License-Identifier: MIT
#include "export/merged_metadata.h"

#include <algorithm>
#include <charconv>
#include <string_view>

#include "trace/schema/schema.h"

namespace rtl::exporting {
namespace {

constexpr std::string_view kWarning = "warning.";
constexpr char kFirstProcess[] = "first_process";
// The tags that are kept for each part, besides its file and its processes.
constexpr const char* kOfParts[] = {
    "host", "boot_id", "realtime_minus_boottime", "command", "exit_code", "signal", "rtl_version"};

int64_t NumberOf(std::string_view text) {
  int64_t number = 0;
  (void)std::from_chars(text.data(), text.data() + text.size(), number);  // a damaged text gives 0
  return number;
}

std::string Find(const MergedMetadata::Tags& tags, std::string_view tag) {
  const auto found = tags.find(tag);
  return found == tags.end() ? "" : found->second;
}

// Combines the numbers of two parts; null: the value of the first part is kept.
using Combine = int64_t (*)(int64_t, int64_t);
Combine HowToCombine(std::string_view tag) {
  for (const char* prefix : {"submitted.", "recorded.", "loss."}) {
    if (tag.starts_with(prefix)) return [](int64_t a, int64_t b) { return a + b; };
  }
  if (tag == "ended" || tag == "spool_most_percent") {
    return [](int64_t a, int64_t b) { return std::max(a, b); };
  }
  if (tag == "started") return [](int64_t a, int64_t b) { return std::min(a, b); };
  return nullptr;
}

std::string PartPrefix(size_t number) { return "part." + std::to_string(number) + "."; }

}  // namespace

void MergedMetadata::AddSums(const Tags& tags) {
  for (const auto& [tag, value] : tags) {
    if (tag == "exit_code" || tag == "signal" || tag.starts_with("part.")) continue;
    if (!store::PresentTag(tag).empty()) continue;  // an alias: Write adds it
    if (tag.starts_with(kWarning)) {
      // Added once, because parts of one job often have the same warnings.
      if (std::find(warnings_.begin(), warnings_.end(), value) == warnings_.end()) Warn(value);
      continue;
    }
    const auto [place, is_new] = tags_.try_emplace(tag, value);
    const Combine combine = HowToCombine(tag);
    if (is_new || combine == nullptr) continue;
    place->second = std::to_string(combine(NumberOf(place->second), NumberOf(value)));
  }
}

// Keeps the ending of the first part that failed; if all parts succeeded, success.
void MergedMetadata::AddEnding(const Tags& tags) {
  if (has_failed_) return;
  const std::string code = Find(tags, "exit_code");
  const std::string signal = Find(tags, "signal");
  knows_endings_ = knows_endings_ && code == "0";
  has_failed_ = !signal.empty() || (!code.empty() && code != "0");
  tags_.erase("exit_code");
  if (!signal.empty()) tags_["signal"] = signal;
  if (signal.empty() && (has_failed_ || knows_endings_)) tags_["exit_code"] = code;
}

// A part may itself be a merged trace. Its parts become parts of this one.
bool MergedMetadata::AddEarlierParts(const Tags& tags, int64_t first) {
  for (size_t number = 1;; ++number) {
    const std::string prefix = PartPrefix(number);
    Tags part;
    for (auto tag = tags.lower_bound(prefix); tag != tags.end(); ++tag) {
      if (!tag->first.starts_with(prefix)) break;
      part[tag->first.substr(prefix.size())] = tag->second;
    }
    if (part.empty()) return number > 1;
    part[kFirstProcess] = std::to_string(NumberOf(part[kFirstProcess]) + first - 1);
    parts_.push_back(part);
  }
}

void MergedMetadata::Add(const std::string& file, const Tags& tags, int64_t first,
                         int64_t processes) {
  AddSums(tags);
  AddEnding(tags);
  if (AddEarlierParts(tags, first)) return;
  Tags part = {{"file", file},
               {kFirstProcess, std::to_string(first)},
               {"processes", std::to_string(processes)}};
  for (const char* tag : kOfParts) {
    if (tags.contains(tag)) part[tag] = Find(tags, tag);
  }
  parts_.push_back(part);
}

Status MergedMetadata::Write(store::Database* to, const std::string& version) const {
  store::Statement insert;
  RTL_TRY(insert.Prepare(*to, "INSERT INTO rocpd_metadata (tag, value) VALUES (?, ?)"));
  const std::string schema = std::to_string(store::kSchemaVersion);
  for (const auto& [tag, value] : tags_) {
    RTL_TRY(insert.Insert(tag, tag == "schema_version" ? schema
                               : tag == "rtl_version"  ? version
                                                       : value));
    const std::string alias = store::EarlierTag(tag);
    if (!alias.empty()) RTL_TRY(insert.Insert(alias, value));
  }
  size_t number = 0;
  for (const std::string& sentence : warnings_) {
    RTL_TRY(insert.Insert(std::string(kWarning) + std::to_string(++number), sentence));
  }
  number = 0;
  for (const Tags& part : parts_) {
    const std::string prefix = PartPrefix(++number);
    for (const auto& [name, value] : part) RTL_TRY(insert.Insert(prefix + name, value));
  }
  return Status::Ok();
}

}  // namespace rtl::exporting
