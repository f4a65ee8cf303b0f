// SPDX-License-Identifier: MIT
// pftrace_stream.h: writes the packets of an export. Every track has a packet sequence of its own,
// which knows the track, counts time from one packet to the next, and has its own names. This saves
// most bytes of a packet.
//
// The string ids of the trace are used as interning ids, so a sequence only remembers which of them
// it has introduced. If too many ids are remembered, every sequence starts over.
//
// Threads    one
// Memory     kMaxRemembered ids, a few words per track
// Errors     a failure to write is kept by the file; the caller checks the file's status
#pragma once

#include <array>
#include <cstdint>
#include <iterator>
#include <map>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "export/output_file.h"
#include "export/perfetto_fields.h"
#include "export/pftrace_names.h"
#include "export/proto_bytes.h"
#include "export/timeline.h"
#include "trace/read/trace_reader.h"

namespace rtl::exporting {

// Interning ids of event names: first the fixed names (pftrace_names.h), then the trace's strings.
inline uint64_t NameIid(int64_t string_id) {
  return static_cast<uint64_t>(string_id) + std::size(kEventNames) + 1;
}

// Interning ids of values: first the sizes of grids and workgroups, then the trace's strings.
inline constexpr uint64_t kMaxTriples = 127;
inline uint64_t ValueIid(int64_t string_id) {
  return static_cast<uint64_t>(string_id) + kMaxTriples + 1;
}
using Triple = std::array<uint32_t, 3>;
std::string TextOf(const Triple& triple);

struct Sequence {
  uint32_t id = 0;
  // identifies the introduced names: a new number whenever the sequence starts over; 0: none yet
  uint64_t epoch = 0;
  uint64_t time = 0;  // time of its last packet
  int64_t range = 0;  // the range that was introduced last
  uint64_t mark = 0;  // the bytes between the time and the event of its packets, encoded
  uint32_t mark_bytes = 0;
  std::unordered_set<uint64_t> names;
  std::unordered_set<uint64_t> values;
};

class PftraceStream {
 public:
  static constexpr size_t kMaxRemembered = 1u << 20;
  static constexpr size_t kMaxHeadBytes = 64;

  // `fixed_names`: InternedData with which every sequence begins.
  PftraceStream(query::TraceReader& trace, OutputFile* out, std::string fixed_names,
                size_t max_remembered = kMaxRemembered)
      : trace_(trace),
        out_(out),
        fixed_names_(std::move(fixed_names)),
        max_remembered_(max_remembered) {}

  void WriteClocks();
  void WriteTrack(const Track& track);

  // The track's sequence, for the next packets of the track. Valid until the next call.
  Sequence* Enter(TrackId track);

  // Introduces a name; to be called before the event that refers to it. The id 0 is no string and
  // is ignored.
  Status Name(Sequence* sequence, int64_t string_id);
  // Name for a kernel, whose short name is introduced.
  Status ShortName(Sequence* sequence, int64_t string_id);
  Status Value(Sequence* sequence, int64_t string_id);
  void TripleValue(Sequence* sequence, uint64_t iid);
  void WriteInterned(Sequence* sequence);

  // Returns 0 if there are too many triples.
  uint64_t TripleIid(const Triple& triple);

  // Writes the part of a packet that is before its event.
  static void PutHead(Sequence* sequence, uint64_t time, ProtoBytes* packet) {
    if (time >= sequence->time) [[likely]] {
      packet->Number(perfetto::TracePacket::kTimestamp, time - sequence->time);
      sequence->time = time;
    } else {
      *packet = PutTimeBefore(time, *packet);
    }
    packet->Put(sequence->mark, sequence->mark_bytes);
  }
  void WriteEvent(Sequence* sequence, uint64_t time, std::string_view event);

 private:
  static ProtoBytes PutTimeBefore(uint64_t time, ProtoBytes packet);
  void ForgetAll();
  void Begin(Sequence* sequence, TrackId track);
  bool Remember(std::unordered_set<uint64_t>* ids, uint64_t id);
  Status Intern(perfetto::InternedData field, uint64_t iid, int64_t string_id);
  void WritePacket();

  query::TraceReader& trace_;
  OutputFile* const out_;
  const std::string fixed_names_;
  const size_t max_remembered_;
  uint64_t started_ = 0;
  uint64_t last_epoch_ = 0;
  size_t remembered_ = 0;
  std::vector<Sequence> sequences_;  // indexed by track
  std::map<Triple, uint64_t> triple_iids_;
  std::vector<std::string> triples_;  // indexed by iid - 1
  std::string interned_;
  std::string packet_;  // the next packet, for WritePacket
  std::string scratch_;
};

// Appends an argument to an event. Its value is an interned text.
void AnnotateInterned(Annotation name, uint64_t iid, std::string* event);

// Appends one entry to the interned data.
void AddInterned(perfetto::InternedData field, uint64_t iid, std::string_view text,
                 std::string* interned);

}  // namespace rtl::exporting
