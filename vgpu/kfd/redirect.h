// SPDX-License-Identifier: MIT
// redirect.h: which paths belong to the virtual machine, and where their files really are.
//
// Threads    any; no heap, so that it can run inside any interposed call
#pragma once

namespace vgpu {

class RedirectedPath {
 public:
  // True when `path` belongs to the virtual machine; c_str() is then where its file is.
  // `path` may be null.
  bool Redirect(const char* path);
  const char* c_str() const { return text_; }

 private:
  char text_[1024];
};

// The path to open instead of `path`, which is `path` itself for everything but the devices.
class RealPath {
 public:
  explicit RealPath(const char* path)
      : path_(redirected_.Redirect(path) ? redirected_.c_str() : path) {}
  const char* get() const { return path_; }

 private:
  RedirectedPath redirected_;
  const char* path_;
};

}  // namespace vgpu
