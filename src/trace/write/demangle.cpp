// SPDX-License-Identifier: MIT
#include "trace/write/demangle.h"

#include <setjmp.h>
#include <string.h>

#include <memory>

#define HAVE_DECL_BASENAME 1  // the declaration of libiberty differs from that of <string.h>
#include <libiberty/demangle.h>

namespace rtl::store {
namespace {

// A mangled name can refer to its own parts, so a hundred bytes may expand to gigabytes. Therefore
// the output is limited while it is produced, which abi::__cxa_demangle does not allow.
constexpr size_t kLongestResult = 16 * 1024;
// The demangler's recursion, and so its stack, grows with the name. Its own limit rejects names of
// more than 1024 bytes, which template libraries exceed.
constexpr size_t kLongestName = 4096;

struct Output {
  jmp_buf too_long;
  size_t used = 0;
  char text[kLongestResult];
};

void Append(const char* part, size_t bytes, void* data) {
  auto* const output = static_cast<Output*>(data);
  // longjmp is safe here, because the demangler holds nothing except its stack frames.
  if (bytes > sizeof output->text - output->used) longjmp(output->too_long, 1);
  memcpy(output->text + output->used, part, bytes);
  output->used += bytes;
}

// Because of longjmp, no object with a destructor may live here.
bool Demangle(const char* mangled, Output* output) {
  if (setjmp(output->too_long) != 0) return false;
  return cplus_demangle_v3_callback(mangled, DMGL_PARAMS | DMGL_TYPES | DMGL_NO_RECURSE_LIMIT,
                                    &Append, output) != 0;
}

}  // namespace

std::string DemangleKernel(std::string_view symbol) {
  constexpr std::string_view kDescriptor = ".kd";
  if (symbol.ends_with(kDescriptor)) symbol.remove_suffix(kDescriptor.size());
  std::string mangled(symbol);
  if (!symbol.starts_with("_Z") || symbol.size() > kLongestName) return mangled;
  const auto output = std::make_unique<Output>();
  if (!Demangle(mangled.c_str(), output.get())) return mangled;
  return std::string(output->text, output->used);
}

}  // namespace rtl::store
