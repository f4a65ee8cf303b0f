// SPDX-License-Identifier: MIT
// perfetto_fields.h: the field numbers of Perfetto's public trace format that an export uses, one
// enum per message. The format promises that they never change.
#pragma once

#include <cstdint>

namespace rtl::exporting::perfetto {

enum class Trace : uint32_t { kPacket = 1 };

enum class TracePacket : uint32_t {
  kClockSnapshot = 6,
  kTimestamp = 8,
  kTrustedPacketSequenceId = 10,
  kTrackEvent = 11,
  kInternedData = 12,
  kSequenceFlags = 13,
  kIncrementalStateCleared = 41,
  kTimestampClockId = 58,
  kTracePacketDefaults = 59,
  kTrackDescriptor = 60,
};
inline constexpr uint32_t kSeqIncrementalStateCleared = 1;
inline constexpr uint32_t kSeqNeedsIncrementalState = 2;

// Defaults of a sequence, valid from the packet that clears the sequence's state.
enum class TracePacketDefaults : uint32_t { kTrackEventDefaults = 11, kTimestampClockId = 58 };
enum class TrackEventDefaults : uint32_t { kTrackUuid = 11 };

enum class ClockSnapshot : uint32_t { kClocks = 1, kPrimaryTraceClock = 2 };
enum class Clock : uint32_t { kClockId = 1, kTimestamp = 2, kIsIncremental = 3 };
inline constexpr uint32_t kClockRealtime = 1;
inline constexpr uint32_t kClockBootTime = 6;
// Clocks 64 to 127 are local to a sequence. On an incremental clock, the time counts from the last
// packet.
inline constexpr uint32_t kClockOfSequence = 64;

enum class TrackDescriptor : uint32_t {
  kUuid = 1,
  kName = 2,
  kProcess = 3,
  kThread = 4,
  kParentUuid = 5,
  kCounter = 8,
  kChildOrdering = 11,
  kSiblingOrderRank = 12,
};
inline constexpr int32_t kChildrenInOrderOfRank = 3;  // the value ChildTracksOrdering.EXPLICIT
enum class CounterDescriptor : uint32_t { kUnitName = 6 };
enum class ProcessDescriptor : uint32_t { kPid = 1, kCmdline = 2, kProcessName = 6 };
enum class ThreadDescriptor : uint32_t { kPid = 1, kTid = 2, kThreadName = 5 };

enum class TrackEvent : uint32_t {
  kCategoryIids = 3,
  kDebugAnnotations = 4,
  kType = 9,
  kNameIid = 10,
  kTrackUuid = 11,
  kName = 23,  // a name that is not interned
  kDoubleCounterValue = 44,
  kFlowIds = 47,             // of type fixed64
  kTerminatingFlowIds = 48,  // of type fixed64
};
enum class EventType : int32_t { kSliceBegin = 1, kSliceEnd = 2, kInstant = 3, kCounter = 4 };

enum class DebugAnnotation : uint32_t {
  kNameIid = 1,
  kUintValue = 3,
  kDoubleValue = 5,
  kStringValue = 6,
  kName = 10,  // a name that is not interned
  kStringValueIid = 17,
};

enum class InternedData : uint32_t {
  kEventCategories = 1,
  kEventNames = 2,
  kDebugAnnotationNames = 3,
  kDebugAnnotationStringValues = 29,
};
// EventCategory, EventName, DebugAnnotationName and InternedString all have this shape.
enum class Interned : uint32_t { kIid = 1, kText = 2 };

}  // namespace rtl::exporting::perfetto
