// SPDX-License-Identifier: MIT
// cli_code_objects.h: finds the code objects in a file: a code object itself, a bundle of them
// (compressed or not), or a host program or library that contains bundles.
//
// Input      untrusted: every offset is checked
// Memory     the code objects point into the file's bytes, or into what was decompressed
#pragma once

#include <cstdint>
#include <deque>
#include <span>
#include <string>
#include <vector>

namespace vgpu {

using Bytes = std::span<const uint8_t>;

struct CodePart {
  std::string name;  // of the kernel or function; the section's where there are no symbols
  Bytes code;
};

struct CodeObject {
  std::string target;  // "gfx90a", or "machine 0x77"
  int gfx = 0;         // as GpuModel::gfx; 0: there is no model of it
  std::vector<CodePart> parts;
};

class CodeObjects {
 public:
  // False, with the reason in *why, when the file holds none or cannot be read.
  bool Read(Bytes file, std::string* why);

  const std::vector<CodeObject>& list() const { return list_; }

 private:
  bool ReadAny(Bytes bytes, std::string* why);
  bool ReadBundle(Bytes bytes, uint64_t* length, std::string* why);
  bool ReadCompressed(Bytes bytes, uint64_t* length, std::string* why);
  bool ReadBundles(Bytes bytes, std::string* why);
  bool ReadHost(Bytes bytes, std::string* why);
  bool ReadCodeObject(Bytes bytes, std::string* why);

  std::vector<CodeObject> list_;
  std::deque<std::vector<uint8_t>> decompressed_;
};

}  // namespace vgpu
