// SPDX-License-Identifier: MIT
// clients.h: the tools of this process, from discovery to finalization.
//
//   forced, attached ─► ROCP_TOOL_LIBRARIES ─► every loaded library
//                                              all configured, then all initialised
//
// Threads    Discover, ConfigureAll, InitializeAll: one thread, once. Finalize: any; each tool's
//            function is called once
// Blocking   as long as the tools' functions take; no lock is held meanwhile
// Memory     fixed
// Errors     a library that cannot be loaded is one line on stderr
#pragma once

#include <rocprofiler-sdk/experimental/registration.h>
#include <rocprofiler-sdk/registration.h>
#include <stdint.h>

#include <atomic>

#include "base/status.h"

namespace rtl::sdk {

class Clients {
 public:
  static constexpr uint32_t kMost = 64;
  static constexpr uint32_t kFirstHandle = 0x5d00;  // cannot be mistaken for an index

  // Adds tools for rocattach; called before Discover. Returns an error if a library cannot be
  // loaded, or is not a tool.
  Status AddAttached(const char* libraries);
  // Returns an error if one of the libraries was not among the tools when they were configured.
  Status CheckKnown(const char* libraries) const;
  // `forced` may be null.
  void Discover(rocprofiler_configure_func_t forced);
  // `current` names the tool whose function is running.
  void ConfigureAll(uint32_t version, const char* text, std::atomic<uint32_t>* current);
  void InitializeAll(rocprofiler_client_finalize_t finalize, std::atomic<uint32_t>* current);
  // Calls the tool's finalize function, unless it was called before.
  void Finalize(uint32_t index);

  // Calls the tool's `tool_attach` and returns its result; zero if it has none.
  int Attach(uint32_t index, rocprofiler_client_detach_t detach, rocprofiler_context_id_t* contexts,
             uint64_t count);
  // True for one caller only: this caller detaches the tool, and then calls EndDetach.
  bool BeginDetach(uint32_t index);
  // Calls the tool's `tool_detach`.
  void EndDetach(uint32_t index);
  bool has_attach(uint32_t index) const { return tools_[index].attaching.tool_attach != nullptr; }
  bool attached(uint32_t index) const {
    return tools_[index].attached.load(std::memory_order_acquire);
  }
  // The number of threads that are attaching or detaching the tool.
  int32_t inside(uint32_t index) const {
    return tools_[index].inside.load(std::memory_order_acquire);
  }

  // True if this configure function was called.
  bool Has(rocprofiler_configure_func_t configure) const;
  uint32_t count() const { return count_; }
  // False if no tool was found, or if all have declined.
  bool AnyTakesPart() const;
  // True if the tool exists, was initialised, and has not been finalized.
  bool alive(uint32_t index) const { return tools_[index].alive.load(std::memory_order_acquire); }
  uint32_t IndexOf(uint32_t handle) const;  // count() if the handle is not a tool's

 private:
  struct Tool {
    rocprofiler_configure_func_t configure = nullptr;                // one of these functions
    rocprofiler_configure_attach_func_t configure_attach = nullptr;  // may be null, not both
    rocprofiler_client_id_t id = {sizeof(rocprofiler_client_id_t), nullptr, 0};
    rocprofiler_tool_configure_result_t result = {};
    rocprofiler_tool_configure_attach_result_t attaching = {};
    bool asked = false;  // its configure function was called, which happens only once
    bool takes_part = false;
    std::atomic<bool> alive{false};
    std::atomic<bool> attached{false};
    std::atomic<int32_t> inside{0};
  };
  void Add(rocprofiler_configure_func_t configure,
           rocprofiler_configure_attach_func_t configure_attach = nullptr);
  void AddNamed(const char* libraries);
  void AddLoaded();

  bool named_ = false;  // the libraries that the environment names have been loaded
  uint32_t count_ = 0;
  Tool tools_[kMost];
};

}  // namespace rtl::sdk
