// SPDX-License-Identifier: MIT
#include "export/tool/otf2.h"

#include <otf2/otf2.h>
#include <stdarg.h>

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <map>
#include <memory>
#include <string>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

#include "trace/read/error.h"

namespace rtl::exporting::tool {
namespace {

namespace fs = std::filesystem;

constexpr uint64_t kEventChunk = 1 << 20;
constexpr uint64_t kDefinitionChunk = 4 << 20;
constexpr char kArchive[] = "results";
constexpr uint64_t kNanosecond = 1'000'000'000;
// The attribute that rocprofv3's archives have, as their only one.
constexpr OTF2_AttributeRef kCategory = 0;
constexpr OTF2_AttributeRef kCorrelation = 1;
constexpr OTF2_AttributeRef kDispatch = 2;
// A category of their own, because rocprofv3 leaves marks out, and its readers count the events of
// "marker_api".
constexpr char kMarks[] = "marker_api_mark";
constexpr OTF2_LocationGroupRef kProcessGroup = 0;

struct Span {
  uint64_t start = 0, end = 0;
  uint64_t correlation = 0;
  uint64_t dispatch = 0;  // zero: the event is not a kernel
  OTF2_RegionRef region = 0;
  OTF2_StringRef category = 0;
};

// A location, whose spans nest or do not overlap.
struct Location {
  std::string name;
  OTF2_LocationGroupRef group = kProcessGroup;
  bool on_gpu = false;
  std::vector<Span> spans;
};

// Keeps the first error that the library reports; otherwise the library would print a line for
// each.
OTF2_ErrorCode Remember(void* first, const char*, uint64_t, const char*, OTF2_ErrorCode code,
                        const char*, va_list) {
  auto* const known = static_cast<OTF2_ErrorCode*>(first);
  if (*known == OTF2_SUCCESS) *known = code;
  return code;
}

OTF2_FlushType BeforeFlush(void*, OTF2_FileType, OTF2_LocationRef, void*, bool) {
  return OTF2_FLUSH;
}
OTF2_TimeStamp AfterFlush(void*, OTF2_FileType, OTF2_LocationRef) { return 0; }

class Archive {
 public:
  explicit Archive(ToolTrace& trace) : trace_(trace) { (void)Text(""); }

  Status Read() {
    RTL_TRY(ReadKernels());
    RTL_TRY(ReadCopies());
    for (const Domain domain : kCallDomains) RTL_TRY(ReadCalls(domain));
    RTL_TRY(ReadMarkers());
    for (const Domain domain : {Domain::kAllocation, Domain::kScratch}) RTL_TRY(ReadMemory(domain));
    for (auto& [key, location] : locations_) Spread(std::move(location));
    return Status::Ok();
  }

  Status Write(const std::string& folder, const std::string& name) {
    if (written_.empty())
      written_.push_back({"Thread 0", kProcessGroup, false, {}});  // readers need a location
    (void)Text("Thread 0");
    const std::unique_ptr<OTF2_Archive, OTF2_ErrorCode (*)(OTF2_Archive*)> archive(
        OTF2_Archive_Open(folder.c_str(), name.c_str(), OTF2_FILEMODE_WRITE, kEventChunk,
                          kDefinitionChunk, OTF2_SUBSTRATE_POSIX, OTF2_COMPRESSION_NONE),
        OTF2_Archive_Close);
    if (archive == nullptr)
      return Status::Error("%s: the OTF2 library cannot write here", folder.c_str());
    static const OTF2_FlushCallbacks kFlush = {.otf2_pre_flush = BeforeFlush,
                                               .otf2_post_flush = AfterFlush};
    RTL_TRY(Check(OTF2_Archive_SetFlushCallbacks(archive.get(), &kFlush, nullptr)));
    RTL_TRY(Check(OTF2_Archive_SetSerialCollectiveCallbacks(archive.get())));
    RTL_TRY(Check(OTF2_Archive_OpenEvtFiles(archive.get())));
    for (size_t i = 0; i < written_.size(); ++i) RTL_TRY(WriteEvents(archive.get(), i));
    RTL_TRY(Check(OTF2_Archive_CloseEvtFiles(archive.get())));
    RTL_TRY(Check(OTF2_Archive_OpenDefFiles(archive.get())));
    for (size_t i = 0; i < written_.size(); ++i) {
      OTF2_DefWriter* const writer = OTF2_Archive_GetDefWriter(archive.get(), i);
      RTL_TRY(Check(OTF2_Archive_CloseDefWriter(archive.get(), writer)));
    }
    RTL_TRY(Check(OTF2_Archive_CloseDefFiles(archive.get())));
    return WriteDefinitions(archive.get());
  }

 private:
  using Key = std::tuple<int, uint64_t, uint64_t>;  // kind, and two numbers that depend on the kind

  static Status Check(OTF2_ErrorCode code) {
    return code == OTF2_SUCCESS ? Status::Ok()
                                : Status::Error("OTF2: %s", OTF2_Error_GetDescription(code));
  }

  OTF2_StringRef Text(const std::string& text) {
    const auto [found, is_new] = texts_.emplace(text, static_cast<OTF2_StringRef>(texts_.size()));
    if (is_new) text_order_.push_back(&found->first);
    return found->second;
  }
  OTF2_RegionRef Region(std::string_view name, OTF2_Paradigm paradigm) {
    const auto [found, is_new] = regions_.emplace(std::pair(std::string(name), paradigm),
                                                  static_cast<OTF2_RegionRef>(regions_.size()));
    if (!is_new) return found->second;
    region_order_.push_back(&found->first);
    (void)Text(found->first.first);
    return found->second;
  }
  OTF2_StringRef Category(Domain domain) { return Text(InfoOf(domain).json_list); }
  Location& Of(const Key& key, const std::string& name, const ToolAgent* agent) {
    Location& location = locations_[key];
    if (!location.name.empty()) return location;
    location.name = name;
    if (agent != nullptr) {
      location.on_gpu = agent->agent.is_gpu;
      location.group =
          groups_.emplace(agent, static_cast<OTF2_LocationGroupRef>(groups_.size() + 1))
              .first->second;
    }
    return location;
  }
  Location& Thread(uint32_t tid) {
    std::string name = "Thread " + std::to_string(tid);
    if (const std::string_view given = trace_.ThreadName(tid); !given.empty())
      name.append(" \"").append(given).append("\"");
    return Of({0, tid, 0}, name, nullptr);
  }

  Status ReadKernels() {
    return trace_.ForEachKernel([&](const ToolKernel& kernel) {
      const bool by_stream = kernel.stream != 0;
      const std::string name = by_stream ? "Stream " + std::to_string(kernel.stream)
                                         : "Queue " + std::to_string(kernel.queue);
      const uint64_t agent = HandleOf(kernel.agent);
      Of({by_stream ? 2 : 1, agent, by_stream ? kernel.stream : kernel.queue}, name, kernel.agent)
          .spans.push_back({kernel.row.start, kernel.row.end, kernel.correlation,
                            kernel.row.dispatch, Region(kernel.name, OTF2_PARADIGM_HIP),
                            Category(Domain::kKernel)});
      return Status::Ok();
    });
  }
  Status ReadCopies() {
    return trace_.ForEachCopy([&](const ToolCopy& copy) {
      const ToolAgent* const agent = copy.destination != nullptr && copy.destination->agent.is_gpu
                                         ? copy.destination
                                         : copy.source;
      Of({3, HandleOf(agent), 0}, "Copies", agent)
          .spans.push_back({copy.row.start, copy.row.end, copy.correlation, 0,
                            Region(copy.direction, OTF2_PARADIGM_HIP), Category(Domain::kCopy)});
      return Status::Ok();
    });
  }
  Status ReadCalls(Domain domain) {
    return trace_.ForEachCall(domain, [&](const ToolCall& call) {
      Thread(call.row.tid)
          .spans.push_back({call.row.start, call.row.end, call.row.correlation, 0,
                            Region(call.name, OTF2_PARADIGM_HIP), Category(domain)});
      return Status::Ok();
    });
  }
  // A range of a process may end on another thread than the one on which it began.
  Status ReadMarkers() {
    return trace_.ForEachMarker([&](const ToolMarker& marker) {
      const bool of_process = marker.form == MarkerForm::kProcessRange;
      Location& location = of_process ? Of({4, 0, 0}, "Ranges", nullptr) : Thread(marker.row.tid);
      location.spans.push_back(
          {marker.row.start, marker.row.end, marker.correlation, 0,
           Region(marker.message, OTF2_PARADIGM_USER),
           marker.form == MarkerForm::kMark ? Text(kMarks) : Category(Domain::kMarker)});
      return Status::Ok();
    });
  }
  Status ReadMemory(Domain domain) {
    return trace_.ForEachMemory(domain, [&](const ToolMemory& memory) {
      const bool scratch = domain == Domain::kScratch;
      Location& location = scratch
                               ? Of({5, HandleOf(memory.agent), 0}, "Scratch memory", memory.agent)
                               : Thread(memory.row.tid);
      location.spans.push_back({memory.row.start, memory.row.end, memory.correlation, 0,
                                Region(memory.name, OTF2_PARADIGM_HIP), Category(domain)});
      return Status::Ok();
    });
  }

  // The spans of one location must nest or not overlap, so an overlapping span goes to another
  // location with the same name.
  void Spread(Location location) {
    std::stable_sort(location.spans.begin(), location.spans.end(),
                     [](const Span& a, const Span& b) {
                       return a.start != b.start ? a.start < b.start : a.end > b.end;
                     });
    std::vector<Location> lanes;
    std::vector<std::vector<uint64_t>> open;  // for each lane: the ends of its open spans
    for (const Span& span : location.spans) {
      first_ = std::min(first_, span.start);
      last_ = std::max(last_, std::max(span.start, span.end));
      size_t lane = 0;
      for (; lane < lanes.size(); ++lane) {
        std::vector<uint64_t>& ends = open[lane];
        while (!ends.empty() && ends.back() <= span.start) ends.pop_back();
        if (ends.empty() || span.end <= ends.back()) break;
      }
      if (lane == lanes.size()) {
        lanes.push_back({location.name, location.group, location.on_gpu, {}});
        open.emplace_back();
      }
      lanes[lane].spans.push_back(span);
      open[lane].push_back(std::max(span.start, span.end));
    }
    for (Location& lane : lanes) {
      (void)Text(lane.name);
      written_.push_back(std::move(lane));
    }
  }

  Status Event(OTF2_EvtWriter* writer, const Span& span, bool enters) {
    const std::unique_ptr<OTF2_AttributeList, void (*)(OTF2_AttributeList*)> attributes(
        OTF2_AttributeList_New(),
        [](OTF2_AttributeList* list) { (void)OTF2_AttributeList_Delete(list); });
    if (!enters)
      return Check(
          OTF2_EvtWriter_Leave(writer, nullptr, std::max(span.start, span.end), span.region));
    (void)OTF2_AttributeList_AddStringRef(attributes.get(), kCategory, span.category);
    (void)OTF2_AttributeList_AddUint64(attributes.get(), kCorrelation, span.correlation);
    if (span.dispatch != 0)
      (void)OTF2_AttributeList_AddUint64(attributes.get(), kDispatch, span.dispatch);
    return Check(OTF2_EvtWriter_Enter(writer, attributes.get(), span.start, span.region));
  }

  Status WriteEvents(OTF2_Archive* archive, size_t index) {
    OTF2_EvtWriter* const writer = OTF2_Archive_GetEvtWriter(archive, index);
    if (writer == nullptr) return Status::Error("OTF2: a location cannot be written");
    std::vector<const Span*> open;
    for (const Span& span : written_[index].spans) {
      while (!open.empty() && std::max(open.back()->start, open.back()->end) <= span.start) {
        RTL_TRY(Event(writer, *open.back(), false));
        open.pop_back();
      }
      RTL_TRY(Event(writer, span, true));
      open.push_back(&span);
    }
    for (; !open.empty(); open.pop_back()) RTL_TRY(Event(writer, *open.back(), false));
    return Check(OTF2_Archive_CloseEvtWriter(archive, writer));
  }

  Status WriteDefinitions(OTF2_Archive* archive) {
    OTF2_GlobalDefWriter* const writer = OTF2_Archive_GetGlobalDefWriter(archive);
    const query::Process& process = trace_.process();
    const OTF2_StringRef machine = Text("machine"), host = Text(process.host), node = Text("node");
    const OTF2_StringRef command = Text(process.command), none = Text("");
    const OTF2_StringRef correlation = Text("correlation_id"), dispatch = Text("dispatch_id");
    const OTF2_StringRef what = Text("id in rtl's trace.db");
    const OTF2_StringRef category = Text("category"), kind = Text("tracing category");
    for (const auto& [agent, group] : groups_) (void)Text(agent->label + " " + agent->agent.name);
    if (first_ > last_) first_ = last_ = process.started;
    RTL_TRY(Check(OTF2_GlobalDefWriter_WriteClockProperties(
        writer, kNanosecond, first_, last_ - first_ + 1, OTF2_UNDEFINED_TIMESTAMP)));
    for (size_t i = 0; i < text_order_.size(); ++i) {
      RTL_TRY(Check(OTF2_GlobalDefWriter_WriteString(writer, static_cast<OTF2_StringRef>(i),
                                                     text_order_[i]->c_str())));
    }
    for (size_t i = 0; i < region_order_.size(); ++i) {
      const auto& [region, paradigm] = *region_order_[i];
      const OTF2_StringRef name = Text(region);
      RTL_TRY(Check(OTF2_GlobalDefWriter_WriteRegion(writer, static_cast<OTF2_RegionRef>(i), name,
                                                     name, none, OTF2_REGION_ROLE_FUNCTION,
                                                     paradigm, OTF2_REGION_FLAG_NONE, none, 0, 0)));
    }
    RTL_TRY(Check(
        OTF2_GlobalDefWriter_WriteAttribute(writer, kCategory, category, kind, OTF2_TYPE_STRING)));
    RTL_TRY(Check(OTF2_GlobalDefWriter_WriteAttribute(writer, kCorrelation, correlation, what,
                                                      OTF2_TYPE_UINT64)));
    RTL_TRY(Check(
        OTF2_GlobalDefWriter_WriteAttribute(writer, kDispatch, dispatch, what, OTF2_TYPE_UINT64)));
    RTL_TRY(Check(OTF2_GlobalDefWriter_WriteSystemTreeNode(writer, 0, host, machine,
                                                           OTF2_UNDEFINED_SYSTEM_TREE_NODE)));
    RTL_TRY(Check(OTF2_GlobalDefWriter_WriteSystemTreeNode(writer, 1, host, node, 0)));
    RTL_TRY(Check(OTF2_GlobalDefWriter_WriteLocationGroup(writer, kProcessGroup, command,
                                                          OTF2_LOCATION_GROUP_TYPE_PROCESS, 1,
                                                          OTF2_UNDEFINED_LOCATION_GROUP)));
    for (const auto& [agent, group] : groups_) {
      RTL_TRY(Check(OTF2_GlobalDefWriter_WriteLocationGroup(
          writer, group, Text(agent->label + " " + agent->agent.name),
          OTF2_LOCATION_GROUP_TYPE_ACCELERATOR, 1, kProcessGroup)));
    }
    for (size_t i = 0; i < written_.size(); ++i) {
      const Location& location = written_[i];
      RTL_TRY(Check(OTF2_GlobalDefWriter_WriteLocation(
          writer, i, Text(location.name),
          location.on_gpu ? OTF2_LOCATION_TYPE_ACCELERATOR_STREAM : OTF2_LOCATION_TYPE_CPU_THREAD,
          2 * location.spans.size(), location.group)));
    }
    return Check(OTF2_Archive_CloseGlobalDefWriter(archive, writer));
  }

  ToolTrace& trace_;
  std::map<Key, Location> locations_;
  std::vector<Location> written_;  // indexed by number
  std::map<const ToolAgent*, OTF2_LocationGroupRef> groups_;
  std::unordered_map<std::string, OTF2_StringRef> texts_;
  std::vector<const std::string*> text_order_;  // indexed by number
  std::map<std::pair<std::string, OTF2_Paradigm>, OTF2_RegionRef> regions_;
  std::vector<const std::pair<std::string, OTF2_Paradigm>*> region_order_;
  uint64_t first_ = UINT64_MAX, last_ = 0;
};

}  // namespace

// The library writes two files and a folder, which get their names together with the other files of
// the process.
Status WriteOtf2(ToolTrace& trace, OutputSet* outputs) {
  constexpr const char* kEndings[] = {".otf2", ".def", ""};
  std::string places[std::size(kEndings)];
  for (size_t i = 0; i < std::size(kEndings); ++i)
    RTL_TRY(outputs->Reserve(kArchive + std::string(kEndings[i]), &places[i]));
  const std::string folder = places[0] + ".d";
  const std::string name = fs::path(outputs->PathOf(kArchive)).filename().string();
  Archive archive(trace);
  Status status = archive.Read();
  static OTF2_ErrorCode first = OTF2_SUCCESS;  // static, because the library keeps its address
  first = OTF2_SUCCESS;
  (void)OTF2_Error_RegisterCallback(Remember, &first);  // the result is the former callback
  if (status.ok()) status = archive.Write(folder, name);
  if (!status.ok() && first != OTF2_SUCCESS) {
    status = Status::Error(
        "cannot write %s: %s", outputs->PathOf(kArchive).c_str(),
        first == OTF2_ERROR_ENOSPC ? "the disk is full" : OTF2_Error_GetDescription(first));
  }
  std::error_code error;
  for (size_t i = 0; i < std::size(kEndings) && status.ok(); ++i) {
    fs::rename(fs::path(folder) / (name + kEndings[i]), places[i], error);
    if (error)
      status = query::FileErrno(outputs->PathOf(kArchive), "cannot be written", error.value());
  }
  fs::remove_all(folder, error);
  return status;
}

}  // namespace rtl::exporting::tool
