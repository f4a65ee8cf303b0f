// SPDX-License-Identifier: MIT
#include "import/perfetto_events.h"

#include <algorithm>
#include <unordered_map>
#include <utility>
#include <vector>

#include "import/proto_message.h"
#include "import/text_input.h"

namespace rtl::import {
namespace {

// Numbers of the fields of Perfetto's messages, which never change.
namespace packet {
constexpr uint32_t kClockSnapshot = 6, kTimestamp = 8, kSequence = 10, kTrackEvent = 11,
                   kInternedData = 12, kSequenceFlags = 13, kStateCleared = 41, kClock = 58,
                   kDefaults = 59, kTrackDescriptor = 60;
// Further fields of a packet that are not its content, such as uid (3) and previous_packet_dropped
// (42).
constexpr uint32_t kAbout[] = {3, 42, 50, 61, 76, 79, 87};
constexpr uint32_t kRead[] = {kClockSnapshot, kTimestamp,      kSequence,     kTrackEvent,
                              kInternedData,  kSequenceFlags,  kStateCleared, kClock,
                              kDefaults,      kTrackDescriptor};
}  // namespace packet

constexpr uint64_t kRealtime = 1, kBoottime = 6, kFirstOwnClock = 64;
constexpr uint64_t kBegin = 1, kEnd = 2, kInstant = 3, kCounter = 4;
constexpr size_t kLongestPacket = size_t{64} << 20;
constexpr size_t kMostOpen = 1u << 20;

using Names = std::unordered_map<uint64_t, std::string>;

struct Sequence {
  Names categories, names, annotations, values;
  uint64_t clock = 0;  // the clock of timestamps that name none
  uint64_t track = 0;
  int64_t time = 0;  // time of the last packet by the incremental clock
  bool is_incremental = false;
};

class Events {
 public:
  Events(PerfettoReader* reader, PerfettoContents* contents)
      : reader_(*reader), contents_(*contents) {}

  Status AddPacket(std::string_view bytes) {
    ++contents_.packets;
    std::string_view clocks, event, interned, defaults, descriptor;
    uint64_t timestamp = 0, clock = 0, sequence_id = 0;
    bool cleared = false;
    ProtoMessage message(bytes);
    for (ProtoField field; message.Next(&field);) {
      if (field.number == packet::kClockSnapshot) clocks = field.bytes;
      if (field.number == packet::kTimestamp) timestamp = field.value;
      if (field.number == packet::kSequence) sequence_id = field.value;
      if (field.number == packet::kTrackEvent) event = field.bytes;
      if (field.number == packet::kInternedData) interned = field.bytes;
      if (field.number == packet::kSequenceFlags) cleared = cleared || (field.value & 1) != 0;
      if (field.number == packet::kStateCleared) cleared = cleared || field.value != 0;
      if (field.number == packet::kClock) clock = field.value;
      if (field.number == packet::kDefaults) defaults = field.bytes;
      if (field.number == packet::kTrackDescriptor) descriptor = field.bytes;
      const auto is_it = [&](uint32_t known) { return known == field.number; };
      if (std::ranges::none_of(packet::kRead, is_it) &&
          std::ranges::none_of(packet::kAbout, is_it)) {
        ++contents_.others[field.number];
      }
    }
    if (message.damaged()) return Status::Error("is damaged");
    Sequence& sequence = sequences_[sequence_id];
    if (cleared) sequence = Sequence{};
    if (!defaults.empty()) TakeDefaults(defaults, &sequence);
    if (!interned.empty()) TakeNames(interned, &sequence);
    if (!clocks.empty()) TakeClocks(clocks, &sequence);
    if (!descriptor.empty()) RTL_TRY(TakeDescriptor(descriptor));
    if (event.empty()) return Status::Ok();
    const uint64_t of = clock != 0 ? clock : sequence.clock;
    int64_t time = static_cast<int64_t>(timestamp);
    if (of >= kFirstOwnClock && sequence.is_incremental) {
      if (__builtin_add_overflow(sequence.time, time, &time)) return Status::Error("is damaged");
      sequence.time = time;
    }
    return TakeEvent(event, time, sequence);
  }

  void End() {
    for (const auto& [track, open] : open_) contents_.unfinished += open.size();
  }

 private:
  static void TakeDefaults(std::string_view bytes, Sequence* sequence) {
    ProtoMessage message(bytes);
    for (ProtoField field; message.Next(&field);) {
      if (field.number == 58) sequence->clock = field.value;
      if (field.number != 11) continue;
      ProtoMessage of_events(field.bytes);
      for (ProtoField inner; of_events.Next(&inner);) {
        if (inner.number == 11) sequence->track = inner.value;
      }
    }
  }

  void TakeNames(std::string_view bytes, Sequence* sequence) {
    ProtoMessage message(bytes);
    for (ProtoField field; message.Next(&field);) {
      Names* const names = field.number == 1    ? &sequence->categories
                           : field.number == 2  ? &sequence->names
                           : field.number == 3  ? &sequence->annotations
                           : field.number == 29 ? &sequence->values
                                                : nullptr;
      if (names == nullptr) continue;
      uint64_t iid = 0;
      std::string_view text;
      ProtoMessage entry(field.bytes);
      for (ProtoField inner; entry.Next(&inner);) {
        if (inner.number == 1) iid = inner.value;
        if (inner.number == 2) text = inner.bytes;
      }
      (*names)[iid] = text;
      if (field.number != 3) continue;
      // Both names together occur only in exports of this project.
      has_wait_ = has_wait_ || text == "wait_ns";
      contents_.is_own = contents_.is_own || (has_wait_ && text == "submit_tid");
    }
  }

  void TakeClocks(std::string_view bytes, Sequence* sequence) {
    int64_t boottime = 0, realtime = 0;
    bool has_both = false;
    ProtoMessage message(bytes);
    for (ProtoField field; message.Next(&field);) {
      if (field.number != 1) continue;
      uint64_t id = 0, time = 0;
      bool incremental = false;
      ProtoMessage clock(field.bytes);
      for (ProtoField inner; clock.Next(&inner);) {
        if (inner.number == 1) id = inner.value;
        if (inner.number == 2) time = inner.value;
        if (inner.number == 3) incremental = inner.value != 0;
      }
      if (id == kBoottime) boottime = static_cast<int64_t>(time);
      if (id == kRealtime) {
        realtime = static_cast<int64_t>(time);
        has_both = true;
      }
      if (id < kFirstOwnClock || !incremental) continue;
      sequence->is_incremental = true;
      sequence->time = static_cast<int64_t>(time);
    }
    if (has_both) reader_.TakeRealtime(realtime - boottime);
  }

  Status TakeDescriptor(std::string_view bytes) {
    PerfettoTrack track;
    uint64_t uuid = 0;
    ProtoMessage message(bytes);
    for (ProtoField field; message.Next(&field);) {
      if (field.number == 1) uuid = field.value;
      if (field.number == 2) track.name = field.bytes;
      if (field.number == 5) track.parent = field.value;
      if (field.number != 3 && field.number != 4) continue;
      (field.number == 3 ? track.is_process : track.is_thread) = true;
      ProtoMessage about(field.bytes);
      for (ProtoField inner; about.Next(&inner);) {
        const bool of_process = field.number == 3;
        if (inner.number == 1) track.pid = static_cast<uint32_t>(inner.value);
        if (inner.number == 2 && of_process) track.command = inner.bytes;
        if (inner.number == 2 && !of_process) track.tid = static_cast<uint32_t>(inner.value);
        if (inner.number == (of_process ? 6u : 5u)) track.name = inner.bytes;
      }
    }
    ++contents_.tracks;
    return reader_.TakeTrack(uuid, track);
  }

  static std::string NameOf(const Names& names, uint64_t iid) {
    const auto known = names.find(iid);
    return known == names.end() ? "" : known->second;
  }

  static void TakeAnnotation(std::string_view bytes, const Sequence& sequence, ChromeEvent* event) {
    if (event->arg_count == event->args.size()) event->args.emplace_back();
    ChromeValue& arg = event->args[event->arg_count++];
    arg = {};
    ProtoMessage message(bytes);
    for (ProtoField field; message.Next(&field);) {
      if (field.number == 1) arg.key = NameOf(sequence.annotations, field.value);
      if (field.number == 10) arg.key = field.bytes;
      if (field.number == 2 || field.number == 3) arg.value = std::to_string(field.value);
      if (field.number == 4) arg.value = std::to_string(static_cast<int64_t>(field.value));
      if (field.number == 5) arg.value = std::to_string(field.Double());
      if (field.number == 6) arg.value = field.bytes;
      if (field.number == 17) arg.value = NameOf(sequence.values, field.value);
    }
  }

  Status TakeEvent(std::string_view bytes, int64_t time, const Sequence& sequence) {
    PerfettoSlice slice;
    slice.track = sequence.track;
    uint64_t type = 0;
    ProtoMessage message(bytes);
    for (ProtoField field; message.Next(&field);) {
      ChromeEvent& event = slice.event;
      if (field.number == 3 && event.category.empty()) {
        event.category = NameOf(sequence.categories, field.value);
      }
      if (field.number == 22) event.category = field.bytes;
      if (field.number == 4) TakeAnnotation(field.bytes, sequence, &event);
      if (field.number == 9) type = field.value;
      if (field.number == 10) event.name = NameOf(sequence.names, field.value);
      if (field.number == 11) slice.track = field.value;
      if (field.number == 23) event.name = field.bytes;
      if (field.number == 47 || field.number == 48) slice.flow = field.value;
      if (field.number == 48) slice.flow_ends = true;
    }
    if (message.damaged()) return Status::Error("is damaged");
    if (type == kCounter) {
      ++contents_.counters;
      return Status::Ok();
    }
    if (type != kEnd && type != kBegin && type != kInstant) return Status::Ok();
    if (type != kEnd) {
      ++contents_.slices;
      ++contents_.categories[slice.event.category];
    }
    slice.event.start = time;
    slice.event.has_start = slice.event.has_duration = true;
    slice.event.phase = type == kInstant ? "i" : "X";
    if (type == kInstant) return reader_.TakeSlice(slice);
    std::vector<PerfettoSlice>& open = open_[slice.track];
    if (type == kBegin) {
      if (++open_count_ > kMostOpen) {
        return Status::Error("has more than %zu slices that do not end", kMostOpen);
      }
      open.push_back(std::move(slice));
      return Status::Ok();
    }
    if (open.empty()) {
      ++contents_.unfinished;
      return Status::Ok();
    }
    PerfettoSlice whole = std::move(open.back());
    open.pop_back();
    --open_count_;
    if (__builtin_sub_overflow(time, whole.event.start, &whole.event.duration)) {
      whole.event.duration = -1;
    }
    return reader_.TakeSlice(whole);
  }

  PerfettoReader& reader_;
  PerfettoContents& contents_;
  std::unordered_map<uint64_t, Sequence> sequences_;
  std::unordered_map<uint64_t, std::vector<PerfettoSlice>> open_;  // open slices by track
  size_t open_count_ = 0;
  bool has_wait_ = false;
};

// Reads a varint at the beginning of `bytes`. Returns its length; zero: there is none.
size_t VarintAt(std::string_view bytes, uint64_t* value) {
  *value = 0;
  for (size_t i = 0; i < bytes.size() && i < 10; ++i) {
    const auto byte = static_cast<unsigned char>(bytes[i]);
    *value |= static_cast<uint64_t>(byte & 0x7f) << (7 * i);
    if (byte < 0x80) return i + 1;
  }
  return 0;
}

// False: the end of the file, or, if *status is an error, a packet that is cut off.
bool NextPacket(TextInput* input, std::string* packet, Status* status) {
  char byte = 0;
  if (input->Read(&byte, 1) == 0) return false;
  const auto cut = [&](const char* what) {
    *status = Status::Error("%s at byte %zu", what, input->Tell());
    return false;
  };
  if (byte != '\x0a') return cut("is damaged");
  std::string length;
  do {
    if (input->Read(&byte, 1) == 0) return cut("ends within a packet,");
    length += byte;
  } while ((byte & 0x80) != 0 && length.size() < 10);
  uint64_t bytes = 0;
  if (VarintAt(length, &bytes) == 0 || bytes > kLongestPacket) return cut("is damaged");
  // The buffer grows with what is read, because the length in the file is not trusted.
  packet->clear();
  constexpr size_t kPiece = 1u << 20;
  while (packet->size() < bytes) {
    const size_t before = packet->size();
    const size_t piece = std::min<size_t>(kPiece, bytes - before);
    packet->resize(before + piece);
    if (input->Read(packet->data() + before, piece) != piece) return cut("ends within a packet,");
  }
  input->Mark();
  return true;
}

}  // namespace

bool IsPerfetto(std::string_view begin) {
  if (!begin.starts_with('\x0a')) return false;
  uint64_t length = 0;
  const size_t bytes = VarintAt(begin.substr(1), &length);
  if (bytes == 0 || length < 2) return false;
  const std::string_view rest = begin.substr(1 + bytes);
  ProtoMessage message(rest.substr(0, length));
  size_t fields = 0;
  bool is_packet = false;
  for (ProtoField field; message.Next(&field); ++fields) {
    is_packet = is_packet || (field.number == packet::kSequence && !field.is_bytes) ||
                (field.number == packet::kTimestamp && !field.is_bytes);
  }
  // If the first packet is longer than `begin`, its end cannot be checked.
  return is_packet && (!message.damaged() || length > rest.size());
}

Status ReadPerfetto(const std::string& path, PerfettoReader* reader, PerfettoContents* contents) {
  TextInput input;
  RTL_TRY(input.Open(path));
  *contents = {};
  Events events(reader, contents);
  std::string packet;
  Status status = Status::Ok();
  while (NextPacket(&input, &packet, &status)) {
    const Status added = events.AddPacket(packet);
    if (!added.ok()) {
      return Status::Error("%s: %s, in the packet before byte %zu", path.c_str(), added.message(),
                           input.Tell());
    }
  }
  RTL_TRY(input.status());
  if (!status.ok()) return Status::Error("%s: %s", path.c_str(), status.message());
  events.End();
  return Status::Ok();
}

}  // namespace rtl::import
