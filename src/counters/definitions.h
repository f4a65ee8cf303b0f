// SPDX-License-Identifier: MIT
// definitions.h: the hardware counters that have a name. For each kind of GPU, a definition gives
// the block and the event to count, or an expression of other counters.
//
//   schema 1    rocprofiler-sdk: {counters: [{name, description, definitions: [{architectures: […],
//               block, event | expression}]}]}
//   before      NAME: {architectures: {gfx906/gfx90a: {block, event | expression}}, description}
//
// A later definition replaces an earlier one of the same name and GPU.
//
// Threads    Append, Define: one at a time. Everything else: any, also during Append and Define
// Memory     all text is copied, and kept as long as the definitions
// Errors     Append: a line that names the counter or the line of the text; nothing of the text is
//            used then
#pragma once

#include <stdint.h>

#include <string_view>

#include "base/status.h"
#include "counters/arena.h"

namespace rtl::counters {

struct YamlNode;

struct Definition {
  uint32_t number = 0;  // from 1
  std::string_view name, description;
  std::string_view block;  // empty: the counter is computed by `expression`
  uint32_t event = 0;
  std::string_view expression;
  std::string_view origin;           // the file; empty: built in
  std::string_view* gpus = nullptr;  // "gfx906"
  uint32_t gpu_count = 0;
  Definition* next = nullptr;  // the next one of the same text

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
  static constexpr uint32_t kMost = 65535;  // records of the interface have 16 bits for the number

  Definitions() = default;
  Definitions(const Definitions&) = delete;
  Definitions& operator=(const Definitions&) = delete;
  ~Definitions();

  // `origin`: the name of the text in messages and in Definition::origin.
  Status Append(std::string_view yaml, std::string_view origin);
  Status AppendFile(const char* path);
  // Defines a counter that is computed, for one kind of GPU. The expression is not parsed here.
  Status Define(std::string_view gpu, std::string_view name, std::string_view expression,
                std::string_view description, const Definition** out);

  uint32_t count() const { return __atomic_load_n(&count_, __ATOMIC_ACQUIRE); }
  const Definition& at(uint32_t number) const { return *all_[number - 1]; }
  // Whether this definition is used on the GPU. It may be replaced on some GPUs and still be used
  // on others.
  bool IsCurrent(std::string_view gpu, const Definition& definition) const {
    return definition.Knows(gpu) && Find(gpu, definition.name) == &definition;
  }
  // Null: the GPU has no such counter.
  const Definition* Find(std::string_view gpu, std::string_view name) const;
  bool KnowsGpu(std::string_view gpu) const;

 private:
  struct Entry;  // one name on one GPU
  // The definitions of one text.
  struct Chain {
    Definition* first = nullptr;
    Definition** last = &first;
    void Add(Definition* definition) {
      *last = definition;
      last = &definition->next;
    }
  };
  Definition* Make(std::string_view name, std::string_view description, std::string_view origin);
  Status Publish(Definition* definition);
  Status Enter(std::string_view gpu, Definition* definition);
  Status ReadNew(const YamlNode& counters, std::string_view origin, Chain* made);
  Status ReadOld(const YamlNode& root, std::string_view origin, Chain* made);
  Status ReadOne(const YamlNode& node, Definition* out);

  Arena arena_;
  Definition** all_ = nullptr;
  uint32_t count_ = 0;
  Entry** buckets_ = nullptr;
};

// The text of spec/counters/counter_defs.yaml, which is built into the library.
std::string_view BuiltInText();

// Reads the built-in definitions, then ROCm's own file (ROCPROFILER_METRICS_PATH/counter_defs.yaml,
// or /opt/rocm/share/rocprofiler-sdk/counter_defs.yaml) if it exists. If it cannot be read, that is
// one warning.
void ReadInstalledDefinitions(Definitions* known);

// The definitions of this process: the installed ones, then those of RTL_COUNTER_FILE. They are
// read at the first call.
Definitions* KnownDefinitions();

// Adds definitions to those of the process (`append`), or replaces them all. Must come before the
// first call of KnownDefinitions. kTooLate: it came later; kUnreadable: the text cannot be read,
// which is also a warning.
enum class Loaded : uint8_t { kOk, kTooLate, kUnreadable };
Loaded LoadDefinitions(std::string_view yaml, bool append);

}  // namespace rtl::counters
