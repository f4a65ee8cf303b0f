// SPDX-License-Identifier: MIT
// definitions.h: the hardware counters that are known by name: what each kind of GPU counts by
// which event of which block, and what is computed of others.
//
//   schema 1    rocprofiler-sdk: {counters: [{name, description, definitions: [{architectures: […],
//               block, event | expression}]}]}
//   before      NAME: {architectures: {gfx906/gfx90a: {block, event | expression}}, description}
//
// A later definition of the same name and GPU takes the place of the one before.
//
// Threads    Append, Define: one at a time. Everything else: any, beside them
// Memory     all text is copied, and kept as long as the definitions
// Errors     Append: a line that names the counter or the line of the text; nothing is taken over
//            then
#pragma once

#include <stdint.h>

#include <string_view>

#include "base/status.h"
#include "counters/arena.h"

namespace rtl::counters {

struct YamlNode;

struct Definition {
  uint32_t number = 0;  // 1-based
  std::string_view name, description;
  std::string_view block;  // empty: it is computed
  uint32_t event = 0;
  std::string_view expression;
  std::string_view origin;           // the file; empty: built in
  std::string_view* gpus = nullptr;  // "gfx906"
  uint32_t gpu_count = 0;

  bool derived() const { return block.empty(); }
  bool Knows(std::string_view gpu) const {
    for (uint32_t i = 0; i < gpu_count; ++i) {
      if (gpus[i] == gpu) return true;
    }
    return false;
  }
};

class Definitions {
 public:
  static constexpr uint32_t kMost = 65535;  // numbers have 16 bits in the interface's records

  Definitions() = default;
  Definitions(const Definitions&) = delete;
  Definitions& operator=(const Definitions&) = delete;
  ~Definitions();

  // `origin`: how messages and `origin` name the text.
  Status Append(std::string_view yaml, std::string_view origin);
  Status AppendFile(const char* path);
  // A counter that is computed, of one kind of GPU. Its expression is not looked at here.
  Status Define(std::string_view gpu, std::string_view name, std::string_view expression,
                std::string_view description, const Definition** out);

  uint32_t count() const { return __atomic_load_n(&count_, __ATOMIC_ACQUIRE); }
  const Definition& at(uint32_t number) const { return *all_[number - 1]; }
  // That a later one took its place on one GPU says nothing of the others.
  bool IsCurrent(std::string_view gpu, const Definition& definition) const {
    return definition.Knows(gpu) && Find(gpu, definition.name) == &definition;
  }
  // Null: there is none.
  const Definition* Find(std::string_view gpu, std::string_view name) const;
  bool KnowsGpu(std::string_view gpu) const;

 private:
  struct Entry;  // a name on a GPU
  // What one text defines.
  struct Chain {
    struct Link {
      Link* next;
      Definition* definition;
    };
    Link* first = nullptr;
    Link** last = &first;
    Status Add(Definition* definition, Arena* arena) {
      auto* const link = arena->New<Link>();
      if (link == nullptr) return Status::Error("there is no memory");
      *link = {nullptr, definition};
      *last = link;
      last = &link->next;
      return Status::Ok();
    }
  };
  Definition* Make(std::string_view name, std::string_view description, std::string_view origin);
  Status Take(Definition* definition);
  Status Enter(std::string_view gpu, Definition* definition);
  Status ReadNew(const YamlNode& counters, std::string_view origin, Chain* made);
  Status ReadOld(const YamlNode& root, std::string_view origin, Chain* made);
  Status ReadOne(const YamlNode& node, Definition* out);

  Arena arena_;
  Definition** all_ = nullptr;
  uint32_t count_ = 0;
  Entry** buckets_ = nullptr;
};

// spec/counters/counter_defs.yaml, which is built in.
std::string_view BuiltInText();

// Reads the built-in definitions, then the file of ROCm's own definitions, if there is one
// (ROCPROFILER_METRICS_PATH/counter_defs.yaml, else
// /opt/rocm/share/rocprofiler-sdk/counter_defs.yaml). A file that cannot be read is one warning.
void ReadInstalledDefinitions(Definitions* known);

// The definitions of this process: the installed ones, then RTL_COUNTER_FILE. Read at the first
// use.
Definitions* KnownDefinitions();

// Replaces all of these, or is `append`ed to them; before the first use. kTooLate: they are in use
// already; kUnreadable: the text cannot be read, which is a warning.
enum class Loaded : uint8_t { kOk, kTooLate, kUnreadable };
Loaded LoadDefinitions(std::string_view yaml, bool append);

}  // namespace rtl::counters
