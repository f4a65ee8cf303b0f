// SPDX-License-Identifier: MIT
#include "capture/counters/node_facts.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/files_apart.h"
#include "base/unique_fd.h"

namespace rtl::capture {
namespace {

// Reads a file of the node in the driver's topology into `out`, after a line break. Leaves `out`
// empty if there is no such file.
template <size_t kBytes>
void ReadNodeFile(uint32_t node, const char* file, char (&out)[kBytes]) {
  char path[96];
  snprintf(path, sizeof path, "/sys/class/kfd/kfd/topology/nodes/%u/%s", node, file);
  out[0] = '\0';
  FilesApart([&] {
    const UniqueFd fd(::open(path, O_RDONLY | O_CLOEXEC));
    if (!fd.valid()) return;
    out[0] = '\n';
    const ssize_t got = ::read(fd.get(), out + 1, kBytes - 2);
    out[got < 0 ? 0 : got + 1] = '\0';
  });
}

hsa_status_t OnExtent(int, int, int extent, int, const char* name, void* data) {
  static_cast<uint32_t*>(data)[static_cast<size_t>(counters::DimensionOf(name))] =
      static_cast<uint32_t>(extent);
  return HSA_STATUS_SUCCESS;
}

// A property that the driver's file lacks and two others imply: `name` = `all` / `of_each`.
struct Quotient {
  std::string_view name, all, of_each;
};
constexpr Quotient kQuotients[] = {{"cu_count", "simd_count", "simd_per_cu"},
                                   {"num_shader_banks", "array_count", "simd_arrays_per_engine"},
                                   {"cu_per_engine", "cu_count", "num_shader_banks"}};

}  // namespace

void NodeFacts::Open(uint32_t node, const counters::AqlProfile* library,
                     counters::AqlProfile::Agent handle) {
  library_ = library;
  handle_ = handle;
  ReadNodeFile(node, "properties", properties_);
  ReadNodeFile(node, "modelled_counters", modelled_);  // a real GPU has no such file
}

bool NodeFacts::Property(std::string_view name, double* value) const {
  char line[80];
  const int length =
      snprintf(line, sizeof line, "\n%.*s ", static_cast<int>(name.size()), name.data());
  if (length < 0 || static_cast<size_t>(length) >= sizeof line) return false;
  if (const char* const found = strstr(properties_, line); found != nullptr) {
    *value = static_cast<double>(strtoull(found + length, nullptr, 10));
    return true;
  }
  for (const Quotient& each : kQuotients) {
    double all = 0, of_each = 0;
    if (each.name != name || !Property(each.all, &all) || !Property(each.of_each, &of_each))
      continue;
    *value = of_each == 0 ? 0 : all / of_each;
    return true;
  }
  if (double per_simd = 0, simds = 0; name == "max_waves_per_cu" &&
                                      Property("max_waves_per_simd", &per_simd) &&
                                      Property("simd_per_cu", &simds)) {
    *value = per_simd * simds;
    return true;
  }
  *value = name == "num_xcc" ? 1 : 0;
  return name == "num_xcc";
}

bool NodeFacts::Extents(const counters::CounterEvent& event, uint32_t* extents) const {
  counters::AqlProfile::Block block;
  if (library_ == nullptr || !library_->FindBlock(handle_, event.block, &block)) return false;
  return library_->EachCoordinate(handle_, {0, event.event, event.flags, block.id}, 0, OnExtent,
                                  extents);
}

bool NodeFacts::FitTogether(const counters::CounterSet& set) const {
  return library_ == nullptr ||
         library_->Fits(handle_, set).kind == counters::AqlProfile::Fit::kYes;
}

bool NodeFacts::IsModelled(const counters::CounterEvent& event) const {
  if (modelled_[0] == '\0') return true;
  char line[48];
  snprintf(line, sizeof line, "\n%s %u\n", event.block, event.event);
  return strstr(modelled_, line) != nullptr;
}

}  // namespace rtl::capture
