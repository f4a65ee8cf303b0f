// SPDX-License-Identifier: MIT
// gpu_numbers.h: gives each GPU its number in a trace. Each process counts the GPUs that it sees
// from zero, so with ROCR_VISIBLE_DEVICES, or on another host, its GPU 0 may be another GPU. In a
// trace a GPU has only one number; it is identified by its host, PCI location, id and node.
//
//   number      the process's own, unless another GPU has it; for a rank of a job that of the host,
//               so that the order in which ranks begin does not matter; else the next one
//
// Memory     one entry for each GPU
// Why        docs/adr/0144-gpu-numbers.md
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <tuple>

namespace rtl::store {

class GpuNumbers {
 public:
  struct Gpu {
    std::string host = {};  // the boot id, or the name of the host
    std::string uuid = {};
    uint32_t bdf = 0;
    uint32_t node = 0;
    uint32_t own = 0;      // number of the GPU in its process
    uint32_t of_host = 0;  // number among the GPUs of the host, if that is known
    bool of_a_rank = false;
  };
  uint32_t Of(const Gpu& gpu);
  // Adds a GPU of an earlier part of the trace, with its number.
  void Know(const Gpu& gpu, uint32_t number);

 private:
  using Key = std::tuple<std::string, std::string, uint32_t, uint32_t, uint32_t>;
  static Key KeyOf(const Gpu& gpu);

  std::map<Key, uint32_t> numbers_;
  std::set<uint32_t> taken_;
};

}  // namespace rtl::store
