// SPDX-License-Identifier: MIT
// aqlprofile.h: loads libhsa-amd-aqlprofile64.so.1, AMD's library that knows the counter registers
// of each chip. The library makes the packets that start, stop and read counters, and decodes what
// they have read. This project knows nothing about registers.
//
// Threads    Open: one at a time. Everything else: any, once Open has returned
// Blocking   Open: the dynamic loader
// Memory     the library stays loaded
// Errors     Open: a line that names the file. Everything else: false if the library refuses
#pragma once

#include <hsa/hsa.h>
#include <stdint.h>

#include "base/status.h"
#include "counters/counter_set.h"
#include "device/aql_packet.h"

namespace rtl::counters {

// The facts about a GPU that the library needs.
struct CounterAgentInfo {
  char name[64] = {};  // "gfx906"
  uint32_t xcc = 1;
  uint32_t engines = 0;  // shader engines
  uint32_t compute_units = 0;
  uint32_t arrays_per_engine = 0;
};

class AqlProfile {
 public:
  static constexpr char kLibrary[] = "libhsa-amd-aqlprofile64.so.1";

  // The layouts are those of the library's interface.
  struct Agent {
    uint64_t handle = 0;
  };
  struct Handle {
    uint64_t handle = 0;
  };
  struct Event {
    uint32_t block_index;
    uint32_t event;
    uint32_t flags;
    uint32_t block;
  };
  struct Packets {
    AqlPacket start, stop, read;
  };
  struct Memory {
    hsa_status_t (*allocate)(void** memory, uint64_t bytes, uint32_t flags, void* data);
    void (*free)(void* memory, void* data);
    hsa_status_t (*copy)(void* to, const void* from, size_t bytes, void* data);
    void* data;
  };
  struct Block {
    uint32_t id = 0;
    uint32_t instances = 0;
  };
  using ValueCallback = hsa_status_t (*)(Event event, uint64_t sample, uint64_t value, void* data);
  using CoordinateCallback = hsa_status_t (*)(int position, int id, int extent, int coordinate,
                                              const char* name, void* data);

  // `file`: null for the library's own name, which the loader looks for.
  Status Open(const char* file);
  bool open() const { return open_; }

  bool Register(const CounterAgentInfo& info, Agent* agent) const;
  // False: this chip has no such block.
  bool FindBlock(Agent agent, const char* name, Block* block) const;
  // How many events of the block can be counted at once; zero: not known.
  uint32_t CountersOf(Agent agent, const Event& event) const;
  bool IsValid(Agent agent, const Event& event) const;
  // Whether the events can be counted at once.
  struct Fit {
    enum Kind : uint8_t { kYes, kNoBlock, kNoEvent, kTooMany };
    Kind kind = kYes;
    uint32_t event = 0;   // index of an event that does not fit
    uint32_t wanted = 0;  // events of its block in the set
    uint32_t room = 0;    // events of its block that can be counted at once
  };
  Fit Fits(Agent agent, const CounterSet& set) const;
  bool MakePackets(Agent agent, const Event* events, uint32_t count, const Memory& memory,
                   Handle* handle, Packets* packets) const;
  void DeletePackets(Handle handle) const { delete_packets_(handle); }
  bool EachValue(Handle handle, ValueCallback callback, void* data) const;
  bool EachCoordinate(Agent agent, const Event& event, uint64_t sample, CoordinateCallback callback,
                      void* data) const;

 private:
  struct Profile {
    Agent agent;
    const Event* events;
    uint32_t count;
  };
  struct IdQuery {
    const char* name;
    uint32_t id;
    uint32_t instances;
  };
  struct AgentInfoV0 {
    const char* name;
    uint32_t xcc, engines, compute_units, arrays_per_engine;
  };
  static constexpr uint32_t kAgentVersion0 = 1;
  static constexpr uint32_t kInfoBlockCounters = 4;
  static constexpr uint32_t kInfoBlockId = 5;

  bool open_ = false;
  hsa_status_t (*register_agent_)(Agent* agent, const void* info, uint32_t version) = nullptr;
  hsa_status_t (*get_info_)(const Profile* profile, uint32_t attribute, void* value) = nullptr;
  hsa_status_t (*validate_)(Agent agent, const Event* event, bool* result) = nullptr;
  hsa_status_t (*create_packets_)(Handle* handle, Packets* packets, Profile profile,
                                  decltype(Memory::allocate) allocate, decltype(Memory::free) free,
                                  decltype(Memory::copy) copy, void* data) = nullptr;
  void (*delete_packets_)(Handle handle) = nullptr;
  hsa_status_t (*iterate_data_)(Handle handle, ValueCallback callback, void* data) = nullptr;
  hsa_status_t (*iterate_coordinates_)(Agent agent, Event event, uint64_t sample,
                                       CoordinateCallback callback, void* data) = nullptr;
};
static_assert(sizeof(AqlProfile::Event) == 16 && sizeof(AqlProfile::Packets) == 192);

}  // namespace rtl::counters
