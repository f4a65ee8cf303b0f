// SPDX-License-Identifier: MIT
// A file holds one space (XSpace). A space has planes: one for each GPU, and one for the threads of
// the host. A plane has lines, which are streams or threads, and a line has events. The names of
// events and of their statistics are stored once per plane, after its lines.
#include "import/xplane.h"

#include <algorithm>
#include <unordered_map>
#include <utility>
#include <vector>

#include "import/proto_message.h"
#include "import/text_input.h"

namespace rtl::import {
namespace {

// Protobuf refuses longer messages.
constexpr uint64_t kLongestPlane = uint64_t{2} << 30;

// Numbers of the fields of the messages, which never change.
constexpr uint32_t kPlanes = 1, kHostnames = 4;  // fields of XSpace
namespace in_plane {
constexpr uint32_t kName = 2, kLines = 3, kEventMetadata = 4, kStatMetadata = 5, kStats = 6;
}
namespace in_line {
constexpr uint32_t kId = 1, kName = 2, kTimestamp = 3, kEvents = 4, kShownName = 11;
}
namespace in_event {
constexpr uint32_t kMetadata = 1, kOffset = 2, kDuration = 3, kStats = 4, kOccurrences = 5;
}
namespace in_stat {
constexpr uint32_t kMetadata = 1, kDouble = 2, kUnsigned = 3, kSigned = 4, kText = 5,
                   kReference = 7;
}
namespace in_metadata {
constexpr uint32_t kName = 2, kShownName = 4;
}
constexpr uint32_t kMapKey = 1, kMapValue = 2;

using NamesById = std::unordered_map<uint64_t, std::string_view>;

class Plane {
 public:
  Plane(std::string_view bytes, std::string number, ChromeReader* reader)
      : bytes_(bytes), number_(std::move(number)), reader_(*reader) {}

  Status Read() {
    RTL_TRY(ReadNames());
    event_.phase = "M";
    event_.pid = number_;
    event_.name = "process_name";
    AddArg("name", name_);
    const bool has_facts = name_ == "Task Environment";
    for (const std::string_view one : stats_) RTL_TRY(TakeStat(one, has_facts));
    for (size_t i = 0; i < event_.arg_count && has_facts; ++i) {
      RTL_TRY(reader_.TakeFact(event_.args[i].key, event_.args[i].value));
    }
    if (lines_.empty()) return Status::Ok();
    RTL_TRY(reader_.TakeEvent(event_));
    for (const std::string_view one : lines_) RTL_TRY(TakeLine(one));
    return Status::Ok();
  }

 private:
  static Status Damaged() { return Status::Error("is damaged"); }

  Status ReadNames() {
    ProtoMessage message(bytes_);
    for (ProtoField field; message.Next(&field);) {
      if (field.number == in_plane::kName) name_ = field.bytes;
      if (field.number == in_plane::kLines) lines_.push_back(field.bytes);
      if (field.number == in_plane::kEventMetadata) RTL_TRY(TakeName(field.bytes, &events_));
      if (field.number == in_plane::kStatMetadata) RTL_TRY(TakeName(field.bytes, &stat_names_));
      if (field.number == in_plane::kStats) stats_.push_back(field.bytes);
    }
    return message.damaged() ? Damaged() : Status::Ok();
  }

  // Reads an entry of a map from numbers to names.
  static Status TakeName(std::string_view bytes, NamesById* names) {
    uint64_t id = 0;
    std::string_view about, name, shown;
    ProtoMessage entry(bytes);
    for (ProtoField field; entry.Next(&field);) {
      if (field.number == kMapKey) id = field.value;
      if (field.number == kMapValue) about = field.bytes;
    }
    ProtoMessage value(about);
    for (ProtoField field; value.Next(&field);) {
      if (field.number == in_metadata::kName) name = field.bytes;
      if (field.number == in_metadata::kShownName) shown = field.bytes;
    }
    (*names)[id] = shown.empty() ? name : shown;
    return entry.damaged() || value.damaged() ? Damaged() : Status::Ok();
  }

  static std::string_view NameOf(const NamesById& names, uint64_t id) {
    const auto known = names.find(id);
    return known == names.end() ? std::string_view() : known->second;
  }

  void AddArg(std::string_view key, std::string_view value) {
    if (event_.arg_count == event_.args.size()) event_.args.emplace_back();
    ChromeValue& arg = event_.args[event_.arg_count++];
    arg.key = key;
    arg.value = value;
  }

  // Adds a statistic as an argument of the event, if the reader wants it or if `always`.
  Status TakeStat(std::string_view bytes, bool always = false) {
    std::string_view key, text;
    std::string number;
    ProtoMessage message(bytes);
    for (ProtoField field; message.Next(&field);) {
      if (field.number == in_stat::kMetadata) {
        key = NameOf(stat_names_, field.value);
        if (!always && !reader_.WantsArg(key)) return Status::Ok();
      }
      if (field.number == in_stat::kDouble) number = std::to_string(field.Double());
      if (field.number == in_stat::kUnsigned) number = std::to_string(field.value);
      if (field.number == in_stat::kSigned) {
        number = std::to_string(static_cast<int64_t>(field.value));
      }
      if (field.number == in_stat::kText) text = field.bytes;
      if (field.number == in_stat::kReference) text = NameOf(stat_names_, field.value);
    }
    if (!key.empty()) AddArg(key, number.empty() ? text : std::string_view(number));
    return message.damaged() ? Damaged() : Status::Ok();
  }

  Status TakeLine(std::string_view bytes) {
    std::string_view name, shown;
    uint64_t id = 0;
    int64_t began = 0;
    ProtoMessage message(bytes);
    for (ProtoField field; message.Next(&field);) {
      if (field.number == in_line::kId) id = field.value;
      if (field.number == in_line::kName) name = field.bytes;
      if (field.number == in_line::kShownName) shown = field.bytes;
      if (field.number == in_line::kTimestamp) began = static_cast<int64_t>(field.value);
    }
    if (message.damaged()) return Damaged();
    event_.Clear();
    event_.phase = "M";
    event_.name = "thread_name";
    event_.pid = number_;
    event_.tid = std::to_string(id);
    AddArg("name", shown.empty() ? name : shown);
    RTL_TRY(reader_.TakeEvent(event_));
    ProtoMessage again(bytes);
    for (ProtoField field; again.Next(&field);) {
      if (field.number == in_line::kEvents) RTL_TRY(TakeEvent(field.bytes, id, began));
    }
    return Status::Ok();
  }

  Status TakeEvent(std::string_view bytes, uint64_t thread, int64_t began) {
    event_.Clear();
    event_.phase = "X";
    event_.pid = number_;
    event_.tid = std::to_string(thread);
    int64_t offset = 0, duration = 0;  // picoseconds
    event_.has_start = event_.has_duration = true;
    ProtoMessage message(bytes);
    for (ProtoField field; message.Next(&field);) {
      if (field.number == in_event::kMetadata) event_.name = NameOf(events_, field.value);
      if (field.number == in_event::kOffset) offset = static_cast<int64_t>(field.value);
      if (field.number == in_event::kDuration) duration = static_cast<int64_t>(field.value);
      if (field.number == in_event::kStats) RTL_TRY(TakeStat(field.bytes));
      // The event is a sum of many, without times of its own.
      if (field.number == in_event::kOccurrences) event_.has_start = false;
    }
    if (message.damaged()) return Damaged();
    int64_t end = 0;
    event_.has_start = event_.has_start && !__builtin_add_overflow(offset, duration, &end) &&
                       !__builtin_add_overflow(began, Nanoseconds(offset), &event_.start);
    event_.duration = Nanoseconds(end) - Nanoseconds(offset);
    return reader_.TakeEvent(event_);
  }
  static int64_t Nanoseconds(int64_t ps) { return ps / 1000 + (ps % 1000 >= 500 ? 1 : 0); }

  std::string_view bytes_;
  const std::string number_;
  ChromeReader& reader_;
  std::string_view name_;
  std::vector<std::string_view> lines_, stats_;
  NamesById events_, stat_names_;
  ChromeEvent event_;
};

bool ReadVarint(TextInput* input, uint64_t* value) {
  *value = 0;
  for (unsigned shift = 0; shift < 64; shift += 7) {
    char byte = 0;
    if (input->Read(&byte, 1) == 0) return false;
    *value |= static_cast<uint64_t>(byte & 0x7f) << shift;
    if ((byte & 0x80) == 0) return true;
  }
  return false;
}

// Reads a message or a text of the file. The buffer grows with what is read, because the length in
// the file is not trusted.
Status ReadBytes(TextInput* input, std::string* bytes) {
  constexpr uint64_t kPiece = uint64_t{4} << 20;
  uint64_t length = 0;
  if (!ReadVarint(input, &length) || length > kLongestPlane) return Status::Error("is damaged");
  bytes->clear();
  while (bytes->size() < length) {
    const size_t before = bytes->size();
    const size_t piece = std::min(kPiece, length - before);
    bytes->resize(before + piece);
    input->Mark();
    if (input->Read(bytes->data() + before, piece) != piece) {
      return Status::Error("ends within a plane");
    }
  }
  return Status::Ok();
}

Status ReadPlanes(TextInput* input, ChromeReader* reader) {
  std::string bytes;
  for (size_t planes = 0; !input->AtEnd();) {
    uint64_t key = 0;
    if (!ReadVarint(input, &key) || (key & 7) != 2) return Status::Error("is damaged");
    RTL_TRY(ReadBytes(input, &bytes));
    if (key >> 3 == kHostnames) RTL_TRY(reader->TakeFact("hostname", bytes));
    if (key >> 3 != kPlanes) continue;
    // The file has no process ids, so a plane gets a name instead.
    RTL_TRY(Plane(bytes, "plane " + std::to_string(++planes), reader).Read());
  }
  return Status::Ok();
}

}  // namespace

bool IsXPlane(std::string_view begin) {
  if (!begin.starts_with('\x0a')) return false;
  begin.remove_prefix(1);
  size_t length_bytes = 0;
  while (length_bytes < begin.size() && (begin[length_bytes] & '\x80') != 0) ++length_bytes;
  ProtoMessage first(begin.substr(std::min(begin.size(), length_bytes + 1)));
  ProtoField field;
  if (!first.Next(&field)) return false;
  if (field.number == 1 && !field.is_bytes && !first.Next(&field)) return false;  // skips its id
  return field.number == in_plane::kName && field.is_bytes &&
         (field.bytes.starts_with("/host:") || field.bytes.starts_with("/device:") ||
          field.bytes == "Task Environment");
}

Status ReadXPlane(const std::string& path, ChromeReader* reader) {
  TextInput input;
  RTL_TRY(input.Open(path));
  const Status read = ReadPlanes(&input, reader);
  RTL_TRY(input.status());
  if (read.ok()) return read;
  return Status::Error("%s: %s at byte %zu", path.c_str(), read.message(), input.Tell());
}

}  // namespace rtl::import
