// SPDX-License-Identifier: MIT
// Fuzzes the decoder with kernel descriptors of untrusted code objects.
//
//   input     a target's name up to the first zero byte, then the descriptor
#include <stdlib.h>
#include <string.h>

#include <algorithm>
#include <memory>
#include <string>

#include "device/kernel_descriptor.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const auto* end = static_cast<const uint8_t*>(memchr(data, 0, size));
  if (end == nullptr) return 0;
  const std::string name(reinterpret_cast<const char*>(data), static_cast<size_t>(end - data));
  rtl::GfxVersion gfx;
  if (!rtl::ParseGfxName(name.c_str(), &gfx)) return 0;
  const size_t bytes = std::min(size - name.size() - 1, rtl::kMaxKernelDescriptorBytes);
  // A copy of exactly that size, so that the sanitizer sees a read past the end.
  const std::unique_ptr<uint8_t[]> copy(new uint8_t[bytes]);
  memcpy(copy.get(), end + 1, bytes);
  rtl::KernelResources resources;
  if (!rtl::DecodeKernelDescriptor(copy.get(), bytes, gfx, &resources)) return 0;
  if (resources.vgprs > 1024 || resources.sgprs > 128) abort();  // more than the hardware has
  return 0;
}
