// SPDX-License-Identifier: MIT
// node_facts.h: what the driver and AMD's library report about one GPU: its properties, the
// dimensions of its blocks, and which events a virtual GPU counts.
//
// Threads    Open: one at a time. Everything else: any
// Blocking   Open: reads small files of the driver's topology
// Memory     fixed
// Errors     a property that cannot be read is not known
#pragma once

#include <stdint.h>

#include "counters/aqlprofile.h"
#include "counters/plan.h"

namespace rtl::capture {

class NodeFacts final : public counters::GpuFacts {
 public:
  // `node`: the number of the GPU's node in the driver's topology.
  void Open(uint32_t node, const counters::AqlProfile* library, counters::AqlProfile::Agent handle);

  bool Property(std::string_view name, double* value) const override;
  bool Extents(const counters::CounterEvent& event, uint32_t* extents) const override;
  bool FitTogether(const counters::CounterSet& set) const override;
  bool IsModelled(const counters::CounterEvent& event) const;

 private:
  const counters::AqlProfile* library_ = nullptr;
  counters::AqlProfile::Agent handle_;
  char properties_[4096] = {};  // lines "name value", each after a line break
  // the events of a virtual GPU: lines "BLOCK NUMBER"; empty for a real GPU
  char modelled_[4096] = {};
};

}  // namespace rtl::capture
