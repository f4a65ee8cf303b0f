// SPDX-License-Identifier: MIT
// pftrace_test_support.h: reads an export for tests, with protoc's decoder, and assembles it like a
// viewer: names, clock and track of each packet sequence, events in the order of time, and a stack
// for each track.
#pragma once

#include <gtest/gtest.h>
#include <perfetto_subset.pb.h>

#include <algorithm>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "export/exporter.h"
#include "export/utf8.h"
#include "trace/read/query_test_support.h"

namespace rtl::exporting::viewer {

using perfetto_subset::DebugAnnotation;
using perfetto_subset::InternedText;
using perfetto_subset::Trace;
using perfetto_subset::TracePacket;
using perfetto_subset::TrackDescriptor;
using perfetto_subset::TrackEvent;

// True if the subset of Perfetto's format describes every field of the message, at any depth.
inline bool IsKnown(const google::protobuf::Message& message) {
  const auto* reflection = message.GetReflection();
  if (!reflection->GetUnknownFields(message).empty()) return false;
  std::vector<const google::protobuf::FieldDescriptor*> fields;
  reflection->ListFields(message, &fields);
  for (const auto* field : fields) {
    if (field->cpp_type() != google::protobuf::FieldDescriptor::CPPTYPE_MESSAGE) continue;
    const int count = field->is_repeated() ? reflection->FieldSize(message, field) : 1;
    for (int i = 0; i < count; ++i) {
      const auto& inner = field->is_repeated() ? reflection->GetRepeatedMessage(message, field, i)
                                               : reflection->GetMessage(message, field);
      if (!IsKnown(inner)) return false;
    }
  }
  return true;
}

struct Slice {
  uint64_t start = 0;
  uint64_t end = 0;  // the same as `start` for an instant
  size_t depth = 0;
  double value = 0;  // for a counter: its value from `start` on
  bool instant = false;
  std::string name;
  std::string category;
  std::map<std::string, std::string> arguments;
  std::vector<uint64_t> flows_out;
  std::vector<uint64_t> flows_in;
};

class Viewer {
 public:
  explicit Viewer(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    EXPECT_TRUE(trace_.ParseFromIstream(&file));
    EXPECT_TRUE(IsKnown(trace_));
    for (const TracePacket& packet : trace_.packet()) Read(packet);
    std::stable_sort(events_.begin(), events_.end(),
                     [](const Event& a, const Event& b) { return a.time < b.time; });
    for (const Event& event : events_) Play(event);
    for (const auto& [track, open] : open_) EXPECT_TRUE(open.empty()) << NameOf(track);
  }

  const Trace& trace() const { return trace_; }
  size_t sequences_begun() const { return begun_; }

  // `track` is a path: for example the track "GPU 0 queue 1 (hsa 17)" of process 1000 is
  // "app:1000/GPU 0 queue 1 (hsa 17)".
  const std::vector<Slice>& Slices(const std::string& track) const {
    static const std::vector<Slice> kNone;
    for (const auto& [uuid, descriptor] : tracks_) {
      if (NameOf(uuid) == track) {
        const auto found = slices_.find(uuid);
        return found == slices_.end() ? kNone : found->second;
      }
    }
    ADD_FAILURE() << "no track " << track << "; there are:\n" << Tracks();
    return kNone;
  }

  const std::vector<Slice>& SlicesOf(uint64_t track) const {
    static const std::vector<Slice> kNone;
    const auto found = slices_.find(track);
    return found == slices_.end() ? kNone : found->second;
  }

  // The tracks below the first track with this name, in the order of the viewer.
  std::string Children(const std::string& name) const {
    std::multimap<int32_t, std::string> children;
    for (const auto& [uuid, track] : tracks_) {
      if (track.name() != name) continue;
      EXPECT_EQ(track.child_ordering(), TrackDescriptor::EXPLICIT);
      for (const auto& [id, child] : tracks_) {
        if (child.parent_uuid() == uuid) {
          children.emplace(child.sibling_order_rank(), child.name());
        }
      }
      break;
    }
    std::string text;
    for (const auto& [rank, child] : children) text += child + "\n";
    return text;
  }

  std::string Tracks() const {
    std::string text;
    for (const auto& [uuid, descriptor] : tracks_) text += NameOf(uuid) + "\n";
    return text;
  }

  // Returns lines of "depth name start-end".
  std::string Drawing(const std::string& track) const {
    std::vector<Slice> slices = Slices(track);
    std::stable_sort(slices.begin(), slices.end(), [](const Slice& a, const Slice& b) {
      return a.start != b.start ? a.start < b.start : a.depth < b.depth;
    });
    std::string text;
    for (const Slice& slice : slices) {
      text += std::string(slice.depth * 2, ' ') + slice.name + " " + std::to_string(slice.start);
      if (!slice.instant) text += "-" + std::to_string(slice.end);
      text += "\n";
    }
    return text;
  }

 private:
  struct Event {
    uint64_t time;
    uint64_t track;
    TrackEvent::Type type;
    Slice slice;  // with the names that are interned at this point of the file
  };
  using Names = std::map<uint64_t, std::string>;

  // The names of a packet sequence since it last started over.
  struct Sequence {
    Names categories, names, annotations, values;
    uint32_t clock = 0;
    uint64_t track = 0;
    uint64_t boot_time = 0;  // BOOTTIME of the last snapshot
    uint64_t time = 0;       // time of the last packet on the sequence's own clock
  };

  static void Learn(const google::protobuf::RepeatedPtrField<InternedText>& texts, Names* names) {
    for (const InternedText& text : texts) {
      EXPECT_NE(text.iid(), 0u);
      EXPECT_TRUE(names->emplace(text.iid(), text.text()).second) << "written twice";
      EXPECT_TRUE(IsUtf8(text.text()));
    }
  }

  void Read(const TracePacket& packet) {
    EXPECT_NE(packet.trusted_packet_sequence_id(), 0u);
    Sequence& sequence = sequences_[packet.trusted_packet_sequence_id()];
    if (packet.incremental_state_cleared()) {
      EXPECT_EQ(packet.sequence_flags(), 1u);
      ++begun_;
      const uint64_t boot_time = sequence.boot_time;
      sequence = {};
      sequence.boot_time = boot_time;
      sequence.clock = packet.trace_packet_defaults().timestamp_clock_id();
      sequence.track = packet.trace_packet_defaults().track_event_defaults().track_uuid();
    }
    EXPECT_TRUE(sequence.track != 0 || !packet.has_interned_data()) << "not begun";
    Learn(packet.interned_data().event_categories(), &sequence.categories);
    Learn(packet.interned_data().event_names(), &sequence.names);
    Learn(packet.interned_data().debug_annotation_names(), &sequence.annotations);
    Learn(packet.interned_data().debug_annotation_string_values(), &sequence.values);
    if (packet.has_clock_snapshot()) ReadClocks(packet.clock_snapshot(), &sequence);
    if (packet.has_track_descriptor()) {
      const TrackDescriptor& track = packet.track_descriptor();
      EXPECT_NE(track.uuid(), 0u);
      EXPECT_TRUE(!track.has_parent_uuid() || tracks_.contains(track.parent_uuid()));
      EXPECT_TRUE(tracks_.emplace(track.uuid(), track).second) << "described twice";
    }
    if (packet.has_track_event()) {
      EXPECT_EQ(packet.sequence_flags(), 2u);
      EXPECT_FALSE(packet.track_event().has_track_uuid());
      EXPECT_TRUE(tracks_.contains(sequence.track));
      const uint64_t time = TimeOf(packet, &sequence);
      events_.push_back({time, sequence.track, packet.track_event().type(),
                         Resolve(packet.track_event(), time, sequence)});
    }
  }

  // Checks that the trace's clock does not go back between snapshots, because Perfetto refuses
  // that.
  static void ReadClocks(const perfetto_subset::ClockSnapshot& snapshot, Sequence* sequence) {
    ASSERT_GT(snapshot.clocks_size(), 0);
    EXPECT_EQ(snapshot.clocks(0).clock_id(), 6u);
    EXPECT_FALSE(snapshot.clocks(0).is_incremental());
    EXPECT_GE(snapshot.clocks(0).timestamp(), sequence->boot_time);
    sequence->boot_time = snapshot.clocks(0).timestamp();
    if (snapshot.has_primary_trace_clock()) return;
    ASSERT_EQ(snapshot.clocks_size(), 2);
    EXPECT_EQ(snapshot.clocks(1).clock_id(), 64u);
    EXPECT_TRUE(snapshot.clocks(1).is_incremental());
    EXPECT_EQ(snapshot.clocks(1).timestamp(), sequence->boot_time);
    sequence->time = snapshot.clocks(1).timestamp();
  }

  static uint64_t TimeOf(const TracePacket& packet, Sequence* sequence) {
    EXPECT_TRUE(packet.has_timestamp());
    if (packet.has_timestamp_clock_id()) {
      EXPECT_EQ(packet.timestamp_clock_id(), 6u);
      return packet.timestamp();
    }
    EXPECT_EQ(sequence->clock, 64u);
    return sequence->time += packet.timestamp();
  }

  static Slice Resolve(const TrackEvent& event, uint64_t time, const Sequence& sequence) {
    Slice slice;
    slice.start = time;
    slice.instant = event.type() == TrackEvent::TYPE_INSTANT;
    if (event.type() == TrackEvent::TYPE_SLICE_END) return slice;
    if (event.type() == TrackEvent::TYPE_COUNTER) {
      slice.value = event.double_counter_value();
      return slice;
    }
    slice.name = sequence.names.at(event.name_iid());
    slice.category = sequence.categories.at(event.category_iids(0));
    for (const DebugAnnotation& annotation : event.debug_annotations()) {
      std::string value = annotation.string_value();
      if (annotation.has_uint_value()) value = std::to_string(annotation.uint_value());
      if (annotation.has_string_value_iid()) {
        value = sequence.values.at(annotation.string_value_iid());
      }
      if (annotation.has_double_value()) value = std::to_string(annotation.double_value());
      const bool interned = annotation.has_name_iid();
      const std::string name =
          interned ? sequence.annotations.at(annotation.name_iid()) : annotation.name();
      slice.arguments[name] = value;
    }
    slice.flows_out.assign(event.flow_ids().begin(), event.flow_ids().end());
    slice.flows_in.assign(event.terminating_flow_ids().begin(), event.terminating_flow_ids().end());
    return slice;
  }

  void Play(const Event& event) {
    std::vector<Slice>& open = open_[event.track];
    std::vector<Slice>& done = slices_[event.track];
    Slice slice = event.slice;
    slice.depth = open.size();
    switch (event.type) {
      case TrackEvent::TYPE_SLICE_BEGIN:
        open.push_back(slice);
        break;
      case TrackEvent::TYPE_SLICE_END:
        ASSERT_FALSE(open.empty()) << NameOf(event.track);
        open.back().end = event.time;
        done.push_back(open.back());
        open.pop_back();
        break;
      case TrackEvent::TYPE_COUNTER:
        EXPECT_TRUE(tracks_.at(event.track).has_counter());
        [[fallthrough]];
      default:
        slice.end = slice.start;
        done.push_back(slice);
    }
  }

  std::string NameOf(uint64_t uuid) const {
    const TrackDescriptor& track = tracks_.at(uuid);
    if (track.has_process()) {
      return track.process().process_name() + ":" + std::to_string(track.process().pid());
    }
    const std::string parent = NameOf(track.parent_uuid()) + "/";
    if (!track.has_thread()) return parent + track.name();
    EXPECT_EQ(track.thread().pid(), tracks_.at(track.parent_uuid()).process().pid());
    return parent + track.thread().thread_name();
  }

  Trace trace_;
  std::map<uint32_t, Sequence> sequences_;
  size_t begun_ = 0;
  std::map<uint64_t, TrackDescriptor> tracks_;
  std::vector<Event> events_;
  std::map<uint64_t, std::vector<Slice>> open_;
  std::map<uint64_t, std::vector<Slice>> slices_;
};

}  // namespace rtl::exporting::viewer

namespace rtl::exporting {

// A trace that is exported for Perfetto.
class Pftrace : public testing::Test {
 protected:
  void SetUp() override {
    trace_.Queue(0);
    trace_.Kernel("_Z4gemmPf");
  }
  viewer::Viewer View() {
    trace_.Finish();
    return ViewFinished();
  }
  viewer::Viewer ViewFinished() {
    auto reader = query::OpenTrace(path_);
    const std::string output = directory_.File("trace.pftrace");
    query::ExpectOk(Export(*reader, Format::kPftrace, output, nullptr));
    return viewer::Viewer(output);
  }

  test::TempDir directory_;
  std::string path_ = directory_.File("trace.db");
  query::TestTrace trace_{path_};
};

}  // namespace rtl::exporting
