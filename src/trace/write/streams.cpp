// SPDX-License-Identifier: MIT
#include "trace/write/streams.h"

#include <algorithm>
#include <string_view>
#include <utility>

namespace rtl::store {
namespace {

constexpr uint64_t kNullStream = 0;

bool Creates(std::string_view call) {
  return call.starts_with("hipStreamCreate") || call == "hipExtStreamCreateWithCUMask";
}

// True for calls that use the null stream if they have no stream argument.
bool UsesNullStream(std::string_view call) {
  return call.starts_with("hipMemcpy") || call.starts_with("hipMemset");
}

// The names for handles that stand for HIP's own streams.
std::string OwnName(uint64_t handle) {
  switch (handle) {
    case kNullStream:
      return "null stream";
    case 1:
      return "legacy stream";  // the handle hipStreamLegacy
    case 2:
      return "per-thread stream";  // the handle hipStreamPerThread
    default:
      return "";
  }
}

}  // namespace

Streams::Use Streams::AddCall(const ApiCallRecord& record, const ApiArguments& arguments) {
  if (arguments.call() == nullptr) return {};
  const std::string_view name = arguments.call()->name;
  const ApiArg* argument = nullptr;
  uint32_t slot = 0;
  uint64_t handle = kNullStream;
  if (arguments.Find("stream", &argument, &slot) || arguments.Find("hStream", &argument, &slot)) {
    if (argument->form == ArgForm::kOutPointer) {
      const bool created = Creates(name) && (record.flags & kApiFlagOutputs) != 0;
      if (created) handles_[arguments.Slot(slot + 1)].created.push_back(record.end);
      return {.handle = {}, .first_use = nullptr, .repeats = !created};
    }
    handle = arguments.Slot(slot);
  } else if (!UsesNullStream(name)) {
    return {};
  }
  Handle& stream = handles_[handle];
  stream.first_use = std::min(stream.first_use, record.start);
  const bool destroys = name == "hipStreamDestroy";
  if (destroys) stream.destroyed.push_back(record.start);
  return {
      .handle = static_cast<int64_t>(handle), .first_use = &stream.first_use, .repeats = !destroys};
}

void Streams::Name(uint64_t handle, uint64_t time, std::string name) {
  handles_[handle].names.emplace_back(time, std::move(name));
}

// Adds one row for each creation, which lasts until the next creation, and one row for a stream
// that existed before tracing began.
void Streams::AddRows(uint64_t value, const Handle& handle, std::vector<StreamRow>* rows) {
  std::vector<uint64_t> begins = handle.created;
  std::sort(begins.begin(), begins.end());
  const uint64_t first_name =
      handle.names.empty() ? UINT64_MAX
                           : std::min_element(handle.names.begin(), handle.names.end())->first;
  const bool was_there = begins.empty() || std::min(handle.first_use, first_name) < begins.front();
  const auto add = [&](std::optional<uint64_t> begin, uint64_t next) {
    StreamRow row;
    row.handle = value;
    row.name = OwnName(value);
    if (begin.has_value()) row.created = static_cast<int64_t>(*begin);
    // Finds the latest name that was given to this stream.
    uint64_t named = 0;
    for (const auto& [time, name] : handle.names) {
      if (time < begin.value_or(0) || time >= next || time < named) continue;
      named = time;
      row.name = name;
    }
    std::optional<uint64_t> end;
    if (next != UINT64_MAX) end = next - 1;  // known even if the destruction was not seen
    for (const uint64_t destroyed : handle.destroyed) {
      if (destroyed >= begin.value_or(0) && destroyed < end.value_or(UINT64_MAX)) end = destroyed;
    }
    if (end.has_value()) row.destroyed = static_cast<int64_t>(*end);
    rows->push_back(std::move(row));
  };
  if (was_there) add(std::nullopt, begins.empty() ? UINT64_MAX : begins.front());
  for (size_t i = 0; i < begins.size(); ++i) {
    add(begins[i], i + 1 < begins.size() ? begins[i + 1] : UINT64_MAX);
  }
}

std::vector<StreamRow> Streams::Rows() const {
  std::vector<StreamRow> rows;
  for (const auto& [value, handle] : handles_) AddRows(value, handle, &rows);
  const auto order = [](const StreamRow& row) {
    return std::pair(row.handle != kNullStream, row.created.value_or(INT64_MAX));
  };
  std::stable_sort(rows.begin(), rows.end(),
                   [&](const StreamRow& a, const StreamRow& b) { return order(a) < order(b); });
  uint64_t number = rows.empty() || rows.front().handle == kNullStream ? 0 : 1;
  for (StreamRow& row : rows) row.number = number++;
  return rows;
}

}  // namespace rtl::store
