// SPDX-License-Identifier: MIT
#include "vgpu/config/fault_plan.h"

#include <algorithm>
#include <charconv>
#include <iterator>

namespace vgpu {
namespace {

constexpr uint64_t kMaxMicroseconds = 60'000'000;
constexpr uint64_t kMaxErrno = 133;
constexpr uint64_t kMaxCall = 0xff;
constexpr uint64_t kAnyNumber = FaultPoint::kAny - 1;
// The default of `bits`: QueueError::kPacket of cp/aql_processor.h.
constexpr uint64_t kInvalidPacket = 32;
constexpr uint64_t kUnmappedAddress = 0x6000'0000'0000;

struct Field {
  const char* name;
  uint64_t FaultPoint::*member;
  uint64_t min, max;
};

constexpr Field kFields[] = {
    {"queue", &FaultPoint::queue, 1, UINT32_MAX},
    {"packet", &FaultPoint::packet, 0, kAnyNumber},
    {"us", &FaultPoint::us, 1, kMaxMicroseconds},
    {"bits", &FaultPoint::bits, 1, UINT32_MAX},
    {"address", &FaultPoint::address, 1, kAnyNumber},
    {"call", &FaultPoint::call, 1, kMaxCall},
    {"nth", &FaultPoint::nth, 1, kAnyNumber},
    {"errno", &FaultPoint::error, 1, kMaxErrno},
};

struct Kind {
  const char* name;
  FaultKind kind;
  std::string_view needed;     // the field that must be given; empty: none
  std::string_view fields[3];  // an empty name: no field
};

// Needs no constructor, because the environment is read before this library's constructors run.
constexpr Kind kKinds[] = {
    {"stall", FaultKind::kStall, "us", {"queue", "packet", "us"}},
    {"delay", FaultKind::kDelay, "us", {"queue", "packet", "us"}},
    {"queue-error", FaultKind::kQueueError, "", {"queue", "packet", "bits"}},
    {"page-fault", FaultKind::kPageFault, "", {"queue", "packet", "address"}},
    {"interrupt", FaultKind::kInterrupt, "us", {"us"}},
    {"ioctl", FaultKind::kCall, "nth", {"call", "nth", "errno"}},
    {"clock", FaultKind::kClock, "us", {"queue", "packet", "us"}},
    {"lost", FaultKind::kLost, "", {"queue", "packet"}},
    {"untimed", FaultKind::kUntimed, "", {"queue", "packet"}},
    {"doorbell", FaultKind::kDoorbell, "us", {"queue", "us"}},
};
static_assert(std::size(kKinds) == kFaultKinds);

// Decimal, or hexadecimal after 0x.
bool ParseNumber(std::string_view text, uint64_t* out) {
  const bool hexadecimal = text.starts_with("0x");
  if (hexadecimal) text.remove_prefix(2);
  const char* end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, *out, hexadecimal ? 16 : 10);
  return error == std::errc() && rest == end;
}

// Cuts the part before the separator off `text`, with the separator, and returns it.
std::string_view Take(std::string_view* text, char separator) {
  const size_t at = std::min(text->find(separator), text->size());
  const std::string_view head = text->substr(0, at);
  text->remove_prefix(std::min(at + 1, text->size()));
  return head;
}

bool ParseField(const Kind& kind, std::string_view text, FaultPoint* point, std::string* why) {
  const std::string whole(text);
  const std::string_view name = Take(&text, '=');
  const auto* field = std::ranges::find(kFields, name, &Field::name);
  if (field == std::end(kFields) || std::ranges::find(kind.fields, name) == std::end(kind.fields)) {
    *why = std::string(kind.name) + " has no field " + std::string(name);
    return false;
  }
  uint64_t number = 0;
  if (!ParseNumber(text, &number) || number < field->min || number > field->max) {
    *why = whole + ": not a number that " + std::string(kind.name) + " takes";
    return false;
  }
  point->*field->member = number;
  return true;
}

bool ParsePoint(std::string_view text, FaultPoint* point, std::string* why) {
  const std::string_view name = Take(&text, ':');
  const auto* kind = std::ranges::find(kKinds, name, &Kind::name);
  if (kind == std::end(kKinds)) {
    *why = "there is no fault named " + std::string(name);
    return false;
  }
  point->kind = kind->kind;
  point->bits = kInvalidPacket;
  point->address = kUnmappedAddress;
  point->error = 12;  // ENOMEM
  bool has_needed = kind->needed.empty();
  while (!text.empty()) {
    const std::string_view field = Take(&text, ':');
    if (!ParseField(*kind, field, point, why)) return false;
    has_needed = has_needed || field.substr(0, field.find('=')) == kind->needed;
  }
  if (has_needed) return true;
  *why = std::string(name) + " needs " + std::string(kind->needed) + "=N";
  return false;
}

}  // namespace

bool ParseFaultPlan(std::string_view text, std::vector<FaultPoint>* plan, std::string* why) {
  std::vector<FaultPoint> points;
  while (!text.empty()) {
    FaultPoint point;
    if (!ParsePoint(Take(&text, ','), &point, why)) return false;
    points.push_back(point);
  }
  *plan = std::move(points);
  return true;
}

}  // namespace vgpu
