// SPDX-License-Identifier: MIT
#include "import/chrome_values.h"

#include <rapidjson/document.h>

#include <charconv>

#include "import/rocprofv3_records.h"

namespace rtl::import {
namespace {

CopyKind KindOfCopy(const ChromeEvent& event) {
  constexpr struct {
    std::string_view word;
    CopyKind kind;
  } kKinds[] = {{"HtoD", CopyKind::kHostToDevice},
                {"DtoH", CopyKind::kDeviceToHost},
                {"DtoD", CopyKind::kDeviceToDevice},
                {"PtoP", CopyKind::kDeviceToDevice},
                {"HtoH", CopyKind::kHostToHost}};
  for (const auto& [word, kind] : kKinds) {
    if (event.name.find(word) != std::string::npos || event.Arg("kind") == word) return kind;
  }
  return CopyKind::kUnknown;
}

}  // namespace

// "[82944, 1, 1]".
void ReadThree(std::string_view text, uint32_t out[3]) {
  size_t at = 0;
  for (int i = 0; i < 3; ++i) {
    at = text.find_first_of("0123456789", at);
    if (at == std::string_view::npos) return;
    const char* const end = text.data() + text.size();
    at = static_cast<size_t>(std::from_chars(text.data() + at, end, out[i]).ptr - text.data());
  }
}

uint64_t DeviceOf(const ChromeEvent& event) {
  const std::string_view device = event.Arg("device");
  return AnyNumber(device.empty() ? std::string_view(event.pid) : device);
}

ImportedCopy CopyOf(const ChromeEvent& event, int64_t end) {
  ImportedCopy copy;
  copy.kind = KindOfCopy(event);
  const bool has_host = copy.kind == CopyKind::kHostToHost;
  if (!has_host && copy.kind != CopyKind::kDeviceToHost) copy.target = DeviceOf(event);
  if (!has_host && copy.kind != CopyKind::kHostToDevice) copy.source = DeviceOf(event);
  copy.bytes = AnyNumber(event.Arg("bytes"));
  copy.start = event.start;
  copy.end = end;
  return copy;
}

bool ChromePairs::Join(const ChromeEvent& event, ChromeEvent* whole) {
  std::vector<ChromeEvent>& open = threads_[event.pid + " " + event.tid];
  if (event.phase == "B" && open_ < kMostOpen) {
    open.push_back(event);
    ++open_;
    return false;
  }
  if (event.phase == "B" || open.empty()) {
    ++ends_;
    return false;
  }
  *whole = std::move(open.back());
  open.pop_back();
  --open_;
  whole->has_duration = whole->has_start && event.has_start;
  if (__builtin_sub_overflow(event.start, whole->start, &whole->duration)) whole->duration = -1;
  return true;
}

Distributed ReadDistributed(const std::string& json) {
  Distributed out;
  rapidjson::Document info;
  if (info.Parse(json.c_str()).HasParseError() || !info.IsObject()) return out;
  const auto number = [&](const char* name, int64_t otherwise) {
    const auto member = info.FindMember(name);
    if (member == info.MemberEnd()) return otherwise;
    int64_t value = otherwise;
    if (member->value.IsInt64()) value = member->value.GetInt64();
    if (member->value.IsString()) {
      const char* const text = member->value.GetString();
      // If this fails, *value stays as it is.
      (void)std::from_chars(text, text + member->value.GetStringLength(), value);
    }
    return value;
  };
  const int64_t rank = number("rank", -1);
  if (rank >= 0 && rank <= INT32_MAX) out.rank = static_cast<int32_t>(rank);
  out.world = static_cast<uint32_t>(number("world_size", 0));
  return out;
}

void ReadDevices(const std::string& json, std::map<uint64_t, ImportedDevice>* out) {
  rapidjson::Document devices;
  if (devices.Parse(json.c_str()).HasParseError() || !devices.IsArray()) return;
  for (const auto& device : devices.GetArray()) {
    if (!device.IsObject()) continue;
    const auto id = device.FindMember("id");
    if (id == device.MemberEnd() || !id->value.IsUint64()) continue;
    const auto text = [&](const char* name) -> std::string {
      const auto member = device.FindMember(name);
      const bool is_text = member != device.MemberEnd() && member->value.IsString();
      return is_text ? member->value.GetString() : "";
    };
    ImportedDevice about;
    about.product = text("name");
    about.name = text("gcnArchName");
    if (about.name.empty()) about.name = about.product;
    about.uuid = text("uuid");
    const auto units = device.FindMember("numSms");
    if (units != device.MemberEnd() && units->value.IsUint()) {
      about.compute_units = units->value.GetUint();
    }
    (*out)[id->value.GetUint64()] = std::move(about);
  }
}

}  // namespace rtl::import
